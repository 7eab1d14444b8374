//! The keywords of CSA.

use crate::builder::{Ending, Outcome, UNKNOWN_END};
use crate::game::{EndReason, GameResult};
use sabi_shogi::{Color, PieceKind, Square};

const PIECES: [(&str, PieceKind); PieceKind::COUNT] = [
    ("FU", PieceKind::Pawn),
    ("KY", PieceKind::Lance),
    ("KE", PieceKind::Knight),
    ("GI", PieceKind::Silver),
    ("KI", PieceKind::Gold),
    ("KA", PieceKind::Bishop),
    ("HI", PieceKind::Rook),
    ("OU", PieceKind::King),
    ("TO", PieceKind::ProPawn),
    ("NY", PieceKind::ProLance),
    ("NK", PieceKind::ProKnight),
    ("NG", PieceKind::ProSilver),
    ("UM", PieceKind::Horse),
    ("RY", PieceKind::Dragon),
];

/// Special moves.
const ENDINGS: [(&str, Ending); 16] = [
    ("TORYO", (EndReason::Resign, Outcome::MoverLoses)),
    ("TSUMI", (EndReason::Checkmate, Outcome::MoverLoses)),
    ("TIME_UP", (EndReason::Timeout, Outcome::MoverLoses)),
    ("ILLEGAL_MOVE", (EndReason::Illegal, Outcome::MoverLoses)),
    ("+ILLEGAL_ACTION", (EndReason::Illegal, Outcome::Wins(Color::White))),
    ("-ILLEGAL_ACTION", (EndReason::Illegal, Outcome::Wins(Color::Black))),
    // Kifu for JS omits the sign: the last move was illegal.
    ("ILLEGAL_ACTION", (EndReason::Illegal, Outcome::MoverWins)),
    ("KACHI", (EndReason::Declaration, Outcome::MoverWins)),
    ("SENNICHITE", (EndReason::Repetition, Outcome::Draw)),
    ("JISHOGI", (EndReason::Impasse, Outcome::Draw)),
    ("HIKIWAKE", (EndReason::Impasse, Outcome::Draw)),
    ("MAX_MOVES", (EndReason::MaxMoves, Outcome::Draw)),
    ("CHUDAN", (EndReason::Aborted, Outcome::Unknown)),
    ("MATTA", (EndReason::Aborted, Outcome::Unknown)),
    ("ERROR", (EndReason::Aborted, Outcome::Unknown)),
    ("FUZUMI", UNKNOWN_END),
];

/// Reasons as named by servers: in `'summary:` lines, and (capitals) by Shogi Wars after
/// `SENTE_WIN_`, `GOTE_WIN_` or `DRAW_`. The first name of a reason is written.
const REASONS: [(&str, EndReason); 26] = [
    ("toryo", EndReason::Resign),
    ("tsumi", EndReason::Checkmate),
    ("kachi", EndReason::Declaration),
    ("illegal move", EndReason::Illegal),
    ("illegal kachi", EndReason::Illegal),
    ("uchifuzume", EndReason::Illegal),
    ("outori", EndReason::Illegal),
    ("oute_kaihimore", EndReason::Illegal),
    ("time up", EndReason::Timeout),
    ("sennichite", EndReason::Repetition),
    (PERPETUAL_CHECK, EndReason::Repetition),
    ("jishogi", EndReason::Impasse),
    ("max_moves", EndReason::MaxMoves),
    ("adjudication", EndReason::Adjudication),
    ("abnormal", EndReason::Aborted),
    ("chudan", EndReason::Aborted),
    (UNKNOWN, EndReason::Unknown),
    ("TORYO", EndReason::Resign),
    ("CHECKMATE", EndReason::Checkmate),
    ("TIMEOUT", EndReason::Timeout),
    ("ENTERINGKING", EndReason::Declaration),
    ("TRY", EndReason::Declaration),
    ("SENNICHI", EndReason::Repetition),
    ("OUTE_SENNICHI", EndReason::Repetition),
    ("PLY_LIMIT", EndReason::MaxMoves),
    ("DISCONNECT", EndReason::Aborted),
];

/// The word for no reason.
pub(super) const UNKNOWN: &str = "unknown";

/// A repetition with a winner.
const PERPETUAL_CHECK: &str = "oute_sennichite";

pub(super) fn reason(word: &str) -> EndReason {
    REASONS.iter().find(|(name, _)| *name == word).map_or(EndReason::Unknown, |&(_, reason)| reason)
}

/// The name of a reason in a `'summary:` line.
pub(super) fn reason_name(end: EndReason, result: GameResult) -> &'static str {
    if end == EndReason::Repetition && result != GameResult::Draw {
        return PERPETUAL_CHECK;
    }
    REASONS.iter().find(|&&(_, reason)| reason == end).map_or(UNKNOWN, |&(name, _)| name)
}

/// The end of a word. An unknown word (of a later version) still ends the game.
pub(crate) fn ending(word: &str) -> Ending {
    let entry = ENDINGS.iter().find(|(name, _)| *name == word);
    entry.map_or(UNKNOWN_END, |&(_, ending)| ending)
}

/// Words without `%`: `GOTE_WIN_CHECKMATE` of Shogi Wars, and special moves of careless programs.
pub(super) fn bare_ending(word: &str) -> Option<Ending> {
    if let Some(&(_, ending)) = ENDINGS.iter().find(|(name, _)| *name == word) {
        return Some(ending);
    }
    let outcomes = [
        ("SENTE_WIN_", Outcome::Wins(Color::Black)),
        ("GOTE_WIN_", Outcome::Wins(Color::White)),
        ("DRAW_", Outcome::Draw),
    ];
    outcomes.into_iter().find_map(|(start, outcome)| Some((reason(word.strip_prefix(start)?), outcome)))
}

pub(crate) fn kind(name: &str) -> Option<PieceKind> {
    PIECES.iter().find(|(letters, _)| *letters == name).map(|&(_, kind)| kind)
}

pub(crate) fn name(kind: PieceKind) -> &'static str {
    PIECES.iter().find(|&&(_, other)| other == kind).map_or("", |&(letters, _)| letters)
}

/// The side of the sign at the start of a text, and the rest.
pub(super) fn signed(text: &str) -> Option<(Color, &str)> {
    let black = text.strip_prefix('+').map(|rest| (Color::Black, rest));
    black.or_else(|| Some((Color::White, text.strip_prefix('-')?)))
}

/// `77`; `Some(None)` for `00`, the hand.
pub(super) fn square(digits: &str) -> Option<Option<Square>> {
    match *digits.as_bytes() {
        [b'0', b'0'] => Some(None),
        [file @ b'1'..=b'9', rank @ b'1'..=b'9'] => Square::at(file - b'1', rank - b'1').map(Some),
        _ => None,
    }
}

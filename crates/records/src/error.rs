//! What can be wrong with a record: the error of a file, the fault in it, why a move is illegal; and
//! a count of the faults of a long run.

use sabi_files::{DecodeError, JsonError};
use sabi_shogi::{Bitboard, Color, HandKind, Move, PackedSfenError, PieceKind, Position, SfenError, attacks, excerpt};
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A game that could not be read: where, and why.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", place(file, *line))]
pub struct RecordError {
    /// The file.
    pub file: PathBuf,
    /// The line, or in packed files the record or game, from 1; 0 for the file as a whole.
    pub line: usize,
    /// The reason.
    pub fault: Fault,
}

fn place(file: &Path, line: usize) -> String {
    if line == 0 { file.display().to_string() } else { format!("{}:{line}", file.display()) }
}

/// Why a record is invalid.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum Fault {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Json(#[from] JsonError),
    #[error("the text is neither UTF-8 nor Shift_JIS")]
    Encoding,
    #[error("the input is empty")]
    Empty,
    #[error("unknown record format")]
    UnknownFormat,
    #[error("there is no game in it")]
    NoGame,
    #[error("the line is longer than {0} bytes")]
    LongLine(usize),
    #[error("the game is longer than {0} moves")]
    LongGame(usize),
    #[error("the game takes more than {0} bytes")]
    LongText(usize),
    #[error("the start position is wrong: {0}")]
    Start(#[from] SfenError),
    #[error("the packed position is wrong: {0}")]
    Packed(#[from] PackedSfenError),
    #[error("the bits {0:#06x} are not a move")]
    MoveBits(u16),
    #[error("invalid result {0}")]
    ResultByte(i8),
    #[error("the record is truncated after {length} of {expected} bytes")]
    TruncatedRecord { length: usize, expected: usize },
    #[error(transparent)]
    Sabg(#[from] SabgError),
    #[error("'{0}' does not describe a position")]
    Board(String),
    #[error("'{0}' may concern hands or side to move of the diagram, but is not understood")]
    Hand(String),
    #[error("there is no piece '{0}' to take away")]
    NothingToRemove(String),
    #[error("the handicap '{0}' is not known, and no position is given")]
    Handicap(String),
    #[error("'{0}' is not a move")]
    NotAMove(String),
    #[error("'{0}' is not a statement of this format")]
    NotAStatement(String),
    #[error("move {number} '{text}' is illegal: {reason}")]
    Illegal { number: usize, text: String, reason: IllegalReason },
    #[error("move {number} '{text}' moves {actual}, which is another piece")]
    WrongPiece { number: usize, text: String, actual: String },
    #[error("move {number} '{text}' is played by {0:?}, whose turn it is not", color)]
    WrongSide { number: usize, text: String, color: Color },
    #[error("move {number} '{text}' is ambiguous: {candidates} pieces match")]
    Ambiguous { number: usize, text: String, candidates: usize },
    #[error("move {number} '{text}' goes to the square of the move before, but there was none")]
    NoMoveBefore { number: usize, text: String },
    #[error("move number {found} instead of {expected}")]
    Numbering { expected: u32, found: String },
    #[error("unexpected '{0}' after the end of the game")]
    AfterTheEnd(String),
}

/// A line that was left out although it may say something about position, moves or result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The line, from 1; 0 where the format has no lines.
    pub line: usize,
    /// Its beginning.
    pub text: String,
}

/// What a reader left out of a game or file: the number of lines, and the first of them. Lines that
/// a format ignores by design are not among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Warnings {
    /// Number of lines.
    pub count: usize,
    /// The first ones.
    pub first: Vec<Warning>,
}

impl Warnings {
    /// Adds a line.
    pub(super) fn note(&mut self, line: usize, text: &str) {
        self.count += 1;
        if self.first.len() < EXAMPLES {
            self.first.push(Warning { line, text: excerpt(text) });
        }
    }

    /// Adds those of another game.
    pub fn add(&mut self, others: &Self) {
        self.count += others.count;
        self.first.extend(others.first.iter().take(EXAMPLES - self.first.len()).cloned());
    }

    /// Whether nothing was left out.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// `2 lines are not understood and were left out: 7 'hello', 9 'bye'`.
impl fmt::Display for Warnings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words =
            if self.count == 1 { "line is not understood and was" } else { "lines are not understood and were" };
        write!(f, "{} {words} left out:", self.count)?;
        for (at, Warning { line, text }) in self.first.iter().enumerate() {
            f.write_str(if at > 0 { ", " } else { " " })?;
            if *line > 0 {
                write!(f, "{line} ")?;
            }
            write!(f, "'{text}'")?;
        }
        if self.count > self.first.len() { f.write_str(", …") } else { Ok(()) }
    }
}

/// A fault and its line, before the file is known.
#[derive(Debug)]
pub(super) struct Located {
    pub(super) line: usize,
    pub(super) fault: Fault,
}

impl Located {
    /// The error with its file.
    pub(super) fn of_file(self, file: &Path) -> RecordError {
        RecordError { file: file.to_owned(), line: self.line, fault: self.fault }
    }
}

impl Fault {
    /// Checks that a move, `number` of the game, is legal.
    pub(super) fn of_move(position: &Position, mv: Move, number: usize, text: impl fmt::Display) -> Result<(), Self> {
        let illegal = |reason| Self::Illegal { number, text: excerpt(&text.to_string()), reason };
        IllegalReason::of(position, mv).map_or(Ok(()), |reason| Err(illegal(reason)))
    }

    pub(super) const fn at(self, line: usize) -> Located {
        Located { line, fault: self }
    }
}

/// The version of the format SABG that is read and written.
pub(super) const SABG_VERSION: u32 = 1;

/// Why a file or block in the format [SABG](crate::sabg) is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum SabgError {
    #[error("not a file of compact games")]
    WrongFormat,
    #[error("its version is {0}, this program reads version {known}", known = SABG_VERSION)]
    Version(u32),
    #[error("its header is damaged")]
    Header,
    #[error("the head of a block is damaged; the rest cannot be read")]
    Head,
    #[error("the last block is truncated after {length} of {expected} bytes")]
    Truncated { length: u64, expected: u64 },
    #[error("the checksum of a block with {games} games is wrong")]
    Checksum { games: u32 },
    #[error("a block is damaged: {0}")]
    Content(&'static str),
}

impl From<DecodeError> for SabgError {
    fn from(DecodeError(why): DecodeError) -> Self {
        Self::Content(why)
    }
}

/// Why a move is illegal. An illegal move that was really played loses the game, nonsense
/// invalidates the record.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum IllegalReason {
    #[error("no piece of the side to move is there")]
    NoPiece,
    /// The target square is occupied by an own piece, or, for a drop, by any.
    #[error("the square is taken")]
    Taken,
    #[error("the piece does not move like that")]
    NoSuchStep,
    #[error("the piece cannot promote there")]
    NoPromotion,
    #[error("the piece is not in hand")]
    NotHeld,
    #[error("the piece could never move again")]
    DeadEnd,
    #[error("it is the second pawn on the file")]
    DoubledPawn,
    #[error("a pawn drop must not mate")]
    PawnDropMate,
    #[error("the king is left in check")]
    KingInCheck,
}

impl IllegalReason {
    /// Whether it can be played on a real board, as opposed to a nonsense move.
    pub const fn can_be_played(self) -> bool {
        matches!(self, Self::DeadEnd | Self::DoubledPawn | Self::PawnDropMate | Self::KingInCheck)
    }

    /// Why a move is illegal; `None` if it is legal.
    pub fn of(position: &Position, mv: Move) -> Option<Self> {
        if position.is_legal(mv) {
            return None;
        }
        Some(match (mv.from(), mv.drop_kind()) {
            (_, Some(kind)) => of_drop(position, kind, mv),
            (_, None) => of_board_move(position, mv),
        })
    }
}

fn of_drop(position: &Position, kind: HandKind, mv: Move) -> IllegalReason {
    let us = position.side_to_move();
    let file = Bitboard::file(mv.to().file());
    if !position.hand(us).has(kind) {
        IllegalReason::NotHeld
    } else if position.piece_at(mv.to()).is_some() {
        IllegalReason::Taken
    } else if mv.to().relative_rank(us) < kind.on_board().dead_ranks() {
        IllegalReason::DeadEnd
    } else if kind == HandKind::Pawn && position.pieces(us, PieceKind::Pawn).intersects(file) {
        IllegalReason::DoubledPawn
    } else if position.in_check() {
        IllegalReason::KingInCheck
    } else {
        IllegalReason::PawnDropMate
    }
}

fn of_board_move(position: &Position, mv: Move) -> IllegalReason {
    let us = position.side_to_move();
    let Some((from, piece)) = mv.from().and_then(|from| Some((from, position.piece_at(from)?))) else {
        return IllegalReason::NoPiece;
    };
    let (kind, to) = (piece.kind(), mv.to());
    if piece.color() != us {
        IllegalReason::NoPiece
    } else if position.color(us).has(to) || position.kind(PieceKind::King).has(to) {
        IllegalReason::Taken
    } else if !attacks(us, kind, from, position.occupied()).has(to) {
        IllegalReason::NoSuchStep
    } else if mv.is_promotion() && !(kind.can_promote() && (from.in_promotion_zone(us) || to.in_promotion_zone(us))) {
        IllegalReason::NoPromotion
    } else if !mv.is_promotion() && to.relative_rank(us) < kind.dead_ranks() {
        IllegalReason::DeadEnd
    } else {
        IllegalReason::KingInCheck
    }
}

/// Examples kept per cause.
const EXAMPLES: usize = 3;

/// Faults by cause, with the first examples.
#[derive(Clone, Debug, Default)]
pub struct BadGames {
    causes: BTreeMap<&'static str, (u64, Vec<String>)>,
}

impl BadGames {
    /// Counts a fault.
    pub fn note(&mut self, error: &RecordError) {
        let (count, examples) = self.causes.entry(cause(&error.fault)).or_default();
        *count += 1;
        if examples.len() < EXAMPLES {
            examples.push(error.to_string());
        }
    }

    /// Number of faults.
    pub fn total(&self) -> u64 {
        self.causes.values().map(|(count, _)| count).sum()
    }
}

fn cause(fault: &Fault) -> &'static str {
    match fault {
        Fault::Io(_) => "files that cannot be read",
        Fault::Encoding | Fault::UnknownFormat => "files in no known format",
        Fault::Json(_) => "JSON that is no record",
        Fault::NoGame | Fault::Empty => "files without a game",
        Fault::Start(_) | Fault::Board(_) | Fault::Hand(_) | Fault::NothingToRemove(_) | Fault::Handicap(_) => {
            "start positions"
        }
        Fault::Packed(_) => "packed positions",
        Fault::TruncatedRecord { .. } | Fault::Sabg(SabgError::Truncated { .. }) => "truncated records",
        Fault::Sabg(_) => "damaged blocks of games",
        Fault::Illegal { .. } => "illegal moves",
        Fault::AfterTheEnd(_) => "moves after the end",
        Fault::LongLine(_) | Fault::LongGame(_) | Fault::LongText(_) => "too long",
        Fault::ResultByte(_) => "invalid results",
        _ => "invalid moves",
    }
}

impl fmt::Display for BadGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games could not be read", self.total())?;
        for (cause, (count, examples)) in &self.causes {
            write!(f, "\n  {count} {cause}")?;
            for example in examples {
                write!(f, "\n    {example}")?;
            }
            if *count > examples.len() as u64 {
                f.write_str("\n    …")?;
            }
        }
        Ok(())
    }
}

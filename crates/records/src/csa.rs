//! CSA, versions 1 to 3: words, moves, position statements, headers, and the reader of a game.

use super::builder::{Builder, Draft, Ending, Setup, UNKNOWN_END, WordResult};
use super::error::{Fault, Located};
use super::game::{Clock, EndReason, Game, GameResult, Headers};
use sabi_shogi::{Color, Move, Piece, PieceKind, Position, Square, excerpt};
use std::time::Duration;

/// Whether a line starts a record, for files of unknown format.
pub(super) fn detect(line: &str) -> bool {
    let starts = ["V1", "V2", "V3", "N+", "N-", "PI", "P1", "P+", "P-", "$EVENT", "$START_TIME", "'CSA"];
    let statement = statements(line).next().unwrap_or_default();
    starts.iter().any(|start| line.starts_with(start)) || is_move(statement) || winner(statement).is_some()
}

/// The statements of a line. Shogi Wars separates them by tabs; the page of its game calls a function
/// with them.
fn statements(line: &str) -> impl Iterator<Item = &str> {
    let call = line.trim().strip_prefix("receiveMove(\"").and_then(|moves| moves.strip_suffix("\");"));
    call.unwrap_or(line).split([',', '\t']).map(str::trim)
}

/// Whether a statement has the shape of a move.
fn is_move(statement: &str) -> bool {
    matches!(statement.as_bytes(), [b'+' | b'-', squares @ .., a, b]
        if squares.len() == 4 && squares.iter().all(u8::is_ascii_digit)
            && a.is_ascii_uppercase() && b.is_ascii_uppercase())
}

/// Parses a game in CSA.
///
/// # Errors
/// When it is not a valid game.
pub fn read_csa(text: &str) -> Result<Game, Fault> {
    read(text, 1).map_err(|located| located.fault)
}

/// Reads one game; `first` is the number of its first line in the file.
pub(super) fn read(text: &str, first: usize) -> Result<Game, Located> {
    let mut reader = Reader { draft: Draft::new(first), ..Reader::default() };
    for (line, text) in (first..).zip(text.lines()) {
        reader.line = line;
        reader.read_line(text.trim_end())?;
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    line: usize,
    /// The start position as given so far.
    setup: Option<Setup>,
    header_reader: HeaderReader,
    /// The game begins once the side to move is known.
    draft: Draft,
    /// Seconds left after each move, with the number of moves: `L600` of Shogi Wars.
    left: Vec<(usize, u64)>,
}

impl Reader {
    fn read_line(&mut self, line: &str) -> Result<(), Located> {
        if let Some(comment) = line.strip_prefix('\'') {
            self.read_comment(comment);
        } else if let Some((color, name)) = line.strip_prefix('N').and_then(signed) {
            self.header_reader.headers.names[color] = filled(name);
        } else if let Some(header) = line.strip_prefix('$') {
            self.header_reader.read_header(header);
        } else {
            let (statements, comment) =
                line.split_once('\'').map_or((line, None), |(statements, comment)| (statements, Some(comment)));
            self::statements(statements).try_for_each(|statement| self.read_statement(statement))?;
            comment.into_iter().for_each(|comment| self.read_comment(comment));
        }
        Ok(())
    }

    fn read_statement(&mut self, statement: &str) -> Result<(), Located> {
        let line = self.line;
        match signed(statement) {
            Some((_, "")) if self.draft.builder.is_some() => Err(Fault::NotAStatement(statement.to_owned()).at(line)),
            Some((side, "")) => self.game(side).map(drop),
            Some((color, _)) => {
                self.game(color)?.read_move(statement, line, |builder| resolve_move(builder, color, statement))
            }
            None => self.read_other(statement),
        }
    }

    fn read_other(&mut self, statement: &str) -> Result<(), Located> {
        let line = self.line;
        match (statement.as_bytes(), &mut self.draft.builder) {
            ([], _) => {}
            ([b'P', ..], None) => read_position(statement, &mut self.setup).map_err(|fault| fault.at(line))?,
            ([b'T', time @ ..], Some(builder)) if time.iter().all(|b| b.is_ascii_digit() || *b == b'.') => {
                let seconds = statement[1..].parse().ok();
                builder.set_time(seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()));
            }
            ([b'L', left @ ..], Some(builder)) if !left.is_empty() && left.iter().all(u8::is_ascii_digit) => {
                self.left.extend(statement[1..].parse().ok().map(|left| (builder.number() - 1, left)));
            }
            ([b'V', ..], None) => {}
            (_, builder) => {
                let word = statement.strip_prefix('%');
                let ending = known_ending(word.unwrap_or(statement));
                if word.is_none() && builder.is_none() && winner(statement).is_none() {
                    self.draft.warnings.note(line, statement);
                    return Ok(());
                }
                if word.is_none() && ending.is_none() {
                    return Err(Fault::NotAStatement(excerpt(statement)).at(line));
                }
                // An unknown word, of a later version, still ends the game.
                if ending.is_none_or(|(reason, outcome)| reason == EndReason::Unknown && outcome != WordResult::Unknown)
                {
                    self.draft.warnings.note(line, statement);
                }
                self.game(Color::Black)?.end(ending.unwrap_or(UNKNOWN_END));
            }
        }
        Ok(())
    }

    /// The game, which begins with this side by the first call.
    fn game(&mut self, side: Color) -> Result<&mut Builder, Located> {
        let (setup, line) = (&self.setup, self.line);
        self.draft.begin(|| {
            let start = setup.clone().unwrap_or_else(Setup::even).position(side);
            start.map_err(|error| Fault::from(error).at(line))
        })
    }

    /// A comment for programs begins with a star; others are for readers of the file.
    fn read_comment(&mut self, text: &str) {
        match text.strip_prefix('*') {
            Some(comment) => self.draft.comment(comment),
            None => self.header_reader.read_comment(text),
        }
    }

    fn finish(mut self) -> Result<Game, Located> {
        if self.setup.is_some() {
            // A position may be alone, without moves and side to move.
            self.game(Color::Black)?;
        }
        if let Some(builder) = &mut self.draft.builder {
            self.header_reader.ending().into_iter().for_each(|ending| builder.summarise(ending));
            if self.header_reader.has_unknown_reason() {
                builder.forget_reason();
            }
        }
        let mut game = self.draft.finish(self.header_reader.headers)?;
        set_times(&mut game, &self.left);
        Ok(game)
    }
}

/// Times from what was left of the main time: games of Shogi Wars begin with three or ten minutes;
/// those of ten seconds a move count down from an hour.
fn set_times(game: &mut Game, left: &[(usize, u64)]) {
    let most = left.iter().map(|&(_, left)| left).max().unwrap_or(0);
    let main = game.headers.clocks[Color::Black].map_or(0, |clock| clock.main.as_secs());
    let main = [main, 180, 600, 3600].into_iter().find(|&main| main > 0 && main >= most);
    let mut before = [main; 2];
    for &(number, left) in left {
        // The sides alternate.
        let Some(at) = number.checked_sub(1) else { continue };
        let spent = before[at % 2].replace(left).and_then(|before| before.checked_sub(left));
        if let (Some(time), Some(spent)) = (game.times.get_mut(at), spent) {
            time.get_or_insert(Duration::from_secs(spent));
        }
    }
}

/// Reads a position statement (`P`): a row, single pieces, or pieces removed from the start position.
fn read_position(statement: &str, given: &mut Option<Setup>) -> Result<(), Fault> {
    let error = || Fault::Board(excerpt(statement));
    let rest = statement.get(1..).ok_or_else(error)?;
    if let Some(removed) = rest.strip_prefix('I') {
        let setup = given.insert(Setup::even());
        for (square, kind) in placed_pieces(removed).ok_or_else(error)? {
            let square = square.ok_or_else(error)?;
            if setup.piece_at(square).is_none_or(|piece| Some(piece.kind()) != kind) {
                return Err(Fault::NothingToRemove(excerpt(removed)));
            }
            setup.put(square, None);
        }
        return Ok(());
    }
    let setup = given.get_or_insert_with(Setup::empty);
    if let Some((color, pieces)) = signed(rest) {
        // `P+00KI27FU`: pieces of one side, on squares or, at 00, in hand; `AL` is all the rest.
        for (square, kind) in placed_pieces(pieces).ok_or_else(error)? {
            match (square, kind) {
                (Some(square), Some(kind)) => setup.put(square, Some(Piece::new(color, kind))),
                (Some(_), None) => return Err(error()),
                (None, None) => setup.add_rest_to_hand(color)?,
                (None, Some(kind)) if kind.is_promoted() => return Err(error()),
                (None, Some(kind)) => setup.add_to_hand(color, kind.in_hand().ok_or_else(error)?)?,
            }
        }
        return Ok(());
    }
    let rank = rest.bytes().next().filter(|byte| (b'1'..=b'9').contains(byte)).ok_or_else(error)? - b'1';
    let row = rest.get(1..).unwrap_or_default();
    let cells = fixed_cells(row).or_else(|| loose_cells(row)).ok_or_else(error)?;
    for (square, cell) in (0..9).rev().filter_map(|file| Square::at(file, rank)).zip(cells) {
        setup.put(square, cell);
    }
    Ok(())
}

/// Groups of two digits and two letters. `AL` has no kind.
fn placed_pieces(text: &str) -> Option<Vec<(Option<Square>, Option<PieceKind>)>> {
    let mut rest = text.trim();
    let mut pieces = Vec::new();
    while !rest.is_empty() {
        let (at, name) = (square(rest.get(..2)?)?, rest.get(2..4)?);
        let kind = if name == "AL" && at.is_none() { None } else { Some(kind(name)?) };
        pieces.push((at, kind));
        rest = rest.get(4..)?;
    }
    Some(pieces)
}

/// The nine cells of a row, three characters each; trailing blanks may be missing.
fn fixed_cells(row: &str) -> Option<[Option<Piece>; 9]> {
    let mut cells = [None; 9];
    let mut rest = row;
    for cell in &mut cells {
        let (head, tail) = rest.split_at_checked(rest.len().min(3))?;
        *cell = match head.trim() {
            "" | "*" => None,
            piece => Some(signed_piece(piece)?),
        };
        rest = tail;
    }
    rest.trim().is_empty().then_some(cells)
}

/// The same with other widths, as some programs write them.
fn loose_cells(row: &str) -> Option<[Option<Piece>; 9]> {
    let mut cells = [None; 9];
    let mut rest = row.trim_start();
    for cell in &mut cells {
        if let Some(tail) = rest.strip_prefix('*') {
            rest = tail.trim_start();
        } else if !rest.is_empty() {
            let (head, tail) = rest.split_at_checked(3)?;
            *cell = Some(signed_piece(head)?);
            rest = tail.trim_start();
        }
    }
    rest.is_empty().then_some(cells)
}

fn signed_piece(text: &str) -> Option<Piece> {
    let (color, name) = signed(text)?;
    Some(Piece::new(color, kind(name)?))
}

/// Headers before the moves.
#[derive(Default)]
struct HeaderReader {
    headers: Headers,
    summary: Option<String>,
}

impl HeaderReader {
    /// A line that began with `$`.
    fn read_header(&mut self, header: &str) {
        match header.split_once(':') {
            Some(("EVENT", event)) => self.headers.event = filled(event),
            Some(("START_TIME", date)) => self.headers.date = filled(date),
            Some(("TIME" | "TIME_LIMIT", time)) => self.headers.clocks = [Clock::read_csa(time); 2],
            Some(("TIME+", time)) => self.headers.clocks[Color::Black] = Clock::read_csa(time),
            Some(("TIME-", time)) => self.headers.clocks[Color::White] = Clock::read_csa(time),
            _ => {}
        }
    }

    /// A line that began with an apostrophe.
    fn read_comment(&mut self, comment: &str) {
        if let Some(rating) = comment.strip_prefix("black_rate:") {
            self.headers.ratings[Color::Black] = last_number(rating);
        } else if let Some(rating) = comment.strip_prefix("white_rate:") {
            self.headers.ratings[Color::White] = last_number(rating);
        } else if let Some(summary) = comment.strip_prefix("summary:") {
            self.summary = Some(summary.to_owned());
        }
    }

    /// The end by the summary: `toryo:NAME win:NAME lose`. Names identify the sides; equal names
    /// are in order.
    fn ending(&self) -> Option<Ending> {
        let mut parts = self.summary.as_deref()?.trim().split(':');
        let reason = reason(parts.next()?);
        for (at, part) in parts.enumerate() {
            let (name, result) = part.rsplit_once(' ')?;
            let is = |color: Color| self.headers.names[color].as_deref() == Some(name);
            let color = match (is(Color::Black), is(Color::White)) {
                (true, false) => Color::Black,
                (false, true) => Color::White,
                _ if at == 0 => Color::Black,
                _ => Color::White,
            };
            match result {
                "win" => return Some((reason, WordResult::Wins(color))),
                "lose" => return Some((reason, WordResult::Wins(!color))),
                "draw" => return Some((reason, WordResult::Draw)),
                _ => {}
            }
        }
        Some((reason, WordResult::Unknown))
    }

    /// Whether the summary says that the reason is unknown, which no special move says.
    fn has_unknown_reason(&self) -> bool {
        self.summary.as_deref().is_some_and(|summary| summary.trim().split(':').next() == Some(UNKNOWN))
    }
}

fn filled(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The number after the last colon, as in `NAME+hash:3345.0`.
fn last_number(text: &str) -> Option<f64> {
    text.rsplit(':').next()?.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// The move of a text in the current position.
pub(super) fn resolve_move(builder: &Builder, color: Color, text: &str) -> Result<Move, Fault> {
    resolve_in(builder.position(), builder.number(), color, text)
}

/// The move of a text in a position, as move `number` of the game.
fn resolve_in(position: &Position, number: usize, color: Color, text: &str) -> Result<Move, Fault> {
    let not_a_move = || Fault::NotAMove(excerpt(text));
    let parsed = || {
        let piece = text.get(5..).filter(|_| text.len() == 7)?;
        Some((square(text.get(1..3)?)?, square(text.get(3..5)?)??, kind(piece)?))
    };
    // The source, none for a drop; the target; the piece after the move.
    let (from, to, kind) = parsed().ok_or_else(not_a_move)?;
    if position.side_to_move() != color {
        return Err(Fault::WrongSide { number, text: excerpt(text), color });
    }
    let Some(from) = from else {
        let held = kind.in_hand().filter(|_| !kind.is_promoted()).ok_or_else(not_a_move)?;
        return Ok(Move::drop(held, to));
    };
    let promotes = match position.piece_at(from).map(Piece::kind) {
        Some(before) if before.can_promote() && before.promoted() == kind => true,
        Some(before) if before != kind => {
            return Err(Fault::WrongPiece { number, text: excerpt(text), actual: name(before).to_owned() });
        }
        // An empty source square is reported when the move is played.
        _ => false,
    };
    Move::board(from, to, promotes).ok_or_else(not_a_move)
}

/// Parses a legal move in CSA: `+7776FU`.
///
/// # Errors
/// When it is not a legal move.
pub fn read_csa_move(position: &Position, text: &str) -> Result<Move, Fault> {
    let (color, _) = signed(text).ok_or_else(|| Fault::NotAMove(excerpt(text)))?;
    let number = position.plies_played() + 1;
    let mv = resolve_in(position, number, color, text)?;
    Fault::of_move(position, mv, number, text).map(|()| mv)
}

/// Names of the pieces, by kind.
const PIECES: [&str; PieceKind::COUNT] =
    ["FU", "KY", "KE", "GI", "KA", "HI", "KI", "OU", "TO", "NY", "NK", "NG", "UM", "RY"];

/// Special moves.
const ENDINGS: [(&str, Ending); 17] = [
    ("TORYO", (EndReason::Resign, WordResult::MoverLoses)),
    ("TSUMI", (EndReason::Checkmate, WordResult::MoverLoses)),
    ("TIME_UP", (EndReason::Timeout, WordResult::MoverLoses)),
    ("ILLEGAL_MOVE", (EndReason::Illegal, WordResult::MoverLoses)),
    ("+ILLEGAL_ACTION", (EndReason::Illegal, WordResult::Wins(Color::White))),
    ("-ILLEGAL_ACTION", (EndReason::Illegal, WordResult::Wins(Color::Black))),
    // Kifu for JS omits the sign: the last move was illegal.
    ("ILLEGAL_ACTION", (EndReason::Illegal, WordResult::MoverWins)),
    ("KACHI", (EndReason::Declaration, WordResult::MoverWins)),
    ("SENNICHITE", (EndReason::Repetition, WordResult::Draw)),
    ("JISHOGI", (EndReason::Impasse, WordResult::Draw)),
    ("HIKIWAKE", (EndReason::Impasse, WordResult::Draw)),
    ("MAX_MOVES", (EndReason::MaxMoves, WordResult::Draw)),
    ("CHUDAN", (EndReason::Aborted, WordResult::Unknown)),
    ("MATTA", (EndReason::Aborted, WordResult::Unknown)),
    ("ERROR", (EndReason::Aborted, WordResult::Unknown)),
    ("FUZUMI", UNKNOWN_END),
    // Of programs that convert games of Shogi Wars.
    ("TIMEOUT", (EndReason::Timeout, WordResult::MoverLoses)),
];

/// Reasons as named by servers: in `'summary:` lines, and (capitals) by Shogi Wars and programs that
/// convert its games after `SENTE_WIN_`, `GOTE_WIN_` or `DRAW_`. The first name of a reason is written.
const REASONS: [(EndReason, &[&str]); 11] = [
    (EndReason::Resign, &["toryo", "TORYO", "RESIGN"]),
    (EndReason::Checkmate, &["tsumi", "CHECKMATE"]),
    (EndReason::Declaration, &["kachi", "ENTERINGKING", "TRY", "DECLARATION"]),
    (EndReason::Illegal, &["illegal move", "illegal kachi", "uchifuzume", "outori", "oute_kaihimore", "ILLEGAL"]),
    (EndReason::Timeout, &["time up", "TIMEOUT"]),
    (
        EndReason::Repetition,
        &["sennichite", PERPETUAL_CHECK, "SENNICHI", "OUTE_SENNICHI", "SENNICHITE", "OUTE_SENNICHITE", "REPETITION"],
    ),
    (EndReason::Impasse, &["jishogi", "IMPASSE"]),
    (EndReason::MaxMoves, &["max_moves", "PLY_LIMIT"]),
    (EndReason::Adjudication, &["adjudication"]),
    (EndReason::Aborted, &["abnormal", "chudan", "DISCONNECT", "INVALID"]),
    (EndReason::Unknown, &[UNKNOWN]),
];

/// The word for no reason.
const UNKNOWN: &str = "unknown";

/// A repetition with a winner.
const PERPETUAL_CHECK: &str = "oute_sennichite";

fn reason(word: &str) -> EndReason {
    REASONS.iter().find(|(_, names)| names.contains(&word)).map_or(EndReason::Unknown, |&(reason, _)| reason)
}

/// The name of a reason in a `'summary:` line.
pub(super) fn reason_name(end: EndReason, result: GameResult) -> &'static str {
    if end == EndReason::Repetition && result != GameResult::Draw {
        return PERPETUAL_CHECK;
    }
    REASONS.iter().find(|(reason, _)| *reason == end).map_or(UNKNOWN, |(_, names)| names[0])
}

/// The end of a word: a special move, which careless programs write without `%`, or
/// `GOTE_WIN_CHECKMATE` of Shogi Wars, which others write with it. The result of the latter counts also
/// without a known reason.
pub(super) fn known_ending(word: &str) -> Option<Ending> {
    let special = |word: &str| ENDINGS.iter().find(|(name, _)| *name == word).map(|&(_, ending)| ending);
    if let Some((outcome, rest)) = winner(word) {
        let reason = match reason(rest) {
            EndReason::Unknown => special(rest).map_or(EndReason::Unknown, |(reason, _)| reason),
            reason => reason,
        };
        return Some((reason, outcome));
    }
    special(word)
}

/// The result at the start of a word of Shogi Wars, and the reason.
fn winner(word: &str) -> Option<(WordResult, &str)> {
    let outcomes = [
        ("SENTE_WIN", WordResult::Wins(Color::Black)),
        ("GOTE_WIN", WordResult::Wins(Color::White)),
        ("DRAW", WordResult::Draw),
    ];
    let after = |(start, outcome): (&str, _)| Some((outcome, word.strip_prefix(start)?.trim_start_matches('_')));
    outcomes.into_iter().find_map(after)
}

pub(super) fn kind(name: &str) -> Option<PieceKind> {
    // As two bytes: texts of any length are compared by a call for each.
    let name: &[u8; 2] = name.as_bytes().try_into().ok()?;
    PieceKind::ALL.into_iter().find(|&kind| self::name(kind).as_bytes().first_chunk() == Some(name))
}

pub(super) fn name(kind: PieceKind) -> &'static str {
    PIECES[kind]
}

/// The side of the sign at the start of a text, and the rest.
fn signed(text: &str) -> Option<(Color, &str)> {
    let black = text.strip_prefix('+').map(|rest| (Color::Black, rest));
    black.or_else(|| Some((Color::White, text.strip_prefix('-')?)))
}

/// `77`; `Some(None)` for `00`, the hand.
fn square(digits: &str) -> Option<Option<Square>> {
    match *digits.as_bytes() {
        [b'0', b'0'] => Some(None),
        [file @ b'1'..=b'9', rank @ b'1'..=b'9'] => Square::at(file - b'1', rank - b'1').map(Some),
        _ => None,
    }
}

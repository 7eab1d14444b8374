//! Mate problems: positions in lines of text or in a column of a table, JSON, and the first positions
//! of game records.
//!
//! A bad problem is reported before solving begins: a file is read completely or not at all.

use super::builder::Setup;
use super::error::{Fault, RecordError};
use super::files::{MAX_LINE, is_multiline_record, read_bytes};
use super::game::Game;
use super::text;
use super::usi::read_sfen;
use sabi_files::{JsonError, open_regular, without_bom};
use sabi_shogi::{Color, HandKind, Piece, PieceKind, Position, PositionError, SfenError, Square, excerpt};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Maximum file size: protects from devices without an end.
const MAX_BYTES: u64 = 1 << 30;

/// A position in which the side to move mates by checks.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The position. The other side has a king.
    pub position: Position,
    /// Mate length in plies, if stated.
    pub stated: Option<u32>,
    /// Its place in the source: a line or a number.
    pub place: String,
}

impl Problem {
    /// Parses a position of a line: SFEN, `sfen …` or `startpos`, each optionally with `moves …`,
    /// optionally after the word `position`.
    ///
    /// # Errors
    /// When it is invalid, or the other side has no king.
    pub fn from_line(text: &str, place: String) -> Result<Self, ProblemFault> {
        Self::new(position_of_line(text)?, None, place)
    }

    fn new(position: Position, stated: Option<u32>, place: String) -> Result<Self, ProblemFault> {
        match position.king(!position.side_to_move()) {
            Some(_) => Ok(Self { position, stated, place }),
            None => Err(ProblemFault::NoKingToMate),
        }
    }
}

/// The problems of a file, in order.
///
/// # Errors
/// When it cannot be read, has no problem, or any problem is invalid.
pub fn read_problems(path: impl AsRef<Path>) -> Result<Vec<Problem>, ProblemError> {
    let path = path.as_ref();
    let read = || {
        let mut bytes = Vec::new();
        open_regular(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        Ok::<_, io::Error>(bytes)
    };
    let bytes = read().map_err(|error| ProblemError::new(path, ProblemFault::Io(error).nowhere()))?;
    read_problem_bytes(path, bytes)
}

/// The problems of a file in memory; name and content give the format.
///
/// ```
/// let text = b"sfen\tplies\n4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1\t1\n".to_vec();
/// let problems = sabi_records::read_problem_bytes("problems.tsv", text)?;
/// assert_eq!(problems[0].stated, Some(1));
/// # Ok::<(), sabi_records::ProblemError>(())
/// ```
///
/// # Errors
/// When it has no problem, or any problem is invalid.
pub fn read_problem_bytes(name: impl AsRef<Path>, bytes: Vec<u8>) -> Result<Vec<Problem>, ProblemError> {
    let name = name.as_ref();
    let problems = problems(name, bytes).map_err(|misplaced| ProblemError::new(name, misplaced))?;
    if problems.is_empty() {
        return Err(ProblemError::new(name, ProblemFault::Empty.nowhere()));
    }
    Ok(problems)
}

fn problems(name: &Path, bytes: Vec<u8>) -> Result<Vec<Problem>, Misplaced> {
    if bytes.len() as u64 > MAX_BYTES {
        return Err(ProblemFault::LargeFile(MAX_BYTES).nowhere());
    }
    // JSON and lines are split as bytes, in which UTF-16 has zeros.
    let bytes = text::utf8_bytes(bytes);
    if is_multiline_record(name, &bytes) {
        return first_positions(name, bytes);
    }
    if is_json(name, &bytes) {
        let text = text::decode(&bytes).map_err(|fault| ProblemFault::from(fault).nowhere())?;
        return read_json(&text);
    }
    read_lines(&bytes)
}

/// The number of moves of a record is not a mate length: they may continue beyond it or be another
/// line.
fn first_positions(name: &Path, bytes: Vec<u8>) -> Result<Vec<Problem>, Misplaced> {
    let read = |(number, game): (usize, Result<Game, RecordError>)| {
        let line = |error: &RecordError| (error.line > 0).then(|| format!("line {}", error.line));
        let game = game.map_err(|error| (line(&error), error.fault.into()))?;
        let place = format!("game {number}");
        Problem::new(game.start, None, place.clone()).map_err(|fault| fault.at(place))
    };
    (1..).zip(read_bytes(name, bytes)).map(read).collect()
}

/// A problem file that could not be read: where, and why.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", location(file, place.as_deref()))]
pub struct ProblemError {
    /// The file.
    pub file: PathBuf,
    /// Line or number of the problem; `None` for the file as a whole.
    pub place: Option<String>,
    /// The reason.
    pub fault: ProblemFault,
}

fn location(file: &Path, place: Option<&str>) -> String {
    let file = file.display();
    place.map_or_else(|| file.to_string(), |place| format!("{file}, {place}"))
}

/// Why a problem is invalid. The message is complete, without a source.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ProblemFault {
    #[error("{0}")]
    Io(io::Error),
    #[error("there is no problem in it")]
    Empty,
    #[error("it has more than {0} bytes")]
    LargeFile(u64),
    #[error("{0}")]
    Record(Fault),
    #[error("{0}")]
    Json(String),
    #[error("the position is wrong: {0}")]
    Position(PositionError),
    #[error("'moves' must follow the start position, not '{0}'")]
    Trailing(String),
    #[error("there are two pieces on {0}")]
    TwoPieces(Square),
    #[error("the side to be mated has no king")]
    NoKingToMate,
    #[error("there is no position in the column 'sfen'")]
    NoSuchColumn,
    #[error("'{0}' is not a number of plies")]
    NotALength(String),
}

/// The place of a fault and the fault, before the file is known.
type Misplaced = (Option<String>, ProblemFault);

impl ProblemFault {
    const fn at(self, place: String) -> Misplaced {
        (Some(place), self)
    }

    const fn nowhere(self) -> Misplaced {
        (None, self)
    }
}

impl From<Fault> for ProblemFault {
    fn from(fault: Fault) -> Self {
        Self::Record(fault)
    }
}

impl From<PositionError> for ProblemFault {
    fn from(error: PositionError) -> Self {
        Self::Position(error)
    }
}

impl From<SfenError> for ProblemFault {
    fn from(error: SfenError) -> Self {
        Self::Position(error.into())
    }
}

impl ProblemError {
    fn new(file: &Path, (place, fault): Misplaced) -> Self {
        Self { file: file.to_owned(), place, fault }
    }
}

/// Column indices of a table.
#[derive(Default)]
struct Columns {
    position: Option<usize>,
    plies: Option<usize>,
}

/// A problem per line: a position alone, or a tab-separated table with a position column.
///
/// A header line with a column `sfen` names the columns; `plies` is the length of the mate. Empty
/// lines and comments after `#` are skipped.
fn read_lines(bytes: &[u8]) -> Result<Vec<Problem>, Misplaced> {
    let mut columns = Columns::default();
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let place = format!("line {number}");
        match read_line(line, &mut columns, &place) {
            Ok(problem) => problems.extend(problem),
            Err(fault) => return Err(fault.at(place)),
        }
    }
    Ok(problems)
}

fn read_line(bytes: &[u8], columns: &mut Columns, place: &str) -> Result<Option<Problem>, ProblemFault> {
    if bytes.len() > MAX_LINE {
        return Err(Fault::LongLine(MAX_LINE).into());
    }
    let text = text::decode(bytes)?;
    let cells: Vec<&str> = text.trim_end().split('\t').map(str::trim).collect();
    if let Some(named) = Columns::named(&cells) {
        *columns = named;
        return Ok(None);
    }
    if text.trim_start().is_empty() || text.trim_start().starts_with('#') {
        return Ok(None);
    }
    let position = match columns.position {
        Some(at) => cells.get(at).filter(|cell| !cell.is_empty()).ok_or(ProblemFault::NoSuchColumn)?,
        None => cells.iter().find(|cell| is_position(cell)).unwrap_or(&cells[0]),
    };
    let stated = columns.plies.and_then(|at| cells.get(at)).filter(|cell| !["", "-"].contains(cell));
    let stated = stated.map(|cell| cell.parse().map_err(|_| ProblemFault::NotALength(excerpt(cell)))).transpose()?;
    Ok(Some(Problem { stated, ..Problem::from_line(position, place.to_owned())? }))
}

impl Columns {
    /// The columns of a header line, if it is one.
    fn named(cells: &[&str]) -> Option<Self> {
        let names = cells.iter().map(|cell| cell.trim_start_matches('#').trim().to_ascii_lowercase());
        let names: Vec<String> = names.collect();
        let find = |name| names.iter().position(|cell| cell == name);
        let position = find("sfen").filter(|_| cells.len() > 1)?;
        Some(Self { position: Some(position), plies: find("plies") })
    }
}

/// Whether a cell looks like a position.
fn is_position(cell: &str) -> bool {
    let word = cell.split_ascii_whitespace().next().unwrap_or_default();
    ["position", "startpos", "sfen"].contains(&word) || word.matches('/').count() == 8
}

/// The position of a line, after its moves.
fn position_of_line(text: &str) -> Result<Position, ProblemFault> {
    let mut words = text.split('#').next().unwrap_or_default().split_ascii_whitespace().peekable();
    words.next_if_eq(&"position");
    let start = if words.next_if_eq(&"startpos").is_some() {
        Position::startpos()
    } else {
        words.next_if_eq(&"sfen");
        read_sfen(&mut words)?
    };
    match words.next() {
        None | Some("moves") => Ok(start.with_moves(words)?),
        Some(other) => Err(ProblemFault::Trailing(excerpt(other))),
    }
}

/// A problem of tanuki-tsume-shogi (<https://github.com/tokuhirom/tanuki-tsume-shogi>): pieces, both
/// hands in full, and the length of the mate. The attacker is Black, to move.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    id: Option<u64>,
    mate_length: Option<u32>,
    initial: Initial,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Initial {
    pieces: Vec<Placed>,
    hands: Hands,
    #[serde(rename = "sideToMove")]
    _side: Attacker,
}

#[derive(Deserialize)]
struct Placed {
    x: Coordinate,
    y: Coordinate,
    owner: Owner,
    #[serde(rename = "type")]
    kind: Kind,
}

#[derive(Deserialize)]
struct Hands {
    attacker: BTreeMap<Held, u8>,
    defender: BTreeMap<Held, u8>,
}

#[derive(Copy, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Owner {
    Attacker,
    Defender,
}

/// The side to move is fixed.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Attacker {
    Attacker,
}

/// A file or rank, 1 to 9 in the text and 0 to 8 here.
#[derive(Copy, Clone, Deserialize)]
#[serde(try_from = "u64")]
struct Coordinate(u8);

/// SFEN letter, upper case for both sides.
#[derive(Copy, Clone, Deserialize)]
#[serde(try_from = "String")]
struct Kind(PieceKind);

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
struct Held(HandKind);

impl TryFrom<u64> for Coordinate {
    type Error = String;

    fn try_from(number: u64) -> Result<Self, String> {
        let index = u8::try_from(number).ok().and_then(|number| number.checked_sub(1)).filter(|&index| index < 9);
        index.map(Self).ok_or_else(|| format!("there is no file or rank {number}"))
    }
}

impl TryFrom<String> for Kind {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (letter, promoted) = text.strip_prefix('+').map_or((text.as_str(), false), |letter| (letter, true));
        let mut letters = letter.chars();
        let kind = letters.next().and_then(PieceKind::from_letter).filter(|_| letters.next().is_none());
        let kind = kind.filter(|kind| !promoted || kind.can_promote());
        let kind = kind.ok_or_else(|| format!("there is no piece '{}'", excerpt(&text)))?;
        Ok(Self(if promoted { kind.promoted() } else { kind }))
    }
}

impl TryFrom<String> for Held {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let held = Kind::try_from(text.clone()).ok().filter(|kind| !kind.0.is_promoted());
        let held = held.and_then(|kind| kind.0.in_hand());
        held.map(Self).ok_or_else(|| format!("'{}' is not held in hand", excerpt(&text)))
    }
}

/// Whether a file is of this format: by its name, or by a bracket that begins an array of objects.
fn is_json(name: &Path, bytes: &[u8]) -> bool {
    let within = without_bom(bytes).trim_ascii_start().strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
    name.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
        || within.is_some_and(|within| matches!(within, [b'{' | b']', ..]))
}

/// A JSON array of such problems.
fn read_json(text: &str) -> Result<Vec<Problem>, Misplaced> {
    let objects: Vec<Object> = serde_json::from_str(text).map_err(|error| {
        let error = JsonError::from(error);
        ProblemFault::Json(error.reason).at(format!("line {}", error.line))
    })?;
    let problem = |(number, object): (u64, Object)| {
        let place = object.id.map_or_else(|| format!("number {number}"), |id| format!("id {id}"));
        object.problem(place.clone()).map_err(|fault| fault.at(place))
    };
    (1..).zip(objects).map(problem).collect()
}

impl Object {
    fn problem(self, place: String) -> Result<Problem, ProblemFault> {
        let mut setup = Setup::empty();
        for Placed { x, y, owner, kind } in self.initial.pieces {
            // A coordinate is always on the board.
            let Some(square) = Square::at(x.0, y.0) else { continue };
            if setup.piece_at(square).is_some() {
                return Err(ProblemFault::TwoPieces(square));
            }
            let color = if owner == Owner::Attacker { Color::Black } else { Color::White };
            setup.put(square, Some(Piece::new(color, kind.0)));
        }
        let Hands { attacker, defender } = self.initial.hands;
        for (color, hand) in [(Color::Black, attacker), (Color::White, defender)] {
            for (Held(kind), count) in hand {
                (0..count).try_for_each(|_| setup.add_to_hand(color, kind))?;
            }
        }
        Problem::new(setup.position(Color::Black)?, self.mate_length, place)
    }
}

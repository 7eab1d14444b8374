//! What the readers and writers of all formats share: errors, the report of dropped entries, checks
//! of moves, merging of duplicate positions.

use crate::{BookMove, BookPosition};
use sabi_files::JsonError;
use sabi_shogi::{Move, Position, Score};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::{self, Display};
use std::ops::ControlFlow;

/// Depth written for moves without a search: the default of YaneuraOu's `BookDepthLimit`, below
/// which it plays no book move.
pub(super) const UNSEARCHED_DEPTH: u16 = 16;
/// Number of examples kept per reason.
const EXAMPLES: usize = 3;
/// Maximum length of an example.
const EXAMPLE_CHARS: usize = 100;

/// A readable format.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// YaneuraOu and AobaZero text.
    YaneuraOu,
    /// YaneuraOu binary book.
    Ybb,
    /// Apery's `book.bin`.
    Apery,
    /// ShogiGUI's graph.
    Sbk,
    /// JSON with opening names, in one of three shapes.
    Openings,
    /// Sabi's JSON.
    Json,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::YaneuraOu => "YaneuraOu text",
            Self::Ybb => "YaneuraOu binary",
            Self::Apery => "Apery",
            Self::Sbk => "sbk",
            Self::Openings => "JSON of openings",
            Self::Json => "Sabi JSON",
        })
    }
}

/// Receives the positions of a book; may stop the reader.
pub type PositionVisitor<'a> = dyn FnMut(BookPosition) -> ControlFlow<()> + 'a;

/// Why a book cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum FormatError {
    #[error("unknown book format")]
    Unknown,
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// Invalid JSON, or not a book. The message has line and column.
    #[error(transparent)]
    Json(#[from] JsonError),
    #[error("the {format} book is damaged at byte {at}: {what}")]
    Damaged { format: Format, at: u64, what: &'static str },
    /// A book to be searched on disk is not sorted.
    #[error("the {format} book is not sorted: the entry at byte {at} is out of order")]
    NotSorted { format: Format, at: u64 },
}

/// Why an entry was dropped or changed.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum DropReason {
    #[error("invalid positions")]
    BadPosition,
    #[error("positions with an invalid move number, replaced by 1")]
    BadPly,
    #[error("invalid moves")]
    BadMove,
    /// The moving piece belongs to the other side.
    #[error("moves of the wrong side")]
    WrongSide,
    #[error("illegal moves")]
    IllegalMove,
    /// An entry for no move or resignation.
    #[error("entries without a move")]
    NoMove,
    #[error("duplicate moves")]
    DuplicateMove,
    #[error("duplicate positions, merged")]
    DuplicatePosition,
    #[error("illegal answers, the move kept")]
    BadAnswer,
    /// A move without a position, or below a dropped one.
    #[error("moves without a position")]
    MoveWithoutPosition,
    #[error("positions without a legal move")]
    EmptyPosition,
    /// Invalid binary record or offset.
    #[error("damaged records")]
    BadRecord,
    /// Entry not reachable from the roots.
    #[error("unreachable entries")]
    Unreached,
    /// Contradicting fields; the reliable one was used.
    #[error("moves with contradicting fields")]
    Disagreement,
}

/// Location in the source; numbers from 1, offsets from 0.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A line of text.
    Line(u64),
    /// An offset.
    Byte(u64),
    /// A position, in a source without lines and offsets.
    Position(u64),
    /// A position and one of its moves.
    Move(u64, u64),
    /// No particular location.
    Whole,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
            Self::Position(position) => write!(f, "position {position}"),
            Self::Move(position, mv) => write!(f, "position {position}, move {mv}"),
            Self::Whole => f.write_str("in all"),
        }
    }
}

/// One of the first cases of a reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Where it was.
    pub location: Location,
    /// The text, shortened to a line.
    pub text: String,
}

/// All cases of one reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Number of cases.
    pub count: u64,
    /// The first cases.
    pub examples: Vec<Example>,
}

/// Counts of a reader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadReport {
    /// Positions passed on.
    pub positions: u64,
    /// Moves passed on.
    pub moves: u64,
    dropped: BTreeMap<DropReason, Dropped>,
}

impl ReadReport {
    /// Number of cases of a reason.
    pub fn count(&self, reason: DropReason) -> u64 {
        self.dropped.get(&reason).map_or(0, |dropped| dropped.count)
    }

    /// Causes with their counts and examples.
    pub fn dropped(&self) -> &BTreeMap<DropReason, Dropped> {
        &self.dropped
    }

    /// Counts a case. The text is only made if it is kept.
    pub(super) fn note(&mut self, reason: DropReason, location: Location, text: impl FnOnce() -> String) {
        self.note_many(reason, 1, location, text);
    }

    /// Counts several cases with one example.
    pub(super) fn note_many(
        &mut self,
        reason: DropReason,
        count: u64,
        location: Location,
        text: impl FnOnce() -> String,
    ) {
        let dropped = self.dropped.entry(reason).or_default();
        dropped.count += count;
        if dropped.examples.len() < EXAMPLES {
            let clean = |c: char| if c.is_control() { '?' } else { c };
            dropped.examples.push(Example { location, text: text().chars().take(EXAMPLE_CHARS).map(clean).collect() });
        }
    }

    /// Adds what `other` dropped, not what it passed on, which its reader has counted.
    pub fn absorb_losses(&mut self, other: Self) {
        for (reason, dropped) in other.dropped {
            let all = self.dropped.entry(reason).or_default();
            all.count += dropped.count;
            let room = EXAMPLES.saturating_sub(all.examples.len());
            all.examples.extend(dropped.examples.into_iter().take(room));
        }
    }
}

/// Entries that a format cannot hold.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Omitted {
    /// Positions.
    pub positions: usize,
    /// Their moves.
    pub moves: usize,
}

impl Omitted {
    /// Counts a position that cannot be written.
    pub fn add(&mut self, position: &BookPosition) {
        self.positions += 1;
        self.moves += position.moves.len();
    }

    /// The moves of a position that YaneuraOu plays as intended; the others are counted.
    ///
    /// By default it ignores counts, so that it would play excluded moves (weight 0). An unknown
    /// score is 0 to it, which among known scores would be one of them.
    pub(super) fn keep_moves<'a>(&mut self, position: &'a BookPosition) -> Vec<&'a BookMove> {
        let mut moves: Vec<&BookMove> = position.moves.iter().filter(|entry| entry.weight > 0).collect();
        if moves.iter().any(|entry| entry.score.is_some()) {
            moves.retain(|entry| entry.score.is_some());
        }
        self.moves += position.moves.len() - moves.len();
        self.positions += usize::from(moves.is_empty());
        moves
    }
}

/// A position and its moves that are legal and not duplicates.
pub(super) struct Candidates {
    position: Position,
    location: Location,
    unknown_values: UnknownValues,
    moves: Vec<BookMove>,
}

/// How a format writes unknown values.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum UnknownValues {
    /// It has no unknown values; 0 is 0.
    Nothing,
    /// The same; of repeated moves the last holds: a book that is played by YaneuraOu's rules is read
    /// as YaneuraOu reads it.
    AsWritten,
    /// As 0, in a format with scores and counts but without depth.
    Zero,
    /// As 0 at depth 0 or [`UNSEARCHED_DEPTH`].
    ZeroAtDepth,
}

impl UnknownValues {
    /// If all moves of a position have the empty score, none was searched; otherwise 0 is a score.
    /// Likewise, counts that are all 0 mean nothing was counted, and the moves are equal.
    fn clear(self, moves: &mut [BookMove]) {
        let blank_depths: &[Option<u16>] = match self {
            Self::Nothing | Self::AsWritten => return,
            Self::Zero => &[None],
            Self::ZeroAtDepth => &[Some(0), Some(UNSEARCHED_DEPTH)],
        };
        let is_blank = |entry: &BookMove| entry.score == Some(Score::ZERO) && blank_depths.contains(&entry.depth);
        if moves.iter().all(is_blank) {
            moves.iter_mut().for_each(|entry| (entry.score, entry.depth) = (None, None));
        }
        if moves.iter().all(|entry| entry.weight == 0) {
            moves.iter_mut().for_each(|entry| entry.weight = 1);
        }
    }
}

/// Whether a move as it is written may have no search: [`UnknownValues::clear`] forgets such values
/// if all moves of a position have them.
pub(crate) fn is_unsearched(entry: &BookMove) -> bool {
    entry.score.is_none_or(|score| score == Score::ZERO)
        && entry.depth.is_none_or(|depth| [0, UNSEARCHED_DEPTH].contains(&depth))
}

impl Candidates {
    /// No moves yet; `location` is that of the position in the source.
    pub fn new(position: Position, location: Location, unknown_values: UnknownValues) -> Self {
        Self { position, location, unknown_values, moves: Vec::new() }
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Whether unknown values are kept as they are written.
    pub fn are_as_written(&self) -> bool {
        self.unknown_values == UnknownValues::AsWritten
    }

    /// Adds a move if it is legal and new; returns whether it was. `text`: its spelling in the
    /// source.
    pub fn push(
        &mut self,
        mut entry: BookMove,
        location: Location,
        text: impl Display,
        report: &mut ReadReport,
    ) -> bool {
        if let Some(reason) = self.reject_reason(entry.mv) {
            report.note(reason, location, || format!("{text} in {}", self.position.sfen()));
            if reason == DropReason::DuplicateMove
                && self.are_as_written()
                && let Some(known) = self.moves.iter_mut().find(|known| known.mv == entry.mv)
            {
                replace_move(known, entry);
            }
            return false;
        }
        if let Some(answer) = entry.answer
            && !self.is_answer(entry.mv, answer)
        {
            report.note(DropReason::BadAnswer, location, || {
                format!("{answer} after {} in {}", entry.mv, self.position.sfen())
            });
            entry.answer = None;
        }
        self.moves.push(entry);
        true
    }

    /// Why a move is rejected. A position has at most a few hundred legal moves, so a linear search
    /// for duplicates is fast.
    fn reject_reason(&self, mv: Move) -> Option<DropReason> {
        if !self.position.is_legal(mv) {
            let theirs = !self.position.side_to_move();
            let foreign = mv.from().and_then(|from| self.position.piece_at(from)).is_some_and(|p| p.color() == theirs);
            return Some(if foreign { DropReason::WrongSide } else { DropReason::IllegalMove });
        }
        self.moves.iter().any(|known| known.mv == mv).then_some(DropReason::DuplicateMove)
    }

    fn is_answer(&mut self, mv: Move, answer: Move) -> bool {
        self.position.play(mv);
        let legal = self.position.is_legal(answer);
        self.position.undo();
        legal
    }

    /// The finished position; `None` without moves.
    pub fn finish(mut self, report: &mut ReadReport) -> Option<BookPosition> {
        if self.moves.is_empty() {
            report.note(DropReason::EmptyPosition, self.location, || self.position.sfen());
            return None;
        }
        self.unknown_values.clear(&mut self.moves);
        sort_moves(&mut self.moves);
        report.positions += 1;
        report.moves += self.moves.len() as u64;
        Some(BookPosition { position: self.position, moves: self.moves })
    }
}

/// Replaces a move by a later entry of the same, as YaneuraOu does when it reads a book: the counts
/// are added.
pub(crate) fn replace_move(known: &mut BookMove, later: BookMove) {
    let weight = known.weight.saturating_add(later.weight);
    *known = BookMove { weight, ..later };
}

/// Sorts by weight, then score, largest first; stable.
pub(crate) fn sort_moves(moves: &mut [BookMove]) {
    moves.sort_by_key(|entry| Reverse((entry.weight, entry.score)));
}

/// A score of another engine, with mates counted from 32000, clamped to the range of scores.
pub(super) fn file_score(value: i64) -> Score {
    let limit = i64::from(Score::MATE.get());
    Score::raw(value.clamp(-limit, limit) as i32)
}

/// A count, clamped to the range of weights.
pub(super) fn file_weight(value: i64) -> u32 {
    u32::try_from(value.max(0)).unwrap_or(u32::MAX)
}

/// Collects positions; equal ones are merged, independent of their move numbers.
///
/// The smallest move number is kept. Of moves that several of them have, the deeper one is kept,
/// then the first. The report counts the positions merged, not their moves.
#[derive(Default)]
pub struct Merger {
    /// By SFEN without move number: the line order of a sorted text book.
    positions: BTreeMap<Box<str>, BookPosition>,
}

impl Merger {
    /// Adds a position.
    pub fn add(&mut self, new: BookPosition, report: &mut ReadReport) {
        match self.positions.entry(new.sfen_without_ply().into_boxed_str()) {
            Entry::Vacant(place) => {
                place.insert(new);
            }
            Entry::Occupied(mut place) => {
                report.note(DropReason::DuplicatePosition, Location::Whole, || new.position.sfen());
                let known = place.get_mut();
                if new.position.ply() < known.position.ply() {
                    known.position = new.position;
                }
                for entry in new.moves {
                    match known.moves.iter_mut().find(|known| known.mv == entry.mv) {
                        Some(known) if entry.depth > known.depth => *known = entry,
                        Some(_) => {}
                        None => known.moves.push(entry),
                    }
                }
                sort_moves(&mut known.moves);
            }
        }
    }

    /// The positions in SFEN order.
    pub fn into_positions(self) -> Vec<BookPosition> {
        self.positions.into_values().collect()
    }
}

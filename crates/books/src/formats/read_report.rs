//! Report of reading a book: counts, dropped entries, reasons.

use std::collections::BTreeMap;
use std::fmt;

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

/// Number of examples kept per reason.
const EXAMPLES: usize = 3;
/// Maximum length of an example.
const EXAMPLE_CHARS: usize = 100;

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

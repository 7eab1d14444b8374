//! What a reader kept, what it dropped, and why.

use std::collections::BTreeMap;
use std::fmt;

/// Why something of a book was dropped or changed.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Cause {
    /// The text or the packed bytes are no position.
    BadPosition,
    /// The number of the move is unreadable; the position was kept with 1.
    BadPly,
    /// The text or the bits are no move.
    BadMove,
    /// The piece that should move belongs to the other side.
    WrongSide,
    /// The rules do not allow the move.
    IllegalMove,
    /// The file says that there is no move, or that the side resigns.
    NoMove,
    /// The position has the move already.
    DuplicateMove,
    /// The position came before; its moves were merged.
    DuplicatePosition,
    /// The expected answer is no legal move; the move was kept without it.
    BadAnswer,
    /// A move stands where no position was named, or below one that was dropped.
    MoveWithoutPosition,
    /// A position has not one move left.
    EmptyPosition,
    /// A binary record points outside the file or holds what no record can.
    BadRecord,
    /// No line from the roots leads to an entry.
    Unreached,
    /// Two fields name different moves; the one that is trusted was taken.
    Disagreement,
}

impl Cause {
    /// One line for people.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::BadPosition => "positions that are none",
            Self::BadPly => "positions with an unreadable move number, kept with 1",
            Self::BadMove => "moves that are none",
            Self::WrongSide => "moves of the wrong side",
            Self::IllegalMove => "illegal moves",
            Self::NoMove => "entries that name no move",
            Self::DuplicateMove => "moves named twice",
            Self::DuplicatePosition => "positions named twice, merged",
            Self::BadAnswer => "expected answers that are not legal, the move kept",
            Self::MoveWithoutPosition => "moves without a position",
            Self::EmptyPosition => "positions without a legal move",
            Self::BadRecord => "damaged records",
            Self::Unreached => "entries that no line leads to",
            Self::Disagreement => "moves spelt in two ways that disagree",
        }
    }
}

/// Where in the source; numbers from 1, bytes from 0.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of text.
    Line(u64),
    /// An offset.
    Byte(u64),
    /// A position, where a source has neither lines nor offsets.
    Position(u64),
    /// A position and one of its moves.
    Move(u64, u64),
    /// Nowhere in particular.
    Whole,
}

impl fmt::Display for Place {
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

/// One of the first cases of a cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Where it was.
    pub place: Place,
    /// What stood there, cut to a line.
    pub text: String,
}

/// All cases of one cause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// How many.
    pub count: u64,
    /// The first of them.
    pub examples: Vec<Example>,
}

/// Counts of a reader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Positions handed on.
    pub positions: u64,
    /// Moves handed on.
    pub moves: u64,
    dropped: BTreeMap<Cause, Dropped>,
}

/// Enough to see what kind of mistake it is.
const EXAMPLES: usize = 3;
/// Longer foreign text is cut.
const EXAMPLE_CHARS: usize = 100;

impl Report {
    /// How often a cause came up.
    pub fn count(&self, cause: Cause) -> u64 {
        self.dropped.get(&cause).map_or(0, |dropped| dropped.count)
    }

    /// Every cause that came up, with its first cases.
    pub fn dropped(&self) -> &BTreeMap<Cause, Dropped> {
        &self.dropped
    }

    /// Notes a case. The text is only made when it will be kept.
    pub(super) fn note(&mut self, cause: Cause, place: Place, text: impl FnOnce() -> String) {
        self.note_many(cause, 1, place, text);
    }

    /// Notes several cases of which one is shown.
    pub(super) fn note_many(&mut self, cause: Cause, count: u64, place: Place, text: impl FnOnce() -> String) {
        let dropped = self.dropped.entry(cause).or_default();
        dropped.count += count;
        if dropped.examples.len() < EXAMPLES {
            let clean = |c: char| if c.is_control() { '?' } else { c };
            dropped.examples.push(Example { place, text: text().chars().take(EXAMPLE_CHARS).map(clean).collect() });
        }
    }

    /// Adds what `other` dropped, not what it handed on: that is counted once, by who read it.
    pub fn absorb_losses(&mut self, other: Self) {
        for (cause, dropped) in other.dropped {
            let all = self.dropped.entry(cause).or_default();
            all.count += dropped.count;
            let room = EXAMPLES.saturating_sub(all.examples.len());
            all.examples.extend(dropped.examples.into_iter().take(room));
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} positions, {} moves", self.positions, self.moves)?;
        for (cause, dropped) in &self.dropped {
            write!(f, "\n  {} {}", dropped.count, cause.describe())?;
            for example in &dropped.examples {
                write!(f, "\n    {}: {}", example.place, example.text)?;
            }
        }
        Ok(())
    }
}

//! What the engine has to say, and who hears it.

use crate::search::{Part, Report, Statistics};
use crate::types::Move;

/// Hears the engine. Called from the thread that searches, so it should be quick.
pub trait Listener: Send + Sync {
    /// A line of thought.
    fn report(&self, report: &Report);

    /// One move of a perft and the leaves behind it.
    fn counted(&self, mv: Move, leaves: u64);

    /// What happened in the tables during a search, where that is counted. Comes before the answer.
    fn statistics(&self, statistics: &Statistics);

    /// Something the user should know.
    fn note(&self, note: &Note);

    /// The one answer to what was asked for.
    fn finished(&self, answer: &Answer);
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Everything is ready for a search.
    Ready,
    /// Everything learnt is forgotten.
    Forgotten,
    /// Play `best`; the opponent is expected to play `ponder`.
    Best {
        /// The move to play.
        best: Move,
        /// The expected answer, legal after it.
        ponder: Option<Move>,
    },
    /// Give up.
    Resign,
    /// Declare the win by entering king.
    Declare,
    /// The side to move mates by this line.
    Mate(Vec<Move>),
    /// It has no mate by checks.
    NoMate,
    /// No mate was found before a limit or a stop.
    MateUnknown,
    /// The leaves of a perft; `None` when it was stopped.
    Leaves(Option<u64>),
}

/// What goes wrong without ending anything.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Note {
    /// There is not enough memory for what was asked for.
    #[error("{part}: {reason}; kept at {kept}")]
    Refused {
        /// For what.
        part: Part,
        /// Why.
        reason: String,
        /// How much there is instead, in MiB or threads.
        kept: usize,
    },
    /// The search failed for a reason that is a mistake in the engine; it answers as well as it can and starts afresh.
    #[error("internal error, please report it: {0}")]
    Crashed(String),
}

//! What a client hears, from the server, the engine and the user.

use crate::engine::Answer;
use crate::types::{Move, Score};
use std::time::Instant;

/// What the client hears.
pub(super) enum Event {
    /// A line of the connection with this number.
    Line { connection: u64, at: Instant, text: String },
    /// That connection is over.
    Closed { connection: u64, reason: String },
    /// The engine says something.
    Said(Said),
    /// The user wants to leave.
    Interrupted,
}

/// What the engine says.
pub(super) enum Said {
    /// A line and its score, from the view of the side to move.
    Line(Score, Vec<Move>),
    Note(String),
    Finished(Answer),
}

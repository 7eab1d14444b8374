//! Events of a client.

use super::engine::EngineOutput;
use std::time::Instant;

/// Event from server, engine or user.
pub(super) enum Event {
    /// A line of this connection.
    Line { connection: u64, at: Instant, text: String },
    /// This connection is closed.
    Closed { connection: u64, reason: String },
    /// Output of the engine.
    EngineOutput(EngineOutput),
    /// The user asks to quit.
    Interrupted,
}

//! Matches between USI engines, SPSA, and self-play.
//!
//! Engines are [`EngineProcess`]es, child processes with timeouts. A referee applies the rules and a
//! clock the time control; both do no I/O. [`Openings`] give each pair of games its first moves,
//! [`Pairing`] maps game numbers to opponents and colours, [`play`] runs games on several threads,
//! [`MatchFile`] is the game file from which a match is resumed, and [`statistics`] evaluates the
//! results.
//!
//! [`spsa`] tunes engine options by self-matches.
//!
//! [`selfplay`] plays in process, without clocks, for training data.

mod engine_process;
mod match_file;
mod openings;
mod referee;
mod run;
pub mod selfplay;
pub mod spsa;
pub mod statistics;

pub use engine_process::{EngineConfig, EngineProcess, SearchStats};
pub use match_file::{MatchFile, Pairing, SavedGames, saved_games};
pub use openings::{DistinctOpenings, Opening, Openings};
pub use referee::SearchLimit;
pub use run::{Match, PlayedGame, engine_label, play};

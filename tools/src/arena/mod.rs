//! Matches between USI engines, SPSA, and self-play.
//!
//! Engines are [`EngineProcess`]s, child processes with timeouts. A [`Referee`] applies the rules
//! and [`MatchClocks`] the time control; both do no I/O. [`Openings`] give each pair of games its
//! first moves, [`Pairing`] maps game numbers to opponents and colours, [`play`] runs games on
//! several threads, [`MatchFile`] is the game file from which a match is resumed, and
//! [`statistics`] evaluates the results.
//!
//! [`spsa`] tunes engine options by self-matches.
//!
//! [`selfplay`] plays in process, without clocks, for training data.

mod clock;
mod engine_process;
mod game;
mod match_file;
mod openings;
mod opponent_results;
mod referee;
mod run;
mod schedule;
mod search_info;
pub mod selfplay;
pub mod spsa;
pub mod statistics;
mod usi_id;

pub use clock::{MatchClocks, SearchLimit};
pub use engine_process::{EngineConfig, EngineProcess, Failure, Reply};
pub use game::{GameSettings, PlayedGame};
pub use match_file::{MatchFile, MatchFileError, SavedGames, saved_games};
pub use openings::{DistinctOpenings, Opening, Openings, OpeningsError};
pub use opponent_results::{OpponentResults, Reasons};
pub use referee::{End, EndDetail, Referee};
pub use run::{EngineFailure, Match, play};
pub use schedule::Pairing;
pub use search_info::{SearchInfo, SearchStats};
pub use usi_id::{DeclaredOption, Spin, UsiId};

//! Matches between USI engines, SPSA, and self-play.
//!
//! Engines are [`Player`]s, child processes with timeouts. A [`Referee`] applies the rules and
//! [`MatchClocks`] the time control; both are pure. [`Openings`] give each pair of games its first
//! moves, [`Pairing`] maps game numbers to opponents and colours, [`play`] runs games on several
//! threads, [`Archive`] is the game file from which a match is resumed, and [`statistics`]
//! evaluates the results.
//!
//! [`spsa`] tunes engine options by self-matches.
//!
//! [`selfplay`] plays in process, without clocks, for training data.

mod archive;
mod clock;
mod game;
mod openings;
mod opponent_results;
mod player;
mod referee;
mod run;
mod schedule;
mod search_info;
pub mod selfplay;
pub mod spsa;
pub mod statistics;
mod usi_id;

pub use archive::{Archive, ArchiveError, SavedGames, saved_games};
pub use clock::{MatchClocks, SearchLimit};
pub use game::{GameSettings, PlayedGame};
pub use openings::{Opening, Openings, OpeningsError};
pub use opponent_results::{OpponentResults, Reasons};
pub use player::{EngineConfig, Failure, Player, Reply};
pub use referee::{Cause, End, Referee};
pub use run::{EngineFailure, Match, play};
pub use schedule::Pairing;
pub use search_info::{SearchInfo, SearchStats};
pub use usi_id::{DeclaredOption, Spin, UsiId};

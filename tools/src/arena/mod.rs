//! Matches between USI engines, and games of this engine with itself.
//!
//! Engines are [`Player`]s, child processes that are never waited for without a limit. A [`Referee`] knows the rules and no
//! clock, [`Clocks`] the time and no rules; both are pure. [`Openings`] give every pair of games its first moves, [`Pairing`]
//! says who plays which game, [`play`] plays them on several threads, and [`Archive`] is the file in which they end up and from
//! which a stopped match goes on. What the results mean is told by [`statistics`].
//!
//! [`spsa`] tunes the options of an engine by matches of the engine against itself with other values.
//!
//! [`selfplay`] needs no processes and no clocks: the engine plays both sides, for training data.

mod archive;
mod clock;
mod game;
mod openings;
mod player;
mod referee;
mod run;
mod schedule;
mod search_info;
pub mod selfplay;
pub mod spsa;
mod standing;
pub mod statistics;
mod usi_id;

pub use archive::{Archive, ArchiveError, SavedGames, saved_games};
pub use clock::{Clocks, TimeControl};
pub use game::{GameSettings, Played};
pub use openings::{Opening, Openings, OpeningsError};
pub use player::{EngineConfig, Failure, Player, Reply};
pub use referee::{Cause, End, Referee};
pub use run::{EngineFailure, Match, play};
pub use schedule::Pairing;
pub use search_info::{SearchInfo, SearchStats};
pub use standing::{Reasons, Standing};
pub use usi_id::{DeclaredOption, Spin, UsiId};

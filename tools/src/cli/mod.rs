//! Shared command-line arguments: games, books, matches, reports, threads.

mod arguments;
pub mod book;
mod matches;

pub use arguments::{
    ReadCounts, ThreadArguments, check_page, each_game, each_game_of, finite, fraction, not_negative, positive,
    positive_up_to, report_bad, write_page,
};
pub use matches::{MatchArguments, check_games, engine_option, match_key};

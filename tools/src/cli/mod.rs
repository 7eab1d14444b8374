//! Shared command-line arguments: books, games, matches, pages, threads.

pub mod book;
mod numbers;
mod page;
mod playing;
mod reading;
mod threads;

pub use numbers::{finite, fraction, not_negative, positive, positive_up_to};
pub use page::{check_page, write_page};
pub use playing::{MatchArguments, check_games, engine_option, match_key};
pub use reading::{ReadCounts, each_game, each_game_of, report_bad};
pub use threads::ThreadArguments;

//! Shared command-line arguments: books, games, matches, pages.

pub mod book;
mod page;
mod playing;
mod reading;

pub use page::check_page;
pub use playing::{MatchArguments, engine_option, match_key};
pub use reading::{ReadCounts, each_game};

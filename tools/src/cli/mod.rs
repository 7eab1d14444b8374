//! Shared command-line arguments: books, games, matches, pages.

pub mod book;
mod numbers;
mod page;
mod playing;
mod reading;

pub use numbers::{finite, fraction, not_negative, positive};
pub use page::check_page;
pub use playing::{MatchArguments, engine_option, match_key};
pub use reading::{ReadCounts, each_game};

//! The built binary, driven through its pipes as a GUI drives it.
//!
//! Nothing here knows how the engine is made. Every claim is about lines of text and the time they take, and every
//! test that is named `pNN_…` guards against one pitfall that real engines fell into with real clients.

mod book;
mod book_learning;
mod book_shown;
mod cli;
mod client;
mod end_of_input;
mod entering_king;
mod eval_file;
mod files;
mod fuzz;
mod grammar;
mod handshake;
mod hostile;
mod info;
mod level;
mod limits;
mod long_games;
mod mate;
mod mate_cli;
mod multipv;
mod network;
mod options;
mod ponder;
mod position;
mod positions;
mod rules;
mod shelf;
#[cfg(target_os = "linux")]
mod soak;
mod stop;
#[cfg(unix)]
mod system;
mod tables;
mod terminal;
mod thought;

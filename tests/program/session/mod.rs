//! The built binary, driven through its pipes as a GUI does.
//!
//! Black-box tests: only lines and times are checked. Tests named `pNN_…` are regressions of
//! pitfalls that real engines had with real clients.

mod book;
mod book_learning;
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

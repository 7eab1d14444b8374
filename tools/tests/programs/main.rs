//! The tools as programs.

mod arena_files;
mod book_tools;
mod common;
mod kills;
mod matches;
mod spsa;
mod training_data;
mod tuner;

//! Game records: real files with known games, format variants of real files, and invalid input.

mod bad_games;
mod comments;
mod csa;
mod files;
mod fixtures;
mod formations;
mod hostile;
mod jkf;
mod ki2;
mod kif;
mod list;
mod packed;
mod pgn;
mod problems;
mod sabg;
mod samples;
mod scores;
mod warnings;
mod writing;

//! Game records of other programs: real files whose games are known from other libraries, every oddity met in real files,
//! and input that is no record at all.

mod bad_games;
mod compact;
mod csa;
mod files;
mod fixtures;
mod hostile;
mod jkf;
mod ki2;
mod kif;
mod list;
mod packed;
mod pgn;
mod problems;
mod samples;
mod scores;
mod writing;

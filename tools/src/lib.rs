//! The tools around the engine [`sabi`]: what is needed to make it strong, and nothing that a `go` needs.
//!
//! | modules | hold | programs |
//! |---|---|---|
//! | [`book`] | making opening books | `book_builder`, `book_tools` |
//! | [`tune`] | the tuner of the hand-crafted evaluation | `tuner` |
//! | [`train`] | training of networks, generation after generation | `trainer` |
//! | [`arena`] | matches between engines, tuning by games, games of the engine with itself | `match_runner`, `spsa`, `selfplay` |
//! | [`page`] | HTML pages and charts, for the reports of the others | |
//! | [`cli`] | what several programs take from their command line | |
//!
//! `page` is used by `tune` and `train`; `cli` uses all; the programs below `src/bin` use everything (`tests/library/floors.rs` of the engine
//! checks that).

#![warn(missing_docs)]

pub mod arena;
pub mod book;
pub mod cli;
pub mod page;
pub mod train;
pub mod tune;

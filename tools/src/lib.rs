//! Tools around the engine [`sabi`]; nothing here is needed by a `go`.
//!
//! | modules | hold | programs |
//! |---|---|---|
//! | [`book`] | making opening books | `book_builder`, `book_tools` |
//! | [`tune`] | tuner of the hand-crafted evaluation | `tuner` |
//! | [`train`] | network training | `trainer` |
//! | [`matches`](mod@matches) | matches, SPSA, self-play | `match_runner`, `spsa`, `selfplay` |
//! | [`page`] | HTML pages and charts for reports | |
//! | [`checkpoint`] | state files of resumable runs | |
//! | [`cli`] | shared command-line arguments | |
//!
//! `page` and `checkpoint` are used by the others; `cli` uses all; the programs below `src/bin` use
//! everything (checked by `tests/library/floors` of the engine).

pub mod book;
pub mod checkpoint;
pub mod cli;
pub mod matches;
pub mod page;
pub mod train;
pub mod tune;

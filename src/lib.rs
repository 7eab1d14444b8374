//! Sabi, a shogi engine that speaks USI.
//!
//! The rules, game records, opening books and the client of game servers are crates of their own
//! (`sabi-shogi`, `sabi-records`, `sabi-books`, `sabi-csa`, `sabi-files`). This library is layered in floors: a module
//! uses only floors below it, or modules before the word "then" on its own floor (checked by
//! `tests/library/floors`).
//!
//! | floor | modules | holds |
//! |--:|---|---|
//! | 0 | [`machine`] | memory and threads of the machine |
//! | 1 | [`table`], then [`eval`], [`mate`] | the shared tables; the evaluation; the mate solver |
//! | 2 | [`search`] | limits, clock, iterative deepening, alpha-beta, threads |
//! | 3 | [`engine`] | the engine, independent of protocols, and its options |
//! | 4 | [`usi`], [`analysis`] | the protocol; game analysis |
//! | 5 | [`cli`] | the command line |
//!
//! To watch a search from the inside:
//!
//! ```
//! use sabi::search::{BestMove, Limits, Resources, Searcher, Settings, Signals};
//! use sabi_shogi::Position;
//! use std::time::Instant;
//!
//! let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")?;
//! let limits = Limits { depth: Some(4), ..Limits::unlimited(Instant::now()) };
//! let mut searcher = Searcher::new(&Resources::new(1, 1))?;
//! let outcome = searcher.search(&position, &limits, &Settings::default(), &Signals::default(), &mut |report| {
//!     println!("depth {}: {:?}", report.depth, report.score);
//! });
//! assert_eq!(outcome.best, BestMove::Move("G*5b".parse()?));
//! assert_eq!(outcome.score.mate_plies(), Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod analysis;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod machine;
pub mod mate;
pub mod search;
pub mod table;
pub mod usi;

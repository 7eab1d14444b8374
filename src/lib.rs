//! Sabi, a shogi engine that speaks USI.
//!
//! The library is layered in floors: a module uses only floors below it, or modules before
//! the word "then" on its own floor (checked by `tests/library/floors`).
//!
//! | floor | modules | holds |
//! |--:|---|---|
//! | 0 | [`util`] | prefetch, counters, huge pages, worker pool, atomic file replacement |
//! | 1 | [`types`] | colour, square, piece, hand, move, score, bound |
//! | 2 | [`bitboard`] | the 81-bit set, steps and sliders |
//! | 3 | [`position`], then [`movegen`], then [`mate`] | the rules: play and undo, legal moves, mates |
//! | 4 | [`table`], [`eval`], [`record`], then [`book`] | the shared tables; the evaluation; game records; opening books |
//! | 5 | [`search`] | limits, clock, iterative deepening, alpha-beta, threads |
//! | 6 | [`engine`] | the engine, independent of protocols, and its options |
//! | 7 | [`usi`], [`analysis`], `csa` | the protocol; game analysis; games on CSA servers |
//! | 8 | [`cli`] | the command line |
//!
//! To watch a search from the inside:
//!
//! ```
//! use sabi_shogi::Position;
//! use sabi::search::{BestMove, Resources, Limits, Searcher, Settings, Signals};
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

#![warn(missing_docs)]

pub mod analysis;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod machine;
pub mod mate;
pub mod search;
pub mod table;
pub mod usi;

//! Floor 6: the engine, independent of protocols.
//!
//! [`Engine`] takes a position, go, stop and ponder hit, and reports to a [`Listener`]. Its thread
//! owns the searcher and works through a queue of jobs, so that no call blocks on a search and the
//! tables cannot change during one. The options are one table, [`options()`].

mod bench;
mod bench_result;
mod book_source;
mod commands;
mod current_book;
mod evaluation;
mod job;
mod job_runner;
mod learning;
mod level;
mod listener;
mod machine;
mod mate_finder;
mod option;
mod options;
mod options_page;
mod prefill;

#[cfg(test)]
mod tests;

pub use bench::{BenchError, DEPTH as BENCH_DEPTH, HASH_MB as BENCH_HASH_MB, POSITIONS as BENCH_POSITIONS, bench};
pub use bench_result::BenchResult;
pub use commands::{Engine, NotPondering};
pub use evaluation::UnusableEvaluation;
pub use job::{MateRequest, PendingWrites};
pub use job_runner::JobRunner;
pub use learning::Outcome;
pub use level::Level;
pub use listener::{Answer, InfoMessage, Listener, MateReport};
pub use option::OptionError;
pub use options::{BookOptions, EvalOptions, MateOptions, MateUnit, OptionKind, OptionRow, Options, options, rows};
pub use options_page::options_page;

/// The embedded book, for [`OpenBook::from_static`](sabi_books::OpenBook::from_static).
/// `book/README.md` documents its origin.
pub const EMBEDDED_BOOK: &[u8] = include_bytes!("../../book/sabi.shob");

//! Floor 6: one engine without text.
//!
//! [`Engine`] is set a position, told to go, to stop, and of a ponder hit; what it has to say it says to a [`Listener`]. A
//! thread of its own owns the searcher and works off what is asked for, so that no call waits for a search and the table cannot
//! be touched while one runs. What can be set is one table of rows, [`OPTIONS`].

mod bench;
mod bench_result;
mod book_slot;
mod commands;
mod evaluation;
mod handbook;
mod job;
mod learning;
mod level;
mod listener;
mod machine;
mod mate_finder;
mod option;
mod options;
mod prefill;
mod source;
mod worker;

#[cfg(test)]
mod tests;

pub use bench::{BenchError, DEPTH as BENCH_DEPTH, HASH_MB as BENCH_HASH_MB, POSITIONS as BENCH_POSITIONS, bench};
pub use bench_result::BenchResult;
pub use commands::{Engine, NotPondering};
pub use evaluation::UnusableEvaluation;
pub use handbook::handbook;
pub use job::{MateOrder, Unsaved};
pub use learning::Outcome;
pub use level::Level;
pub use listener::{Answer, Listener, MateNews, Note};
pub use option::OptionError;
pub use options::{BookOptions, EvalOptions, Kind, MateOptions, MateUnit, OPTIONS, OptionRow, Options, rows};
pub use worker::Worker;

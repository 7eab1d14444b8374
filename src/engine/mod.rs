//! The engine, independent of protocols.
//!
//! [`Engine`] takes a position, go, stop and ponder hit, and reports to an [`EngineListener`]. Its
//! thread owns the searcher and works through a queue of jobs, so that no call blocks on a search
//! and the tables cannot change during one. The options are one table, [`options()`].
//!
//! A `go` reaches the search in few calls. Its [`Limits`](crate::search::Limits) are made by the
//! parser (`usi/command.rs`) and stay in the [`Task`] of the command, which becomes that of the job:
//!
//! - `usi/mod.rs`, reader thread: `read` queues the line with its time of receipt;
//! - `usi/mod.rs`, session thread: `listen` → `receive` → `execute` (a `Command`);
//! - `engine/commands.rs`: [`Engine::start`] queues a `Job`: the task, the options, the position;
//! - `engine/commands.rs`, engine thread: `JobRunner::run` → `search`, where options and level limit
//!   the limits → [`Searcher::search`](crate::search::Searcher::search).

mod bench;
mod book;
mod commands;
mod evaluation;
mod job;
mod level;
mod listener;
mod mate;
mod option_row;
mod option_values;
mod options;

#[cfg(test)]
mod tests;

pub use bench::{BenchError, DEPTH as BENCH_DEPTH, HASH_MB as BENCH_HASH_MB, POSITIONS as BENCH_POSITIONS, bench};
pub use commands::{BlockingEngine, Engine, JobRunner};
pub use evaluation::UnusableEvaluation;
pub use job::{GameOutcome, PendingWrites, Task};
pub use level::Level;
pub use listener::{Answer, BenchResult, EngineListener, InfoMessage, MateReport};
pub use option_row::{OptionError, OptionKind, OptionRow};
pub use option_values::{BookOptions, EvalOptions, MateOptions, MateUnit, Options};
pub use options::{find as find_option, options, options_page, rows};

/// The embedded book, for [`OpenBook::from_static`](sabi_books::OpenBook::from_static).
/// `book/README.md` documents its origin.
pub const EMBEDDED_BOOK: &[u8] = include_bytes!("../../book/sabi.shob");

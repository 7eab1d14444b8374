//! Search.
//!
//! [`Searcher`] owns what persists between searches, its [`Resources`]: the shared tables and the
//! data of each thread. A search is one call with [`Limits`], [`Settings`], [`Signals`] and a
//! report callback. Each thread is a `Worker`: iterative deepening (`deepening`), nodes (`node`,
//! `pruning`), move picker (`movepick`), histories (`history`). The main one has a `MainThread`
//! and a mate probe besides. Margins are pure functions of tunable parameters (`params`).

mod deepening;
mod entering_king;
mod history;
mod history_updates;
mod limits;
mod mate_probe;
mod movepick;
mod node;
mod params;
mod pruning;
mod report;
mod root_move;
mod searcher;
#[cfg(test)]
mod tests;
mod threads;
mod time;
#[cfg(test)]
mod time_tests;
mod worker;

pub use limits::{GameClock, Limits, PonderHit, Settings, Signals, TimeControl, TimeSettings};
pub use params::{TUNABLES, Tunable};
pub use report::{BestMove, HitCounts, LastReports, Report, SearchResult, Statistics, TableCounts, TableState};
pub use searcher::{OutOfMemory, Resource, Resources, Searcher, with_quiescence};

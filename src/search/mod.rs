//! Floor 5: search.
//!
//! [`Searcher`] owns what persists between searches, its [`Resources`]: the shared tables and the
//! data of each thread. A search is one call with [`Limits`], [`Settings`], [`Signals`] and a
//! report callback. Each thread is a `Worker`: iterative deepening (`deepening`), nodes (`node`,
//! `quiescence`), move picker (`picker`), histories (`history`). The main one has a `MainThread`
//! besides: reports, mate probes, time. Margins are pure functions (`margins`) of tunable
//! parameters (`params`).

mod captures;
mod corrections;
mod deepening;
mod entering_king;
mod history;
mod history_entry;
mod history_updates;
mod info_reporter;
mod limits;
mod main_thread;
mod margins;
mod mate_probe;
mod mate_probing;
mod mate_proof;
mod node;
mod params;
mod picker;
mod pruning;
mod quiescence;
mod quiescence_helper;
mod quiets;
mod report;
mod reporting;
mod resources;
mod root;
mod root_move;
mod scored;
mod searcher;
mod settings;
mod signals;
mod stack;
mod statistics;
mod stopping;
#[cfg(test)]
mod tests;
mod thread_data;
mod threads;
mod threats;
mod time_factors;
mod time_manager;
#[cfg(test)]
mod time_tests;
mod worker;

pub use limits::{GameClock, Limits, TimeControl};
pub use params::{TUNABLES, Tunable};
pub use quiescence_helper::with_quiescence;
pub use report::{BestMove, LastReports, Report, SearchResult};
pub use resources::{OutOfMemory, Resource, Resources};
pub use searcher::Searcher;
pub use settings::{Settings, TimeSettings};
pub use signals::{PonderHit, Signals};
pub use statistics::{HitCounts, Statistics, TableCounts, TableState};

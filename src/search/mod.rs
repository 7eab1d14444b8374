//! Floor 5: search.
//!
//! [`Searcher`] owns what outlives a search, its [`Resources`]: the shared tables and what each thread remembers. A search is one call; it obeys
//! [`Limits`] and [`Settings`], hears [`Signals`], and speaks through a callback. Inside, each thread is a `Worker` that deepens
//! iteratively (`deepening`), searches nodes (`node`, `quiescence`) and picks moves (`picker`) by what it has learnt
//! (`history`). Margins are pure functions (`margins`) of numbers declared once (`params`); time is arithmetic (`clock`).

mod clock;
mod corrections;
mod deepening;
mod entering;
mod gravity;
mod history;
mod info_reporter;
mod learning;
mod limits;
mod margins;
mod mate_probe;
mod mate_proof;
mod node;
mod params;
mod picker;
mod probing;
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
mod statistics;
#[cfg(test)]
mod tests;
mod threads;
mod time_factors;
mod worker;

pub use limits::{GameClock, Limits, TimeControl};
pub use params::{TUNABLES, Tunable};
pub use quiescence_helper::with_quiescence;
pub use report::{BestMove, LastReports, Outcome, Report};
pub use resources::{OutOfMemory, Resource, Resources};
pub use searcher::Searcher;
pub use settings::{Settings, TimeSettings};
pub use signals::{PonderHit, Signals};
pub use statistics::{Rate, State, Statistics};

//! Training loop: self-play, training, match, generation after generation.
//!
//! An [`Event`] is a line of the [`Log`]; [`History`] is the state derived from it; [`growth_page`]
//! shows it.

mod event;
mod history;
mod log;
mod page;
#[cfg(test)]
mod tests;

pub use event::{Event, GenerationConfig, LogEntry, Matched, Played, Step, Trained};
pub use history::{Generation, History};
pub use log::{Log, LogError};
pub use page::growth_page;

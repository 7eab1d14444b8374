//! Networks that grow by themselves, generation by generation: games, training, a match, and again.
//!
//! What happens is an [`Event`], a line of the [`Log`], from which the [`History`] can be told at any time; [`growth_page`] shows it.

mod event;
mod history;
mod log;
mod page;
#[cfg(test)]
mod tests;

pub use event::{Entry, Event, Matched, Plan, Played, Step, Trained};
pub use history::{Generation, History};
pub use log::{Log, LogError};
pub use page::growth_page;

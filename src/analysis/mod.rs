//! Floor 7: a game looked at move by move.
//!
//! An [`Analyzer`] searches one position and lets the mate solver look at it; [`run`] shares the
//! positions of many games out among threads. [`AnalyzedGame`] is what follows from the searches:
//! the loss of each move and its [`Class`], mates that were missed or walked into, the moves of the
//! book, turning points, and a [`PlayerSummary`] for each side. Every position is searched by one
//! thread with empty tables, so the result depends on the game and the [`Budget`] alone.
//!
//! What is written of it: [`to_json`] for programs, [`game_page`] and [`index_page`] for browsers,
//! [`remarks`] for KIF and CSA, [`usi_log`] as lines of the protocol.

mod analyzed;
mod class;
mod json;
mod judgement;
mod language;
mod page;
mod player;
mod position;
mod remarks;
mod run;
mod scope;
mod serial;
#[cfg(test)]
mod tests;
mod usi_log;

pub use analyzed::{AnalyzedGame, BookEnd};
pub use class::{ACCURACY_SCALE, CP_LIMIT, Class};
pub use json::{SCHEMA, to_json};
pub use judgement::Judgement;
pub use language::Language;
pub use page::{IndexEntry, game_page, index_page};
pub use player::PlayerSummary;
pub use position::{Analyzer, Budget, Evaluation, Line, PositionAnalysis};
pub use remarks::remarks;
pub use run::{Task, run};
pub use scope::Scope;
pub use usi_log::usi_log;

//! Floor 7: game analysis.
//!
//! [`Analyzer`] analyses one position with the search and the mate solver; [`run`] distributes the
//! positions of many games among threads. [`AnalyzedGame`] holds the results: the loss of each move
//! and its [`Class`], missed and allowed mates, book moves, turning points, and a [`PlayerSummary`]
//! for each side. Every position is searched by one thread with empty tables, so the result depends
//! only on the game and the [`Budget`].
//!
//! Outputs: [`to_json`], [`game_page`] and [`index_page`] (HTML), [`annotated`] records in KIF and
//! CSA, [`usi_log`] (USI lines).

mod analyzed;
mod annotations;
mod class;
mod classification;
mod earlier;
mod json;
mod language;
mod page;
mod player;
mod position;
mod run;
mod scope;
mod serial;
#[cfg(test)]
mod tests;
mod usi_log;

pub use analyzed::{AnalyzedGame, BookEnd};
pub use annotations::annotated;
pub use class::{ACCURACY_SCALE, CP_LIMIT, Class};
pub use classification::MoveClassification;
pub use json::{SCHEMA, to_json};
pub use language::Language;
pub use page::{IndexEntry, game_page, index_page};
pub use player::PlayerSummary;
pub use position::{AnalysisScore, Analyzer, Budget, PositionAnalysis, PvLine};
pub use run::{Task, run};
pub use scope::Scope;
pub use usi_log::usi_log;

//! Game analysis.
//!
//! [`Analyzer`] analyses one position with the search and the mate solver; [`run`] distributes the
//! positions of many games among threads. [`AnalyzedGame`] holds the results: the loss of each move
//! and its [`Class`], missed and allowed mates, book moves, turning points, and a [`PlayerSummary`]
//! for each side. Every position is searched by one thread with empty tables, so the result depends
//! only on the game and the [`Budget`]. A mistake is put in words of facts, and made a
//! [`PracticeProblem`].
//!
//! Outputs: [`to_json`], [`game_page`], [`index_page`], [`Players`] and [`practice_page`] (HTML), [`annotated`] records in KIF and
//! CSA, [`usi_log`] (USI lines). [`html_page`] is the frame of every page of this project.

mod analyzed;
mod annotations;
mod class;
mod explain;
mod json;
mod language;
mod page;
mod players;
mod position;
mod practice;
#[cfg(test)]
mod tests;

pub use analyzed::{AnalyzedGame, BookEnd, Scope};
pub use annotations::{annotated, usi_log};
pub use class::{Class, MoveClassification, PlayerSummary};
pub use json::{SCHEMA, to_json};
pub use language::Language;
pub use page::{escape_html, game_page, html_page, index_page, index_row, is_html_page};
pub use players::Players;
pub use position::{AnalysisScore, Analyzer, Budget, PositionAnalysis, PvLine, Task, run};
pub use practice::{PracticeProblem, counted_problems, practice_page, problem_games, problem_lines};

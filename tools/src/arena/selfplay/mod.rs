//! Games of the engine with itself, in process: training data.
//!
//! A [`Recipe`] says how games are played; with it a seed decides a whole game. [`Field`] plays the games of many
//! seeds on several threads and gives them in the order of the seeds. [`Verdicts`] end games that are decided or drawn in all likelihood.

mod field;
mod recipe;
mod settings;
mod verdicts;

pub use field::{Field, SelfPlayError};
pub use recipe::{Recipe, SelfPlayed};
pub use verdicts::{DrawVerdict, Verdicts, WinVerdict};

//! Games of the engine with itself, in process: training data.
//!
//! A [`SelfPlayConfig`] says how games are played; with it a seed decides a whole game. A [`SelfPlayRunner`] plays the games of many
//! seeds on several threads and gives them in the order of the seeds. An [`Adjudication`] ends games that are decided or drawn in all likelihood.

mod adjudication;
mod config;
mod runner;
mod settings;

pub use adjudication::{Adjudication, DrawAdjudication, WinAdjudication};
pub use config::{SelfPlayConfig, SelfPlayed};
pub use runner::{SelfPlayError, SelfPlayRunner};

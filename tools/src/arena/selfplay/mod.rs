//! In-process self-play for training data.
//!
//! With a [`SelfPlayConfig`] a seed determines a game; it plays many seeds on several threads and
//! returns the games in seed order. [`Adjudication`] ends decided and drawn games early.

mod adjudication;
mod config;
mod runner;
mod settings;

pub use adjudication::{Adjudication, DrawAdjudication, WinAdjudication};
pub use config::{SelfPlayConfig, SelfPlayGame};
pub use runner::SelfPlayError;

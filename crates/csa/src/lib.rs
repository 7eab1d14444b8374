//! Games on CSA protocol servers, such as floodgate and the tournaments of the Computer
//! Shogi Association.
//!
//! [`Config`] holds server, player and options; [`Client`] logs in, plays games with an engine in
//! this process, writes records, and reconnects. Whatever a server sends or omits ends in a message
//! and a retry, except a login rejected at first: lines have a maximum length, and every state has a
//! timeout, except a move in a game without a clock.

#![warn(missing_docs)]

mod client;
mod config;
mod engine;
mod game;
mod log;
mod message;
mod record;
mod server_clock;
mod session;

pub use client::{Client, ClientError, QuitHandle, ResultCounts};
pub use config::{Config, ConfigError};
pub use engine::{Engine, EngineAnswer, EngineOutput, EngineOutputs, GameRules, TurnTime};
#[doc(hidden)]
pub use record::game_of_lines;

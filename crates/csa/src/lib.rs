//! A client of CSA protocol servers, such as floodgate and those of the tournaments of the Computer
//! Shogi Association, over any engine.
//!
//! [`Config`] holds server, player and options; [`Client`] logs in, plays games with an [`Engine`] in
//! this process, writes records, and reconnects. Whatever a server sends or omits ends in a message
//! and a retry, except a login rejected at first: lines have a maximum length, and every state has a
//! timeout, except a move in a game without a clock.
//!
//! ```no_run
//! use sabi_csa::{Client, Config, Engine};
//!
//! # fn play(engine: Box<dyn Engine>) -> Result<(), Box<dyn std::error::Error>> {
//! let config = Config::from_toml("host = 'localhost'\nuser = 'me'\npassword = 'secret'\ngames = 1")?;
//! let client = Client::new(config, std::io::stdout(), |_outputs| Ok(engine))?;
//! println!("won {}", client.play()?.won);
//! # Ok(())
//! # }
//! ```

#![warn(missing_docs)]

mod client;
mod config;
mod engine;
mod game;
mod message;
mod server_clock;
mod session;

pub use client::{Client, ClientError, QuitHandle, ResultCounts};
pub use config::{Config, ConfigError};
pub use engine::{Engine, EngineAnswer, EngineOutput, EngineOutputs, GameRules, TurnTime};
#[doc(hidden)]
pub use game::game_of_lines;

/// Tests the example of the page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadMe;

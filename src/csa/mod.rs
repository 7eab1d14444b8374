//! Floor 7: games on servers that speak the CSA protocol, as floodgate and the tournaments of the Computer Shogi Association do.
//!
//! [`Config`] tells where and how to play; a [`Client`] logs in, plays one game after another with the engine of this process,
//! keeps the records, and comes back after a cut connection. Whatever a server sends, or does not send, ends in a message and
//! another try: lines have a greatest length, and every state has a deadline.

mod archive;
mod client;
mod clock;
mod config;
mod connection;
mod event;
mod game;
mod log;
mod message;
mod session;
mod summary;
mod thinker;
mod trouble;

pub use client::{Client, ClientError, Interrupter, Tally};
pub use config::{Config, ConfigError};

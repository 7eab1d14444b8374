//! `sabi csa` against a test server: all protocol states, lost connections, invalid messages.

mod config;
mod cuts;
mod games;
#[cfg(unix)]
mod interrupts;
mod server;

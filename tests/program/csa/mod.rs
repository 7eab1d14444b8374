//! `sabi csa` against a server that a test plays: every state of the protocol, cut connections, and wrong answers.

mod config;
mod cuts;
mod games;
#[cfg(unix)]
mod interrupts;
mod server;

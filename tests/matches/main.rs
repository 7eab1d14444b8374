//! `match_runner` with real engines, and with engines that do everything wrong.

#[path = "../common/mod.rs"]
mod common;
#[cfg(unix)]
#[path = "../common/engine.rs"]
mod engine;
mod games;
mod helpers;
#[cfg(unix)]
mod manners;
mod refusals;
mod resuming;

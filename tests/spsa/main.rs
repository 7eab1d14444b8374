//! `spsa` with real engines, and with one that fails.

#[path = "../common/mod.rs"]
mod common;
#[cfg(unix)]
#[path = "../common/engine.rs"]
mod engine;
#[cfg(unix)]
mod failures;
mod helpers;
mod refusals;
mod tuning;

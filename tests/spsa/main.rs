//! `spsa` with real engines, and with one that fails.

#[path = "../common/mod.rs"]
mod common;
#[cfg(unix)]
mod failures;
mod helpers;
mod refusals;
mod tuning;

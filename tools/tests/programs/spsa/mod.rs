//! `spsa` with real engines, and with one that fails.

#[cfg(unix)]
mod failures;
mod helpers;
mod refusals;
mod tuning;

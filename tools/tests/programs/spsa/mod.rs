//! `spsa` with real engines, and with a failing one.

#[cfg(unix)]
mod failures;
mod helpers;
mod rejections;
mod tuning;

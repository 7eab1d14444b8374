//! `match_runner` with real engines, and with faulty ones.

#[cfg(unix)]
mod engine_failures;
mod games;
mod helpers;
mod rejections;
mod resuming;

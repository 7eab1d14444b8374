//! `match_runner` with real engines, and with engines that do everything wrong.

mod games;
mod helpers;
#[cfg(unix)]
mod manners;
mod refusals;
mod resuming;

//! `match_runner` with real engines, and with faulty ones.

mod games;
mod helpers;
#[cfg(unix)]
mod manners;
mod rejections;
mod resuming;

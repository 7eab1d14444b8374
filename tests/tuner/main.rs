//! `tuner` as a user meets it.

#[path = "../common/mod.rs"]
mod common;
mod failures;
mod helpers;
#[path = "../common/keeps.rs"]
mod keeps;
mod runs;

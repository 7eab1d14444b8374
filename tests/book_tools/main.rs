//! The book binaries as a user meets them.

mod builder;
#[path = "../common/mod.rs"]
mod common;
mod failures;
mod helpers;
mod judging;
#[path = "../common/keeps.rs"]
mod keeps;
mod learning;
mod tools;

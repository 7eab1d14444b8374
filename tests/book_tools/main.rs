//! The book binaries as a user meets them.

mod builder;
#[path = "../common/mod.rs"]
mod common;
mod failures;
mod helpers;
mod judging;
mod learning;
mod tools;

//! Shared test helpers.

pub use crate::common::Folder;
use crate::common::{fail, sabi, succeed};

pub const SPSA: &str = env!("CARGO_BIN_EXE_spsa");

/// A small tuning run of two parameters that every build of Sabi has.
pub fn arguments<'a>(file: &'a str, games: &'a str) -> Vec<&'a str> {
    let engine = ["--engine", sabi(), "--option", "USI_Hash=1", "--option", "Threads=1"];
    let params = ["--params", "ResignValue:step=2000,MultiPV:step=6"];
    [&engine[..], &params, &["--nodes", "100", "--max-moves", "200", "--games", games, "--out", file]].concat()
}

pub fn tune(file: &str, games: &str, more: &[&str]) -> String {
    succeed(SPSA, &[&arguments(file, games), more].concat())
}

pub fn rejected(arguments: &[&str]) -> String {
    fail(SPSA, arguments)
}

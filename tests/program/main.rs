//! The `sabi` binary: USI sessions and subcommands.

mod analyze;
mod csa;
mod doctor;
#[cfg(unix)]
mod examples;
mod session;

//! The program `sabi` as its users meet it: a graphical client through its pipes, and people on the command line.

mod analyze;
mod common;
#[cfg(unix)]
mod csa;
mod examples;
mod session;

//! The program `sabi` as its users meet it: a graphical client through its pipes, and people on the command line.

mod analyze;
mod common;
mod csa;
mod doctor;
#[cfg(unix)]
mod examples;
mod session;

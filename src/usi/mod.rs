//! The USI protocol.
//!
//! [`run`] starts the engine on two byte streams. A reader thread timestamps every line, so that
//! `stop`, `quit` and end of input are always received; a line is parsed into a [`Command`],
//! checked, and only then executed; all output goes through one `Output`, a line at a time. An
//! invalid line changes nothing and is answered by one `info string`. Each `go` but `go perft` is
//! answered by one move, with what it cannot use left out; after a rejected `position`, by `resign`.
//! What was asked before `quit` or the end of input is answered. [`Embedded`] is a session for programs that pass in lines, such as
//! a web page.

mod command;
mod input;
mod output;
mod session;

pub use command::{Command, CommandError, parse_position};
pub use output::{bench_result_text, statistics_text};
pub use session::{Embedded, run};

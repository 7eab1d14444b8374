//! Floor 7: the USI protocol.
//!
//! [`run`] starts the engine on two byte streams. A reader thread timestamps every line, so that
//! `stop`, `quit` and end of input are always received; a line is parsed into a [`Command`],
//! checked, and only then executed; all output goes through one [`Output`], a line at a time. An
//! invalid line changes nothing and is answered by one `info string`; after a rejected `position`,
//! `go` is answered by `resign`. [`Embedded`] is a session for
//! programs that pass in lines, such as a web page.

mod clock;
mod command;
mod debug_log;
mod embedded;
mod format;
mod go;
mod go_error;
mod input;
mod output;
mod position;
mod queue;
mod reader;
mod session;
mod setoption;
mod statistics;
mod tokens;

pub use command::{Command, CommandError};
pub use embedded::Embedded;
pub use format::bench_result_text;
pub use go::{Go, SearchArguments};
pub use go_error::GoError;
pub use output::Output;
pub use position::{PositionCommandError, parse as parse_position};
pub use session::run;
pub use setoption::SetOptionError;
pub use statistics::statistics_text;

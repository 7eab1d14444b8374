//! Start and exit of every program of this project.

use crate::util::DEEP_STACK;
use clap::Parser;
use sabi_files::ignore_sigxfsz;
use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::panic::resume_unwind;
use std::process::ExitCode;
use std::thread;

/// Runs a program with the arguments of this process; prints an error to stderr and returns the
/// exit status.
pub fn run_program<A: Parser>(program: impl FnOnce(A) -> anyhow::Result<()>) -> ExitCode {
    ignore_sigxfsz();
    match program(A::parse_from(arguments())) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader is gone: nothing to report to.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The arguments of this process. On Windows, where shells do not, wildcards are replaced by the
/// files; only if an argument has one, because brackets would be patterns, too.
fn arguments() -> Vec<OsString> {
    let is_wild = |argument: OsString| argument.as_encoded_bytes().iter().any(|byte| b"*?".contains(byte));
    if env::args_os().any(is_wild) { wild::args_os().collect() } else { env::args_os().collect() }
}

/// Runs a command that may search. The stack of the main thread has only one or two MB on Windows.
pub(super) fn with_deep_stack(command: impl FnOnce() -> anyhow::Result<()> + Send) -> anyhow::Result<()> {
    if cfg!(target_family = "wasm") {
        return command();
    }
    thread::scope(|scope| {
        let command = thread::Builder::new().stack_size(DEEP_STACK).spawn_scoped(scope, command)?;
        command.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

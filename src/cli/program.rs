//! Start and exit of every program of this project.

use crate::util::ignore_sigxfsz;
use std::io::{self, Write};
use std::process::ExitCode;

/// Runs a program; prints an error to stderr and returns the exit status.
pub fn run_program(program: impl FnOnce() -> anyhow::Result<()>) -> ExitCode {
    ignore_sigxfsz();
    match program() {
        Ok(()) => ExitCode::SUCCESS,
        // The reader is gone: nothing to report to.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

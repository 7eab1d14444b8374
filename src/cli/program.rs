//! What the programs of this project share: start and exit, progress bars, arguments.

use crate::engine::Options;
use crate::machine::DEEP_STACK;
use crate::usi::parse_position;
use anyhow::{Context, bail};
use clap::{Args, Parser};
#[cfg(not(target_family = "wasm"))]
use indicatif::{ProgressBar, ProgressStyle};
use sabi_files::ignore_sigxfsz;
use sabi_shogi::Position;
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
    let is_broken_pipe = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    match program(A::parse_from(arguments())) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader is gone: nothing to report to.
        Err(error) if error.downcast_ref().is_some_and(is_broken_pipe) => ExitCode::SUCCESS,
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

/// A bar on stderr, if that is a terminal. `unit` is the plural of the counted items.
#[cfg(not(target_family = "wasm"))]
pub fn progress_bar(total: u64, unit: &str) -> anyhow::Result<ProgressBar> {
    if !io::IsTerminal::is_terminal(&io::stderr()) {
        return Ok(ProgressBar::hidden());
    }
    let template = format!("{{bar:30}} {{pos}}/{{len}} {unit}, {{msg}} {{elapsed}} (left {{eta}})");
    Ok(ProgressBar::new(total).with_style(ProgressStyle::with_template(&template)?))
}

// Engine options by name.
#[derive(Args)]
pub struct OptionArguments {
    /// Set an engine option, for example HashPolicy=always; repeatable
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
}

impl OptionArguments {
    /// `options` with the given ones set.
    pub fn apply(&self, mut options: Options) -> anyhow::Result<Options> {
        for setting in &self.options {
            let (name, value) =
                setting.split_once('=').with_context(|| format!("expected NAME=VALUE, not '{setting}'"))?;
            options = options.with(name, Some(value))?;
        }
        Ok(options)
    }

    /// The given options as text.
    #[cfg(not(target_family = "wasm"))]
    pub fn given(&self) -> &[String] {
        &self.options
    }
}

#[derive(Args)]
pub struct PositionArguments {
    /// The position as in the command `position`: startpos or an SFEN, and moves; default: the
    /// start position
    #[arg(value_name = "POSITION", conflicts_with = "sfen")]
    words: Vec<String>,
    /// The position as one SFEN
    #[arg(long)]
    sfen: Option<String>,
}

impl PositionArguments {
    /// The given position.
    pub fn position(&self) -> anyhow::Result<Position> {
        self.position_after(None)
    }

    /// The given position, whose first word may have been taken before.
    pub fn position_after(&self, first: Option<&str>) -> anyhow::Result<Position> {
        let words: Vec<&str> = first.into_iter().chain(self.words.iter().map(String::as_str)).collect();
        match &self.sfen {
            Some(_) if !words.is_empty() => bail!("a position is given twice: '{}', and --sfen", words.join(" ")),
            Some(sfen) => Position::from_sfen(sfen).with_context(|| format!("cannot read the position '{sfen}'")),
            None if words.is_empty() => Ok(Position::startpos()),
            None => {
                let text = words.join(" ");
                parse_position(&text).with_context(|| format!("cannot read the position '{text}'"))
            }
        }
    }
}

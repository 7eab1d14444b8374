//! What the programs of this project share: start and exit, progress bars, arguments.

use crate::engine::Options;
use crate::machine::DEEP_STACK;
use crate::usi::parse_position;
use anyhow::{Context, bail};
#[cfg(not(target_family = "wasm"))]
use clap::{Arg, ArgMatches, value_parser};
use clap::{Args, Command, Parser};
#[cfg(not(target_family = "wasm"))]
use clap_complete::Shell;
#[cfg(not(target_family = "wasm"))]
use indicatif::{ProgressBar, ProgressStyle};
use sabi_files::ignore_sigxfsz;
#[cfg(not(target_family = "wasm"))]
use sabi_files::replace_with_bytes;
use sabi_shogi::Position;
use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::panic::resume_unwind;
#[cfg(not(target_family = "wasm"))]
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

/// Runs a program with the arguments of this process; prints an error to stderr and returns the
/// exit status. Every program has the commands `completions` and `man`, too.
pub fn run_program<A: Parser>(program: impl FnOnce(A) -> anyhow::Result<()>) -> ExitCode {
    ignore_sigxfsz();
    let is_broken_pipe = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    let mut command = command_line(A::command());
    let matches = command.clone().get_matches_from(arguments());
    let result = match matches.subcommand() {
        #[cfg(not(target_family = "wasm"))]
        Some(("completions", matches)) => print_completions(&mut command, matches),
        #[cfg(not(target_family = "wasm"))]
        Some(("man", matches)) => write_manual(&command, matches),
        _ => program(A::from_arg_matches(&matches).unwrap_or_else(|error| error.format(&mut command).exit())),
    };
    match result {
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

/// Examples and page of each command.
const EXAMPLES: &str = include_str!("examples.txt");

/// The command line of a program, with what all programs have.
fn command_line(command: Command) -> Command {
    let name = command.get_name().to_owned();
    #[cfg(not(target_family = "wasm"))]
    let command = with_shell_commands(command);
    with_examples(command, &name)
}

/// Adds the examples to the help of a command and of those below it.
fn with_examples(command: Command, name: &str) -> Command {
    let section = EXAMPLES.split("\n\n").find_map(|section| section.strip_prefix(name)?.strip_prefix(": "));
    let command = match section.and_then(|section| section.split_once('\n')) {
        Some((page, examples)) => command.after_help(format!("Examples:\n{}\n\nMore: {page}", examples.trim_end())),
        None => command,
    };
    command.mut_subcommands(|command| {
        let name = format!("{name} {}", command.get_name());
        with_examples(command, &name)
    })
}

#[cfg(not(target_family = "wasm"))]
fn with_shell_commands(command: Command) -> Command {
    let shell = Arg::new("shell").required(true).value_name("SHELL").value_parser(value_parser!(Shell));
    let completions =
        Command::new("completions").about("Print a script that completes commands and options in a shell");
    let folder = Arg::new("folder").required(true).value_name("FOLDER").value_parser(value_parser!(PathBuf));
    let manual = Command::new("man").about("Write the manual pages");
    let has_commands = command.has_subcommands();
    let command = command.subcommand(completions.arg(shell)).subcommand(manual.arg(folder.help("Existing folder")));
    // Otherwise what the program needs without a command would be needed for these, too.
    if has_commands { command } else { command.args_conflicts_with_subcommands(true).subcommand_negates_reqs(true) }
}

#[cfg(not(target_family = "wasm"))]
fn print_completions(command: &mut Command, matches: &ArgMatches) -> anyhow::Result<()> {
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    let shell = *matches.get_one::<Shell>("shell").context("required")?;
    clap_complete::generate(shell, command, name, &mut script);
    Ok(io::stdout().write_all(&script)?)
}

/// Writes a page for the program and each of its commands.
#[cfg(not(target_family = "wasm"))]
fn write_manual(command: &Command, matches: &ArgMatches) -> anyhow::Result<()> {
    let folder = matches.get_one::<PathBuf>("folder").context("required")?;
    let name = command.get_name().to_owned();
    let mut pages = vec![command.clone().disable_help_subcommand(true)];
    pages.extend(command.get_subcommands().filter(|command| command.get_name() != "help").map(|sub| {
        let words = format!("{name} {}", sub.get_name());
        sub.clone().display_name(words.replace(' ', "-")).bin_name(words).disable_version_flag(true)
    }));
    for page in pages {
        let man = clap_mangen::Man::new(page.version(env!("CARGO_PKG_VERSION")));
        let mut text = Vec::new();
        man.render(&mut text)?;
        let path = folder.join(man.get_filename());
        replace_with_bytes(&path, &text).with_context(|| format!("cannot write '{}'", path.display()))?;
    }
    Ok(())
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

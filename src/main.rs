//! `sabi`: the engine speaks USI; subcommands do one thing and end.

mod cli;
#[path = "bin/common/ending.rs"]
mod ending;
#[cfg(not(target_family = "wasm"))]
#[path = "bin/common/output.rs"]
mod output;
#[path = "bin/common/progress.rs"]
mod progress;

use clap::{Parser, Subcommand};
use sabi::engine::handbook;
use std::io::{self, BufReader, IsTerminal, Write};
use std::process::ExitCode;

/// A shogi engine that speaks USI. Without a command it speaks USI on its standard input and output.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Search fixed positions to a fixed depth: a fingerprint of the search and a measure of speed
    Bench(cli::BenchArguments),
    /// Count the leaves of the game tree
    Perft(cli::PerftArguments),
    /// Explain the evaluation of a position
    Eval(cli::EvalArguments),
    /// Solve mate problems, one or a file of them
    #[cfg(not(target_family = "wasm"))]
    Mate(cli::MateArguments),
    /// Look at games move by move: pages, records with comments, data
    #[cfg(not(target_family = "wasm"))]
    Analyze(cli::AnalyzeArguments),
    /// Play games of the engine with itself into a file: training data
    #[cfg(not(target_family = "wasm"))]
    #[command(name = "selfplay")]
    SelfPlay(cli::SelfPlayArguments),
    /// Print the handbook page of the options
    Options,
}

fn main() -> ExitCode {
    sabi::util::survive_file_size_limit();
    // Without being asked, nothing is written to stderr: no client reads it.
    if std::env::var_os("RUST_LOG").is_some() {
        env_logger::init();
    }
    let result = match Arguments::parse().command {
        None => usi(),
        Some(command) => obey(&command, &mut io::stdout().lock()),
    };
    ending::finish(result)
}

fn usi() -> anyhow::Result<()> {
    // The engine answers for its own accidents; see `engine::Note::Crashed`.
    std::panic::set_hook(Box::new(|accident| log::error!("{accident}")));
    let greet = io::stdin().is_terminal() && io::stdout().is_terminal();
    Ok(sabi::usi::run(BufReader::new(io::stdin()), io::stdout(), greet)?)
}

fn obey(command: &Command, out: &mut impl Write) -> anyhow::Result<()> {
    match command {
        Command::Bench(arguments) => arguments.run(out),
        Command::Perft(arguments) => arguments.run(out),
        Command::Eval(arguments) => arguments.run(out),
        #[cfg(not(target_family = "wasm"))]
        Command::Mate(arguments) => arguments.run(out),
        #[cfg(not(target_family = "wasm"))]
        Command::Analyze(arguments) => arguments.run(out),
        #[cfg(not(target_family = "wasm"))]
        Command::SelfPlay(arguments) => arguments.run(out),
        Command::Options => Ok(write!(out, "{}", handbook())?),
    }
}

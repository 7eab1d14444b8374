//! Floor 8: the command line of `sabi`, and the parts shared by all programs of the project: start
//! and exit, progress bars, checks of input and output files.

#[cfg(not(target_family = "wasm"))]
mod analyze;
mod bench;
#[cfg(not(target_family = "wasm"))]
mod csa;
#[cfg(not(target_family = "wasm"))]
mod doctor;
mod eval;
#[cfg(not(target_family = "wasm"))]
mod input;
#[cfg(not(target_family = "wasm"))]
mod mate;
#[cfg(not(target_family = "wasm"))]
mod output;
mod perft;
mod program;
#[cfg(not(target_family = "wasm"))]
mod progress;
mod settings;

#[cfg(not(target_family = "wasm"))]
pub use input::{game_files, games_of};
#[cfg(not(target_family = "wasm"))]
pub use output::{check_not_an_input, check_output};
pub use program::run_program;
use program::with_deep_stack;
#[cfg(not(target_family = "wasm"))]
pub use progress::progress_bar;
pub use settings::Settings;

use crate::engine::options_page;
use clap::{Parser, Subcommand};
use std::io::{self, BufReader, IsTerminal, Write};
use std::process::ExitCode;

/// A shogi engine that speaks USI. Without a command it runs USI on standard input and output.
#[derive(Parser)]
#[command(name = "sabi", version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Search fixed positions to a fixed depth: signature and speed of the search
    Bench(bench::BenchArguments),
    /// Count the leaves of the game tree
    Perft(perft::PerftArguments),
    /// Explain the static evaluation of a position
    Eval(eval::EvalArguments),
    /// Solve mate problems, one or a file of them
    #[cfg(not(target_family = "wasm"))]
    Mate(mate::MateArguments),
    /// Analyse games move by move: pages, records with comments, data
    #[cfg(not(target_family = "wasm"))]
    Analyze(analyze::AnalyzeArguments),
    /// Play on a CSA server such as floodgate
    #[cfg(not(target_family = "wasm"))]
    Csa(csa::CsaArguments),
    /// Diagnose problems: machine, speed, files, and remedies
    #[cfg(not(target_family = "wasm"))]
    Doctor(doctor::DoctorArguments),
    /// Print the options page
    Options,
}

/// The program `sabi`, with the arguments and streams of this process.
pub fn main() -> ExitCode {
    // Without `RUST_LOG` nothing is logged to stderr: no client reads it.
    if std::env::var_os("RUST_LOG").is_some() {
        env_logger::init();
    }
    run_program(|arguments: Arguments| match arguments.command {
        None => usi(),
        // Without a lock: `csa` writes in other threads.
        Some(command) => with_deep_stack(|| run(&command, &mut io::stdout())),
    })
}

fn usi() -> anyhow::Result<()> {
    // The engine reports its own panics; see `engine::InfoMessage::Crashed`.
    std::panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    let greet = io::stdin().is_terminal() && io::stdout().is_terminal();
    Ok(crate::usi::run(BufReader::new(io::stdin()), io::stdout(), greet)?)
}

fn run(command: &Command, out: &mut impl Write) -> anyhow::Result<()> {
    match command {
        Command::Bench(arguments) => arguments.run(out),
        Command::Perft(arguments) => arguments.run(out),
        Command::Eval(arguments) => arguments.run(out),
        #[cfg(not(target_family = "wasm"))]
        Command::Mate(arguments) => arguments.run(out),
        #[cfg(not(target_family = "wasm"))]
        Command::Analyze(arguments) => arguments.run(out),
        #[cfg(not(target_family = "wasm"))]
        Command::Csa(arguments) => arguments.run(),
        #[cfg(not(target_family = "wasm"))]
        Command::Doctor(arguments) => arguments.run(out),
        Command::Options => Ok(write!(out, "{}", options_page())?),
    }
}

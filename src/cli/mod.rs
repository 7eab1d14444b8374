//! Floor 8: the command line of `sabi`, and what every program of the project does on its command line: how it begins and ends, how it shows
//! progress, and what it checks of the files it reads and writes.

#[cfg(not(target_family = "wasm"))]
mod analyze;
mod bench;
#[cfg(not(target_family = "wasm"))]
mod csa;
#[cfg(not(target_family = "wasm"))]
mod doctor;
mod ending;
mod eval;
#[cfg(not(target_family = "wasm"))]
mod input;
#[cfg(not(target_family = "wasm"))]
mod mate;
#[cfg(not(target_family = "wasm"))]
mod output;
mod perft;
#[cfg(not(target_family = "wasm"))]
mod progress;
mod settings;

pub use ending::run_program;
#[cfg(not(target_family = "wasm"))]
pub use input::{game_files, games_of};
#[cfg(not(target_family = "wasm"))]
pub use output::{check_apart, check_output};
#[cfg(not(target_family = "wasm"))]
pub use progress::progress_bar;
pub use settings::Settings;

use crate::engine::handbook;
use clap::{Parser, Subcommand};
use std::io::{self, BufReader, IsTerminal, Write};
use std::process::ExitCode;

/// A shogi engine that speaks USI. Without a command it speaks USI on its standard input and output.
#[derive(Parser)]
#[command(name = "sabi", version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Search fixed positions to a fixed depth: a fingerprint of the search and a measure of speed
    Bench(bench::BenchArguments),
    /// Count the leaves of the game tree
    Perft(perft::PerftArguments),
    /// Explain the evaluation of a position
    Eval(eval::EvalArguments),
    /// Solve mate problems, one or a file of them
    #[cfg(not(target_family = "wasm"))]
    Mate(mate::MateArguments),
    /// Look at games move by move: pages, records with comments, data
    #[cfg(not(target_family = "wasm"))]
    Analyze(analyze::AnalyzeArguments),
    /// Play on a server that speaks the CSA protocol, such as floodgate
    #[cfg(not(target_family = "wasm"))]
    Csa(csa::CsaArguments),
    /// Tell all that matters when something is wrong: machine, speed, files, and what to do
    #[cfg(not(target_family = "wasm"))]
    Doctor(doctor::DoctorArguments),
    /// Print the handbook page of the options
    Options,
}

/// The program `sabi`, with the arguments and streams of this process.
pub fn main() -> ExitCode {
    // Without being asked, nothing is written to stderr: no client reads it.
    if std::env::var_os("RUST_LOG").is_some() {
        env_logger::init();
    }
    run_program(|| match Arguments::parse().command {
        None => usi(),
        Some(command) => run(&command, &mut io::stdout().lock()),
    })
}

fn usi() -> anyhow::Result<()> {
    // The engine answers for its own accidents; see `engine::Note::Crashed`.
    std::panic::set_hook(Box::new(|accident| log::error!("{accident}")));
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
        Command::Options => Ok(write!(out, "{}", handbook())?),
    }
}

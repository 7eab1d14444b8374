//! `sabi`: the engine speaks USI; subcommands do one thing and end.

use anyhow::{Context, anyhow};
use clap::{Args, Parser, Subcommand};
use sabi::engine::{BENCH_DEPTH, BENCH_HASH_MB, bench, handbook};
use sabi::eval::{Trace, Weights};
use sabi::movegen::{PerftMode, divide};
use sabi::position::Position;
use std::io::{self, BufReader, IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

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
    Bench {
        /// Depth of every search
        #[arg(long, default_value_t = BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..=100))]
        depth: u32,
        /// Size of the table in MB
        #[arg(long, default_value_t = BENCH_HASH_MB)]
        hash: usize,
        /// Threads; with more than one the fingerprint changes every time
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
        threads: u16,
    },
    /// Count the leaves of the game tree
    Perft {
        /// Plies
        #[arg(long, value_parser = clap::value_parser!(u32).range(0..=12))]
        depth: u32,
        /// Count the last ply without listing its moves
        #[arg(long)]
        bits: bool,
        #[command(flatten)]
        root: Root,
    },
    /// Explain the evaluation of a position
    Eval {
        #[command(flatten)]
        root: Root,
    },
    /// Print the handbook page of the options
    Options,
}

#[derive(Args)]
struct Root {
    /// The position; the start of an even game when left out
    #[arg(long)]
    sfen: Option<String>,
}

impl Root {
    fn position(&self) -> anyhow::Result<Position> {
        match &self.sfen {
            Some(sfen) => Position::from_sfen(sfen).with_context(|| format!("cannot read the position '{sfen}'")),
            None => Ok(Position::startpos()),
        }
    }
}

fn main() -> ExitCode {
    // Without being asked, nothing is written to stderr: no client reads it.
    if std::env::var_os("RUST_LOG").is_some() {
        env_logger::init();
    }
    let result = match Arguments::parse().command {
        None => usi(),
        Some(command) => obey(&command, &mut io::stdout().lock()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read has gone away: nobody is left to be told.
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

fn usi() -> anyhow::Result<()> {
    // The engine answers for its own accidents; see `engine::Note::Crashed`.
    std::panic::set_hook(Box::new(|accident| log::error!("{accident}")));
    let greet = io::stdin().is_terminal() && io::stdout().is_terminal();
    Ok(sabi::usi::run(BufReader::new(io::stdin()), io::stdout(), greet)?)
}

fn obey(command: &Command, out: &mut impl Write) -> anyhow::Result<()> {
    match command {
        Command::Bench { depth, hash, threads } => run_bench(out, *depth, *hash, usize::from(*threads)),
        Command::Perft { depth, bits, root } => run_perft(out, *depth, *bits, &root.position()?),
        Command::Eval { root } => Ok(writeln!(out, "{}", Trace::new(&root.position()?, Weights::embedded()))?),
        Command::Options => Ok(write!(out, "{}", handbook())?),
    }
}

fn run_bench(out: &mut impl Write, depth: u32, hash_mb: usize, threads: usize) -> anyhow::Result<()> {
    let mut written = Ok(());
    let mut number = 0;
    let total = bench(depth, hash_mb, threads, &mut |sfen, result| {
        number += 1;
        if written.is_ok() {
            written = writeln!(out, "{number:>2} nodes {:>9} nps {:>8}  {sfen}", result.nodes, result.speed());
        }
    })?;
    written?;
    writeln!(out, "nodes {}", total.nodes)?;
    writeln!(out, "time {} ms", total.time.as_millis())?;
    writeln!(out, "nps {}", total.speed())?;
    Ok(writeln!(out, "Bench: {}", total.nodes)?)
}

fn run_perft(out: &mut impl Write, depth: u32, bits: bool, root: &Position) -> anyhow::Result<()> {
    let mode = if bits { PerftMode::Bits } else { PerftMode::List };
    let start = Instant::now();
    let mut written = Ok(());
    let leaves = divide(&mut root.clone(), depth, mode, &|| false, &mut |mv, leaves| {
        if written.is_ok() {
            written = writeln!(out, "{mv}: {leaves}");
        }
    });
    written?;
    let leaves = leaves.ok_or_else(|| anyhow!("stopped"))?;
    let seconds = start.elapsed().max(Duration::from_nanos(1)).as_secs_f64();
    writeln!(out, "Nodes searched: {leaves}")?;
    Ok(writeln!(out, "{seconds:.3} s, {:.1} million a second", leaves as f64 / seconds / 1e6)?)
}

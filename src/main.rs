//! `sabi`: the engine speaks USI; subcommands do one thing and end.

#[path = "bin/common/ending.rs"]
mod ending;

use anyhow::{Context, anyhow};
use clap::{Args, Parser, Subcommand, ValueEnum};
use sabi::engine::{BENCH_DEPTH, BENCH_HASH_MB, Options, bench, handbook};
use sabi::movegen::{PerftMode, divide};
use sabi::position::Position;
use sabi::search::Equipment;
use serde_json::json;
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
    Bench(BenchArguments),
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
        #[command(flatten)]
        settings: Settings,
    },
    /// Print the handbook page of the options
    Options,
}

#[derive(Args)]
struct BenchArguments {
    /// Depth of every search
    #[arg(long, default_value_t = BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Size of the transposition table in MB; 0: a single bucket, as good as none
    #[arg(long, default_value_t = BENCH_HASH_MB)]
    hash: usize,
    /// Threads; with more than one the fingerprint changes every time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    #[command(flatten)]
    settings: Settings,
    /// Count what happens in the tables, and tell it as text or everything as JSON
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    stats: Option<Format>,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

impl BenchArguments {
    /// The options, those of the engine where nothing else is said.
    fn options(&self) -> anyhow::Result<Options> {
        let equipment = Equipment::new(self.hash, usize::from(self.threads));
        let mut options = self.settings.apply(Options { equipment, ..Options::default() })?;
        options.search.statistics |= self.stats.is_some();
        Ok(options)
    }
}

#[derive(Args)]
struct Settings {
    /// Set an option, for example HashPolicy=always; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
}

impl Settings {
    fn apply(&self, mut options: Options) -> anyhow::Result<Options> {
        for setting in &self.options {
            let (name, value) =
                setting.split_once('=').with_context(|| format!("an option goes NAME=VALUE, not '{setting}'"))?;
            options = options.with(name, Some(value))?;
        }
        Ok(options)
    }
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
        Command::Bench(arguments) => run_bench(out, arguments),
        Command::Perft { depth, bits, root } => run_perft(out, *depth, *bits, &root.position()?),
        Command::Eval { root, settings } => run_eval(out, &root.position()?, settings),
        Command::Options => Ok(write!(out, "{}", handbook())?),
    }
}

fn run_bench(out: &mut impl Write, arguments: &BenchArguments) -> anyhow::Result<()> {
    let mut written = Ok(());
    let mut positions = Vec::new();
    let json = arguments.stats == Some(Format::Json);
    let (total, statistics) = bench(arguments.depth, &arguments.options()?, &mut |sfen, result| {
        positions.push(json!({ "sfen": sfen, "nodes": result.nodes, "nps": result.speed() }));
        if written.is_ok() && !json {
            let number = positions.len();
            written = writeln!(out, "{number:>2} nodes {:>9} nps {:>8}  {sfen}", result.nodes, result.speed());
        }
    })?;
    written?;
    let milliseconds = total.time.as_millis() as u64;
    if json {
        let report = json!({
            "depth": arguments.depth,
            "nodes": total.nodes,
            "milliseconds": milliseconds,
            "nps": total.speed(),
            "positions": positions,
            "statistics": statistics,
        });
        return Ok(writeln!(out, "{report:#}")?);
    }
    if let Some(statistics) = statistics {
        writeln!(out, "{statistics}")?;
    }
    writeln!(out, "nodes {}", total.nodes)?;
    writeln!(out, "time {milliseconds} ms")?;
    writeln!(out, "nps {}", total.speed())?;
    Ok(writeln!(out, "Bench: {}", total.nodes)?)
}

fn run_eval(out: &mut impl Write, root: &Position, settings: &Settings) -> anyhow::Result<()> {
    let evaluation = settings.apply(Options::default())?.evaluation()?;
    Ok(writeln!(out, "{}", evaluation.explain(root))?)
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

//! The command line of `sabi`, and the parts shared by all programs of the project: start
//! and exit, progress bars, checks of input and output files.

#[cfg(not(target_family = "wasm"))]
mod analyze;
#[cfg(not(target_family = "wasm"))]
mod csa;
#[cfg(not(target_family = "wasm"))]
mod doctor;
#[cfg(not(target_family = "wasm"))]
mod files;
#[cfg(not(target_family = "wasm"))]
mod mate;
mod program;

#[cfg(not(target_family = "wasm"))]
pub use files::{check_not_an_input, check_output, game_files, games_of, report_left_out};
#[cfg(not(target_family = "wasm"))]
pub use program::progress_bar;
pub use program::{OptionArguments, run_program};

use crate::analysis::Language;
use crate::engine::{BENCH_DEPTH, BENCH_HASH_MB, Options, bench, options_page};
use crate::eval::{EvalType, Evaluation};
use crate::search::{Resources, Signals};
use crate::usi::{bench_result_text, statistics_text};
use anyhow::{Context, anyhow, bail};
use clap::builder::PossibleValue;
use clap::{Args, Parser, Subcommand, ValueEnum};
use program::{PositionArguments, with_deep_stack};
use sabi_shogi::{PerftMode, divide, excerpt};
use serde_json::json;
use std::env::consts;
use std::io::{self, BufReader, IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// A shogi engine that speaks USI. Without a command it runs USI on standard input and output.
#[derive(Parser)]
#[command(name = "sabi")]
struct Arguments {
    /// Print version, commit, target and network
    #[arg(short = 'V', long)]
    version: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Search fixed positions to a fixed depth: signature and speed of the search
    Bench(BenchArguments),
    /// Count the leaves of the game tree
    Perft(PerftArguments),
    /// Explain the static evaluation of a position
    Eval(EvalArguments),
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
    Options {
        /// Language
        #[arg(long, value_enum, default_value = "en")]
        lang: Language,
    },
}

/// The program `sabi`, with the arguments and streams of this process.
pub fn main() -> ExitCode {
    // Without `RUST_LOG` nothing is logged to stderr: no client reads it.
    if std::env::var_os("RUST_LOG").is_some() {
        env_logger::init();
    }
    run_program(|arguments: Arguments| match arguments.command {
        _ if arguments.version => Ok(write!(io::stdout(), "{}", version())?),
        None => usi(),
        // Without a lock: `csa` writes in other threads.
        Some(command) => with_deep_stack(|| run(&command, &mut io::stdout())),
    })
}

/// What identifies a build. The commit is that of `SABI_COMMIT` in the environment of the compiler.
fn version() -> String {
    let mut text = format!("sabi {}\n", env!("CARGO_PKG_VERSION"));
    if let Some(commit) = option_env!("SABI_COMMIT").filter(|commit| !commit.is_empty()) {
        text += &format!("commit   {commit}\n");
    }
    let abi =
        [("gnu", cfg!(target_env = "gnu")), ("musl", cfg!(target_env = "musl")), ("msvc", cfg!(target_env = "msvc"))];
    let abi = abi.iter().find(|(_, is_it)| *is_it).map_or(String::new(), |(name, _)| format!("-{name}"));
    text += &format!("target   {}-{}{abi}\n", consts::ARCH, consts::OS);
    let evaluation = Evaluation::embedded(EvalType::Network);
    let network = match &evaluation {
        Evaluation::Network(network) => network.shape.short_name(),
        _ => "none".to_owned(),
    };
    text + &format!("network  {network}, fingerprint {:08x}\n", evaluation.fingerprint())
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
        Command::Csa(arguments) => arguments.run(out),
        #[cfg(not(target_family = "wasm"))]
        Command::Doctor(arguments) => arguments.run(out),
        Command::Options { lang } => Ok(write!(out, "{}", options_page(*lang == Language::Japanese))?),
    }
}

/// The languages as arguments.
impl ValueEnum for Language {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.code()))
    }
}

#[derive(Args)]
struct BenchArguments {
    /// Depth of every search
    #[arg(long, default_value_t = BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Size of the transposition table in MB; 0: a single bucket
    #[arg(long, default_value_t = BENCH_HASH_MB)]
    hash: usize,
    /// Threads; with more than one the node count is not reproducible
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    #[command(flatten)]
    settings: OptionArguments,
    /// Collect table statistics: as text, or everything as JSON
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    stats: Option<StatisticsFormat>,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
enum StatisticsFormat {
    Text,
    Json,
}

impl BenchArguments {
    /// The engine options of this bench.
    fn options(&self) -> anyhow::Result<Options> {
        let resources = Resources::new(self.hash, usize::from(self.threads));
        let mut options = self.settings.apply(Options { resources, ..Options::default() })?;
        options.search.statistics |= self.stats.is_some();
        Ok(options)
    }

    /// Runs the bench and prints each position.
    fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut written = Ok(());
        let mut positions = Vec::new();
        let json = self.stats == Some(StatisticsFormat::Json);
        let (total, statistics) = bench(self.depth, &self.options()?, &Signals::default(), &mut |sfen, result| {
            positions.push(json!({ "sfen": sfen, "nodes": result.nodes, "nps": result.speed() }));
            if written.is_ok() && !json {
                let number = positions.len();
                written = writeln!(out, "{number:>2} nodes {:>9} nps {:>8}  {sfen}", result.nodes, result.speed());
            }
        })?;
        written?;
        if json {
            let report = json!({
                "depth": self.depth,
                "nodes": total.nodes,
                "milliseconds": total.time.as_millis() as u64,
                "nps": total.speed(),
                "positions": positions,
                "statistics": statistics,
            });
            return Ok(writeln!(out, "{report:#}")?);
        }
        if let Some(statistics) = statistics {
            writeln!(out, "{}", statistics_text(&statistics))?;
        }
        Ok(writeln!(out, "{}", bench_result_text(&total))?)
    }
}

#[derive(Args)]
struct PerftArguments {
    /// Depth, also without the name: sabi perft 4
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=12))]
    depth: Option<u32>,
    /// Depth, if it is not given as --depth; else the first word of the position
    #[arg(value_name = "DEPTH")]
    first: Option<String>,
    /// Bulk counting: count the last ply without listing its moves
    #[arg(long)]
    bulk: bool,
    #[command(flatten)]
    root: PositionArguments,
}

impl PerftArguments {
    /// Counts and prints each root move.
    fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (depth, first) = match (self.depth, &self.first) {
            (Some(depth), first) => (depth, first.as_deref()),
            (None, Some(text)) => {
                let depth = text.parse().ok().filter(|depth| (0..=12).contains(depth));
                (depth.with_context(|| format!("the depth is a number from 0 to 12, not '{}'", excerpt(text)))?, None)
            }
            (None, None) => bail!("a depth is missing, as in 'sabi perft 4'"),
        };
        let mut position = self.root.position_after(first)?;
        let mode = if self.bulk { PerftMode::Bulk } else { PerftMode::List };
        let start = Instant::now();
        let mut written = Ok(());
        let leaves = divide(&mut position, depth, mode, &|| false, &mut |mv, leaves| {
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
}

#[derive(Args)]
struct EvalArguments {
    #[command(flatten)]
    root: PositionArguments,
    #[command(flatten)]
    settings: OptionArguments,
}

impl EvalArguments {
    /// Explains a position.
    fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let position = self.root.position()?;
        let evaluation = self.settings.apply(Options::default())?.eval.evaluation()?;
        Ok(writeln!(out, "{}", evaluation.explain(&position))?)
    }
}

//! Searches of single positions: rescoring a book, and finding balanced openings.

use anyhow::{Context, ensure};
use clap::{Args, value_parser};
use sabi::cli::{check_not_an_input, check_output, progress_bar};
use sabi::eval::{EvalType, Evaluation};
use sabi::machine::{in_order, run_workers};
use sabi::search::{Limits, OutOfMemory, Resources, SearchResult, Searcher, Settings, Signals};
use sabi_files::{WriteLock, remove_file, replace_with_bytes};
use sabi_shogi::Position;
use sabi_tools::book::{ScoredPosition, Unscored, store_results, unscored};
use sabi_tools::checkpoint::{Checkpoint, StateFile};
use sabi_tools::cli::book::{BookOutput, load_book};
use sabi_tools::cli::{each_game, report_bad};
use sabi_tools::matches::{DistinctOpenings, Opening};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Interval of saving results.
const SAVE_INTERVAL: Duration = Duration::from_secs(10);

#[derive(Args)]
struct SearchArguments {
    /// Concurrent searches
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Hash size of each search in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = value_parser!(u32).range(1..=65536))]
    hash: u32,
}

impl SearchArguments {
    /// Searchers for this many positions, one for each thread.
    fn searchers(&self, positions: usize) -> Result<Vec<Searcher>, OutOfMemory> {
        let resources = Resources::new(self.hash as usize, 1);
        (0..positions.min(self.threads.into())).map(|_| Searcher::new(&resources)).collect()
    }
}

/// Searches a position with one thread and an empty table, so that the result depends on nodes and
/// hash size alone.
fn search_anew(searcher: &mut Searcher, position: &Position, nodes: u64) -> SearchResult {
    let limits = Limits { nodes: Some(nodes), ..Limits::unlimited(Instant::now()) };
    searcher.new_game();
    searcher.search(position, &limits, &Settings::default(), &Signals::default(), &mut |_| {})
}

#[derive(Args)]
pub struct RescoreArguments {
    /// Book; moves with a score are not searched again
    book: PathBuf,
    #[command(flatten)]
    output: BookOutput,
    /// Nodes per position
    #[arg(long, value_name = "N", default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Stop after this many minutes; the next run continues. The output is a .shob or .json: the
    /// other formats hold no moves without a score beside others
    #[arg(long, value_name = "MINUTES", value_parser = minutes)]
    time: Option<Duration>,
    #[command(flatten)]
    search: SearchArguments,
    /// Search moves with a score again
    #[arg(long)]
    again: bool,
}

fn minutes(text: &str) -> Result<Duration, String> {
    let minutes = text.parse().ok().filter(|minutes: &f64| *minutes > 0.0 && *minutes < 1e6);
    minutes.map(|minutes| Duration::from_secs_f64(minutes * 60.0)).ok_or_else(|| "not a time in minutes".to_owned())
}

/// Results so far, and the settings they depend on.
#[derive(Serialize, Deserialize)]
struct RescoreState {
    /// Release of the engine and fingerprint of its evaluation.
    engine: String,
    nodes: u64,
    hash: u32,
    results: Vec<ScoredPosition>,
}

impl Checkpoint for RescoreState {
    const MAGIC: [u8; 8] = *b"SABIRESC";
    const VERSION: u32 = 3;
    const NAME: &str = "saved rescoring";
}

impl RescoreState {
    /// Results of an unfinished run; none without a state file.
    fn open(file: &StateFile, arguments: &RescoreArguments) -> anyhow::Result<Self> {
        let (nodes, hash) = (arguments.nodes, arguments.search.hash);
        let fingerprint = Evaluation::embedded(EvalType::default()).fingerprint();
        let engine = format!("{} {fingerprint:08x}", env!("CARGO_PKG_VERSION"));
        let is_same = |saved: &mut Self| {
            let is_same = (&saved.engine, saved.nodes, saved.hash) == (&engine, nodes, hash);
            let others = "of another release or network, or has other --nodes or --hash";
            ensure!(is_same, "it is {others}; remove it to start anew");
            Ok(())
        };
        let saved = file.resume(is_same)?;
        Ok(saved.unwrap_or_else(|| Self { engine, nodes, hash, results: Vec::new() }))
    }
}

/// Scores the moves of a book by search. An interrupted run is resumed from its state file.
pub fn rescore(arguments: &RescoreArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let output = &arguments.output.output;
    ensure!(
        arguments.output.holds_all() || arguments.time.is_none(),
        "'{}' would lose the moves not yet searched; with --time name a .shob or .json as --output",
        output.display()
    );
    let _lock = arguments.output.lock()?;
    let mut book = load_book(&arguments.book)?.book;
    let mut state = StateFile::new(output.with_added_extension("rescore"), "the results");
    let mut saved = RescoreState::open(&state, arguments)?;
    let known: HashSet<u64> = saved.results.iter().map(|result| result.key).collect();
    let mut tasks = unscored(&mut book, arguments.again);
    tasks.retain(|task| !known.contains(&task.key));
    if !known.is_empty() {
        writeln!(out, "{} positions are already searched", known.len())?;
    }
    let searchers = arguments.search.searchers(tasks.len())?;
    let deadline = arguments.time.map(|time| Instant::now() + time);
    let bar = progress_bar(tasks.len() as u64, "positions")?;
    let mut searched = 0;
    run_workers(
        searchers,
        tasks.iter(),
        |mut searcher, tasks| tasks.work(|task| search_one(&mut searcher, task, arguments.nodes)),
        |mut results| -> anyhow::Result<()> {
            while let Some((_, result)) = results.next() {
                saved.results.extend(result);
                searched += 1;
                bar.inc(1);
                if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    results.stop();
                }
                // The first result shows whether the file can be written.
                if !state.path().exists() || state.is_due(SAVE_INTERVAL) {
                    state.save(&saved)?;
                }
            }
            Ok(())
        },
    )
    .context("no thread could be started")??;
    bar.finish_and_clear();
    let scored = store_results(&mut book, &saved.results, arguments.again);
    arguments.output.save(&book, out)?;
    // After the deadline the next run continues, also with another output than input.
    if searched < tasks.len() {
        state.save(&saved)?;
    } else if state.path().exists() {
        remove_file(state.path()).with_context(|| format!("cannot remove '{}'", state.path().display()))?;
    }
    let left = tasks.len() - searched;
    Ok(writeln!(out, "moves scored {scored}, positions left {left}")?)
}

/// Score of a position; `None` for one that cannot be set up.
fn search_one(searcher: &mut Searcher, task: &Unscored, nodes: u64) -> Option<ScoredPosition> {
    let position = task.position()?;
    let outcome = search_anew(searcher, &position, nodes);
    let depth = u16::try_from(outcome.depth).unwrap_or(u16::MAX);
    Some(ScoredPosition { key: task.key, score: outcome.score, depth })
}

#[derive(Args)]
pub struct OpeningsArguments {
    /// Games: records in any format and lists of positions, files or folders, or - for standard input
    #[arg(required = true, value_name = "PATH")]
    games: Vec<PathBuf>,
    /// List to write: 'startpos moves ...' or 'sfen ... moves ...' on each line
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Opening moves of each game
    #[arg(long, value_name = "N", default_value_t = 24)]
    plies: usize,
    /// Maximum score of either side, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 300, value_parser = value_parser!(i32).range(0..=30_000))]
    balance: i32,
    /// Nodes per opening
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    #[command(flatten)]
    search: SearchArguments,
}

/// Writes the openings of games, equal ones once, that leave neither side ahead by more than a limit
/// after a search. In matches both engines play both sides of an opening; a decided one is a win
/// each, whatever they are.
pub fn openings(arguments: &OpeningsArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let OpeningsArguments { games, output, plies, balance, nodes, search } = arguments;
    check_output(output, "the openings", is_list)?;
    check_not_an_input(output, games)?;
    let _lock = WriteLock::of(output).with_context(|| format!("cannot write the openings '{}'", output.display()))?;
    let (mut distinct, mut openings) = (DistinctOpenings::new(*plies), Vec::new());
    let read = each_game(games, |game| {
        openings.extend(distinct.opening(game));
        Ok(())
    })?;
    report_bad(&read.bad);
    let bar = progress_bar(openings.len() as u64, "openings")?;
    let is_balanced = |opening: &Opening, searcher: &mut _| {
        search_anew(searcher, &opening.position(), *nodes).score.get().abs() <= *balance
    };
    let balanced: Vec<bool> = run_workers(
        search.searchers(openings.len())?,
        openings.iter(),
        |mut searcher, tasks| tasks.work(|opening| is_balanced(opening, &mut searcher)),
        |results| in_order(bar.wrap_iter(results)).collect(),
    )
    .context("no thread could be started")?;
    bar.finish_and_clear();
    let lines = openings.iter().zip(balanced).filter(|(_, balanced)| *balanced);
    let lines: Vec<String> = lines.map(|(opening, _)| opening.usi() + "\n").collect();
    ensure!(!lines.is_empty(), "none of {} openings is within {balance} centipawns", openings.len());
    replace_with_bytes(output, lines.concat().as_bytes())
        .with_context(|| format!("cannot write the openings '{}'", output.display()))?;
    Ok(writeln!(out, "{} of {} openings within {balance} centipawns", lines.len(), openings.len())?)
}

/// Whether a file begins as a list of openings does.
fn is_list(head: &[u8], _: u64) -> bool {
    head.starts_with(b"startpos") || head.starts_with(b"sfen ")
}

//! Searching the positions after book moves.

use crate::output::Output;
use crate::searching::{SearchArguments, search_anew};
use anyhow::{Context, ensure};
use clap::Args;
use sabi::cli::progress_bar;
use sabi::eval::{EvalType, Evaluation};
use sabi::machine::run_workers;
use sabi::search::Searcher;
use sabi_files::remove_file;
use sabi_tools::book::{ScoredPosition, Unscored, store_results, unscored};
use sabi_tools::checkpoint::Checkpoint;
use sabi_tools::cli::book::load_book;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Interval of saving results.
const SAVE_INTERVAL: Duration = Duration::from_secs(10);

#[derive(Args)]
pub struct Arguments {
    /// Book; moves with a score are not searched again
    book: PathBuf,
    #[command(flatten)]
    output: Output,
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
struct Saved {
    /// Release of the engine and fingerprint of its evaluation.
    engine: String,
    nodes: u64,
    hash: u32,
    results: Vec<ScoredPosition>,
}

impl Checkpoint for Saved {
    const MAGIC: [u8; 8] = *b"SABIRESC";
    const VERSION: u32 = 3;
    const NAME: &str = "saved rescoring";
}

impl Saved {
    /// Results of an unfinished run; none without a state file.
    fn open(path: &Path, arguments: &Arguments) -> anyhow::Result<Self> {
        let (nodes, hash) = (arguments.nodes, arguments.search.hash);
        let fingerprint = Evaluation::embedded(EvalType::default()).fingerprint();
        let engine = format!("{} {fingerprint:08x}", env!("CARGO_PKG_VERSION"));
        let saved = Self::resume(path).with_context(|| format!("cannot resume from '{}'", path.display()))?;
        let Some(saved) = saved else { return Ok(Self { engine, nodes, hash, results: Vec::new() }) };
        let is_same = (&saved.engine, saved.nodes, saved.hash) == (&engine, nodes, hash);
        let name = path.display();
        ensure!(
            is_same,
            "'{name}' is of another release or network, or has other --nodes or --hash; remove it to start anew"
        );
        Ok(saved)
    }

    fn save(&self, path: &Path) -> anyhow::Result<()> {
        self.write(path).with_context(|| format!("cannot write '{}'", path.display()))
    }
}

/// Scores the moves of a book by search. An interrupted run is resumed from its state file.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    let output = arguments.output.path();
    ensure!(
        arguments.output.holds_all() || arguments.time.is_none(),
        "'{}' would lose the moves not yet searched; with --time name a .shob or .json as --output",
        output.display()
    );
    let _lock = arguments.output.lock()?;
    let mut book = load_book(&arguments.book)?.book;
    let state = output.with_added_extension("rescore");
    let mut saved = Saved::open(&state, arguments)?;
    let known: HashSet<u64> = saved.results.iter().map(|result| result.key).collect();
    let mut tasks = unscored(&book, arguments.again);
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
            let mut last: Option<Instant> = None;
            while let Some((_, result)) = results.next() {
                saved.results.extend(result);
                searched += 1;
                bar.inc(1);
                if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    results.stop();
                }
                if last.is_none_or(|last| last.elapsed() >= SAVE_INTERVAL) {
                    saved.save(&state)?;
                    last = Some(Instant::now());
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
        saved.save(&state)?;
    } else if state.exists() {
        remove_file(&state).with_context(|| format!("cannot remove '{}'", state.display()))?;
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

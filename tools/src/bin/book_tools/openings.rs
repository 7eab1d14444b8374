//! Balanced openings of games.

use crate::searching::{SearchArguments, search_anew};
use anyhow::{Context, ensure};
use clap::{Args, value_parser};
use sabi::cli::{check_not_an_input, check_output, progress_bar};
use sabi::machine::{in_order, run_workers};
use sabi_files::{WriteLock, replace_with_bytes};
use sabi_tools::arena::{DistinctOpenings, Opening};
use sabi_tools::cli::{each_game, report_bad};
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub struct Arguments {
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
pub fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    let Arguments { games, output, plies, balance, nodes, search } = arguments;
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

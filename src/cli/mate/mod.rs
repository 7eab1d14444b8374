//! `sabi mate`: solves mate problems.

mod report;
mod solvers;
mod summary;

use crate::cli::progress::progress_bar;
use crate::engine::Options;
use anyhow::Context;
use clap::{ArgGroup, Args, value_parser};
use report::{Table, as_json};
use sabi_records::{Problem, read_problems};
use serde_json::json;
use solvers::Solvers;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use summary::Summary;

#[derive(Args)]
#[command(group = ArgGroup::new("problems").required(true).args(["sfen", "file"]))]
pub struct MateArguments {
    /// A problem, side to move mates: SFEN or arguments of `position`; repeatable
    #[arg(long, value_name = "SFEN")]
    sfen: Vec<String>,
    /// Problem files: SFEN lines, tables with a column 'sfen', JSON, or records (KIF, KI2, CSA,
    /// JKF)
    #[arg(long, value_name = "FILE", num_args = 1..)]
    file: Vec<PathBuf>,
    /// Milliseconds per problem
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = value_parser!(u64).range(1..))]
    time: u64,
    /// Solver memory in MB, shared among the threads
    #[arg(long, value_name = "MB", default_value_t = default_hash(), value_parser = value_parser!(u64).range(1..))]
    hash: u64,
    /// Number of problems solved in parallel
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// Accept any mate, not only the shortest
    #[arg(long)]
    any: bool,
    /// Print the line of every mate; always printed for --sfen
    #[arg(long)]
    lines: bool,
    /// Output as JSON
    #[arg(long)]
    json: bool,
}

/// The default of `MateHash`.
fn default_hash() -> u64 {
    Options::default().mate.hash_mb as u64
}

impl MateArguments {
    /// Solves and prints each problem.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        // Read all problems before solving the first, so that errors come first.
        let problems = self.problems()?;
        let threads = self.threads.get().min(problems.len());
        let time = Duration::from_millis(self.time);
        let solvers = Solvers::new(threads, usize::try_from(self.hash)?, time, !self.any)
            .context("cannot give the solver its memory")?;
        let bar = progress_bar(problems.len() as u64, "problems")?;
        let table = Table::new(&problems, self.lines || !self.sfen.is_empty());
        if !self.json {
            table.head(out)?;
        }
        let mut summary = Summary::default();
        let mut reports = Vec::new();
        let start = Instant::now();
        let outcome = solvers.solve(&problems, |at, solved| {
            let problem = &problems[at];
            summary.add(problem, &solved);
            bar.inc(1);
            bar.set_message(format!("{} solved", summary.mates()));
            if self.json {
                reports.push(as_json(at + 1, problem, &solved));
                return Ok(());
            }
            Ok(bar.suspend(|| table.row(out, at + 1, problem, &solved))?)
        });
        bar.finish_and_clear();
        outcome?;
        let took = start.elapsed();
        if self.json {
            let settings = json!({
                "time_ms": self.time,
                "hash_mb": self.hash,
                "threads": threads,
                "shortest": !self.any,
            });
            let report = json!({ "settings": settings, "problems": reports, "summary": summary.as_json(took) });
            return Ok(writeln!(out, "{report:#}")?);
        }
        Ok(summary.write(out, took)?)
    }

    fn problems(&self) -> anyhow::Result<Vec<Problem>> {
        let mut problems = Vec::new();
        for (number, sfen) in (1..).zip(&self.sfen) {
            let problem = Problem::from_line(sfen, format!("sfen {number}"));
            problems.push(problem.with_context(|| format!("cannot read the position '{}'", sfen.escape_debug()))?);
        }
        for path in &self.file {
            let mut new = read_problems(path).context("cannot read the problems")?;
            if self.file.len() > 1 {
                // With several files, places include the file name.
                let name = Path::new(path.file_name().unwrap_or(path.as_os_str())).display();
                new.iter_mut().for_each(|problem| problem.place = format!("{name} {}", problem.place));
            }
            problems.append(&mut new);
        }
        Ok(problems)
    }
}

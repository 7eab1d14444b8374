//! `sabi mate`: solves mate problems on several threads and reports each, and all together.

use super::program::progress_bar;
use crate::engine::Options;
use crate::machine::{in_order, run_workers};
use crate::mate::solver::{Mate, MateProgress, MateQuestion, MateResult, MateSolver};
use anyhow::Context;
use clap::{ArgGroup, Args, value_parser};
use sabi_records::{Problem, read_problems};
use sabi_shogi::usi_moves;
use serde_json::{Value, json};
use std::cmp::Ordering;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

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
    #[arg(long, value_name = "MB", default_value_t = Options::default().mate.hash_mb as u64, value_parser = value_parser!(u64).range(1..))]
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

impl MateArguments {
    /// Solves and prints each problem.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        // Read all problems before solving the first, so that errors come first.
        let problems = self.problems()?;
        let threads = self.threads.get().min(problems.len());
        let megabytes = (usize::try_from(self.hash)? / threads).max(1);
        let solvers = (0..threads).map(|_| MateSolver::new(megabytes)).collect::<Result<Vec<_>, _>>();
        let solvers = solvers.context("cannot give the solver its memory")?;
        let bar = progress_bar(problems.len() as u64, "problems")?;
        let table = ReportTable::new(&problems, self.lines || !self.sfen.is_empty());
        if !self.json {
            table.head(out)?;
        }
        let mut totals = Totals::default();
        let mut reports = Vec::new();
        let start = Instant::now();
        let solved_all = self.solve(solvers, &problems, |at, solved| {
            let problem = &problems[at];
            totals.add(problem, &solved);
            bar.inc(1);
            bar.set_message(format!("{} solved", totals.mates));
            if self.json {
                reports.push(solved.as_json(at + 1, problem));
                return Ok(());
            }
            Ok(bar.suspend(|| table.row(out, at + 1, problem, &solved))?)
        });
        bar.finish_and_clear();
        solved_all?;
        let took = start.elapsed();
        if self.json {
            let settings = json!({
                "time_ms": self.time,
                "hash_mb": self.hash,
                "threads": threads,
                "shortest": !self.any,
            });
            let report = json!({ "settings": settings, "problems": reports, "summary": totals.as_json(took) });
            return Ok(writeln!(out, "{report:#}")?);
        }
        Ok(totals.write(out, took)?)
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

    /// Solves all problems, one solver per thread, and passes on the results in order. Stops when
    /// `each` fails.
    fn solve(
        &self,
        solvers: Vec<MateSolver>,
        problems: &[Problem],
        mut each: impl FnMut(usize, Solved) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let time = Duration::from_millis(self.time);
        let solve_one = |solver: &mut MateSolver, problem: &Problem, is_stopped: &dyn Fn() -> bool| {
            let question = MateQuestion { shortest: !self.any, ..MateQuestion::about(&problem.position) };
            let start = Instant::now();
            let mut go_on = |_: &MateProgress<'_>| !is_stopped() && start.elapsed() < time;
            let (result, nodes) = solver.solve(&problem.position, &question, &mut go_on);
            Solved { result, nodes, time: start.elapsed() }
        };
        run_workers(
            solvers,
            problems.iter(),
            |mut solver, tasks| tasks.work(|problem| solve_one(&mut solver, problem, &|| tasks.is_stopped())),
            |results| in_order(results).enumerate().try_for_each(|(at, solved)| each(at, solved)),
        )?
    }
}

/// Result of a problem.
struct Solved {
    result: MateResult,
    nodes: u64,
    time: Duration,
}

impl Solved {
    const fn mate(&self) -> Option<&Mate> {
        match &self.result {
            MateResult::Mate(mate) => Some(mate),
            MateResult::NoMate | MateResult::Unknown => None,
        }
    }

    const fn word(&self) -> &'static str {
        match self.result {
            MateResult::Mate(_) => "mate",
            MateResult::NoMate => "nomate",
            MateResult::Unknown => "unknown",
        }
    }

    /// The length compared with the stated one.
    fn against_stated(&self, problem: &Problem) -> Option<Ordering> {
        Some(self.mate()?.plies.cmp(&problem.stated?))
    }

    fn as_json(&self, number: usize, problem: &Problem) -> Value {
        let mate = self.mate();
        json!({
            "number": number,
            "place": problem.place,
            "sfen": problem.position.sfen(),
            "result": self.word(),
            "plies": mate.map(|mate| mate.plies),
            "shortest": mate.map(|mate| mate.shortest),
            "stated": problem.stated,
            "nodes": self.nodes,
            "ms": milliseconds(self.time),
            "line": mate.map(|mate| usi_moves(&mate.line)),
        })
    }
}

/// A table with a row per problem, as wide as needed.
struct ReportTable {
    number_width: usize,
    place_width: usize,
    /// Whether any problem states its mate length.
    stated: bool,
    lines: bool,
}

impl ReportTable {
    fn new(problems: &[Problem], lines: bool) -> Self {
        Self {
            number_width: problems.len().to_string().len(),
            place_width: problems.iter().map(|problem| problem.place.chars().count()).max().unwrap_or(0).max(5),
            stated: problems.iter().any(|problem| problem.stated.is_some()),
            lines,
        }
    }

    fn head(&self, out: &mut impl Write) -> io::Result<()> {
        let (number, place) = (self.number_width, self.place_width);
        write!(out, "{:number$}  {:place$}  {:7} {:>6}", "", "place", "result", "plies")?;
        if self.stated {
            write!(out, "   {:>6}", "stated")?;
        }
        write!(out, " {:>12} {:>10}", "nodes", "ms")?;
        writeln!(out, "{}", if self.lines { "  line" } else { "" })
    }

    fn row(&self, out: &mut impl Write, at: usize, problem: &Problem, solved: &Solved) -> io::Result<()> {
        let (number, place) = (self.number_width, self.place_width);
        // A shorter mate may exist unless ruled out.
        let length = |mate: &Mate| format!("{}{}", if mate.shortest { "" } else { "≤" }, mate.plies);
        let plies = solved.mate().map_or_else(|| "-".to_owned(), length);
        write!(out, "{at:>number$}  {:place$}  {:7} {plies:>6}", problem.place, solved.word())?;
        if self.stated {
            let sign = match solved.against_stated(problem) {
                Some(Ordering::Less) => '<',
                Some(Ordering::Equal) => '=',
                Some(Ordering::Greater) => '>',
                None => ' ',
            };
            let stated = problem.stated.map_or_else(|| "-".to_owned(), |plies| plies.to_string());
            write!(out, " {sign} {stated:>6}")?;
        }
        write!(out, " {:>12} {:>10.1}", solved.nodes, milliseconds(solved.time))?;
        if let Some(mate) = solved.mate().filter(|_| self.lines) {
            write!(out, "  {}", usi_moves(&mate.line).join(" "))?;
        }
        writeln!(out)
    }
}

/// Counts of results over all problems.
#[derive(Default)]
struct Totals {
    mates: u64,
    no_mates: u64,
    unknown: u64,
    /// Mates not proved to be shortest.
    open: u64,
    /// Problems with a stated length, and mates of equal, shorter and longer length.
    stated: u64,
    as_stated: u64,
    shorter: u64,
    longer: u64,
    nodes: u64,
    times: Vec<Duration>,
}

impl Totals {
    fn add(&mut self, problem: &Problem, solved: &Solved) {
        match &solved.result {
            MateResult::Mate(mate) => {
                self.mates += 1;
                self.open += u64::from(!mate.shortest);
            }
            MateResult::NoMate => self.no_mates += 1,
            MateResult::Unknown => self.unknown += 1,
        }
        self.stated += u64::from(problem.stated.is_some());
        match solved.against_stated(problem) {
            Some(Ordering::Less) => self.shorter += 1,
            Some(Ordering::Equal) => self.as_stated += 1,
            Some(Ordering::Greater) => self.longer += 1,
            None => {}
        }
        self.nodes += solved.nodes;
        self.times.push(solved.time);
    }

    /// The time in which this percentage of the problems was solved.
    fn time_of(&self, percent: usize) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        let rank = (times.len() * percent).div_ceil(100);
        times.get(rank.saturating_sub(1)).copied().unwrap_or_default()
    }

    fn speed(&self, took: Duration) -> u64 {
        (self.nodes as f64 / took.as_secs_f64().max(1e-9)) as u64
    }

    fn write(&self, out: &mut impl Write, took: Duration) -> io::Result<()> {
        let Self { mates, no_mates, unknown, open, stated, as_stated, shorter, longer, nodes, .. } = self;
        writeln!(out, "problems {}: mate {mates}, no mate {no_mates}, unknown {unknown}", self.times.len())?;
        if *stated > 0 {
            write!(out, "stated lengths {stated}: found {as_stated}, shorter {shorter}, longer {longer}")?;
            writeln!(out, ", no mate found {}", stated - as_stated - shorter - longer)?;
        }
        if *open > 0 {
            writeln!(out, "perhaps not the shortest: {open}")?;
        }
        let [median, most, all] = [50, 99, 100].map(|percent| milliseconds(self.time_of(percent)));
        writeln!(out, "time: median {median:.1} ms, 99 of 100 within {most:.1} ms, longest {all:.1} ms")?;
        writeln!(out, "nodes {nodes}, {:.1} s, nps {}", took.as_secs_f64(), self.speed(took))
    }

    /// The summary as JSON.
    fn as_json(&self, took: Duration) -> Value {
        json!({
            "problems": self.times.len(),
            "mate": self.mates,
            "nomate": self.no_mates,
            "unknown": self.unknown,
            "perhaps_not_shortest": self.open,
            "stated": self.stated,
            "as_stated": self.as_stated,
            "shorter": self.shorter,
            "longer": self.longer,
            "median_ms": milliseconds(self.time_of(50)),
            "percentile_99_ms": milliseconds(self.time_of(99)),
            "longest_ms": milliseconds(self.time_of(100)),
            "total_ms": milliseconds(took),
            "nodes": self.nodes,
            "nps": self.speed(took),
        })
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}

//! Summary of all problems.

use super::report::{mate, milliseconds};
use super::solvers::Solved;
use crate::mate::solver::MateResult;
use sabi_records::Problem;
use serde_json::{Value, json};
use std::cmp::Ordering;
use std::io::{self, Write};
use std::time::Duration;

/// Counts of results.
#[derive(Default)]
pub struct Summary {
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

impl Summary {
    pub const fn mates(&self) -> u64 {
        self.mates
    }

    pub fn add(&mut self, problem: &Problem, solved: &Solved) {
        match &solved.result {
            MateResult::Mate(mate) => {
                self.mates += 1;
                self.open += u64::from(!mate.shortest);
            }
            MateResult::NoMate => self.no_mates += 1,
            MateResult::Unknown => self.unknown += 1,
        }
        if let Some(stated) = problem.stated {
            self.stated += 1;
            match mate(&solved.result).map(|mate| mate.plies.cmp(&stated)) {
                Some(Ordering::Less) => self.shorter += 1,
                Some(Ordering::Equal) => self.as_stated += 1,
                Some(Ordering::Greater) => self.longer += 1,
                None => {}
            }
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

    pub fn write(&self, out: &mut impl Write, took: Duration) -> io::Result<()> {
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
    pub fn as_json(&self, took: Duration) -> Value {
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

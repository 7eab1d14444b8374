//! Report of each problem.

use super::solvers::Solved;
use crate::mate::solver::{Mate, MateResult};
use sabi_records::Problem;
use sabi_shogi::usi_moves;
use serde_json::{Value, json};
use std::cmp::Ordering;
use std::io::{self, Write};
use std::time::Duration;

/// A table with a row per problem, as wide as needed.
pub struct Table {
    number_width: usize,
    place_width: usize,
    /// Whether any problem states its mate length.
    stated: bool,
    lines: bool,
}

impl Table {
    pub fn new(problems: &[Problem], lines: bool) -> Self {
        Self {
            number_width: problems.len().to_string().len(),
            place_width: problems.iter().map(|problem| problem.place.chars().count()).max().unwrap_or(0).max(5),
            stated: problems.iter().any(|problem| problem.stated.is_some()),
            lines,
        }
    }

    pub fn head(&self, out: &mut impl Write) -> io::Result<()> {
        let (number, place) = (self.number_width, self.place_width);
        write!(out, "{:number$}  {:place$}  {:7} {:>6}", "", "place", "result", "plies")?;
        if self.stated {
            write!(out, "   {:>6}", "stated")?;
        }
        write!(out, " {:>12} {:>10}", "nodes", "ms")?;
        writeln!(out, "{}", if self.lines { "  line" } else { "" })
    }

    pub fn row(&self, out: &mut impl Write, at: usize, problem: &Problem, solved: &Solved) -> io::Result<()> {
        let (number, place) = (self.number_width, self.place_width);
        let mate = mate(&solved.result);
        let plies = mate.map_or_else(|| "-".to_owned(), length);
        write!(out, "{at:>number$}  {:place$}  {:7} {plies:>6}", problem.place, word(&solved.result))?;
        if self.stated {
            let sign = mate.zip(problem.stated).map_or(' ', |(mate, stated)| match mate.plies.cmp(&stated) {
                Ordering::Less => '<',
                Ordering::Equal => '=',
                Ordering::Greater => '>',
            });
            let stated = problem.stated.map_or_else(|| "-".to_owned(), |plies| plies.to_string());
            write!(out, " {sign} {stated:>6}")?;
        }
        write!(out, " {:>12} {:>10.1}", solved.nodes, milliseconds(solved.time))?;
        if let Some(mate) = mate.filter(|_| self.lines) {
            write!(out, "  {}", usi_moves(&mate.line).join(" "))?;
        }
        writeln!(out)
    }
}

/// The row as JSON.
pub fn as_json(number: usize, problem: &Problem, solved: &Solved) -> Value {
    let mate = mate(&solved.result);
    json!({
        "number": number,
        "place": problem.place,
        "sfen": problem.position.sfen(),
        "result": word(&solved.result),
        "plies": mate.map(|mate| mate.plies),
        "shortest": mate.map(|mate| mate.shortest),
        "stated": problem.stated,
        "nodes": solved.nodes,
        "ms": milliseconds(solved.time),
        "line": mate.map(|mate| usi_moves(&mate.line)),
    })
}

pub fn mate(result: &MateResult) -> Option<&Mate> {
    match result {
        MateResult::Mate(mate) => Some(mate),
        MateResult::NoMate | MateResult::Unknown => None,
    }
}

pub fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}

const fn word(result: &MateResult) -> &'static str {
    match result {
        MateResult::Mate(_) => "mate",
        MateResult::NoMate => "nomate",
        MateResult::Unknown => "unknown",
    }
}

/// A shorter mate may exist unless ruled out.
fn length(mate: &Mate) -> String {
    format!("{}{}", if mate.shortest { "" } else { "≤" }, mate.plies)
}

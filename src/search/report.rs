//! Reports and results of a search.

use super::statistics::Statistics;
use sabi_shogi::{Bound, Move, Score};
use std::time::Duration;

/// A PV line with its score.
#[derive(Clone, Debug)]
pub struct Report {
    /// Nominal depth.
    pub depth: u32,
    /// Selective depth.
    pub seldepth: u32,
    /// Multi-PV rank, from 1.
    pub multi_pv: usize,
    /// Score for the side to move.
    pub score: Score,
    /// Whether a mate score is proved by the solver.
    pub proved: bool,
    /// Exact, or a bound while the aspiration window fails.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since `go` was received.
    pub time: Duration,
    /// Hash full, in permille.
    pub hashfull: u32,
    /// The PV; every move is legal.
    pub pv: Vec<Move>,
}

impl Report {
    /// An exact score that took no search.
    pub fn without_search(score: Score, pv: Vec<Move>) -> Self {
        let (bound, time) = (Bound::Exact, Duration::ZERO);
        Self { depth: 0, seldepth: 0, multi_pv: 1, score, proved: false, bound, nodes: 0, time, hashfull: 0, pv }
    }

    /// Whether depth, score, bound and PV are the same.
    pub(super) fn is_same_info(&self, other: &Self) -> bool {
        let info = |report: &Self| (report.depth, report.score, report.proved, report.bound);
        info(self) == info(other) && self.pv == other.pv
    }
}

/// The last exact report of each line, best first.
#[derive(Clone, Debug, Default)]
pub struct LastReports(Vec<Report>);

impl LastReports {
    /// Adds a report. It drops those of later lines, which belong to an earlier iteration.
    pub fn add(&mut self, report: &Report) {
        let index = report.multi_pv - 1;
        if report.bound == Bound::Exact && index <= self.0.len() {
            self.0.truncate(index);
            self.0.push(report.clone());
        }
    }

    /// The reports by rank.
    pub fn into_vec(self) -> Vec<Report> {
        self.0
    }
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The move to play.
    pub best: BestMove,
    /// The ponder move, if any; legal after the best move.
    pub ponder: Option<Move>,
    /// The score of the best move.
    pub score: Score,
    /// Last completed depth.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Table statistics, if enabled.
    pub statistics: Option<Box<Statistics>>,
}

impl SearchResult {
    /// A result known from the rules alone.
    pub(super) fn without_search(best: BestMove, score: Score) -> Self {
        Self { best, ponder: None, score, depth: 0, nodes: 0, statistics: None }
    }
}

/// What to do at the root.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum BestMove {
    /// Play this move.
    Move(Move),
    /// Declare a win by entering king.
    Declare,
    /// No legal move.
    Mated,
}

//! What a search tells while it runs and when it is done.

use super::statistics::Statistics;
use crate::types::{Bound, Move, Score};
use std::time::Duration;

/// One line of play with its score.
#[derive(Clone, Debug)]
pub struct Report {
    /// Plies searched in full width.
    pub depth: u32,
    /// Plies of the longest line.
    pub seldepth: u32,
    /// Rank of the line among the best, from 1.
    pub multi_pv: usize,
    /// Its score from the view of the side to move.
    pub score: Score,
    /// Whether the solver has proved the score, where that is a mate.
    pub proved: bool,
    /// What the score promises: exact, or a bound while the window is being widened.
    pub bound: Bound,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Time since the order was received.
    pub time: Duration,
    /// How full the table is, in permille.
    pub hashfull: u32,
    /// The line; legal to its end.
    pub pv: Vec<Move>,
}

impl Report {
    /// Whether the reader learns nothing new from `other`: the numbers of nodes and time do not count.
    pub(super) fn says_the_same_as(&self, other: &Self) -> bool {
        let said = |report: &Self| (report.depth, report.score, report.proved, report.bound);
        said(self) == said(other) && self.pv == other.pv
    }
}

/// The last exact report of each line, the best line first.
#[derive(Clone, Debug, Default)]
pub struct LastReports(Vec<Report>);

impl LastReports {
    /// Takes a report. A new one of a line drops those of the lines behind it, which belong to an earlier iteration.
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

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What to play.
    pub best: BestMove,
    /// The expected answer, if any; legal after the best move.
    pub ponder: Option<Move>,
    /// The score of the best move.
    pub score: Score,
    /// The last depth finished.
    pub depth: u32,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// What happened in the tables, where that was asked for.
    pub statistics: Option<Box<Statistics>>,
}

/// What to do at the root.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum BestMove {
    /// Play this move.
    Move(Move),
    /// Declare the win by entering king.
    Declare,
    /// There is no legal move.
    Mated,
}

//! One position: what the search and the mate solver find in it.

use super::serial;
use crate::engine::Options;
use crate::eval::Evaluation as Weights;
use crate::mate::solver::{MateQuestion, MateResult, MateSolver};
use crate::movegen::legal_moves;
use crate::position::{Position, Repetition};
use crate::search::{BestMove, LastReports, Limits, OutOfMemory, Searcher, Settings, Signals, TimeControl};
use crate::types::{Color, MAX_PLY, Move, Score};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Nodes of the mate solver for each position.
const MATE_NODES: u64 = 50_000;
/// Its memory, in MB.
const MATE_MB: usize = 16;

/// How long each position is searched.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Nodes of the search.
    Nodes(u64),
    /// Plies.
    Depth(u32),
    /// Milliseconds; the only limit with which two runs may differ.
    Time(u64),
}

impl Budget {
    /// A size in MB for the table, which is cleared for each position: what is small stays in the
    /// processor's cache.
    pub fn hash_mb(self) -> usize {
        match self {
            Self::Nodes(nodes) => (nodes / 20_000).clamp(1, 64) as usize,
            Self::Depth(_) => 16,
            Self::Time(_) => 64,
        }
    }

    fn limits(self) -> Limits {
        let mut limits = Limits::unlimited(Instant::now());
        match self {
            Self::Nodes(nodes) => limits.nodes = Some(nodes),
            Self::Depth(plies) => limits.depth = Some(plies),
            Self::Time(milliseconds) => limits.time = TimeControl::MoveTime(milliseconds),
        }
        limits
    }
}

/// What a position is worth.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// From the view of one player.
    pub score: Score,
    /// Whether a mate is proved; one that is only seen by the search is told in centipawns.
    pub proved: bool,
}

impl Evaluation {
    /// The same from the view of the other player.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { score: -self.score, ..self }
    }

    /// The plies to a proved mate, positive when the player gives it.
    pub const fn mate(self) -> Option<i32> {
        if self.proved { self.score.mate_plies() } else { None }
    }
}

/// A line of play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// From the view of the side to move.
    pub score: Score,
    /// Whether a mate is proved.
    pub proved: bool,
    /// Plies searched in full width.
    pub depth: u32,
    /// Its moves, legal to the last.
    #[serde(with = "serial::moves")]
    pub moves: Vec<Move>,
}

/// What was found in a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionAnalysis {
    /// The score of the best line, or of a game that is over, from the view of the side to move.
    pub score: Score,
    /// Whether a mate is proved.
    pub proved: bool,
    /// Nodes searched.
    pub nodes: u64,
    /// The best lines, the best first; none where the game is over.
    pub lines: Vec<Line>,
    /// Whether the solver proved that the side to move mates, by the first of the lines.
    pub mates: bool,
    /// Whether the move that was played keeps that mate.
    pub keeps_mate: bool,
}

impl PositionAnalysis {
    /// A position in which nothing is left to search.
    fn over(score: Score, proved: bool) -> Self {
        Self { score, proved, nodes: 0, lines: Vec::new(), mates: false, keeps_mate: false }
    }

    /// What the position is worth to the side to move.
    pub fn evaluation(&self) -> Evaluation {
        Evaluation { score: self.score, proved: self.proved }
    }

    /// The same to Black.
    pub fn for_black(&self, side_to_move: Color) -> Evaluation {
        if side_to_move == Color::Black { self.evaluation() } else { self.evaluation().reversed() }
    }

    /// The best move.
    pub fn best(&self) -> Option<Move> {
        self.lines.first()?.moves.first().copied()
    }

    /// Takes over a line to the mate of the side to move.
    pub(super) fn prove_loss(&mut self, moves: &[Move]) {
        (self.score, self.proved) = (Score::mated_in(moves.len()), true);
        let line = Line { score: self.score, proved: true, depth: moves.len() as u32, moves: moves.to_vec() };
        // The other lines were not shown to lose; they tell what the search saw.
        match self.lines.first_mut() {
            Some(first) => *first = line,
            None => self.lines.push(line),
        }
    }

    /// Whether every line can be played in a position; what was read from a file may belong to
    /// another one.
    pub fn fits(&self, position: &Position) -> bool {
        self.lines.iter().all(|line| {
            let mut position = position.clone();
            let mut is_legal = |&mv: &Move| {
                let legal = position.is_legal(mv);
                if legal {
                    position.play(mv);
                }
                legal
            };
            !line.moves.is_empty() && line.moves.iter().all(&mut is_legal)
        })
    }
}

/// A searcher and a mate solver.
pub struct Analyzer {
    searcher: Searcher,
    solver: MateSolver,
    settings: Settings,
    budget: Budget,
}

impl Analyzer {
    /// Allocates the tables. Positions are searched with one thread.
    ///
    /// # Errors
    /// When the memory is not there.
    pub fn new(options: &Options, evaluation: Weights, budget: Budget) -> Result<Self, OutOfMemory> {
        let searcher = Searcher::with_evaluation(&options.resources, evaluation)?;
        let solver = MateSolver::new(MATE_MB)
            .map_err(|reason| OutOfMemory { resource: crate::search::Resource::Threads, reason })?;
        // Nothing of what is reported may depend on the clock.
        let settings = Settings { report_interval: 0, ..options.search.clone() };
        Ok(Self { searcher, solver, settings, budget })
    }

    /// Searches a position, which was reached by its game and left by `played`.
    pub fn analyze(&mut self, position: &Position, played: Option<Move>, signals: &Signals) -> PositionAnalysis {
        match position.repetition() {
            Some(Repetition::Draw) => return PositionAnalysis::over(Score::ZERO, false),
            Some(Repetition::Win) => return PositionAnalysis::over(Score::RULE_WIN, false),
            Some(Repetition::Loss) => return PositionAnalysis::over(-Score::RULE_WIN, false),
            _ => {}
        }
        let mate = self.mate(position);
        let keeps_mate = mate.is_some() && played.is_some_and(|mv| self.mates_after(position, mv));
        let mut found = match &mate {
            // Nothing is better, and no other line is wanted.
            Some(_) if self.settings.multi_pv == 1 => PositionAnalysis::over(Score::ZERO, false),
            _ => self.search(position, signals),
        };
        if let Some(moves) = mate {
            found.lines.retain(|line| line.moves.first() != moves.first());
            found.lines.truncate(self.settings.multi_pv - 1);
            (found.score, found.proved) = (Score::mate_in(moves.len()), true);
            let depth = moves.len() as u32;
            found.lines.insert(0, Line { score: found.score, proved: true, depth, moves });
            (found.mates, found.keeps_mate) = (true, keeps_mate);
        }
        found
    }

    fn search(&mut self, position: &Position, signals: &Signals) -> PositionAnalysis {
        let mut reports = LastReports::default();
        // Without it a position would know what was learnt from others, and in which order is
        // chance.
        self.searcher.new_game();
        let outcome = self
            .searcher
            .search(position, &self.budget.limits(), &self.settings, signals, &mut |report| reports.add(report));
        let reports = reports.into_vec();
        let proved = match (&outcome.best, reports.first()) {
            (BestMove::Mated, _) => true,
            (_, first) => first.is_some_and(|report| report.proved),
        };
        let lines = reports.into_iter().filter(|report| !report.pv.is_empty()).map(|report| Line {
            score: report.score,
            proved: report.proved,
            // The first line's may be that of an unfinished iteration.
            depth: if report.multi_pv == 1 { outcome.depth } else { report.depth },
            moves: report.pv,
        });
        let lines = lines.collect();
        PositionAnalysis { nodes: outcome.nodes, lines, ..PositionAnalysis::over(outcome.score, proved) }
    }

    /// A mate by the side to move.
    fn mate(&mut self, position: &Position) -> Option<Vec<Move>> {
        let question = MateQuestion { nodes: Some(MATE_NODES), ..MateQuestion::about(position) };
        match self.solver.solve(position, &question, &mut |_| true).0 {
            // A score knows no mate that is longer.
            MateResult::Mate(mate) if mate.line.len() < MAX_PLY - 1 => Some(mate.line),
            _ => None,
        }
    }

    /// Whether a check mates whatever the answer.
    fn mates_after(&mut self, position: &Position, mv: Move) -> bool {
        let mut next = position.clone();
        next.play(mv);
        next.in_check()
            && legal_moves(&next).iter().all(|&answer| {
                let mut next = next.clone();
                next.play(answer);
                self.mate(&next).is_some()
            })
    }
}

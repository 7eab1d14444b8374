//! Analysis of positions with the search and the mate solver: one, or many on many threads.

use crate::engine::Options;
use crate::eval::Evaluation;
use crate::machine::run_workers;
use crate::mate::solver::{Mate, MateQuestion, MateResult, MateSolver};
use crate::search::{BestMove, LastReports, Limits, OutOfMemory, Resource, Searcher, Signals, TimeControl};
use sabi_records::Game;
use sabi_shogi::{Color, Move, Position, Repetition, Score, has_legal_move, legal_moves, usi_moves};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::io;
use std::time::Instant;

/// Mate solver nodes per position.
const MATE_NODES: u64 = 50_000;
/// Win rate by which a great move is better than the second best.
const GREAT_GAP: f64 = 0.10;
/// Mate solver memory, in MB.
const MATE_MB: usize = 16;

/// Search limit per position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Nodes of the search.
    Nodes(u64),
    /// Plies.
    Depth(u32),
    /// Milliseconds; the only limit that is not reproducible.
    Time(u64),
}

impl Budget {
    /// Hash size in MB. The table is cleared for each position; a small one stays in cache.
    pub fn hash_mb(self) -> usize {
        match self {
            Self::Nodes(nodes) => (nodes / 20_000).clamp(1, 64) as usize,
            Self::Depth(_) => 16,
            Self::Time(_) => 64,
        }
    }

    /// A limit for positions that are looked at again.
    #[must_use]
    pub fn deeper(self) -> Self {
        match self {
            Self::Nodes(nodes) => Self::Nodes(nodes.saturating_mul(4)),
            Self::Depth(plies) => Self::Depth(plies + 2),
            Self::Time(milliseconds) => Self::Time(milliseconds.saturating_mul(4)),
        }
    }

    /// The limit of a short search, which sees what a player sees at a glance.
    fn fraction(self) -> Self {
        match self {
            Self::Nodes(nodes) => Self::Nodes((nodes / 50).max(1)),
            Self::Depth(plies) => Self::Depth((plies / 2).max(1)),
            Self::Time(milliseconds) => Self::Time((milliseconds / 50).max(1)),
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

/// A score with its kind of mate.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisScore {
    /// Score for one player.
    pub score: Score,
    /// Whether a mate is proved; an unproved one is shown in centipawns.
    pub proved: bool,
}

impl AnalysisScore {
    const fn proved(score: Score) -> Self {
        Self { score, proved: true }
    }

    /// The score for the other player.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { score: -self.score, ..self }
    }

    /// The score for Black, if this is for the side to move.
    #[must_use]
    pub fn for_black(self, side_to_move: Color) -> Self {
        if side_to_move == Color::Black { self } else { self.reversed() }
    }

    /// Plies to a proved mate, positive if the player mates.
    pub const fn mate(self) -> Option<i32> {
        if self.proved { self.score.mate_plies() } else { None }
    }
}

/// A PV line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PvLine {
    /// Score for the side to move.
    #[serde(flatten)]
    pub score: AnalysisScore,
    /// Nominal depth.
    pub depth: u32,
    /// The moves, all legal; in files as USI moves separated by blanks.
    #[serde(serialize_with = "write_moves", deserialize_with = "read_moves")]
    pub moves: Vec<Move>,
}

fn write_moves<S: Serializer>(moves: &[Move], out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(&usi_moves(moves).join(" "))
}

fn read_moves<'de, D: Deserializer<'de>>(text: D) -> Result<Vec<Move>, D::Error> {
    let text = String::deserialize(text)?;
    text.split_whitespace().map(|word| word.parse().map_err(|_| D::Error::custom("no move"))).collect()
}

/// Analysis of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionAnalysis {
    /// Score of the best line, or of the finished game, for the side to move.
    #[serde(flatten)]
    pub score: AnalysisScore,
    /// Nodes searched.
    pub nodes: u64,
    /// The best lines, best first; empty if the game is over.
    pub lines: Vec<PvLine>,
    /// Whether the first line is a proved mate of the side to move.
    pub mates: bool,
    /// Whether the move played keeps that mate.
    pub keeps_mate: bool,
    /// Whether the move played is the best one by far, and a short search prefers another.
    #[serde(default)]
    pub great: bool,
}

impl PositionAnalysis {
    /// Without lines, as where the game is over.
    const fn of_score(score: Score, proved: bool) -> Self {
        let score = AnalysisScore { score, proved };
        Self { score, nodes: 0, lines: Vec::new(), mates: false, keeps_mate: false, great: false }
    }

    /// The best move.
    pub fn best(&self) -> Option<Move> {
        self.lines.first()?.moves.first().copied()
    }

    /// Sets the best line to a mate of the side to move in `plies`.
    pub(super) fn prove_loss(&mut self, plies: u32, moves: &[Move]) {
        self.score = AnalysisScore::proved(Score::mated_in(plies as usize));
        let line = PvLine { score: self.score, depth: plies, moves: moves.to_vec() };
        // The other lines are not proved losses; keep their search results.
        match self.lines.first_mut() {
            Some(first) => *first = line,
            None => self.lines.push(line),
        }
    }

    /// Whether every line is legal in a position; lines from a file may belong to another one.
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
    options: Options,
    budget: Budget,
}

impl Analyzer {
    /// Allocates the tables. Positions are searched with one thread.
    ///
    /// # Errors
    /// When out of memory.
    pub fn new(options: &Options, evaluation: Evaluation, budget: Budget) -> Result<Self, OutOfMemory> {
        let searcher = Searcher::with_evaluation(&options.resources, evaluation)?;
        let solver = MateSolver::new(MATE_MB).map_err(|reason| OutOfMemory { resource: Resource::Threads, reason })?;
        let mut options = options.clone();
        // Reports must not depend on the clock.
        options.search.report_interval = 0;
        Ok(Self { searcher, solver, options, budget })
    }

    /// Analyses a position, reached by its game and left by `played`.
    pub fn analyze(&mut self, position: &Position, played: Option<Move>, signals: &Signals) -> PositionAnalysis {
        let end = match position.repetition() {
            Some(Repetition::Draw) => Some(Score::ZERO),
            Some(Repetition::Win) => Some(Score::RULE_WIN),
            Some(Repetition::Loss) => Some(-Score::RULE_WIN),
            _ => (self.options.search.is_past_last_move(position) && has_legal_move(position)).then_some(Score::ZERO),
        };
        if let Some(score) = end {
            return PositionAnalysis::of_score(score, false);
        }
        // A declaration or a try wins at once; the search finds it.
        let declaration = position.declaration(self.options.search.entering_king);
        let mate = if declaration.is_none() { self.mate(position) } else { None };
        let keeps_mate = mate.is_some() && played.is_some_and(|mv| self.mates_after(position, mv));
        let mut analysis = match &mate {
            // Nothing is better, and a single line is wanted.
            Some(_) if self.options.search.multi_pv == 1 => PositionAnalysis::of_score(Score::ZERO, false),
            _ => self.search(position, self.budget.limits(), self.options.search.multi_pv, signals),
        };
        analysis.great = mate.is_none() && played.is_some_and(|mv| self.is_great(position, mv, &analysis, signals));
        if let Some(Mate { line: moves, plies, .. }) = mate {
            analysis.lines.retain(|line| line.moves.first() != moves.first());
            analysis.lines.truncate(self.options.search.multi_pv - 1);
            analysis.score = AnalysisScore::proved(Score::mate_in(plies as usize));
            analysis.lines.insert(0, PvLine { score: analysis.score, depth: plies, moves });
            (analysis.mates, analysis.keeps_mate) = (true, keeps_mate);
        }
        analysis
    }

    fn search(&mut self, position: &Position, limits: Limits, multi_pv: usize, signals: &Signals) -> PositionAnalysis {
        let mut reports = LastReports::default();
        // Without clearing, the result would depend on other positions and their order.
        self.searcher.new_game();
        let (limits, mut settings) = (self.options.limit(limits), self.options.search.clone());
        settings.multi_pv = multi_pv;
        let result = self.searcher.search(position, &limits, &settings, signals, &mut |report| reports.add(report));
        let reports = reports.into_vec();
        let proved = result.best == BestMove::Mated || reports.first().is_some_and(|report| report.proved);
        let lines = reports.into_iter().filter(|report| !report.pv.is_empty()).map(|report| PvLine {
            score: AnalysisScore { score: report.score, proved: report.proved },
            // The first line may be from an unfinished iteration.
            depth: if report.multi_pv == 1 { result.depth } else { report.depth },
            moves: report.pv,
        });
        let lines = lines.collect();
        PositionAnalysis { nodes: result.nodes, lines, ..PositionAnalysis::of_score(result.score, proved) }
    }

    /// Whether the move played is the best one, a search of a fiftieth of the budget prefers another,
    /// and every other one loses [`GREAT_GAP`] of the win rate.
    fn is_great(&mut self, position: &Position, mv: Move, analysis: &PositionAnalysis, signals: &Signals) -> bool {
        let others: Vec<Move> = legal_moves(position).iter().copied().filter(|&other| other != mv).collect();
        // Taking back, or what has just come to a square, is no find.
        let takes_back = position.last_move().is_some_and(|last| last.to() == mv.to());
        if analysis.best() != Some(mv) || others.is_empty() || takes_back {
            return false;
        }
        let mut misses = || self.search(position, self.budget.fraction().limits(), 1, signals).best() != Some(mv);
        if !misses() {
            return false;
        }
        let limits = Limits { search_moves: others, ..self.budget.limits() };
        let second = self.search(position, limits, 1, signals).score.score;
        analysis.score.score.expected_score() - second.expected_score() >= GREAT_GAP
    }

    /// A mate by the side to move, if the game lasts until then.
    fn mate(&mut self, position: &Position) -> Option<Mate> {
        let question = MateQuestion { nodes: Some(MATE_NODES), ..MateQuestion::about(position) };
        match self.solver.solve(position, &question, &mut |_| true).0 {
            MateResult::Mate(mate) if self.options.search.is_in_time(position, &mate) => Some(mate),
            _ => None,
        }
    }

    /// The checks that lead to mate against any reply.
    pub fn mating_moves(&mut self, position: &Position) -> Vec<Move> {
        let moves: Vec<Move> = legal_moves(position).iter().copied().collect();
        moves.into_iter().filter(|&mv| self.mates_after(position, mv)).collect()
    }

    /// Whether a check leads to mate against any reply.
    fn mates_after(&mut self, position: &Position, mv: Move) -> bool {
        let next = position.after(mv);
        next.in_check() && legal_moves(&next).iter().all(|&answer| self.mate(&next.after(answer)).is_some())
    }
}

/// A position to be analysed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Index of its game.
    pub game: usize,
    /// Number of moves before it.
    pub ply: usize,
}

/// Analyses every position, each analyzer on its own thread, and passes on the results as they
/// arrive. Stops when `each` fails, and by `signals`.
///
/// # Errors
/// Those of `each`, and when a thread cannot be started.
pub fn run<E: From<io::Error>>(
    games: &[Game],
    tasks: &[Task],
    analyzers: Vec<Analyzer>,
    signals: &Signals,
    mut each: impl FnMut(Task, PositionAnalysis) -> Result<(), E>,
) -> Result<(), E> {
    let analyze = |analyzer: &mut Analyzer, &Task { game, ply }: &Task| {
        let (position, played) = (games[game].position_at(ply), games[game].moves.get(ply).copied());
        analyzer.analyze(&position, played, signals)
    };
    run_workers(
        analyzers,
        tasks.iter(),
        |mut analyzer, left| {
            left.work(|task| {
                if signals.is_stopped() {
                    left.stop();
                }
                analyze(&mut analyzer, task)
            });
        },
        |mut results| results.try_for_each(|(number, found)| each(tasks[number], found)),
    )?
}

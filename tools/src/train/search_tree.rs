//! Positions of search trees as training data.
//!
//! A network is evaluated at the nodes of searches, most of which no game visits. As targets there,
//! static evals of a larger network have no noise (knowledge distillation, Hinton et al. 2015).
//!
//! The score of a search is the static eval at the end of its PV. With the score of a longer search
//! as target there, short searches learn to score like longer ones (after TDLeaf(λ), Baxter et al.
//! 1998).

use super::samples::{MAX_SCORE, is_quiet};
use rand::Rng;
use rand::rngs::SmallRng;
use sabi::eval::Evaluation;
use sabi::eval::nnue::Network;
use sabi::search::{LastReports, Limits, OutOfMemory, Report, Resources, Searcher, Settings, Signals};
use sabi_records::Game;
use sabi_shogi::{Move, Position, Score, legal_moves};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

/// Nodes for a megabyte of the table, which holds a whole tree then.
const NODES_PER_MB: u64 = 10_000;

/// Maximum difference of a score to the static eval at the end of its PV, in centipawns: correction
/// histories change static evals a little, and PVs that the table has cut end elsewhere.
const MAX_CORRECTION: i32 = 60;

/// Searches positions, and draws others from the search trees.
pub struct TreeSampler {
    searcher: Searcher,
    network: Arc<Network>,
    nodes: u64,
    count: usize,
}

impl TreeSampler {
    /// Searches of this many nodes with a network, and `count` positions of each.
    ///
    /// # Errors
    /// When out of memory.
    pub fn new(network: Arc<Network>, nodes: u64, count: usize) -> Result<Self, OutOfMemory> {
        let resources = Resources::new(nodes.div_ceil(NODES_PER_MB) as usize, 1);
        let searcher = Searcher::with_evaluation(&resources, Evaluation::Network(network.clone()))?;
        Ok(Self { searcher, network, nodes, count })
    }

    /// Forgets the searches before.
    pub fn new_game(&mut self) {
        self.searcher.new_game();
    }

    /// Searches a position; returns the line of the last iteration.
    pub fn search(&mut self, root: &Position) -> Option<Report> {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::unlimited(Instant::now()) };
        let mut reports = LastReports::default();
        self.searcher
            .search(root, &limits, &Settings::default(), &Signals::default(), &mut |report| reports.add(report));
        reports.into_vec().into_iter().next()
    }

    /// Draws from the positions that the table holds after the search of this one, each with the
    /// same probability: not in check and with a quiet move. Each becomes a game of that move, with
    /// the static eval as its score and no result.
    pub fn draw(&mut self, root: &Position, rng: &mut SmallRng) -> Vec<Game> {
        let seen = HashSet::from([root.key()]);
        let mut walk =
            Walk { searcher: &self.searcher, seen, count: self.count, candidates: 0, drawn: Vec::new(), rng };
        walk.visit(&mut root.clone());
        let labelled = |(position, mv): (Position, Move)| {
            let eval = self.static_eval(&position);
            labelled(position, mv, eval)
        };
        walk.drawn.into_iter().map(labelled).collect()
    }

    /// The end of a PV from the root as such a game, with another score of the root as its score.
    /// `None` in check or without a quiet move, if the score of the PV is not its static eval, or if
    /// a score is decisive.
    pub fn pv_end(&self, root: &Position, report: &Report, score: Score) -> Option<Game> {
        let mut position = root.clone();
        report.pv.iter().for_each(|&mv| position.play(mv));
        let quiet = quiet_move(&position, &legal_moves(&position))?;
        let eval = self.static_eval(&position);
        let [found, score] = [report.score, score].map(|score| score.for_black(root.side_to_move()));
        if (eval.get() - found.get()).abs() > MAX_CORRECTION || score.get().abs() > MAX_SCORE {
            return None;
        }
        Some(labelled(position.without_history()?, quiet, score))
    }

    /// The static eval for Black.
    fn static_eval(&self, position: &Position) -> Score {
        Score::eval(self.network.evaluate(position)).for_black(position.side_to_move())
    }
}

/// A game of one move with a score for Black.
fn labelled(position: Position, mv: Move, score: Score) -> Game {
    let mut game = Game::new(position);
    game.push(mv, None, Some(score));
    game
}

fn quiet_move(position: &Position, moves: &[Move]) -> Option<Move> {
    moves.iter().copied().find(|&mv| is_quiet(position, mv))
}

/// A walk through a search tree by reservoir sampling (Vitter 1985, algorithm R).
struct Walk<'a> {
    searcher: &'a Searcher,
    seen: HashSet<u64>,
    count: usize,
    /// Candidates so far.
    candidates: usize,
    drawn: Vec<(Position, Move)>,
    rng: &'a mut SmallRng,
}

impl Walk<'_> {
    fn visit(&mut self, position: &mut Position) {
        let moves = legal_moves(position);
        if let Some(quiet) = quiet_move(position, &moves) {
            self.take(position, quiet);
        }
        for &mv in &moves {
            let key = position.keys_after(mv).position();
            if self.searcher.tt_entry(key).is_some() && self.seen.insert(key) {
                position.play(mv);
                self.visit(position);
                position.undo();
            }
        }
    }

    fn take(&mut self, position: &Position, quiet: Move) {
        self.candidates += 1;
        let sample = || Some((position.without_history()?, quiet));
        if self.drawn.len() < self.count {
            self.drawn.extend(sample());
        } else if let Some(place) = self.drawn.get_mut(self.rng.random_range(0..self.candidates))
            && let Some(sample) = sample()
        {
            *place = sample;
        }
    }
}

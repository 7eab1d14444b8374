//! Positions of search trees as training data.
//!
//! A network is evaluated at the nodes of searches, most of which no game visits. As targets there,
//! static evals of a larger network have no noise (knowledge distillation, Hinton et al. 2015).

use super::samples::is_quiet;
use rand::Rng;
use rand::rngs::SmallRng;
use sabi::eval::Evaluation;
use sabi::eval::nnue::Network;
use sabi::movegen::legal_moves;
use sabi::position::Position;
use sabi::record::Game;
use sabi::search::{Limits, OutOfMemory, Resources, Searcher, Settings, Signals};
use sabi::types::{Move, Score};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

/// Nodes for a megabyte of the table, which holds a whole tree then.
const NODES_PER_MB: u64 = 10_000;

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

    /// Searches a position and draws from those that the table holds then, each with the same
    /// probability: not in check and with a quiet move. Each becomes a game of that move, with the
    /// static eval as its score and no result.
    pub fn draw(&mut self, root: &Position, rng: &mut SmallRng) -> Vec<Game> {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::unlimited(Instant::now()) };
        self.searcher.search(root, &limits, &Settings::default(), &Signals::default(), &mut |_| {});
        let seen = HashSet::from([root.key()]);
        let mut walk =
            Walk { searcher: &self.searcher, seen, count: self.count, candidates: 0, drawn: Vec::new(), rng };
        walk.visit(&mut root.clone());
        walk.drawn.into_iter().map(|(position, mv)| self.labelled(position, mv)).collect()
    }

    fn labelled(&self, position: Position, mv: Move) -> Game {
        let eval = Score::eval(self.network.evaluate(&position)).for_black(position.side_to_move());
        let mut game = Game::new(position);
        game.push(mv, None, Some(eval));
        game
    }
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
        if let Some(&quiet) = moves.iter().find(|&&mv| is_quiet(position, mv)) {
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

//! How a game of the engine with itself is played.

use super::adjudication::{Adjudication, Adjudicator};
use crate::arena::game::from_black;
use crate::arena::openings::{Opening, Openings};
use crate::arena::referee::{Cause, End, Referee};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sabi::engine::Options;
use sabi::record::Game;
use sabi::search::{BestMove, Limits, SearchResult, Searcher, Signals};
use std::ops::RangeInclusive;
use std::time::Instant;

/// Openings in a row that may be rejected before the game is given up.
const DRAWS: usize = 1000;

/// How games are played. With the engine as it is, this and a seed decide a game.
#[derive(Clone, Debug)]
pub struct SelfPlayConfig {
    /// Nodes for each move.
    pub nodes: u64,
    /// How games begin.
    pub openings: Openings,
    /// Moves that are taken of an opening, drawn for each game; all of them without a range.
    pub opening_plies: Option<RangeInclusive<usize>>,
    /// The share of games that begin with an opening, from 0 to 1; the others begin from the start of an even game.
    pub opening_share: f64,
    /// Random moves after that.
    pub random_plies: usize,
    /// An opening counts if the first search finds neither side ahead by more centipawns.
    pub balance: i32,
    /// Moves, those of the opening included, after which a game is a draw.
    pub max_moves: usize,
    /// When games end before that.
    pub adjudication: Adjudication,
    /// Tables, evaluation and search.
    pub options: Options,
}

/// A game of the engine with itself.
#[derive(Clone, Debug)]
pub struct SelfPlayed {
    /// Its seed.
    pub seed: u64,
    /// The game, with a score for each move that was searched.
    pub game: Game,
    /// Why it ended.
    pub cause: Cause,
    /// Nodes of all searches, those of openings that were no good included.
    pub nodes: u64,
}

impl SelfPlayConfig {
    /// Plays the game of a seed; `None` when no opening is good enough. What the searcher knew before is forgotten.
    pub(super) fn play(&self, seed: u64, searcher: &mut Searcher) -> Option<SelfPlayed> {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut nodes = 0;
        for _ in 0..DRAWS {
            let Some(opening) = self.opening(&mut rng) else { continue };
            let referee = Referee::new(opening.position(), self.options.search.entering_king, self.max_moves);
            if referee.position().in_check() || referee.verdict().is_some() {
                continue;
            }
            searcher.new_game();
            let first = self.search(searcher, &referee);
            nodes += first.nodes;
            if first.score.get().abs() <= self.balance {
                let mut game = Game::new(opening.start);
                opening.moves.iter().for_each(|&mv| game.push(mv, None, None));
                let end = self.finish(searcher, &mut game, referee, first, &mut nodes);
                (game.result, game.end) = (end.result, end.cause.reason());
                return Some(SelfPlayed { seed, game, cause: end.cause, nodes });
            }
        }
        None
    }

    /// Draws an opening; `None` when chance ran into the end of a game.
    fn opening(&self, rng: &mut SmallRng) -> Option<Opening> {
        // With a share of 1 nothing is drawn here: the seeds of older files keep their games.
        let opening = if self.opening_share < 1.0 && rng.random::<f64>() >= self.opening_share {
            Opening::even()
        } else {
            let mut opening = self.openings.opening(rng.random::<u32>() as usize);
            if let Some(plies) = &self.opening_plies {
                opening.moves.truncate(rng.random_range(plies.clone()));
            }
            opening
        };
        opening.continued(self.random_plies, rng)
    }

    fn search(&self, searcher: &mut Searcher, referee: &Referee) -> SearchResult {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::unlimited(Instant::now()) };
        searcher.search(referee.position(), &limits, &self.options.search, &Signals::default(), &mut |_| {})
    }

    /// Plays on from the first search to the end.
    fn finish(
        &self,
        searcher: &mut Searcher,
        game: &mut Game,
        mut referee: Referee,
        first: SearchResult,
        nodes: &mut u64,
    ) -> End {
        let mut adjudicator = Adjudicator::new(self.adjudication);
        let mut next = Some(first);
        loop {
            if let Some(end) = referee.verdict() {
                return end;
            }
            let mover = referee.position().side_to_move();
            let outcome = next.take().unwrap_or_else(|| {
                let outcome = self.search(searcher, &referee);
                *nodes += outcome.nodes;
                outcome
            });
            match referee.hear(&answer(outcome.best)) {
                Ok(mv) => game.push(mv, None, Some(from_black(outcome.score, mover))),
                Err(end) => return end,
            }
            if let Some(end) = adjudicator.hear(mover, outcome.score, game.moves.len()) {
                return end;
            }
        }
    }
}

/// What the engine would say to a referee.
fn answer(best: BestMove) -> String {
    match best {
        BestMove::Move(mv) => mv.to_string(),
        BestMove::Declare => "win".to_owned(),
        BestMove::Mated => "resign".to_owned(),
    }
}

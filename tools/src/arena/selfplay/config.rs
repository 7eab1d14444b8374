//! Self-play settings and one game.

use super::adjudication::{Adjudication, Adjudicator};
use crate::arena::openings::{Opening, Openings};
use crate::arena::referee::{End, EndDetail, Referee};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sabi::engine::Options;
use sabi::search::{BestMove, Limits, SearchResult, Searcher, Signals};
use sabi_records::{Game, GameResult};
use sabi_shogi::Position;
use std::ops::RangeInclusive;
use std::time::Instant;

/// Maximum rejected openings of a game.
const MAX_REDRAWS: usize = 1000;

/// Self-play settings. They and a seed determine a game.
#[derive(Clone, Debug)]
pub struct SelfPlayConfig {
    /// Nodes per move.
    pub nodes: u64,
    /// Opening source.
    pub openings: Openings,
    /// Range of opening moves to play, drawn for each game; `None` for all.
    pub opening_plies: Option<RangeInclusive<usize>>,
    /// Share of games that start from an opening, 0 to 1; the others start from the start position.
    pub opening_share: f64,
    /// Random moves after that.
    pub random_plies: usize,
    /// Openings are rejected if the first search scores above this, in centipawns.
    pub balance: i32,
    /// Maximum moves, opening included; then the game is a draw.
    pub max_moves: usize,
    /// Searched moves per game; then it ends without a result, and is stored from the position
    /// after the opening. `None`: games are played to the end.
    pub searched_plies: Option<usize>,
    /// Adjudication.
    pub adjudication: Adjudication,
    /// Resources, evaluation and search options.
    pub options: Options,
}

/// A self-play game.
#[derive(Clone, Debug)]
pub struct SelfPlayGame {
    /// Its seed.
    pub seed: u64,
    /// The game, with a score for each searched move.
    pub game: Game,
    /// End reason.
    pub detail: EndDetail,
    /// Nodes of all searches, rejected openings included.
    pub nodes: u64,
}

impl SelfPlayConfig {
    /// Plays the game of a seed after clearing the searcher; `None` when all openings are rejected.
    pub(super) fn play(&self, seed: u64, searcher: &mut Searcher) -> Option<SelfPlayGame> {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut nodes = 0;
        for _ in 0..MAX_REDRAWS {
            let Some(opening) = self.opening(&mut rng) else { continue };
            let referee = Referee::new(opening.position(), self.options.search.entering_king, self.max_moves);
            if referee.position().in_check() || referee.end().is_some() {
                continue;
            }
            searcher.new_game();
            let first = self.search(searcher, &referee);
            nodes += first.nodes;
            if first.score.get().abs() <= self.balance {
                let mut game = self.stored(opening, referee.position());
                let end = self.finish(searcher, &mut game, referee, first, &mut nodes);
                (game.result, game.end) = (end.result, end.detail.reason());
                return Some(SelfPlayGame { seed, game, detail: end.detail, nodes });
            }
        }
        None
    }

    /// The game to store, before the first search.
    fn stored(&self, opening: Opening, position: &Position) -> Game {
        if self.searched_plies.is_some()
            && let Some(start) = position.without_history()
        {
            return Game::new(start);
        }
        let mut game = Game::new(opening.start);
        opening.moves.iter().for_each(|&mv| game.push(mv, None, None));
        game
    }

    /// Draws an opening; `None` when random moves ended the game.
    fn opening(&self, rng: &mut SmallRng) -> Option<Opening> {
        // With a share of 1 no random number is drawn here, so that seeds of older files keep their
        // games.
        let opening = if self.opening_share < 1.0 && rng.random::<f64>() >= self.opening_share {
            Opening::startpos()
        } else {
            let mut opening = self.openings.opening(rng.random::<u32>() as usize);
            if let Some(plies) = &self.opening_plies {
                opening.moves.truncate(rng.random_range(plies.clone()));
            }
            opening
        };
        opening.with_random_moves(self.random_plies, rng)
    }

    fn search(&self, searcher: &mut Searcher, referee: &Referee) -> SearchResult {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::unlimited(Instant::now()) };
        let limits = self.options.limit(limits);
        searcher.search(referee.position(), &limits, &self.options.search, &Signals::default(), &mut |_| {})
    }

    /// Plays from the first search to the end.
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
            if let Some(end) = referee.end() {
                return end;
            }
            let mover = referee.position().side_to_move();
            let outcome = next.take().unwrap_or_else(|| {
                let outcome = self.search(searcher, &referee);
                *nodes += outcome.nodes;
                outcome
            });
            match referee.answer(&answer(outcome.best)) {
                Ok(mv) => game.push(mv, None, Some(outcome.score.for_black(mover))),
                Err(end) => return end,
            }
            if self.searched_plies.is_some_and(|plies| game.moves.len() >= plies) {
                return End { result: GameResult::Unknown, detail: EndDetail::SearchedPliesReached };
            }
            if let Some(end) = adjudicator.add(mover, outcome.score, referee.position().plies_played()) {
                return end;
            }
        }
    }
}

/// The engine's answer in USI.
fn answer(best: BestMove) -> String {
    match best {
        BestMove::Move(mv) => mv.to_string(),
        BestMove::Declare => "win".to_owned(),
        BestMove::Mated => "resign".to_owned(),
    }
}

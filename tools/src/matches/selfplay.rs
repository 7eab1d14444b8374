//! In-process self-play for training data, without clocks.
//!
//! With a [`SelfPlayConfig`] a seed determines a game; it plays many seeds on several threads and
//! returns the games in seed order. [`Adjudication`] ends decided and drawn games early.

use super::openings::{Opening, Openings};
use super::referee::{EndDetail, GameEnd, Referee};
use anyhow::Context;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sabi::engine::{BenchError, Options, bench};
use sabi::machine::{in_order, run_workers};
use sabi::search::{BestMove, Limits, Resources, SearchResult, Searcher, Settings, Signals};
use sabi_records::{Game, GameResult};
use sabi_shogi::{Color, Position, Score};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::time::Instant;

/// Maximum rejected openings of a game.
const MAX_REDRAWS: usize = 1000;
/// Depth of the signature searches.
const SIGNATURE_DEPTH: u32 = 6;

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
    /// Plays the seeds on several threads and passes the games to `each` in seed order. Stops when
    /// `each` fails; games in progress are then dropped.
    ///
    /// # Errors
    /// Errors of `each`, insufficient memory or threads, and seeds without an opening.
    pub fn play_all(
        &self,
        seeds: impl Iterator<Item = u64> + Send,
        threads: usize,
        mut each: impl FnMut(SelfPlayGame) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let evaluation = self.options.eval.evaluation()?;
        let searcher = || Searcher::with_evaluation(&self.options.resources, evaluation.clone());
        run_workers(
            (0..threads).map(|_| searcher()).collect::<Result<Vec<_>, _>>()?,
            seeds,
            |mut searcher, tasks| tasks.work(|seed| (seed, self.play(seed, &mut searcher))),
            |results| {
                in_order(results).try_for_each(|(seed, played)| {
                    let unusable =
                        || format!("seed {seed} has no usable opening: they are unbalanced, decided or too long");
                    each(played.with_context(unusable)?)
                })
            },
        )
        .context("no thread could be started")?
    }

    /// Plays the game of a seed after clearing the searcher; `None` when all openings are rejected.
    fn play(&self, seed: u64, searcher: &mut Searcher) -> Option<SelfPlayGame> {
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
                let mut game = self.stored(&opening, referee.position());
                let end = self.finish(searcher, &mut game, referee, first, &mut nodes);
                (game.result, game.end) = (end.result, end.detail.reason());
                return Some(SelfPlayGame { seed, game, detail: end.detail, nodes });
            }
        }
        None
    }

    /// The game to store, before the first search.
    fn stored(&self, opening: &Opening, position: &Position) -> Game {
        if self.searched_plies.is_some()
            && let Some(start) = position.without_history()
        {
            return Game::new(start);
        }
        opening.game()
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
    ) -> GameEnd {
        let mut adjudicator = Adjudicator { adjudication: self.adjudication, ..Adjudicator::default() };
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
                return GameEnd { result: GameResult::Unknown, detail: EndDetail::SearchedPliesReached };
            }
            if let Some(end) = adjudicator.add(mover, outcome.score, referee.position().plies_played()) {
                return end;
            }
        }
    }

    /// Settings as text, one `name: value` per line. Equal texts mean that equal seeds give equal
    /// games: it includes a signature of the engine, the nodes of some small searches.
    ///
    /// # Errors
    /// When the engine cannot search with these options.
    pub fn settings(&self) -> Result<String, BenchError> {
        // With limits, different engines could have the same signature.
        let unlimited = Options { depth_limit: None, nodes_limit: None, ..self.options.clone() };
        let (signature, _) = bench(SIGNATURE_DEPTH, &unlimited, &Signals::default(), &mut |_, _| {})?;
        let Resources { hash_mb, hash_policy, second_mb, eval_mb, eval_policy, .. } = self.options.resources;
        let Settings { multi_pv, max_moves, draw_value: [black, white], entering_king, non_promotions, .. } =
            self.options.search;
        let Adjudication { win, draw } = self.adjudication;
        let win = win.map(|win| format!("{} for {} plies", win.score, win.plies));
        let draw = draw.map(|draw| format!("{} for {} plies, from ply {}", draw.score, draw.plies, draw.from));
        let lines: [(&str, String); 20] = [
            ("signature", signature.nodes.to_string()),
            ("nodes", self.nodes.to_string()),
            ("openings", self.openings_text()),
            ("random plies", self.random_plies.to_string()),
            ("balance", self.balance.to_string()),
            ("max moves", self.max_moves.to_string()),
            ("win adjudication", or_none(win)),
            ("draw adjudication", or_none(draw)),
            ("hash MB", hash_mb.to_string()),
            ("hash policy", format!("{hash_policy:?}")),
            ("second level MB", second_mb.to_string()),
            ("eval cache MB", eval_mb.to_string()),
            ("eval cache policy", format!("{eval_policy:?}")),
            ("multi-PV", multi_pv.to_string()),
            ("max moves to draw", or_none(max_moves)),
            ("draw values", format!("{black}, {white}")),
            ("entering king rule", format!("{entering_king:?}")),
            ("non-promotions", format!("{non_promotions:?}")),
            ("depth limit", or_none(self.options.depth_limit)),
            ("nodes limit", or_none(self.options.nodes_limit)),
        ];
        let version = format!("sabi {}\n", env!("CARGO_PKG_VERSION"));
        Ok(lines.into_iter().fold(version, |text, (name, value)| text + &format!("{name}: {value}\n")))
    }

    /// Openings and the range played.
    fn openings_text(&self) -> String {
        let mut text = self.openings.fingerprint();
        if let Some(plies) = &self.opening_plies {
            text += &format!(", {} to {} plies", plies.start(), plies.end());
        }
        if self.opening_share < 1.0 {
            text += &format!(", share {}", self.opening_share);
        }
        if let Some(plies) = self.searched_plies {
            text += &format!(", then {plies} plies");
        }
        text
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

fn or_none(value: Option<impl Display>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}

/// Win adjudication.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct WinAdjudication {
    /// Minimum score in centipawns; mates and wins by rule are above it.
    pub score: i32,
    /// Consecutive plies of both sides; at least 2, so that both agree.
    pub plies: usize,
}

/// Draw adjudication.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct DrawAdjudication {
    /// Maximum absolute score in centipawns.
    pub score: i32,
    /// Consecutive plies.
    pub plies: usize,
    /// First ply of the game, opening included, at which it applies.
    pub from: usize,
}

/// Adjudication settings.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// `None`: no win adjudication.
    pub win: Option<WinAdjudication>,
    /// `None`: no draw adjudication.
    pub draw: Option<DrawAdjudication>,
}

/// Adjudicates one game.
#[derive(Default)]
struct Adjudicator {
    adjudication: Adjudication,
    /// Side ahead, and for how many plies.
    ahead: Option<(Color, usize)>,
    /// Plies for which the scores were level.
    level: usize,
}

impl Adjudicator {
    /// Adds the score of the side that played move `number` of the game, opening included; returns
    /// the result if that ends the game.
    fn add(&mut self, mover: Color, score: Score, number: usize) -> Option<GameEnd> {
        if let Some(win) = self.adjudication.win {
            let leader = if score.get() > 0 { mover } else { !mover };
            let before = self.ahead.filter(|&(color, _)| color == leader).map_or(0, |(_, plies)| plies);
            self.ahead = (score.get().abs() >= win.score).then_some((leader, before + 1));
            if before + 1 >= win.plies && self.ahead.is_some() {
                return Some(GameEnd::won_by(leader, EndDetail::Adjudication));
            }
        }
        let draw = self.adjudication.draw?;
        self.level = if score.get().abs() <= draw.score { self.level + 1 } else { 0 };
        (self.level >= draw.plies && number >= draw.from).then(|| GameEnd::draw(EndDetail::Adjudication))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of the last move and the result for these scores from Black's view.
    fn end(adjudication: Adjudication, scores: &[i32]) -> Option<(usize, GameResult)> {
        let mut adjudicator = Adjudicator { adjudication, ..Adjudicator::default() };
        scores.iter().enumerate().find_map(|(at, &score)| {
            let (mover, score) = if at % 2 == 0 { (Color::Black, score) } else { (Color::White, -score) };
            adjudicator.add(mover, Score::raw(score), at + 1).map(|end| (at + 1, end.result))
        })
    }

    #[test]
    fn win_needs_consecutive_plies() {
        let adjudication = Adjudication { win: Some(WinAdjudication { score: 1000, plies: 3 }), draw: None };
        assert_eq!(end(adjudication, &[1000, 2000, 31_999]), Some((3, GameResult::BlackWins)));
        assert_eq!(end(adjudication, &[-1000, -2000, -30_000]), Some((3, GameResult::WhiteWins)));
        assert_eq!(end(adjudication, &[1000, 999, 1000, 1000, -1000, 1000, 1000]), None);
        assert_eq!(end(adjudication, &[0, 1000, -1000, -1000, -1000]), Some((5, GameResult::WhiteWins)));
        assert_eq!(end(Adjudication::default(), &[9999; 9]), None);
    }

    #[test]
    fn draw_needs_level_scores_late() {
        let adjudication = Adjudication { win: None, draw: Some(DrawAdjudication { score: 5, plies: 3, from: 5 }) };
        assert_eq!(end(adjudication, &[0, 5, -5, 5, 0]), Some((5, GameResult::Draw)));
        assert_eq!(end(adjudication, &[0, 0, 0, 6, 0, 0, 0]), Some((7, GameResult::Draw)));
        assert_eq!(end(adjudication, &[0, 0, 0, 6, 0, 0]), None);
    }
}

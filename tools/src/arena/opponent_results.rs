//! The results of engine A against one opponent.

use super::schedule::Pairing;
use super::statistics::{Counts, Estimate, Pairs};
use sabi_records::{EndReason, Game};
use std::collections::BTreeMap;

/// Number of games by end reason.
pub type Reasons = BTreeMap<&'static str, u64>;

/// Results of a match, a function of the games.
#[derive(Clone, Debug, Default)]
pub struct OpponentResults {
    /// Results of A.
    pub counts: Counts,
    /// Complete pairs.
    pub pairs: Pairs,
    /// Half points of games whose partner is unfinished, by game number.
    halves: BTreeMap<usize, u8>,
    /// Draws by reason.
    pub draws: Reasons,
    /// Losses of A and of its opponent by reason.
    pub losses: [Reasons; 2],
}

impl OpponentResults {
    /// Adds a game. Games without a result are ignored.
    pub fn add(&mut self, pairing: &Pairing, game: &Game) {
        let Some(half_points) = game.result.half_points(pairing.color) else { return };
        self.counts.add_game(half_points);
        let reasons = match half_points {
            0 => &mut self.losses[0],
            1 => &mut self.draws,
            _ => &mut self.losses[1],
        };
        *reasons.entry(name(game, half_points != 1)).or_default() += 1;
        match self.halves.remove(&pairing.partner()) {
            Some(other) => self.pairs.add(usize::from(half_points + other)),
            None => drop(self.halves.insert(pairing.number, half_points)),
        }
    }

    /// Estimate from pairs, or from games while no pair is complete.
    pub fn estimate(&self) -> Option<Estimate> {
        self.pairs.estimate().or_else(|| self.counts.estimate())
    }

    /// Losses on time of A and of its opponent.
    pub fn time_losses(&self) -> [u64; 2] {
        [0, 1].map(|side: usize| self.losses[side].get(name_of(EndReason::Timeout)).copied().unwrap_or(0))
    }
}

fn name(game: &Game, decided: bool) -> &'static str {
    if decided && game.end == EndReason::Repetition { "perpetual check" } else { name_of(game.end) }
}

const fn name_of(end: EndReason) -> &'static str {
    match end {
        EndReason::Resign => "resignation",
        EndReason::Checkmate => "checkmate",
        EndReason::Timeout => "time",
        EndReason::Illegal => "illegal move",
        EndReason::Repetition => "repetition",
        EndReason::Declaration => "declaration",
        EndReason::Impasse => "impasse",
        EndReason::MaxMoves => "maximum moves",
        EndReason::Adjudication => "adjudication",
        EndReason::Aborted => "engine failure",
        EndReason::Unknown => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabi_records::GameResult;
    use sabi_shogi::{Color, Position};

    fn results(games: &[(usize, GameResult, EndReason)]) -> OpponentResults {
        let mut results = OpponentResults::default();
        for &(number, result, end) in games {
            let game = Game { result, end, ..Game::new(Position::startpos()) };
            results.add(&Pairing::new(number, 1), &game);
        }
        results
    }

    #[test]
    fn only_complete_pairs_count() {
        use EndReason::*;
        use GameResult::{BlackWins, Draw, WhiteWins};
        let games = [
            (0, BlackWins, Resign),
            (2, Draw, Repetition),
            (1, BlackWins, Timeout),
            (3, WhiteWins, Repetition),
            (4, Draw, MaxMoves),
            (5, GameResult::Unknown, Aborted),
        ];
        let results = results(&games);
        assert_eq!(results.counts, Counts { wins: 2, draws: 2, losses: 1 });
        assert_eq!(results.pairs, Pairs([0, 0, 1, 1, 0]));
        assert_eq!(results.time_losses(), [1, 0]);
        assert_eq!(results.draws, Reasons::from([("maximum moves", 1), ("repetition", 1)]));
        assert_eq!(results.losses[1], Reasons::from([("perpetual check", 1), ("resignation", 1)]));
    }

    #[test]
    fn order_of_games_does_not_matter() {
        let mut games: Vec<_> = (0..20)
            .map(|number| {
                let color = if number % 3 == 0 { Color::Black } else { Color::White };
                (number, GameResult::won_by(color), EndReason::Resign)
            })
            .collect();
        let forwards = results(&games);
        games.reverse();
        let backwards = results(&games);
        assert_eq!((forwards.pairs, forwards.counts), (backwards.pairs, backwards.counts));
        assert_eq!(forwards.pairs.total(), 10);
    }
}

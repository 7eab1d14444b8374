//! Adjudication by the scores of both sides.

use crate::arena::referee::{End, EndDetail};
use sabi_shogi::{Color, Score};

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
#[derive(Clone, Debug)]
pub(super) struct Adjudicator {
    adjudication: Adjudication,
    /// Side ahead, and for how many plies.
    ahead: Option<(Color, usize)>,
    /// Plies for which the scores were level.
    level: usize,
}

impl Adjudicator {
    pub(super) const fn new(adjudication: Adjudication) -> Self {
        Self { adjudication, ahead: None, level: 0 }
    }

    /// Adds the score of the side that played move `number` of the game, opening included; returns
    /// the result if that ends the game.
    pub(super) fn add(&mut self, mover: Color, score: Score, number: usize) -> Option<End> {
        if let Some(win) = self.adjudication.win {
            let leader = if score.get() > 0 { mover } else { !mover };
            let before = self.ahead.filter(|&(color, _)| color == leader).map_or(0, |(_, plies)| plies);
            self.ahead = (score.get().abs() >= win.score).then_some((leader, before + 1));
            if before + 1 >= win.plies && self.ahead.is_some() {
                return Some(End::won_by(leader, EndDetail::Adjudication));
            }
        }
        let draw = self.adjudication.draw?;
        self.level = if score.get().abs() <= draw.score { self.level + 1 } else { 0 };
        (self.level >= draw.plies && number >= draw.from).then(|| End::draw(EndDetail::Adjudication))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabi_records::GameResult;

    /// Number of the last move and the result for these scores from Black's view.
    fn end(adjudication: Adjudication, scores: &[i32]) -> Option<(usize, GameResult)> {
        let mut adjudicator = Adjudicator::new(adjudication);
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

//! Positions to learn from, as a network sees them.

use rand::Rng;
use sabi::eval::nnue::{Features, mirrored_numbers};
use sabi::position::Position;
use sabi::record::Fault;
use sabi::record::GameResult;
use sabi::record::compact::StoredGame;
use sabi::types::{Color, Move, Score};

/// Pieces and kings of a position.
pub const PIECES: usize = 40;

/// What positions are worth learning from, and what is to be learnt.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Lesson {
    /// How much of what is aimed at is the score that a search found, from 0 to 1; the rest is the result of the game.
    pub score_share: f64,
    /// With so many centipawns ahead a side is expected to win 73 of 100 games.
    pub scale: f64,
}

impl Lesson {
    /// The share of games that a score promises.
    pub fn expected(&self, score: Score) -> f64 {
        1.0 / (1.0 + (-f64::from(score.get()) / self.scale).exp())
    }
}

/// Positions, each with the share of games that the side to move is to expect.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// What the side to move sees: numbers of [`Features::Kp`].
    pub(super) seen: Vec<[u16; PIECES]>,
    pub(super) aims: Vec<f32>,
    /// Half points that the side to move got in the end, where that is known.
    pub(super) results: Vec<Option<u8>>,
}

impl Samples {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.aims.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.aims.is_empty()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.seen.clear();
        self.aims.clear();
        self.results.clear();
    }

    /// Mirrors about half of the positions left to right, which changes nothing of what they are worth: what is learnt of one side of the
    /// board is then learnt of the other.
    pub(super) fn mirror_some(&mut self, rng: &mut impl Rng) {
        let mirrored = mirrored_numbers();
        for seen in &mut self.seen {
            if rng.random::<bool>() {
                *seen = seen.map(|number| mirrored[usize::from(number)]);
            }
        }
    }

    /// Adds the positions of a game that are worth it: those with a score that is not decisive, where nothing is in check and the move is
    /// quiet, as the value of such a position does not hang on what comes next.
    ///
    /// # Errors
    /// When the game is none.
    pub fn add(&mut self, game: &StoredGame<'_>, lesson: &Lesson) -> Result<(), Fault> {
        game.replay(|position, mv, score| {
            if let Some(score) = score.filter(|score| !score.is_decisive())
                && is_quiet(position, mv)
                && let Some(seen) = seen(position)
            {
                let result = half_points_of(game.result, position.side_to_move());
                let share = if result.is_some() { lesson.score_share } else { 1.0 };
                let aim = share * lesson.expected(score) + (1.0 - share) * f64::from(result.unwrap_or(0)) / 2.0;
                self.seen.push(seen);
                self.aims.push(aim as f32);
                self.results.push(result);
            }
        })?;
        Ok(())
    }
}

fn is_quiet(position: &Position, mv: Move) -> bool {
    !position.in_check() && !position.is_tactical(mv)
}

/// What a side got of the two half points of a game.
fn half_points_of(result: GameResult, color: Color) -> Option<u8> {
    match result {
        GameResult::Draw => Some(1),
        result => result.winner().map(|winner| if winner == color { 2 } else { 0 }),
    }
}

/// What the side to move sees, if nobody's king is missing.
pub(super) fn seen(position: &Position) -> Option<[u16; PIECES]> {
    let mut seen = [0; PIECES];
    let mut count = 0;
    Features::Kp.each(position, position.side_to_move(), |number| {
        if let Some(place) = seen.get_mut(count) {
            *place = number as u16;
        }
        count += 1;
    });
    (count == PIECES).then_some(seen)
}

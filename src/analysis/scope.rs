//! Selection of the moves to classify.

use sabi_records::Game;
use sabi_shogi::Color;

/// The moves of a game to be classified.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The first move, from 1.
    pub from: usize,
    /// The last move; `None`: to the end.
    pub to: Option<usize>,
    /// Only moves of this side.
    pub side: Option<Color>,
}

impl Default for Scope {
    fn default() -> Self {
        Self { from: 1, to: None, side: None }
    }
}

/// The side that plays the move with this index.
pub(super) fn mover(game: &Game, at: usize) -> Color {
    let first = game.start.side_to_move();
    if at.is_multiple_of(2) { first } else { !first }
}

impl Scope {
    /// Whether the move with this index is classified.
    pub fn has(&self, game: &Game, at: usize) -> bool {
        at < game.moves.len()
            && at + 1 >= self.from
            && self.to.is_none_or(|to| at < to)
            && self.side.is_none_or(|side| side == mover(game, at))
    }

    /// The positions to be searched, by number of moves before them: before and after each
    /// classified move. For a game without moves, its only position.
    pub fn positions(&self, game: &Game) -> Vec<usize> {
        let is_needed = |at: usize| self.has(game, at) || at > 0 && self.has(game, at - 1);
        if game.moves.is_empty() {
            return vec![0];
        }
        (0..=game.moves.len()).filter(|&at| is_needed(at)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabi_shogi::Position;

    fn game(moves: &str) -> Game {
        Game::before(&Position::startpos().with_moves(moves.split_whitespace()).unwrap())
    }

    #[test]
    fn range_includes_positions_around_it() {
        let game = game("7g7f 3c3d 2g2f 8c8d");
        let positions = |scope: Scope| scope.positions(&game);
        let all = Scope::default();
        assert_eq!(positions(all), [0, 1, 2, 3, 4]);
        assert_eq!(positions(Scope { from: 3, to: Some(3), ..all }), [2, 3]);
        assert_eq!(positions(Scope { from: 4, to: Some(99), ..all }), [3, 4]);
        assert!(positions(Scope { from: 2, to: Some(1), ..all }).is_empty());
        assert_eq!(positions(Scope { side: Some(Color::White), to: Some(2), ..all }), [1, 2]);
        assert!(!Scope { side: Some(Color::White), ..all }.has(&game, 0) && !all.has(&game, 4));
    }

    #[test]
    fn position_without_moves_is_searched() {
        assert_eq!(Scope::default().positions(&game("")), [0]);
    }
}

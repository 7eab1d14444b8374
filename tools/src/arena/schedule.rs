//! Pairings by game number, so that a match can be stopped, resumed and extended.

use sabi_shogi::Color;

/// A game of engine A against one of its opponents.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Game number, from 0. Games 0 and 1 are the first pair.
    pub number: usize,
    /// Opponent number, from 0.
    pub opponent: usize,
    /// Opening number, from 0. Every opponent plays every opening with both colours.
    pub opening: usize,
    /// Colour of engine A.
    pub color: Color,
}

impl Pairing {
    /// The pairing of a game number. Pairs of games cycle through the opponents.
    ///
    /// # Panics
    /// Without opponents.
    pub const fn new(number: usize, opponents: usize) -> Self {
        let pair = number / 2;
        let color = if number.is_multiple_of(2) { Color::Black } else { Color::White };
        Self { number, opponent: pair % opponents, opening: pair / opponents, color }
    }

    /// Number of the other game of the pair.
    pub const fn partner(&self) -> usize {
        self.number ^ 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_opening_with_both_colours() {
        for opponents in 1..=4 {
            let games: Vec<Pairing> = (0..opponents * 10).map(|number| Pairing::new(number, opponents)).collect();
            let all: HashSet<_> =
                games.iter().map(|game| (game.opponent, game.opening, game.color == Color::Black)).collect();
            assert_eq!(all.len(), games.len());
            assert!(games.iter().all(|game| game.opponent < opponents && game.opening < 5));
            for game in &games {
                let partner = Pairing::new(game.partner(), opponents);
                assert_eq!(
                    (partner.opponent, partner.opening, partner.partner()),
                    (game.opponent, game.opening, game.number)
                );
                assert_ne!(partner.color, game.color);
            }
        }
    }
}

//! Repetition (sennichite) by the rules and in search.

use super::Position;

/// Meaning of a repetition for the side to move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// The same position: a draw once it has occurred four times.
    Draw,
    /// The same position after a perpetual check by the opponent: a win.
    Win,
    /// The same position after a perpetual check by the side to move: a loss.
    Loss,
    /// The same board with a larger hand of the side to move.
    Superior,
    /// The same board with a smaller hand of the side to move.
    Inferior,
}

/// Plies that search looks back. Longer cycles are rare, and found as soon as they come within
/// range.
const SEARCH_HORIZON: u16 = 32;
/// Minimum cycle length.
const MIN_CYCLE: u16 = 4;

impl Position {
    /// By the rules: the fourth occurrence of the position.
    pub fn repetition(&self) -> Option<Repetition> {
        let mut seen = 1;
        let mut distance = MIN_CYCLE;
        while distance <= self.state.plies_from_null {
            let earlier = &self.history[self.history.len() - usize::from(distance)];
            if earlier.keys.board == self.state.keys.board && earlier.hand == self.state.hand {
                seen += 1;
                if seen == 4 {
                    return Some(self.cycle_result(distance));
                }
            }
            distance += 2;
        }
        None
    }

    /// In search, `ply` plies from the root. Within the line searched the first repetition decides,
    /// also one of the board alone; for positions of the game the rules apply.
    #[inline]
    pub fn repetition_in_search(&self, ply: usize) -> Option<Repetition> {
        let known = &self.board_keys[..(self.board_keys.len() + 1).checked_sub(MIN_CYCLE.into())?];
        let now = self.state.keys.board;
        // A fixed number of comparisons, beyond the horizon too: vector instructions.
        let recurs = match known.last_chunk::<{ SEARCH_HORIZON as usize }>() {
            Some(window) => window.iter().fold(false, |found, &board| found | (board == now)),
            None => known.contains(&now),
        };
        if recurs { self.repetition_within_horizon(ply) } else { None }
    }

    #[cold]
    fn repetition_within_horizon(&self, ply: usize) -> Option<Repetition> {
        let horizon = self.state.plies_from_null.min(SEARCH_HORIZON);
        let mut distance = MIN_CYCLE;
        while distance <= horizon {
            let earlier = &self.history[self.history.len() - usize::from(distance)];
            if earlier.keys.board == self.state.keys.board {
                if usize::from(distance) >= ply {
                    return self.repetition();
                }
                let (now, then) = (self.state.hand, earlier.hand);
                if now == then {
                    return Some(self.cycle_result(distance));
                }
                if now.is_superior_or_equal(then) {
                    return Some(Repetition::Superior);
                }
                if then.is_superior_or_equal(now) {
                    return Some(Repetition::Inferior);
                }
            }
            distance += 2;
        }
        None
    }

    /// Result of a cycle of this length: perpetual check loses.
    fn cycle_result(&self, distance: u16) -> Repetition {
        let moves = distance / 2;
        if self.state.continuous_checks[!self.side] >= moves {
            Repetition::Win
        } else if self.state.continuous_checks[self.side] >= moves {
            Repetition::Loss
        } else {
            Repetition::Draw
        }
    }
}

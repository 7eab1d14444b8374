//! Repetition (sennichite) by the rules and as search sees it.

use super::Position;

/// What a repeated position means for the side to move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// The same position: a draw once it has occurred four times.
    Draw,
    /// The same position, and the other side gave check all the way: the side to move wins.
    Win,
    /// The same position, and the side to move gave check all the way: it loses.
    Loss,
    /// The same squares, but the side to move holds more than before.
    Superior,
    /// The same squares, but the side to move holds less than before.
    Inferior,
}

/// How far search looks back. Longer cycles are rare, and seen as soon as they have come near enough.
const SEARCH_HORIZON: u16 = 32;
/// No position returns in fewer plies.
const SHORTEST_CYCLE: u16 = 4;

impl Position {
    /// The verdict of the rules: the position stands on the board for the fourth time.
    pub fn repetition(&self) -> Option<Repetition> {
        let mut seen = 1;
        let mut distance = SHORTEST_CYCLE;
        while distance <= self.state.reversible {
            let earlier = &self.history[self.history.len() - usize::from(distance)];
            if earlier.keys.board == self.state.keys.board && earlier.hand == self.state.hand {
                seen += 1;
                if seen == 4 {
                    return Some(self.cycle_verdict(distance));
                }
            }
            distance += 2;
        }
        None
    }

    /// The verdict of search `ply` plies from its root. What returns within the line being searched would return again, so the
    /// first time decides, also where only the squares are the same. Of positions of the game the rules count every one.
    #[inline]
    pub fn repetition_in_search(&self, ply: usize) -> Option<Repetition> {
        let horizon = self.state.reversible.min(SEARCH_HORIZON);
        let mut distance = SHORTEST_CYCLE;
        while distance <= horizon {
            let earlier = &self.history[self.history.len() - usize::from(distance)];
            if earlier.keys.board == self.state.keys.board {
                if usize::from(distance) >= ply {
                    return self.repetition();
                }
                let (now, then) = (self.state.hand, earlier.hand);
                if now == then {
                    return Some(self.cycle_verdict(distance));
                }
                if now.covers(then) {
                    return Some(Repetition::Superior);
                }
                if then.covers(now) {
                    return Some(Repetition::Inferior);
                }
            }
            distance += 2;
        }
        None
    }

    /// What a cycle of this many plies means: a side that checked with every move of it is at fault.
    fn cycle_verdict(&self, distance: u16) -> Repetition {
        let moves = distance / 2;
        if self.state.checks[!self.side] >= moves {
            Repetition::Win
        } else if self.state.checks[self.side] >= moves {
            Repetition::Loss
        } else {
            Repetition::Draw
        }
    }
}

//! What the static evaluation has lately been wrong by, in positions that are alike in one thing or another.

use super::history::{Context, Gravity, PIECE_TO, table};
use super::params as p;
use crate::position::Position;
use crate::types::{Color, PieceKind};
use crate::util::MemoryError;

type Correction = Gravity<1024>;

/// Slots of a table, for each side to move.
const SLOTS: usize = 1 << 14;
/// How many things there are in which positions can be alike.
const LIKENESSES: usize = 5;

/// The slots of a position, one for each likeness.
type Slots = [usize; LIKENESSES];

/// Errors of the static evaluation by side to move and, in this order: pawns, hands, the other pieces of the side to move and those of
/// its opponent, and the last two moves. The last move alone has a table of its own.
pub(super) struct Corrections {
    alike: [Box<[Correction]>; LIKENESSES],
    last: Box<[Correction]>,
}

impl Corrections {
    /// Memory of all tables.
    pub(super) const BYTES: usize = size_of::<Correction>() * (LIKENESSES * 2 * SLOTS + PIECE_TO + 1);

    /// None yet.
    ///
    /// # Errors
    /// When the memory is not there.
    pub(super) fn new() -> Result<Self, MemoryError> {
        let one = || table(2 * SLOTS);
        Ok(Self { alike: [one()?, one()?, one()?, one()?, one()?], last: table(PIECE_TO + 1)? })
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.alike.iter_mut().for_each(|table| table.fill(Correction::default()));
        self.last.fill(Correction::default());
    }

    /// What the static evaluation is to be corrected by, in centipawns.
    pub(super) fn of(&self, position: &Position, context: &Context) -> i32 {
        let weights = [
            p::correction_pawn(),
            p::correction_hand(),
            p::correction_pieces(),
            p::correction_pieces(),
            p::correction_pair(),
        ];
        let slots = slots(position, context);
        let alike: i32 = (0..LIKENESSES).map(|at| self.alike[at][slots[at]].get() * weights[at]).sum();
        (alike + self.last[context[0]].get() * p::correction_move()) / 1024
    }

    /// Learns that the static evaluation was wrong by `error` centipawns, as a search of `depth` plies has shown.
    pub(super) fn learn(&mut self, position: &Position, context: &Context, depth: i32, error: i32) {
        let bonus = (error * depth / 8).clamp(-256, 256);
        for (table, slot) in self.alike.iter_mut().zip(slots(position, context)) {
            table[slot].add(bonus);
        }
        self.last[context[0]].add(bonus);
    }
}

fn slots(position: &Position, context: &Context) -> Slots {
    let us = position.side_to_move();
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let pawns = |color| position.pieces(color, PieceKind::Pawn);
    let structure = [Color::Black, Color::White].into_iter().flat_map(|color| pawns(color).words()).fold(0, mix);
    let pieces = |color| {
        let king = position.king(color).map_or(0, |square| 1 + square.index() as u64);
        position.color(color).without(pawns(color)).words().into_iter().fold(king, mix)
    };
    let pair = mix(context[0] as u64, context[1] as u64);
    let side = us.index() * SLOTS;
    [structure, position.hand_key(), pieces(us), pieces(!us), mix(pair, 0)]
        .map(|hash| side + (hash >> 20) as usize % SLOTS)
}

#[cfg(test)]
mod tests {
    use super::super::history::NO_MOVE;
    use super::*;

    #[test]
    fn what_was_learnt_is_told_of_what_is_alike() {
        let mut corrections = Corrections::new().unwrap();
        let (here, context) = (Position::startpos(), [5, 7, NO_MOVE]);
        for _ in 0..50 {
            corrections.learn(&here, &context, 8, 120);
        }
        let told = corrections.of(&here, &context);
        assert!(told > 0);
        // Less is alike after other moves, and least on another board with the other side to move.
        let others = [NO_MOVE, 7, NO_MOVE];
        let after_others = corrections.of(&here, &others);
        assert!((1..told).contains(&after_others));
        let mut there = Position::startpos();
        there.play(there.legal_from_usi("7g7f").unwrap());
        assert!(corrections.of(&there, &others) < after_others);
        corrections.clear();
        assert_eq!(corrections.of(&here, &context), 0);
    }
}

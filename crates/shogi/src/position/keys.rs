//! Zobrist keys, computed at compile time from a fixed seed.

use crate::types::{Color, HandKind, Piece, PieceKind, Square};

const SEED: u64 = 0x5ab1_0000;

static PIECES: [[u64; Square::COUNT]; Piece::COUNT] = {
    let mut table = [[0; Square::COUNT]; Piece::COUNT];
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut square = 0;
        while square < Square::COUNT {
            table[piece][square] = split_mix(0, SEED + (piece * Square::COUNT + square) as u64);
            square += 1;
        }
        piece += 1;
    }
    table
};

/// Row 0 (nothing held) is zero, so that empty hands have key 0.
static HANDS: [[[u64; 19]; HandKind::COUNT]; 2] = {
    let mut table = [[[0; 19]; HandKind::COUNT]; 2];
    let mut number = SEED + 10_000;
    let mut color = 0;
    while color < 2 {
        let mut kind = 0;
        while kind < HandKind::COUNT {
            let mut count = 1;
            while count < 19 {
                table[color][kind][count] = split_mix(0, number);
                number += 1;
                count += 1;
            }
            kind += 1;
        }
        color += 1;
    }
    table
};

/// Mixed in when White is to move.
pub(super) const WHITE_TO_MOVE: u64 = split_mix(0, SEED + 20_000);

/// All bits set for the pieces covered by each of [`Keys::parts`].
static COVERED: [[u32; PARTS]; Piece::COUNT] = {
    let mut table = [[0; PARTS]; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        let kind = PieceKind::ALL[index % PieceKind::COUNT];
        let part = match kind {
            PieceKind::Pawn => PAWNS,
            _ => NON_PAWNS + index / PieceKind::COUNT,
        };
        table[index][part] = u32::MAX;
        if kind.is_minor() {
            table[index][MINORS] = u32::MAX;
        }
        index += 1;
    }
    table
};

const PARTS: usize = 4;
pub(super) const PAWNS: usize = 0;
pub(super) const MINORS: usize = 1;
/// Index of White's is one more.
pub(super) const NON_PAWNS: usize = 2;

/// Incremental keys of a position.
#[derive(Copy, Clone, Debug, Default)]
pub struct Keys {
    /// Squares and side to move.
    pub board: u64,
    /// Both hands.
    pub hands: u64,
    /// Keys of parts of the board. They index small tables, so 32 bits are enough.
    pub(super) parts: [u32; PARTS],
}

impl Keys {
    /// Puts or removes a piece.
    #[inline]
    pub(super) fn toggle(&mut self, piece: Piece, square: Square) {
        let number = PIECES[piece.index()][square];
        self.board ^= number;
        for (part, covered) in self.parts.iter_mut().zip(COVERED[piece.index()]) {
            *part ^= number as u32 & covered;
        }
    }

    /// Changes the count of a kind in hand.
    #[inline]
    pub(super) fn change_hand(&mut self, color: Color, kind: HandKind, before: u8, after: u8) {
        let numbers = &HANDS[color][kind];
        self.hands ^= numbers[usize::from(before)] ^ numbers[usize::from(after)];
    }

    /// Key of the whole position.
    #[inline]
    pub fn position(&self) -> u64 {
        self.board ^ self.hands
    }
}

/// Output `number`, from 1, of the generator with the initial state `seed`.
pub const fn split_mix(seed: u64, number: u64) -> u64 {
    let z = seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn all_keys_differ() {
        let mut all: Vec<u64> = PIECES.iter().flatten().copied().collect();
        all.extend(HANDS.iter().flatten().flatten().copied().filter(|&key| key != 0));
        all.push(WHITE_TO_MOVE);
        let distinct: HashSet<u64> = all.iter().copied().collect();
        assert_eq!(distinct.len(), all.len());
        assert_eq!(all.len(), 28 * 81 + 2 * 7 * 18 + 1);
    }

    #[test]
    fn outputs_are_those_of_the_reference_implementation() {
        // https://prng.di.unimi.it/splitmix64.c with the state 1234567.
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([1, 2, 3].map(|number| split_mix(1_234_567, number)), expected);
    }
}

//! Zobrist keys, computed at compile time from a fixed seed.

use crate::types::{Color, HandKind, Piece, Square};

/// One step of the SplitMix64 generator (Steele, Lea, Flood 2014).
const fn split_mix(state: u64) -> u64 {
    let z = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const SEED: u64 = 0x5ab1_0000;

static PIECES: [[u64; Square::COUNT]; Piece::COUNT] = {
    let mut table = [[0; Square::COUNT]; Piece::COUNT];
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut square = 0;
        while square < Square::COUNT {
            table[piece][square] = split_mix(SEED + (piece * Square::COUNT + square) as u64);
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
                table[color][kind][count] = split_mix(number);
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
pub(super) const WHITE_TO_MOVE: u64 = split_mix(SEED + 20_000);

/// The key of a piece on a square.
#[inline]
pub(super) fn piece(piece: Piece, square: Square) -> u64 {
    PIECES[piece.index()][square]
}

/// The key of a number of pieces of a kind in a hand.
#[inline]
pub(super) fn hand(color: Color, kind: HandKind, count: u8) -> u64 {
    HANDS[color][kind][usize::from(count)]
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
}

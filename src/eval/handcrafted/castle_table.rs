//! Known castles.

use PieceKind::{Gold, Lance, Silver};
use sabi_shogi::{PieceKind, Square};

/// King and piece squares of a castle, for Black with the castle on the left.
pub(super) struct Castle {
    pub name: &'static str,
    /// Untuned weight in the opening.
    pub initial_weight: i16,
    pub king: Square,
    pub pieces: &'static [(PieceKind, Square)],
}

/// A square by its USI name, for the table below.
const fn sq(name: &[u8; 2]) -> Square {
    match Square::at(name[0] - b'1', name[1] - b'a') {
        Some(square) => square,
        None => panic!("no such square"),
    }
}

const fn castle(
    name: &'static str,
    initial_weight: i16,
    king: &[u8; 2],
    pieces: &'static [(PieceKind, Square)],
) -> Castle {
    Castle { name, initial_weight, king: sq(king), pieces }
}

/// Number of castles.
pub(super) const COUNT: usize = CASTLES.len();

pub(super) static CASTLES: [Castle; 22] = [
    castle("yagura", 81, b"8h", &[(Gold, sq(b"7h")), (Gold, sq(b"6g")), (Silver, sq(b"7g"))]),
    castle("silver yagura", 81, b"8h", &[(Gold, sq(b"7h")), (Silver, sq(b"7g")), (Silver, sq(b"6g"))]),
    castle("half yagura", 62, b"7h", &[(Gold, sq(b"6h")), (Gold, sq(b"6g")), (Silver, sq(b"7g"))]),
    castle("yagura corner", 36, b"8h", &[(Gold, sq(b"7h")), (Silver, sq(b"8g"))]),
    castle("rooster", 87, b"8h", &[(Gold, sq(b"7h")), (Gold, sq(b"5h")), (Silver, sq(b"7g"))]),
    castle("half mino", 0, b"8h", &[(Silver, sq(b"7h")), (Gold, sq(b"6i"))]),
    castle("mino", 62, b"8h", &[(Silver, sq(b"7h")), (Gold, sq(b"6i")), (Gold, sq(b"5h"))]),
    castle("high mino", 19, b"8h", &[(Silver, sq(b"7h")), (Gold, sq(b"6i")), (Gold, sq(b"6g"))]),
    castle("diamond mino", 62, b"8h", &[(Silver, sq(b"7h")), (Gold, sq(b"6i")), (Silver, sq(b"6g"))]),
    castle("gold mino", 36, b"8h", &[(Gold, sq(b"7h")), (Silver, sq(b"7i"))]),
    castle("silver crown", 45, b"8h", &[(Silver, sq(b"8g")), (Gold, sq(b"7h")), (Gold, sq(b"6g"))]),
    castle("anaguma lid", 138, b"9i", &[(Lance, sq(b"9h")), (Silver, sq(b"8h"))]),
    castle("anaguma", 113, b"9i", &[(Silver, sq(b"8h")), (Gold, sq(b"7i"))]),
    castle("full anaguma", 62, b"9i", &[(Silver, sq(b"8h")), (Gold, sq(b"7i")), (Gold, sq(b"7h"))]),
    castle("matsuo anaguma", 62, b"9i", &[(Gold, sq(b"8h")), (Silver, sq(b"7i")), (Gold, sq(b"7h"))]),
    castle("millennium", 62, b"8i", &[(Gold, sq(b"7h")), (Gold, sq(b"7i")), (Silver, sq(b"8h"))]),
    castle("boat", 81, b"7h", &[(Gold, sq(b"6i")), (Gold, sq(b"5h")), (Silver, sq(b"7i"))]),
    castle("elmo", 62, b"7h", &[(Gold, sq(b"7i")), (Silver, sq(b"6h"))]),
    castle("two golds", 62, b"7h", &[(Gold, sq(b"6h")), (Gold, sq(b"5h")), (Silver, sq(b"8h"))]),
    castle("snow roof", 62, b"6i", &[(Gold, sq(b"7h")), (Silver, sq(b"6g")), (Silver, sq(b"5g"))]),
    castle("crab", 62, b"6i", &[(Gold, sq(b"7h")), (Gold, sq(b"5h")), (Silver, sq(b"6h"))]),
    castle("central house", 11, b"5h", &[(Gold, sq(b"7h")), (Gold, sq(b"3h"))]),
];

/// The name of a castle, by the column of its weight.
pub fn name(number: usize) -> Option<&'static str> {
    CASTLES.get(number).map(|castle| castle.name)
}

/// Untuned weight of a castle in the opening.
pub(super) fn initial_weight(number: usize) -> i16 {
    CASTLES.get(number).map_or(0, |castle| castle.initial_weight)
}

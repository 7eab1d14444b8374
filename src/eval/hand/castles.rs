//! Well-known castles.

use super::layout::CASTLE;
use super::sink::Sink;
use crate::position::Position;
use crate::types::{Color, Piece, PieceKind, Square};
use PieceKind::{Gold, Lance, Silver};

/// Where the king and the pieces that make the castle stand, for Black with the castle on the left.
struct Castle {
    name: &'static str,
    /// What it is worth in the opening before anything is tuned.
    worth: i16,
    king: Square,
    pieces: &'static [(PieceKind, Square)],
}

/// A square by its USI name, for the table below.
const fn sq(name: &[u8; 2]) -> Square {
    match Square::at(name[0] - b'1', name[1] - b'a') {
        Some(square) => square,
        None => panic!("no such square"),
    }
}

const fn castle(name: &'static str, worth: i16, king: &[u8; 2], pieces: &'static [(PieceKind, Square)]) -> Castle {
    Castle { name, worth, king: sq(king), pieces }
}

/// How many castles are known.
pub(super) const COUNT: usize = CASTLES.len();

static CASTLES: [Castle; 22] = [
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

/// No more castles share one king's square, mirrored ones included.
const MOST: usize = 10;
/// Ends a row of [`BY_KING`].
const END: u8 = u8::MAX;
/// Set on the number of a castle that stands mirrored.
const MIRRORED: u8 = 128;

/// The castles for a king on each square as its side sees it.
static BY_KING: [[u8; MOST + 1]; Square::COUNT] = {
    let mut table = [[END; MOST + 1]; Square::COUNT];
    let mut number = 0;
    while number < COUNT {
        let king = CASTLES[number].king;
        let mut side = 0;
        // The one castle around the middle file is its own mirror image.
        let sides = if king.file() == 4 { 1 } else { 2 };
        while side < sides {
            let (row, flag) = if side == 0 { (king.index(), 0) } else { (king.mirrored().index(), MIRRORED) };
            let mut at = 0;
            while table[row][at] != END {
                at += 1;
            }
            assert!(at < MOST);
            table[row][at] = number as u8 | flag;
            side += 1;
        }
        number += 1;
    }
    table
};

/// The castle around the king of `color`, if it is a known one. Several may fit.
#[inline(always)]
pub(super) fn castles(position: &Position, color: Color, sink: &mut impl Sink) {
    let Some(king) = position.king(color) else { return };
    for &entry in &BY_KING[king.seen_by(color)] {
        if entry == END {
            break;
        }
        let number = usize::from(entry & !MIRRORED);
        let stands = CASTLES[number].pieces.iter().all(|&(kind, square)| {
            let square = if entry & MIRRORED != 0 { square.mirrored() } else { square };
            position.piece_at(square.seen_by(color)) == Some(Piece::new(color, kind))
        });
        if stands {
            sink.add(color, CASTLE.at(0, number), 1);
        }
    }
}

/// The name of a castle.
pub(super) fn name(number: usize) -> Option<&'static str> {
    CASTLES.get(number).map(|castle| castle.name)
}

/// What a castle is worth in the opening before anything is tuned.
pub(super) fn worth(number: usize) -> i16 {
    CASTLES.get(number).map_or(0, |castle| castle.worth)
}

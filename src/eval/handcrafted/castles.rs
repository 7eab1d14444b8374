//! Castle terms.

use super::castle_table::{CASTLES, COUNT};
use super::feature_visitor::FeatureVisitor;
use super::layout::CASTLE;
use sabi_shogi::{Color, Piece, Position, Square};

/// Maximum number of castles of one king square, mirrored ones included.
const MAX_PER_KING: usize = 10;
/// Ends a row of [`BY_KING`].
const END: u8 = u8::MAX;
/// Flag of a mirrored castle.
const MIRRORED: u8 = 128;

/// Castles by king square from its side's view.
static BY_KING: [[u8; MAX_PER_KING + 1]; Square::COUNT] = {
    let mut table = [[END; MAX_PER_KING + 1]; Square::COUNT];
    let mut number = 0;
    while number < COUNT {
        let king = CASTLES[number].king;
        let mut side = 0;
        // The castle on the middle file is its own mirror image.
        let sides = if king.file() == 4 { 1 } else { 2 };
        while side < sides {
            let (row, flag) = if side == 0 { (king.index(), 0) } else { (king.mirrored().index(), MIRRORED) };
            let mut at = 0;
            while table[row][at] != END {
                at += 1;
            }
            assert!(at < MAX_PER_KING);
            table[row][at] = number as u8 | flag;
            side += 1;
        }
        number += 1;
    }
    table
};

/// The known castles of `color`; several may match.
#[inline(always)]
pub(super) fn castles(position: &Position, color: Color, visitor: &mut impl FeatureVisitor) {
    let Some(king) = position.king(color) else { return };
    for &entry in &BY_KING[king.relative_to(color)] {
        if entry == END {
            break;
        }
        let number = usize::from(entry & !MIRRORED);
        let stands = CASTLES[number].pieces.iter().all(|&(kind, square)| {
            let square = if entry & MIRRORED != 0 { square.mirrored() } else { square };
            position.piece_at(square.relative_to(color)) == Some(Piece::new(color, kind))
        });
        if stands {
            visitor.add(color, CASTLE.at(0, number), 1);
        }
    }
}

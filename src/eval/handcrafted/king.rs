//! King safety and castles.

use super::attacks::Attacks;
use super::weights::{CASTLE, FeatureVisitor, KING_DANGER, KING_DROPS, KING_ESCAPES, KING_GUARDS, KING_LINES};
use PieceKind::{Gold, Lance, Silver};
use sabi_shogi::{Bitboard, Color, HandKind, Piece, PieceKind, Position, Square};

static NEAR: [Bitboard; Square::COUNT] = sabi_shogi::neighbourhoods(2);

/// King safety terms of `color`.
#[inline(always)]
pub(super) fn safety(
    position: &Position,
    color: Color,
    ours: &Attacks,
    theirs: &Attacks,
    visitor: &mut impl FeatureVisitor,
) {
    let Some(king) = position.king(color) else { return };
    let own = position.color(color);
    let ring = sabi_shogi::king_attacks(king);
    let weak = (ring & theirs.all).and_not(ours.pieces);
    let attackers = (theirs.attackers as usize).min(KING_DANGER.rows - 1);
    visitor.add(color, KING_DANGER.capped(attackers, weak.count()), 1);
    visitor.add(color, KING_ESCAPES.capped(0, ring.and_not(own | theirs.all).count()), 1);
    let guards = own & (position.golds() | position.kind(PieceKind::Silver)) & NEAR[king];
    visitor.add(color, KING_GUARDS.capped(0, guards.count()), 1);
    if position.hand(!color).has_more_than_pawns() {
        drops(position, color, king, ours, theirs, visitor);
    }
}

/// Enemy pieces in hand that can be dropped next to the king, where it cannot capture them, or on
/// an open line to it.
#[inline(always)]
fn drops(
    position: &Position,
    color: Color,
    king: Square,
    ours: &Attacks,
    theirs: &Attacks,
    visitor: &mut impl FeatureVisitor,
) {
    let hand = position.hand(!color);
    let occupied = position.occupied();
    let safe = !(occupied | ours.pieces);
    let supported = safe & theirs.all;
    let ring = sabi_shogi::king_attacks(king);
    // A gold ahead and one behind agree on the four straight steps.
    let straight = sabi_shogi::gold_attacks(Color::Black, king) & sabi_shogi::gold_attacks(Color::White, king);
    for (kind, squares) in [
        (HandKind::Gold, sabi_shogi::gold_attacks(color, king) & supported),
        (HandKind::Silver, sabi_shogi::silver_attacks(color, king) & supported),
        (HandKind::Lance, sabi_shogi::pawn_attacks(color, king) & supported),
        // A king cannot capture a checking knight.
        (HandKind::Knight, sabi_shogi::knight_attacks(color, king) & safe),
        (HandKind::Rook, straight & supported),
        (HandKind::Bishop, ring.and_not(straight) & supported),
    ] {
        if hand.has(kind) && squares.any() {
            visitor.add(color, KING_DROPS.capped(kind.index(), squares.count()), 1);
        }
    }
    if hand.has(HandKind::Bishop) {
        visitor.add(
            color,
            KING_LINES.capped(0, sabi_shogi::bishop_attacks(king, occupied).and_not(occupied).count()),
            1,
        );
    }
    if hand.has(HandKind::Rook) {
        visitor.add(color, KING_LINES.capped(1, sabi_shogi::rook_attacks(king, occupied).and_not(occupied).count()), 1);
    }
}

/// King and piece squares of a castle, for Black with the castle on the left.
pub(super) struct Castle {
    pub name: &'static str,
    /// Untuned weight in the opening.
    pub untuned: i16,
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

const fn castle(name: &'static str, untuned: i16, king: &[u8; 2], pieces: &'static [(PieceKind, Square)]) -> Castle {
    Castle { name, untuned, king: sq(king), pieces }
}

/// The known castles, by column of their weight.
pub(super) static CASTLES: [Castle; CASTLE.columns] = [
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
pub fn castle_name(number: usize) -> Option<&'static str> {
    CASTLES.get(number).map(|castle| castle.name)
}

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
    while number < CASTLES.len() {
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

//! King safety.

use super::attacks::Attacks;
use super::feature_visitor::FeatureVisitor;
use super::layout::{KING_DANGER, KING_DROPS, KING_ESCAPES, KING_GUARDS, KING_LINES};
use sabi_shogi::{self as bb, Bitboard, Color, HandKind, PieceKind, Position, Square};

static NEAR: [Bitboard; Square::COUNT] = bb::neighbourhoods(2);

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
    let ring = bb::king_attacks(king);
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
    let ring = bb::king_attacks(king);
    // A gold ahead and one behind agree on the four straight steps.
    let straight = bb::gold_attacks(Color::Black, king) & bb::gold_attacks(Color::White, king);
    for (kind, squares) in [
        (HandKind::Gold, bb::gold_attacks(color, king) & supported),
        (HandKind::Silver, bb::silver_attacks(color, king) & supported),
        (HandKind::Lance, bb::pawn_attacks(color, king) & supported),
        // A king cannot capture a checking knight.
        (HandKind::Knight, bb::knight_attacks(color, king) & safe),
        (HandKind::Rook, straight & supported),
        (HandKind::Bishop, ring.and_not(straight) & supported),
    ] {
        if hand.has(kind) && squares.any() {
            visitor.add(color, KING_DROPS.capped(kind.index(), squares.count()), 1);
        }
    }
    if hand.has(HandKind::Bishop) {
        visitor.add(color, KING_LINES.capped(0, bb::bishop_attacks(king, occupied).and_not(occupied).count()), 1);
    }
    if hand.has(HandKind::Rook) {
        visitor.add(color, KING_LINES.capped(1, bb::rook_attacks(king, occupied).and_not(occupied).count()), 1);
    }
}

//! Pawns, promotion and space.

use super::attacks::Attacks;
use super::feature_visitor::FeatureVisitor;
use super::layout::{CONTROL, HEAD_DROP, INVASION, PAWN_FILES, TOKIN_THREAT};
use PieceKind as K;
use sabi_shogi::{Bitboard, Color, HandKind, PieceKind, Position};

/// Pawn, promotion and space terms of `color`.
#[inline(always)]
pub(super) fn structure(
    position: &Position,
    color: Color,
    ours: &Attacks,
    theirs: &Attacks,
    visitor: &mut impl FeatureVisitor,
) {
    let on_move = usize::from(position.side_to_move() == color);
    let own = position.color(color);
    let zone = Bitboard::promotion_zone(color);

    let home = Bitboard::promotion_zone(!color);
    for (column, region) in [(0, home), (1, !(home | zone)), (2, zone)] {
        visitor.add(color, CONTROL.at(0, column), (ours.all & region).count() as i32);
    }

    let entrance = zone.and_not(own | theirs.all);
    for (row, attack) in [(0, ours.bishops), (1, ours.rooks)] {
        visitor.add(color, INVASION.at(row, on_move), i32::from(attack.intersects(entrance)));
    }
    let tokins = position.pieces(color, K::Pawn).forward(color) & entrance;
    visitor.add(color, TOKIN_THREAT.at(0, on_move), tokins.count() as i32);

    if position.hand(color).has(HandKind::Pawn) {
        let files = position.pieces(color, K::Pawn).files_without();
        visitor.add(color, PAWN_FILES.capped(0, (files & Bitboard::rank(0)).count()), 1);
        // Squares below an enemy piece that a pawn drop there would attack.
        let heads = files.and_not(position.occupied() | theirs.pawns);
        for (column, kind) in [K::Knight, K::Silver, K::Bishop, K::Rook].into_iter().enumerate() {
            let exposed = position.pieces(!color, kind).forward(!color) & heads;
            visitor.add(!color, HEAD_DROP.at(0, column), exposed.count() as i32);
        }
    }
}

//! Pieces under attack.

use super::attacks::Attacks;
use super::feature_visitor::FeatureVisitor;
use super::layout::{Block, GOLD_THREAT, HANGING, MINOR_THREAT, PAWN_THREAT, PRESSED};
use PieceKind as K;
use sabi_shogi::{Bitboard, Color, PieceKind, Position};

/// Threat terms of `color`. Threats of the side to move have their own weights.
#[inline(always)]
pub(super) fn threats(
    position: &Position,
    color: Color,
    ours: &Attacks,
    theirs: &Attacks,
    visitor: &mut impl FeatureVisitor,
) {
    let row = usize::from(position.side_to_move() == color);
    let targets = position.color(!color).and_not(position.kind(K::King));
    let majors = targets & (position.bishops_and_horses() | position.rooks_and_dragons());
    let beyond_minors = majors | (targets & position.kind(K::Gold));
    let mut each = |block: Block, set: Bitboard| {
        set.for_each(|square| {
            if let Some(piece) = position.piece_at(square) {
                visitor.add(color, block.at(row, piece.kind().index()), 1);
            }
        });
    };
    each(PAWN_THREAT, targets & ours.pawns);
    each(MINOR_THREAT, beyond_minors & ours.minors);
    each(GOLD_THREAT, majors & ours.golds);
    each(HANGING, (targets & ours.all).and_not(theirs.all));
    each(PRESSED, (targets & ours.twice & theirs.all).and_not(theirs.twice));
}

//! Terms computed from scratch for every position.

use super::attacks::{Attacks, Target};
use super::feature_visitor::FeatureVisitor;
use super::layout::TEMPO;
use super::{castles, king, structure, threats};
use sabi_shogi::{Color, Position};

/// All features that are not incremental.
pub(super) fn all(position: &Position, visitor: &mut impl FeatureVisitor) {
    let black = Target::new(position, Color::Black);
    let white = Target::new(position, Color::White);
    let blacks = Attacks::new(position, Color::Black, black.pawns, &white, visitor);
    let whites = Attacks::new(position, Color::White, white.pawns, &black, visitor);
    side(position, Color::Black, &blacks, &whites, visitor);
    side(position, Color::White, &whites, &blacks, visitor);
    visitor.add(position.side_to_move(), TEMPO.at(0, 0), 1);
}

#[inline(always)]
fn side(position: &Position, color: Color, ours: &Attacks, theirs: &Attacks, visitor: &mut impl FeatureVisitor) {
    king::safety(position, color, ours, theirs, visitor);
    threats::threats(position, color, ours, theirs, visitor);
    structure::structure(position, color, ours, theirs, visitor);
    castles::castles(position, color, visitor);
}

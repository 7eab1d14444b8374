//! Terms computed from scratch for every position.

use super::attacks::{Attacks, Target};
use super::layout::TEMPO;
use super::sink::Sink;
use super::{castles, king, structure, threats};
use crate::position::Position;
use crate::types::Color;

/// All features that are not incremental.
pub(super) fn all(position: &Position, sink: &mut impl Sink) {
    let black = Target::new(position, Color::Black);
    let white = Target::new(position, Color::White);
    let blacks = Attacks::new(position, Color::Black, black.pawns, &white, sink);
    let whites = Attacks::new(position, Color::White, white.pawns, &black, sink);
    side(position, Color::Black, &blacks, &whites, sink);
    side(position, Color::White, &whites, &blacks, sink);
    sink.add(position.side_to_move(), TEMPO.at(0, 0), 1);
}

#[inline(always)]
fn side(position: &Position, color: Color, ours: &Attacks, theirs: &Attacks, sink: &mut impl Sink) {
    king::safety(position, color, ours, theirs, sink);
    threats::threats(position, color, ours, theirs, sink);
    structure::structure(position, color, ours, theirs, sink);
    castles::castles(position, color, sink);
}

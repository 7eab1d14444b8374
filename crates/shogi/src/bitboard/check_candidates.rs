//! Squares from which a short-range piece can give check with one move.

use super::set::Bitboard;
use super::steps::{GOLD, KNIGHT, PAWN, SILVER, Table};
use crate::types::{Color, HandKind, Square};

/// By side and enemy king square: the squares from which a piece with these steps can move to one
/// where it attacks the king, unpromoted or, with a promotion, as a gold.
const fn candidates(steps: &Table, promotes: bool) -> Table {
    let mut table = [[Bitboard::EMPTY; Square::COUNT]; 2];
    let mut color = 0;
    while color < 2 {
        let zone = Bitboard::promotion_zone(Color::ALL[color]);
        let mut from = 0;
        while from < Square::COUNT {
            let mut targets = steps[color][from];
            while let Some(to) = targets.first() {
                targets = targets.and_not(Bitboard::of(to));
                let mut kings = steps[color][to.index()];
                let here = Bitboard::of(Square::clamped(from));
                if promotes && (zone.intersects(here) || zone.has(to)) {
                    kings = kings.or(GOLD[color][to.index()]);
                }
                while let Some(king) = kings.first() {
                    kings = kings.and_not(Bitboard::of(king));
                    table[color][king.index()] = table[color][king.index()].or(here);
                }
            }
            from += 1;
        }
        color += 1;
    }
    table
}

static BY_PAWN: Table = candidates(&PAWN, true);
static BY_KNIGHT: Table = candidates(&KNIGHT, true);
static BY_SILVER: Table = candidates(&SILVER, true);
static BY_GOLD: Table = candidates(&GOLD, false);

/// Squares from which a short-range piece of `color` may give check to a king on `king` with its
/// next move. `kind`: unpromoted pawn, knight or silver, or gold-like; empty for sliders.
#[inline]
pub fn check_candidates(color: Color, kind: HandKind, king: Square) -> Bitboard {
    match kind {
        HandKind::Pawn => BY_PAWN[color][king],
        HandKind::Knight => BY_KNIGHT[color][king],
        HandKind::Silver => BY_SILVER[color][king],
        HandKind::Gold => BY_GOLD[color][king],
        HandKind::Lance | HandKind::Bishop | HandKind::Rook => Bitboard::EMPTY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitboard::attacks;

    #[test]
    fn step_candidates_are_check_squares() {
        for color in Color::ALL {
            for kind in [HandKind::Pawn, HandKind::Knight, HandKind::Silver, HandKind::Gold] {
                for king in Square::all() {
                    let reaches = |kind, from: Square, to| attacks(color, kind, from, Bitboard::EMPTY).has(to);
                    let checks = |from: Square, to: Square| {
                        let kind = kind.on_board();
                        let promotes = from.in_promotion_zone(color) || to.in_promotion_zone(color);
                        reaches(kind, from, to)
                            && (reaches(kind, to, king) || promotes && reaches(kind.promoted(), to, king))
                    };
                    let candidates = Square::all().filter(|&from| Square::all().any(|to| checks(from, to)));
                    assert_eq!(check_candidates(color, kind, king), candidates.collect(), "{color:?} {kind:?} {king}");
                }
            }
        }
    }
}

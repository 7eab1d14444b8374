//! Attackers.

use super::Position;
use crate::bitboard::{self as bb, Bitboard};
use crate::types::{Color, PieceKind as K, Square};

impl Position {
    /// The pieces of `by` that attack `square` with blockers `occupied`.
    #[inline]
    pub fn attackers(&self, by: Color, square: Square, occupied: Bitboard) -> Bitboard {
        (self.short_attackers(by, square) | self.slider_attackers(by, square, occupied)) & self.colors[by]
    }

    /// Pieces adjacent to or a knight's jump from `square` that attack it if they belong to `by`.
    #[inline]
    pub(super) fn short_attackers(&self, by: Color, square: Square) -> Bitboard {
        let king_like = self.kinds[K::King] | self.kinds[K::Horse] | self.kinds[K::Dragon];
        bb::king_attacks(square) & king_like | self.common_short_attackers(by, square)
    }

    /// The same without kings, horses and dragons.
    #[inline]
    fn common_short_attackers(&self, by: Color, square: Square) -> Bitboard {
        let back = !by;
        bb::pawn_attacks(back, square) & self.kinds[K::Pawn]
            | bb::knight_attacks(back, square) & self.kinds[K::Knight]
            | bb::silver_attacks(back, square) & self.kinds[K::Silver]
            | bb::gold_attacks(back, square) & self.golds
    }

    /// Sliders of `by` that attack `square`.
    #[inline]
    fn slider_attackers(&self, by: Color, square: Square, occupied: Bitboard) -> Bitboard {
        Self::unblocked(self.snipers(square, by), square, occupied)
    }

    /// Of sliders that attack `square` on an empty board, those not blocked by `occupied`.
    #[inline]
    pub(super) fn unblocked(snipers: Bitboard, square: Square, occupied: Bitboard) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        snipers.for_each(|from| {
            if !bb::between(square, from).intersects(occupied) {
                found |= Bitboard::of(from);
            }
        });
        found
    }

    /// Whether a piece of `by` attacks `square` with blockers `occupied`.
    #[inline]
    pub fn is_attacked(&self, by: Color, square: Square, occupied: Bitboard) -> bool {
        if self.short_attackers(by, square).intersects(self.colors[by]) {
            return true;
        }
        let snipers = self.snipers(square, by);
        snipers.any() && Self::any_unblocked(snipers, square, occupied)
    }

    /// Those of `squares` that no piece of `by` attacks with blockers `occupied`.
    #[inline]
    pub fn unattacked(&self, by: Color, squares: Bitboard, occupied: Bitboard) -> Bitboard {
        let mut unattacked = squares;
        squares.for_each(|square| {
            if self.is_attacked(by, square, occupied) {
                unattacked ^= Bitboard::of(square);
            }
        });
        unattacked
    }

    /// Squares where a piece other than the king of the side to move resolves the check: all
    /// without a check, none in a double check.
    #[inline]
    pub fn evasion_targets(&self) -> Bitboard {
        let checkers = self.checkers();
        match (self.kings[self.side], checkers.first()) {
            (Some(king), Some(checker)) if !checkers.more_than_one() => bb::between(king, checker) | checkers,
            (Some(_), Some(_)) => Bitboard::EMPTY,
            _ => Bitboard::ALL,
        }
    }

    // Seldom needed: not inlined, so that nothing is saved and restored for it.
    #[inline(never)]
    fn any_unblocked(snipers: Bitboard, square: Square, occupied: Bitboard) -> bool {
        Self::unblocked(snipers, square, occupied).any()
    }

    /// The lines behind `square` that sliders of `by` would attack if it were vacated.
    #[inline]
    pub fn lines_through(&self, by: Color, square: Square) -> Bitboard {
        let mut lines = Bitboard::EMPTY;
        self.slider_attackers(by, square, self.occupied()).for_each(|from| lines |= bb::line_from(from, square));
        lines
    }

    /// The checkers of `by` on a king of the other side on `king`, and the single blockers (of
    /// either side) between it and a slider of `by`.
    #[inline]
    pub(super) fn checkers_and_blockers(&self, king: Square, by: Color) -> (Bitboard, Bitboard) {
        let riders = self.kinds[K::Horse] | self.kinds[K::Dragon];
        let short = self.common_short_attackers(by, king) | bb::king_attacks(king) & riders;
        let (sliders, blockers) = self.sliders_and_blockers(king, by);
        (short & self.colors[by] | sliders, blockers)
    }

    /// The sliders of `by` that attack `king`, and the single blockers between it and others.
    #[inline]
    fn sliders_and_blockers(&self, king: Square, by: Color) -> (Bitboard, Bitboard) {
        let snipers = self.snipers(king, by);
        if snipers.is_empty() { Default::default() } else { self.split_by_blockers(king, snipers) }
    }

    #[inline(never)]
    fn split_by_blockers(&self, king: Square, snipers: Bitboard) -> (Bitboard, Bitboard) {
        let (mut sliders, mut blockers) = Default::default();
        let occupied = self.occupied();
        snipers.for_each(|sniper| {
            let between = bb::between(king, sniper) & occupied;
            if between.is_empty() {
                sliders |= Bitboard::of(sniper);
            } else if !between.more_than_one() {
                blockers |= between;
            }
        });
        (sliders, blockers)
    }

    /// Sliders of `by` that attack `square` on an empty board.
    #[inline]
    pub(super) fn snipers(&self, square: Square, by: Color) -> Bitboard {
        (bb::lance_rays(!by, square) & self.kinds[K::Lance]
            | bb::bishop_rays(square) & self.bishops_and_horses()
            | bb::rook_rays(square) & self.rooks_and_dragons())
            & self.colors[by]
    }

    /// Sliders that attack `square` on an empty board.
    #[inline]
    pub(super) fn snipers_of_both(&self, square: Square) -> Bitboard {
        let lances = bb::lance_rays(Color::Black, square) & self.colors[Color::White]
            | bb::lance_rays(Color::White, square) & self.colors[Color::Black];
        lances & self.kinds[K::Lance]
            | bb::bishop_rays(square) & self.bishops_and_horses()
            | bb::rook_rays(square) & self.rooks_and_dragons()
    }

    /// Blockers for the king of `color`: pieces of either side that alone separate it from an enemy
    /// slider.
    #[inline]
    pub fn king_blockers(&self, color: Color) -> Bitboard {
        self.kings[color].map_or(Bitboard::EMPTY, |king| self.sliders_and_blockers(king, !color).1)
    }
}

//! Attackers, and checking moves without making them.

use super::Position;
use crate::bitboard::{self as bb, Bitboard};
use crate::types::{Color, Move, PieceKind, PieceKind as K, Square};

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

/// Check squares and discovered-check candidates of the side to move: computed once per node.
#[derive(Clone, Debug)]
pub struct CheckInfo {
    /// Squares from which each kind would attack the enemy king.
    squares: [Bitboard; PieceKind::COUNT],
    /// Own blockers for the enemy king.
    pub(crate) discovered_check_candidates: Bitboard,
    king: Option<Square>,
}

impl Position {
    /// Check information for the side to move.
    pub fn check_info(&self) -> CheckInfo {
        let (us, them) = (self.side, !self.side);
        let Some(king) = self.kings[them] else {
            return CheckInfo { squares: Default::default(), discovered_check_candidates: Bitboard::EMPTY, king: None };
        };
        let occupied = self.occupied();
        let gold = bb::gold_attacks(them, king);
        let bishop = bb::bishop_attacks(king, occupied);
        let rook = bb::rook_attacks(king, occupied);
        let around = bb::king_attacks(king);
        // In the order of the kinds.
        let squares = [
            bb::pawn_attacks(them, king),
            rook & bb::lance_rays(them, king),
            bb::knight_attacks(them, king),
            bb::silver_attacks(them, king),
            bishop,
            rook,
            gold,
            Bitboard::EMPTY,
            gold,
            gold,
            gold,
            gold,
            bishop | around,
            rook | around,
        ];
        CheckInfo { squares, discovered_check_candidates: self.king_blockers(them) & self.colors[us], king: Some(king) }
    }

    /// Whether a legal move gives check.
    #[inline]
    pub fn gives_check(&self, mv: Move, info: &CheckInfo) -> bool {
        self.moved_piece_after(mv).is_some_and(|piece| info.is_check(mv, piece.kind()))
    }
}

impl CheckInfo {
    /// Whether a legal move gives check as this kind.
    #[inline]
    pub fn is_check(&self, mv: Move, kind: PieceKind) -> bool {
        self.squares[kind].has(mv.to()) || self.discovered_check_candidates.any() && self.is_discovered_check(mv)
    }

    /// Whether a move gives a discovered check.
    fn is_discovered_check(&self, mv: Move) -> bool {
        mv.from()
            .zip(self.king)
            .is_some_and(|(from, king)| self.discovered_check_candidates.has(from) && !bb::aligned(king, from, mv.to()))
    }

    /// Check squares of a kind.
    #[inline]
    pub fn check_squares(&self, kind: PieceKind) -> Bitboard {
        self.squares[kind]
    }
}

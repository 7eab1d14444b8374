//! The move generator, and the receivers of its target sets.

use crate::bitboard::{self as bb, Bitboard};
use crate::position::Position;
use crate::types::{Color, HandKind, Move, PieceKind as K, Square};
use arrayvec::ArrayVec;

/// Which non-promotions are generated.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum NonPromotions {
    /// All legal ones.
    All,
    /// Without pointless ones: pawns, bishops and rooks always promote if they can, lances on the
    /// second rank.
    #[default]
    Sensible,
}

/// Captures and pawn promotions.
pub(super) const TACTICAL: u8 = 1;
/// All other moves.
pub(super) const QUIET: u8 = 2;

/// Generates all legal moves of these kinds into `sink`. They, the side and the non-promotions are fixed
/// at compile time.
#[inline]
pub(super) fn generate<const KINDS: u8, O: Sink>(position: &Position, non_promotions: NonPromotions, sink: &mut O) {
    let all = non_promotions == NonPromotions::All;
    match (position.side_to_move(), all) {
        (Color::Black, true) => Generator::<O, KINDS, true, true>::new(position, sink).run(),
        (Color::Black, false) => Generator::<O, KINDS, true, false>::new(position, sink).run(),
        (Color::White, true) => Generator::<O, KINDS, false, true>::new(position, sink).run(),
        (Color::White, false) => Generator::<O, KINDS, false, false>::new(position, sink).run(),
    }
}

/// Splits the target squares of a piece: those where it may promote, and those where it may stay
/// unpromoted.
#[inline]
pub(super) fn split_by_promotion(
    us: Color,
    kind: K,
    from: Square,
    targets: Bitboard,
    all: bool,
) -> (Bitboard, Bitboard) {
    let zone = Bitboard::promotion_zone(us);
    if !kind.can_promote() {
        return (Bitboard::EMPTY, targets);
    }
    let promoting = if zone.has(from) { targets } else { targets & zone };
    let staying = match kind {
        K::Pawn if !all => targets.and_not(zone),
        K::Lance if !all => targets.and_not(Bitboard::far_ranks(us, 2)),
        K::Bishop | K::Rook if !all => targets.and_not(promoting),
        K::Pawn | K::Lance => targets.and_not(Bitboard::far_ranks(us, 1)),
        K::Knight => targets.and_not(Bitboard::far_ranks(us, 2)),
        _ => targets,
    };
    (promoting, staying)
}

struct Generator<'a, O, const KINDS: u8, const BLACK: bool, const ALL: bool> {
    position: &'a Position,
    sink: &'a mut O,
    own: Bitboard,
    enemy: Bitboard,
    occupied: Bitboard,
}

impl<'a, O: Sink, const KINDS: u8, const BLACK: bool, const ALL: bool> Generator<'a, O, KINDS, BLACK, ALL> {
    const US: Color = if BLACK { Color::Black } else { Color::White };

    #[inline]
    fn new(position: &'a Position, sink: &'a mut O) -> Self {
        let (own, enemy) = (position.color(Self::US), position.color(!Self::US));
        Self { position, sink, own, enemy, occupied: own | enemy }
    }

    #[inline]
    fn run(mut self) {
        let position = self.position;
        let king = position.king(Self::US);
        if let Some(king) = king {
            self.king_moves(king);
        }
        let evasions = position.evasion_targets();
        if evasions.is_empty() {
            return;
        }
        // The enemy king is never captured: it cannot be attacked here in a legal position.
        let arrivals = evasions.and_not(self.own);
        let free = self.own.and_not(position.pinned());
        self.pawns(position.kind(K::Pawn) & free, arrivals);
        let wanted = arrivals & Self::target_squares(self.enemy, self.occupied);
        self.pieces(free, wanted);
        if let Some(king) = king {
            self.pinned_pieces(king, arrivals, wanted);
        }
        if KINDS & QUIET != 0 {
            self.drops(evasions.and_not(self.occupied));
        }
    }

    /// Target squares of moves other than pawn promotions.
    #[inline]
    fn target_squares(enemy: Bitboard, occupied: Bitboard) -> Bitboard {
        match (KINDS & TACTICAL != 0, KINDS & QUIET != 0) {
            (true, true) => Bitboard::ALL,
            (true, false) => enemy,
            (false, true) => !occupied,
            (false, false) => Bitboard::EMPTY,
        }
    }

    #[inline]
    fn king_moves(&mut self, king: Square) {
        let without_king = self.occupied ^ Bitboard::of(king);
        let targets = bb::king_attacks(king).and_not(self.own) & Self::target_squares(self.enemy, self.occupied);
        self.board(king, self.position.unattacked(!Self::US, targets, without_king), false);
    }

    /// All unpinned pawns at once. Promotions are tactical, captures or not.
    #[inline]
    fn pawns(&mut self, pawns: Bitboard, arrivals: Bitboard) {
        let zone = Bitboard::promotion_zone(Self::US);
        let targets = pawns.forward(Self::US) & arrivals;
        if KINDS & TACTICAL != 0 {
            self.sink.pawns(Self::US, targets & zone, true);
        }
        let staying = targets.and_not(if ALL { Bitboard::far_ranks(Self::US, 1) } else { zone });
        self.sink.pawns(Self::US, staying & Self::target_squares(self.enemy, self.occupied), false);
    }

    /// All unpinned pieces except pawns and king.
    #[inline]
    fn pieces(&mut self, free: Bitboard, wanted: Bitboard) {
        let position = self.position;
        let occupied = self.occupied;
        (position.kind(K::Lance) & free).for_each(|from| {
            let targets = bb::lance_attacks(Self::US, from, occupied) & wanted;
            self.emit(K::Lance, from, targets);
        });
        (position.kind(K::Knight) & free).for_each(|from| {
            self.emit(K::Knight, from, bb::knight_attacks(Self::US, from) & wanted);
        });
        (position.kind(K::Silver) & free).for_each(|from| {
            self.emit(K::Silver, from, bb::silver_attacks(Self::US, from) & wanted);
        });
        (position.kind(K::Bishop) & free).for_each(|from| {
            self.emit(K::Bishop, from, bb::bishop_attacks(from, occupied) & wanted);
        });
        (position.kind(K::Rook) & free).for_each(|from| {
            self.emit(K::Rook, from, bb::rook_attacks(from, occupied) & wanted);
        });
        (position.golds() & free).for_each(|from| {
            self.board(from, bb::gold_attacks(Self::US, from) & wanted, false);
        });
        (position.kind(K::Horse) & free).for_each(|from| {
            let targets = bb::bishop_attacks(from, occupied) | bb::king_attacks(from);
            self.board(from, targets & wanted, false);
        });
        (position.kind(K::Dragon) & free).for_each(|from| {
            let targets = bb::rook_attacks(from, occupied) | bb::king_attacks(from);
            self.board(from, targets & wanted, false);
        });
    }

    /// Pinned pieces move along the line to their king.
    #[inline]
    fn pinned_pieces(&mut self, king: Square, arrivals: Bitboard, wanted: Bitboard) {
        let position = self.position;
        position.pinned().for_each(|from| {
            let Some(piece) = position.piece_at(from) else { return };
            let line = bb::line_from(king, from);
            if piece.kind() == K::Pawn {
                self.pawns(Bitboard::of(from), arrivals & line);
            } else {
                let targets = bb::attacks(Self::US, piece.kind(), from, self.occupied);
                self.emit(piece.kind(), from, targets & wanted & line);
            }
        });
    }

    #[inline]
    fn emit(&mut self, kind: K, from: Square, targets: Bitboard) {
        let (promoting, staying) = split_by_promotion(Self::US, kind, from, targets, ALL);
        self.board(from, promoting, true);
        self.board(from, staying, false);
    }

    #[inline]
    fn board(&mut self, from: Square, targets: Bitboard, promote: bool) {
        if targets.any() {
            self.sink.board(from, targets, promote);
        }
    }

    #[inline]
    fn drops(&mut self, targets: Bitboard) {
        let hand = self.position.hand(Self::US);
        if hand.is_empty() || targets.is_empty() {
            return;
        }
        if hand.has(HandKind::Pawn) {
            self.sink.drops(HandKind::Pawn, pawn_drops(self.position, Self::US, targets));
        }
        if !hand.has_more_than_pawns() {
            return;
        }
        if hand.has(HandKind::Lance) {
            self.sink.drops(HandKind::Lance, targets.and_not(Bitboard::far_ranks(Self::US, 1)));
        }
        if hand.has(HandKind::Knight) {
            self.sink.drops(HandKind::Knight, targets.and_not(Bitboard::far_ranks(Self::US, 2)));
        }
        for kind in [HandKind::Silver, HandKind::Gold, HandKind::Bishop, HandKind::Rook] {
            if hand.has(kind) {
                self.sink.drops(kind, targets);
            }
        }
    }
}

/// Squares of `targets` where the side to move may drop a pawn.
#[inline]
pub(super) fn pawn_drops(position: &Position, us: Color, targets: Bitboard) -> Bitboard {
    let free_files = position.pieces(us, K::Pawn).files_without();
    let mut targets = (targets & free_files).and_not(Bitboard::far_ranks(us, 1));
    if let Some(king) = position.king(!us) {
        let head = bb::pawn_attacks(!us, king) & targets;
        if let Some(square) = head.first()
            && position.is_pawn_drop_mate(square)
        {
            targets ^= head;
        }
    }
    targets
}

/// Maximum number of legal moves (the record is 593).
pub const MAX_MOVES: usize = 600;

/// A move list for any position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// Receives sets of legal moves.
pub trait Sink {
    /// Moves of a piece from a square to each target, of which there is at least one.
    fn board(&mut self, from: Square, targets: Bitboard, promote: bool);

    /// Moves of pawns of one side onto each target.
    #[inline]
    fn pawns(&mut self, color: Color, targets: Bitboard, promote: bool) {
        targets.for_each(|to| {
            if let Some(from) = to.behind(color) {
                self.board(from, Bitboard::of(to), promote);
            }
        });
    }

    /// Drops on each target.
    fn drops(&mut self, kind: HandKind, targets: Bitboard);
}

impl Sink for MoveList {
    #[inline]
    fn board(&mut self, from: Square, targets: Bitboard, promote: bool) {
        targets.for_each(|to| self.push(Move::step(from, to, promote)));
    }

    #[inline]
    fn drops(&mut self, kind: HandKind, targets: Bitboard) {
        targets.for_each(|to| self.push(Move::drop(kind, to)));
    }
}

/// Passes every target set to a function.
pub(super) struct Sets<F>(pub(super) F);

impl<F: FnMut(Bitboard)> Sink for Sets<F> {
    #[inline]
    fn board(&mut self, _from: Square, targets: Bitboard, _promote: bool) {
        (self.0)(targets);
    }

    #[inline]
    fn pawns(&mut self, _color: Color, targets: Bitboard, _promote: bool) {
        (self.0)(targets);
    }

    #[inline]
    fn drops(&mut self, _kind: HandKind, targets: Bitboard) {
        (self.0)(targets);
    }
}

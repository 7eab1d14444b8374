//! What earlier searches say about moves.

use super::corrections::Corrections;
use crate::position::Position;
use crate::types::{Color, HandKind, Move, Piece, PieceKind, Square};
use crate::util::{MemoryError, filled};

/// A value that is drawn towards each bonus and never leaves ±`LIMIT`.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Gravity<const LIMIT: i32>(i16);

impl<const LIMIT: i32> Gravity<LIMIT> {
    #[inline]
    pub(super) fn get(self) -> i32 {
        i32::from(self.0)
    }

    #[inline]
    pub(super) fn add(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        self.0 += (bonus - self.get() * bonus.abs() / LIMIT) as i16;
    }
}

/// A piece and the square it goes to, as one number; the last number stands for "no move".
pub(super) type PieceTo = usize;

/// How many pieces and squares there are together.
pub(super) const PIECE_TO: usize = Piece::COUNT * Square::COUNT;
/// Stands for "no move" as the context of another.
pub(super) const NO_MOVE: PieceTo = PIECE_TO;

/// Number of a piece and target square.
#[inline]
pub(super) fn piece_to(piece: Piece, to: Square) -> PieceTo {
    piece.index() * Square::COUNT + to.index()
}

type History = Gravity<16_384>;

/// Bits of a move that tell source and target.
const MOVE_CODES: usize = 1 << 14;

/// A table on the heap, its pages in place: they are not to be fetched on the clock.
pub(super) fn table<T: Clone + Default>(len: usize) -> Result<Box<[T]>, MemoryError> {
    filled(T::default(), len)
}

/// All histories of one thread.
pub(super) struct Histories {
    /// Quiet moves by side, source and target.
    butterfly: Box<[History]>,
    /// Captures by piece, target and kind taken.
    capture: Box<[History]>,
    /// Quiet moves by piece and target after an earlier piece and target.
    continuation: Box<[History]>,
    /// Quiet moves by piece and target with the own king on a square.
    king: Box<[History]>,
    /// The answer that refuted a piece and target.
    counter: Box<[Option<Move>]>,
    /// What the static evaluation was wrong by.
    pub corrections: Corrections,
}

/// Earlier moves of a line that give a quiet move its context: one, two and four plies back.
pub(super) type Context = [PieceTo; 3];

impl Histories {
    /// Empty histories.
    ///
    /// # Errors
    /// When the memory is not there.
    pub(super) fn new() -> Result<Self, MemoryError> {
        Ok(Self {
            butterfly: table(2 * MOVE_CODES)?,
            capture: table(PIECE_TO * HandKind::COUNT)?,
            continuation: table((PIECE_TO + 1) * PIECE_TO)?,
            king: table(Square::COUNT * PIECE_TO)?,
            counter: table(PIECE_TO + 1)?,
            corrections: Corrections::new()?,
        })
    }

    /// Bytes of the large tables together.
    pub(super) const BYTES: usize = size_of::<History>()
        * (2 * MOVE_CODES + PIECE_TO * HandKind::COUNT + (PIECE_TO + 1 + Square::COUNT) * PIECE_TO)
        + Corrections::BYTES;

    pub(super) fn clear(&mut self) {
        self.butterfly.fill(History::default());
        self.capture.fill(History::default());
        self.continuation.fill(History::default());
        self.king.fill(History::default());
        self.counter.fill(None);
        self.corrections.clear();
    }

    #[inline]
    fn butterfly_index(color: Color, mv: Move) -> usize {
        color.index() * MOVE_CODES + usize::from(mv.bits()) % MOVE_CODES
    }

    #[inline]
    fn king_index(position: &Position, moved: PieceTo) -> usize {
        position.king(position.side_to_move()).map_or(0, Square::index) * PIECE_TO + moved
    }

    /// The number that orders a quiet move.
    #[inline]
    pub(super) fn quiet(&self, position: &Position, mv: Move, moved: PieceTo, context: &Context) -> i32 {
        self.butterfly[Self::butterfly_index(position.side_to_move(), mv)].get()
            + self.king[Self::king_index(position, moved)].get() / 2
            + self.continuation(moved, context)
    }

    /// The part of [`Histories::quiet`] that depends on the moves before.
    #[inline]
    pub(super) fn continuation(&self, moved: PieceTo, context: &Context) -> i32 {
        self.continuation[context[0] * PIECE_TO + moved].get()
            + self.continuation[context[1] * PIECE_TO + moved].get()
            + self.continuation[context[2] * PIECE_TO + moved].get() / 2
    }

    /// Rewards or punishes a quiet move.
    pub(super) fn update_quiet(
        &mut self,
        position: &Position,
        mv: Move,
        moved: PieceTo,
        context: &Context,
        bonus: i32,
    ) {
        self.butterfly[Self::butterfly_index(position.side_to_move(), mv)].add(bonus);
        self.king[Self::king_index(position, moved)].add(bonus);
        self.update_continuation(moved, context, bonus);
    }

    /// Rewards or punishes the quiet move that led to a position, whatever came before it.
    pub(super) fn update_last_move(&mut self, position: &Position, last: Move, bonus: i32) {
        self.butterfly[Self::butterfly_index(!position.side_to_move(), last)].add(bonus);
    }

    /// Rewards or punishes a move in the context of those before it.
    pub(super) fn update_continuation(&mut self, moved: PieceTo, context: &Context, bonus: i32) {
        for &earlier in context.iter().filter(|&&earlier| earlier != NO_MOVE) {
            self.continuation[earlier * PIECE_TO + moved].add(bonus);
        }
    }

    #[inline]
    fn capture_index(moved: PieceTo, taken: PieceKind) -> usize {
        moved * HandKind::COUNT + taken.unpromoted() as usize % HandKind::COUNT
    }

    /// The history of a capture (or of a pawn promotion, which counts as taking a pawn).
    #[inline]
    pub(super) fn capture(&self, moved: PieceTo, taken: PieceKind) -> i32 {
        self.capture[Self::capture_index(moved, taken)].get()
    }

    /// Rewards or punishes a capture.
    pub(super) fn update_capture(&mut self, moved: PieceTo, taken: PieceKind, bonus: i32) {
        self.capture[Self::capture_index(moved, taken)].add(bonus);
    }

    /// The move that last refuted the move before.
    #[inline]
    pub(super) fn counter(&self, last: PieceTo) -> Option<Move> {
        self.counter[last]
    }

    pub(super) fn set_counter(&mut self, last: PieceTo, mv: Move) {
        self.counter[last] = Some(mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_stays_within_its_limit() {
        let mut value = Gravity::<1024>::default();
        for _ in 0..10_000 {
            value.add(700);
            assert!(value.get() <= 1024);
        }
        assert!(value.get() > 1000);
        value.add(-5000);
        assert!(value.get() >= -1024);
    }

    #[test]
    fn a_rewarded_move_is_preferred_in_its_context() {
        let position = Position::startpos();
        let mut histories = Histories::new().unwrap();
        let mv = position.legal_from_usi("7g7f").unwrap();
        let moved = piece_to(position.moved_piece(mv).unwrap(), mv.to());
        let context = [5, NO_MOVE, NO_MOVE];
        histories.update_quiet(&position, mv, moved, &context, 800);
        assert!(histories.quiet(&position, mv, moved, &context) > histories.quiet(&position, mv, moved, &[NO_MOVE; 3]));
        assert!(histories.quiet(&position, mv, moved, &[NO_MOVE; 3]) > 0);
        histories.clear();
        assert_eq!(histories.quiet(&position, mv, moved, &context), 0);
    }
}

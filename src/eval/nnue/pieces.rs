//! Pieces of a position, for differences between two positions.

use super::attack_counts::AttackCounts;
use super::bona_piece::{self, PIECES};
use sabi_shogi::{Color, Hand, HandKind, Piece, PieceKind, Position, Square};

/// Squares compared at once.
const CHUNK: usize = 8;
/// Squares, padded to full chunks.
const SQUARES: usize = Square::COUNT.next_multiple_of(CHUNK);

/// What determines the piece indices of a position from the view of one side.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    /// Code of the piece by square; 0 if there is none.
    board: [u8; SQUARES],
    /// Attack class by square; 0 if unused.
    classes: [u8; SQUARES],
    hands: [Hand; 2],
}

impl Default for Pieces {
    fn default() -> Self {
        Self { board: [0; SQUARES], classes: [0; SQUARES], hands: [Hand::EMPTY; 2] }
    }
}

impl Pieces {
    /// Those of a position from the view of `color`.
    #[inline]
    pub fn new(position: &Position, color: Color, attack_counts: Option<&AttackCounts>) -> Self {
        let mut pieces = Self { hands: Color::ALL.map(|color| position.hand(color)), ..Self::default() };
        let squares = pieces.board.iter_mut().zip(position.board());
        squares.for_each(|(code, piece)| *code = piece.map_or(0, Piece::code));
        if let Some(attack_counts) = attack_counts {
            position.occupied().for_each(|square| pieces.classes[square.index()] = attack_counts.class(square, color));
        }
        pieces
    }

    /// Number of pieces without kings.
    pub fn count(&self) -> usize {
        let on_board = self
            .board
            .iter()
            .filter_map(|&code| Piece::of_code(code))
            .filter(|piece| piece.kind() != PieceKind::King)
            .count();
        let in_hand = |hand: &Hand| hand.iter().map(|(_, count)| usize::from(count)).sum::<usize>();
        on_board + self.hands.iter().map(in_hand).sum::<usize>()
    }

    /// Calls `each` with every piece index that was removed or added since `earlier`, and whether it
    /// was added. Both must be from the view of `color`.
    #[inline]
    pub fn changes_since(&self, earlier: &Self, color: Color, have_kings: bool, mut each: impl FnMut(usize, bool)) {
        for chunk in 0..SQUARES / CHUNK {
            let mut changed = self.changed(earlier, chunk);
            while changed != 0 {
                let byte = changed.trailing_zeros() / 8;
                changed &= !(0xFF << (8 * byte));
                let square = Square::clamped(chunk * CHUNK + byte as usize);
                for (pieces, is_added) in [(earlier, false), (self, true)] {
                    if let Some(piece) = Piece::of_code(pieces.board[square.index()])
                        && (have_kings || piece.kind() != PieceKind::King)
                    {
                        let class = usize::from(pieces.classes[square.index()]);
                        each(bona_piece::board(piece, square).by(color) + class * PIECES, is_added);
                    }
                }
            }
        }
        for owner in Color::ALL {
            let [before, after] = [earlier.hands[owner], self.hands[owner]];
            if before != after {
                for kind in HandKind::ALL {
                    let [before, after] = [before, after].map(|hand| hand.count(kind));
                    for count in before.min(after)..before.max(after) {
                        each(bona_piece::hand(owner, kind, count + 1).by(color), after > before);
                    }
                }
            }
        }
    }

    /// Marks the squares of a chunk that differ: their bytes, the first the lowest, are not 0.
    #[inline]
    fn changed(&self, earlier: &Self, chunk: usize) -> u64 {
        let word = |squares: &[u8; SQUARES]| u64::from_le_bytes(squares.as_chunks().0[chunk]);
        word(&self.board) ^ word(&earlier.board) | word(&self.classes) ^ word(&earlier.classes)
    }
}

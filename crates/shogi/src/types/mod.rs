//! The basic types of shogi. Private fields and checked constructors; unchecked variants
//! for hot code.

/// Arrays with one element per value of a type are indexed by the type itself.
macro_rules! index_by {
    ($type:ty, $count:expr) => {
        impl<T> std::ops::Index<$type> for [T; $count] {
            type Output = T;

            #[inline]
            fn index(&self, at: $type) -> &T {
                &self[at.index()]
            }
        }

        impl<T> std::ops::IndexMut<$type> for [T; $count] {
            #[inline]
            fn index_mut(&mut self, at: $type) -> &mut T {
                &mut self[at.index()]
            }
        }
    };
}
use index_by;

mod moves;
mod piece;
mod score;
mod square;

pub use moves::{Move, ParseMoveError, excerpt, usi_moves};
pub use piece::{Color, Hand, HandKind, Piece, PieceKind};
pub use score::{Bound, MAX_PLY, Score, usi_score};
pub use square::{File, Rank, Square};

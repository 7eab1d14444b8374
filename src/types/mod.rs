//! Floor 1: the words of shogi. Every type has private fields and checked constructors; unchecked twins exist where search is hot.

mod bound;
mod color;
mod hand;
mod moves;
mod piece;
mod score;
mod square;

pub use bound::Bound;
pub use color::Color;
pub use hand::Hand;
pub use moves::{Move, ParseMoveError};
pub use piece::{HandKind, Piece, PieceKind};
pub use score::{MAX_PLY, Score};
pub use square::{File, Rank, Square};

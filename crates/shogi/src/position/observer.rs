//! Observer of the changes of a move.

use crate::types::{Color, HandKind, Piece, Square};

/// Receives every change of a move, in order. All methods do nothing by default; `()` is the null
/// observer and costs nothing.
pub trait Observer {
    /// A piece is put on an empty square.
    #[inline]
    fn put(&mut self, _piece: Piece, _square: Square) {}

    /// A piece is removed from its square.
    #[inline]
    fn remove(&mut self, _piece: Piece, _square: Square) {}

    /// The count of a kind in hand changes from `before` to `after`.
    #[inline]
    fn hand(&mut self, _color: Color, _kind: HandKind, _before: u8, _after: u8) {}
}

impl Observer for () {}

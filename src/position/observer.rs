//! Who wants to hear what a move changes.

use crate::types::{Color, HandKind, Piece, Square};

/// Hears every change a move makes, in the order it is made. All methods do nothing by default, and `()` is the observer that
/// hears nothing and costs nothing.
pub trait Observer {
    /// A piece is put on an empty square.
    #[inline]
    fn put(&mut self, _piece: Piece, _square: Square) {}

    /// A piece is taken off its square.
    #[inline]
    fn lift(&mut self, _piece: Piece, _square: Square) {}

    /// A side now holds `after` pieces of a kind where it held `before`.
    #[inline]
    fn hand(&mut self, _color: Color, _kind: HandKind, _before: u8, _after: u8) {}
}

impl Observer for () {}

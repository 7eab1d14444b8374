//! Moves in sixteen bits.

use super::{HandKind, Square};
use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

/// A board move or a drop.
///
/// Bits 0–6 target, 7–13 source square or 81 + hand kind, 14 promotion. Never 0, because source and
/// target differ.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

const PROMOTION: u16 = 1 << 14;
const DROP_BASE: u16 = 81;

/// Not a move in USI notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a move in USI notation")]
pub struct ParseMoveError(String);

impl Move {
    #[inline]
    const fn from_parts(source: u16, to: Square, flags: u16) -> Self {
        let bits = (source << 7) | to.index() as u16 | flags;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            // Source 0 and target 0: rejected by `board` and not a valid drop.
            None => unreachable!(),
        }
    }

    /// A move on the board. `None` when source and target are the same square.
    #[inline]
    pub const fn board(from: Square, to: Square, promote: bool) -> Option<Self> {
        if from.index() == to.index() {
            return None;
        }
        Some(Self::from_parts(from.index() as u16, to, if promote { PROMOTION } else { 0 }))
    }

    /// A move along an attack, so source and target differ: the hot variant of [`Move::board`].
    ///
    /// # Panics
    /// May panic when the squares are the same.
    #[inline]
    pub const fn step(from: Square, to: Square, promote: bool) -> Self {
        debug_assert!(from.index() != to.index());
        Self::from_parts(from.index() as u16, to, if promote { PROMOTION } else { 0 })
    }

    /// A drop.
    #[inline]
    pub const fn drop(kind: HandKind, to: Square) -> Self {
        Self::from_parts(DROP_BASE + kind as u16, to, 0)
    }

    /// The 16 bits, never 0.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// A move from its 16 bits, if well-formed. It may still be illegal in the position.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let (to, source) = (bits & 127, (bits >> 7) & 127);
        if bits & 0x8000 != 0 || to >= 81 || source >= DROP_BASE + HandKind::COUNT as u16 || source == to {
            return None;
        }
        if source >= DROP_BASE && bits & PROMOTION != 0 {
            return None;
        }
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// A move from 16 bits in YaneuraOu's format: target, source or dropped kind (from 1), bit 14
    /// drop, bit 15 promotion. Apery's format is that of [`Move::from_bits`].
    pub fn from_yaneuraou(bits: u16) -> Option<Self> {
        let to = Square::new(usize::from(bits & 127))?;
        let source = usize::from(bits >> 7 & 127);
        match (bits & 0x4000 != 0, bits & 0x8000 != 0) {
            (false, promote) => Self::board(Square::new(source)?, to, promote),
            (true, false) => Some(Self::drop(*HandKind::ALL.get(source.checked_sub(1)?)?, to)),
            (true, true) => None,
        }
    }

    /// The inverse of [`Move::from_yaneuraou`].
    pub const fn to_yaneuraou(self) -> u16 {
        let (bits, to) = (self.bits(), self.to().index() as u16);
        match self.drop_kind() {
            Some(kind) => 0x4000 | (kind as u16 + 1) << 7 | to,
            None => bits & !PROMOTION | (bits & PROMOTION) << 1,
        }
    }

    /// The target square.
    #[inline]
    pub const fn to(self) -> Square {
        // SAFETY: every constructor takes the target from a `Square` or checks it.
        unsafe { Square::new_unchecked((self.0.get() & 127) as usize) }
    }

    /// The source field: 0–80 a square, 81–87 a hand kind. An index for move tables.
    #[inline]
    const fn source_index(self) -> usize {
        ((self.0.get() >> 7) & 127) as usize
    }

    /// The source square; `None` for a drop.
    #[inline]
    pub const fn from(self) -> Option<Square> {
        Square::new(self.source_index())
    }

    /// The kind dropped; `None` for a move on the board.
    #[inline]
    pub const fn drop_kind(self) -> Option<HandKind> {
        if !self.is_drop() {
            return None;
        }
        // SAFETY: every constructor takes the source from a `Square` or a `HandKind`, or checks it.
        Some(unsafe { HandKind::new_unchecked((self.source_index() - DROP_BASE as usize) as u8) })
    }

    /// Whether this is a drop.
    #[inline]
    pub const fn is_drop(self) -> bool {
        self.source_index() >= DROP_BASE as usize
    }

    /// Whether the piece promotes.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0.get() & PROMOTION != 0
    }

    /// The move with the board rotated by 180°.
    pub const fn rotated(self) -> Self {
        let to = self.to().rotated();
        match self.from() {
            Some(from) => Self::from_parts(from.rotated().index() as u16, to, self.bits() & PROMOTION),
            None => Self::from_parts(self.source_index() as u16, to, 0),
        }
    }
}

/// The moves in USI notation.
pub fn usi_moves(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from(), self.drop_kind()) {
            (Some(from), _) => write!(f, "{from}{}{}", self.to(), if self.is_promotion() { "+" } else { "" }),
            (None, Some(kind)) => write!(f, "{}*{}", kind.on_board().letter(), self.to()),
            (None, None) => unreachable!("a move has a source"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let error = || ParseMoveError(excerpt(text));
        if !text.is_ascii() || !(4..=5).contains(&text.len()) {
            return Err(error());
        }
        let (source, rest) = text.split_at(2);
        let (target, flag) = rest.split_at(2);
        let to = Square::from_usi(target).ok_or_else(error)?;
        match (source.strip_suffix('*'), flag) {
            (Some(letter), "") => {
                let kind =
                    letter.chars().next().and_then(super::PieceKind::from_letter).and_then(|kind| kind.in_hand());
                Ok(Self::drop(kind.ok_or_else(error)?, to))
            }
            (None, "" | "+") => {
                let from = Square::from_usi(source).ok_or_else(error)?;
                Self::board(from, to, flag == "+").ok_or_else(error)
            }
            _ => Err(error()),
        }
    }
}

/// Start of a text of a file or a client, for a message; without control characters.
pub fn excerpt(text: &str) -> String {
    const SHOWN: usize = 60;
    let mut letters = text.trim().chars().map(|c| if c.is_control() { '?' } else { c });
    let start: String = letters.by_ref().take(SHOWN).collect();
    if letters.next().is_some() { start + "..." } else { start }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_pattern_is_move_or_none() {
        let mut count = 0;
        for bits in 0..=u16::MAX {
            let Some(mv) = Move::from_bits(bits) else {
                continue;
            };
            count += 1;
            assert_eq!(mv.bits(), bits);
            assert_eq!(mv.to_string().parse(), Ok(mv));
            assert_eq!(mv.rotated().rotated(), mv);
            assert_eq!(Move::from_yaneuraou(mv.to_yaneuraou()), Some(mv));
        }
        assert_eq!(count, 2 * 81 * 80 + 7 * 81);
    }

    #[test]
    fn converts_yaneuraou_bits() {
        for (yaneuraou, apery, text) in [
            (0x1e3b, 0x1e3b, "7g7f"),
            (0x40a8, 0x28a8, "P*5e"),
            (0x4328, 0x2b28, "R*5e"),
            (0x43a8, 0x2ba8, "G*5e"),
            (0xa549, 0x6549, "9c9b+"),
        ] {
            let mv = Move::from_yaneuraou(yaneuraou).unwrap();
            assert_eq!((mv.to_string().as_str(), mv.bits(), mv.to_yaneuraou()), (text, apery, yaneuraou));
        }
        for bits in [0, 0x7fff, 0xc0a8, 0x4028, 0x4428, 0x28d1] {
            assert_eq!(Move::from_yaneuraou(bits), None, "{bits:#x}");
        }
    }

    #[test]
    fn usi_spelling() {
        for good in ["7g7f", "8h2b+", "P*5e", "G*1a"] {
            assert_eq!(good.parse::<Move>().unwrap().to_string(), good);
        }
        for bad in [
            "", "7g", "7g7g", "7g7f++", "7g7f-", "K*5e", "p*5e", "P*5e+", "0g7f", "7g7j", "７g7f", "resign", "P*",
            "+P*5e",
        ] {
            assert!(bad.parse::<Move>().is_err(), "{bad}");
        }
    }

    #[test]
    fn excerpt_cuts_between_characters() {
        assert_eq!(excerpt(" short\n"), "short");
        assert_eq!(excerpt("a\0b"), "a?b");
        assert_eq!(excerpt(&"錆".repeat(60)).chars().count(), 60);
        assert_eq!(excerpt(&"錆".repeat(61)).chars().count(), 63);
    }
}

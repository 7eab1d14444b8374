//! Positions in 32 bytes, as training data and books keep them.
//!
//! The bits run from the lowest of the first byte: the side to move (1), the square of Black's king (7), that of White's (7; 81
//! for a king that is missing), the other squares in their order, the hands of Black and of White, and the pieces that are
//! missing from the set. A piece costs as many bits in hand or missing as on the board together with the square it leaves
//! empty, so a position with both kings takes 256 bits. One with a single king takes 257 and is kept when the last is 0.

use super::{Position, SfenError};
use crate::types::{Color, Hand, HandKind, Piece, PieceKind, Square};

/// A position in 32 bytes, without move number and history.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedSfen(pub [u8; PackedSfen::BYTES]);

/// 32 bytes are no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PackedSfenError {
    /// A king stands on a square beyond the board.
    #[error("a king stands on square {0}")]
    KingSquare(u32),
    /// Both kings stand on one square.
    #[error("both kings stand on {0:?}")]
    SharedSquare(Square),
    /// The bits end within a piece.
    #[error("the bits end within a piece")]
    Cut,
    /// More of a kind than a set holds.
    #[error("there are more pieces of a kind than a set of 40 holds")]
    TooMany,
    /// The pieces make no position.
    #[error("{0}")]
    Position(#[from] SfenError),
}

/// A piece on the board: value and number of bits, by kind. An empty square is a single 0. In hand the lowest bit is left out.
const CODES: [(u32, usize); HandKind::COUNT] =
    [(0b1, 2), (0b11, 4), (0b1011, 4), (0b111, 4), (0b1_1111, 6), (0b11_1111, 6), (0b1111, 5)];

/// A missing gold looks like a promoted silver of White in hand, the others like promoted pieces of Black.
const MISSING_GOLD: (u32, usize) = (0b1_1011, 5);

/// The square of a king that is missing.
const NOWHERE: u32 = Square::COUNT as u32;

impl PackedSfen {
    /// How many bytes there always are.
    pub const BYTES: usize = 32;

    /// Packs a position. `None` when it does not fit, which only happens when a king is missing.
    pub fn of(position: &Position) -> Option<Self> {
        let mut bits = Writer::default();
        bits.put(u32::from(position.side == Color::White), 1);
        for color in Color::ALL {
            bits.put(position.kings[color].map_or(NOWHERE, |square| square.index() as u32), 7);
        }
        let mut missing = HandKind::ALL.map(|kind| kind.in_a_set());
        for square in Square::all() {
            let Some(piece) = position.board[square] else {
                bits.put(0, 1);
                continue;
            };
            let Some(kind) = piece.kind().in_hand() else { continue };
            missing[kind] = missing[kind].saturating_sub(1);
            let (value, count) = CODES[kind];
            bits.put(value, count);
            bits.put_marks(kind, piece.kind().is_promoted(), piece.color());
        }
        for color in Color::ALL {
            for kind in HandKind::ASCENDING {
                let (value, count) = CODES[kind];
                let held = position.hands[color].count(kind);
                missing[kind] = missing[kind].saturating_sub(held);
                for _ in 0..held {
                    bits.put(value >> 1, count - 1);
                    bits.put_marks(kind, false, color);
                }
            }
        }
        for kind in HandKind::ASCENDING {
            for _ in 0..missing[kind] {
                let (value, count) = CODES[kind];
                if kind == HandKind::Gold {
                    bits.put(MISSING_GOLD.0, MISSING_GOLD.1);
                } else {
                    bits.put(value >> 1, count - 1);
                    bits.put_marks(kind, true, Color::Black);
                }
            }
        }
        bits.fits.then_some(Self(bits.bytes))
    }

    /// Unpacks the position, to which the move number `ply` is given.
    ///
    /// # Errors
    /// When the bytes are no position that could stand in a game or a mate problem.
    pub fn position(&self, ply: u32) -> Result<Position, PackedSfenError> {
        let mut bits = Reader { bytes: &self.0, at: 0, past_end: 0 };
        let side = if bits.take(1)? == 0 { Color::Black } else { Color::White };
        let mut position = Position::empty();
        // A book may hold millions of positions and play on none.
        position.history = Vec::new();
        for color in Color::ALL {
            match bits.take(7)? {
                NOWHERE => bits.past_end = 1,
                number => {
                    let square = Square::new(number as usize).ok_or(PackedSfenError::KingSquare(number))?;
                    if position.board[square].is_some() {
                        return Err(PackedSfenError::SharedSquare(square));
                    }
                    position.put(Piece::new(color, PieceKind::King), square);
                }
            }
        }
        for square in Square::all() {
            if position.board[square].is_some() || bits.take(1)? == 0 {
                continue;
            }
            let kind = bits.take_kind()?;
            let (promoted, color) = bits.take_marks(kind)?;
            let kind = kind.on_board();
            position.put(Piece::new(color, if promoted { kind.promoted() } else { kind }), square);
        }
        let mut hands = [Hand::EMPTY; 2];
        while !bits.at_end() {
            let kind = bits.take_kind()?;
            let (promoted, color) = bits.take_marks(kind)?;
            // What is promoted in a hand is a piece that is missing.
            if !promoted {
                hands[color] = hands[color].checked_add(kind).ok_or(PackedSfenError::TooMany)?;
            }
        }
        position.hands = hands;
        position.check_pieces()?;
        position.finish(side, ply);
        position.check_turn()?;
        Ok(position)
    }
}

/// Writes bits, the lowest first.
struct Writer {
    bytes: [u8; PackedSfen::BYTES],
    at: usize,
    fits: bool,
}

impl Default for Writer {
    fn default() -> Self {
        Self { bytes: [0; PackedSfen::BYTES], at: 0, fits: true }
    }
}

impl Writer {
    fn put(&mut self, value: u32, count: usize) {
        for bit in 0..count {
            if value >> bit & 1 != 0 {
                match self.bytes.get_mut(self.at / 8) {
                    Some(byte) => *byte |= 1 << (self.at % 8),
                    None => self.fits = false,
                }
            }
            self.at += 1;
        }
        // A last 0 is read where nothing is; more than that is not.
        self.fits &= self.at <= 8 * PackedSfen::BYTES + 1;
    }

    fn put_marks(&mut self, kind: HandKind, promoted: bool, color: Color) {
        if kind != HandKind::Gold {
            self.put(u32::from(promoted), 1);
        }
        self.put(u32::from(color == Color::White), 1);
    }
}

/// Reads bits, the lowest first.
struct Reader<'a> {
    bytes: &'a [u8; PackedSfen::BYTES],
    at: usize,
    /// How many 0 bits may be read after the last byte.
    past_end: usize,
}

impl Reader<'_> {
    fn at_end(&self) -> bool {
        self.at >= 8 * PackedSfen::BYTES
    }

    fn take(&mut self, count: usize) -> Result<u32, PackedSfenError> {
        if self.at + count > 8 * PackedSfen::BYTES + self.past_end {
            return Err(PackedSfenError::Cut);
        }
        let bit = |at: usize| self.bytes.get(at / 8).map_or(0, |byte| u32::from(byte >> (at % 8) & 1));
        let value = (0..count).fold(0, |value, number| value | bit(self.at + number) << number);
        self.at += count;
        Ok(value)
    }

    /// Reads what follows the lowest bit of a code.
    fn take_kind(&mut self) -> Result<HandKind, PackedSfenError> {
        Ok(match self.take(1)? {
            0 => HandKind::Pawn,
            _ => match self.take(2)? {
                0b00 => HandKind::Lance,
                0b10 => HandKind::Knight,
                0b01 => HandKind::Silver,
                _ if self.take(1)? == 0 => HandKind::Gold,
                _ if self.take(1)? == 0 => HandKind::Bishop,
                _ => HandKind::Rook,
            },
        })
    }

    fn take_marks(&mut self, kind: HandKind) -> Result<(bool, Color), PackedSfenError> {
        let promoted = kind != HandKind::Gold && self.take(1)? != 0;
        let color = if self.take(1)? == 0 { Color::Black } else { Color::White };
        Ok((promoted, color))
    }
}

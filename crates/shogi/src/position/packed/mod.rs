//! Positions in 32 bytes, as used by training data and books.
//!
//! Bit stream from the low bit of the first byte: side to move (1), Black's king square (7),
//! White's (7; 81: no king), the other squares in order, the hands of Black and White, the missing
//! pieces. A piece takes as many bits in hand or missing as on the board together with the square
//! it vacates, so a position with both kings takes 256 bits. One with a single king takes 257 and
//! is accepted when the last is 0.
//!
//! There are two encodings: YaneuraOu's ([`PackedSfen`]) and Apery's ([`HuffmanCodedPos`]).

mod alphabet;
mod bits;

use super::{Position, SfenError};
use crate::types::{Color, HandKind, Piece, PieceKind, Square};
use alphabet::{Alphabet, EMPTY, HUFFMAN, Meaning, SFEN, Symbol};
use bits::{Reader, Writer};

/// Length in bytes.
const BYTES: usize = 32;

/// King square of a missing king.
const NO_KING: u8 = Square::COUNT as u8;

/// Why 32 bytes are not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum PackedSfenError {
    #[error("invalid king square {0}")]
    KingSquare(u32),
    #[error("both kings on {0:?}")]
    SharedSquare(Square),
    #[error("the bits end within a piece")]
    Truncated,
    #[error("invalid piece code")]
    NoPiece,
    #[error("there are more pieces of a kind than a set of 40 holds")]
    TooMany,
    #[error(transparent)]
    Position(#[from] SfenError),
}

macro_rules! packed_position {
    ($(#[$doc:meta])* $name:ident, $alphabet:expr) => {
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub [u8; BYTES]);

        impl $name {
            /// Length in bytes.
            pub const BYTES: usize = BYTES;

            /// Packs a position. `None` when it does not fit, which requires a missing king.
            pub fn of(position: &Position) -> Option<Self> {
                pack(position, &$alphabet).map(Self)
            }

            /// Unpacks the position, with move number `ply`; 0 counts as 1.
            ///
            /// # Errors
            /// When the bytes are not a valid game or mate problem position.
            pub fn position(&self, ply: u32) -> Result<Position, PackedSfenError> {
                unpack(&self.0, &$alphabet, ply)
            }
        }
    };
}

packed_position! {
    /// A position in 32 bytes in YaneuraOu's encoding, without move number and history.
    PackedSfen, SFEN
}

packed_position! {
    /// A position in 32 bytes in Apery's encoding (HCP), without move number and history.
    HuffmanCodedPos, HUFFMAN
}

fn pack(position: &Position, alphabet: &Alphabet) -> Option<[u8; BYTES]> {
    let mut bits = Writer::default();
    bits.put(Symbol { value: u8::from(position.side == Color::White), bits: 1 });
    for color in Color::ALL {
        let value = position.kings[color].map_or(NO_KING, |square| square.index() as u8);
        bits.put(Symbol { value, bits: 7 });
    }
    let mut missing = HandKind::ALL.map(|kind| kind.full_set_count());
    for square in Square::all() {
        let Some(piece) = position.board[square] else {
            bits.put(EMPTY);
            continue;
        };
        let Some(kind) = piece.kind().in_hand() else { continue };
        missing[kind] = missing[kind].saturating_sub(1);
        bits.put(alphabet.board(kind, piece.kind().is_promoted(), piece.color()));
    }
    for color in Color::ALL {
        for kind in HandKind::ASCENDING {
            let held = position.hands[color].count(kind);
            missing[kind] = missing[kind].saturating_sub(held);
            (0..held).for_each(|_| bits.put(alphabet.hand(kind, color)));
        }
    }
    for kind in HandKind::ASCENDING {
        (0..missing[kind]).for_each(|_| bits.put(alphabet.missing(kind)));
    }
    bits.finish()
}

fn unpack(bytes: &[u8; BYTES], alphabet: &Alphabet, ply: u32) -> Result<Position, PackedSfenError> {
    let mut bits = Reader::new(bytes);
    let side = if bits.take(1)? == 0 { Color::Black } else { Color::White };
    let mut position = Position::empty();
    for color in Color::ALL {
        match bits.take(7)? {
            NO_KING => bits.allow_one_more(),
            number => {
                let square = Square::new(number.into()).ok_or(PackedSfenError::KingSquare(number.into()))?;
                if position.board[square].is_some() {
                    return Err(PackedSfenError::SharedSquare(square));
                }
                position.put(Piece::new(color, PieceKind::King), square);
            }
        }
    }
    for square in Square::all() {
        if position.board[square].is_some() {
            continue;
        }
        let (meaning, count) = alphabet.on_board(bits.peek()).ok_or(PackedSfenError::NoPiece)?;
        bits.skip(count.into())?;
        if let Meaning::Piece { kind, promoted, color } = meaning {
            let kind = kind.on_board();
            position.put(Piece::new(color, if promoted { kind.promoted() } else { kind }), square);
        }
    }
    while !bits.at_end() {
        let (meaning, count) = alphabet.in_hand(bits.peek()).ok_or(PackedSfenError::NoPiece)?;
        bits.skip(count.into())?;
        if let Meaning::Piece { kind, color, .. } = meaning {
            let hand = position.hands[color].checked_add(kind);
            position.hands[color] = hand.ok_or(PackedSfenError::TooMany)?;
        }
    }
    position.check_pieces()?;
    // Some programs count from 0.
    position.finish(side, ply.max(1));
    position.check_turn()?;
    Ok(position)
}

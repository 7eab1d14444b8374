//! Positions in 32 bytes, as used by training data and books.
//!
//! Bit stream from the low bit of the first byte: side to move (1), Black's king square (7),
//! White's (7; 81: no king), the other squares in order, the hands of Black and White, the missing
//! pieces. A piece takes as many bits in hand or missing as on the board together with the square
//! it vacates, so a position with both kings takes 256 bits. One with a single king takes 257 and
//! is accepted when the last is 0.
//!
//! There are two encodings: YaneuraOu's ([`PackedSfen`]) and Apery's ([`HuffmanCodedPos`]).

use super::{Position, SfenError};
use crate::types::{Color, HandKind, Piece, PieceKind, Square};

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
        bits.put(alphabet.board[kind][usize::from(piece.kind().is_promoted())][piece.color()]);
    }
    for color in Color::ALL {
        for kind in HandKind::ASCENDING {
            let held = position.hands[color].count(kind);
            missing[kind] = missing[kind].saturating_sub(held);
            (0..held).for_each(|_| bits.put(alphabet.hand[kind][color]));
        }
    }
    for kind in HandKind::ASCENDING {
        (0..missing[kind]).for_each(|_| bits.put(alphabet.missing[kind]));
    }
    bits.finish()
}

fn unpack(bytes: &[u8; BYTES], alphabet: &Alphabet, ply: u32) -> Result<Position, PackedSfenError> {
    let mut bits = Reader { bytes, at: 0, past_end: 0 };
    let side = if bits.take(1)? == 0 { Color::Black } else { Color::White };
    let mut position = Position::empty();
    for color in Color::ALL {
        match bits.take(7)? {
            NO_KING => bits.past_end = 1,
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
        let (meaning, count) = alphabet.on_board[bits.peek()].ok_or(PackedSfenError::NoPiece)?;
        bits.skip(count.into())?;
        if let Meaning::Piece { kind, promoted, color } = meaning {
            let kind = kind.on_board();
            position.put(Piece::new(color, if promoted { kind.promoted() } else { kind }), square);
        }
    }
    while bits.at < BITS {
        let (meaning, count) = alphabet.in_hand[bits.peek()].ok_or(PackedSfenError::NoPiece)?;
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

/// Code of a piece or an empty square, low bit first.
#[derive(Copy, Clone)]
struct Symbol {
    value: u8,
    bits: u8,
}

/// An empty square.
const EMPTY: Symbol = Symbol { value: 0, bits: 1 };

/// Meaning of a code.
#[derive(Copy, Clone)]
enum Meaning {
    /// An empty square.
    Empty,
    /// A piece on the board or, unpromoted, in hand.
    Piece { kind: HandKind, promoted: bool, color: Color },
    /// A piece missing from the set.
    Missing,
}

/// The codes of one encoding, with decoding tables.
struct Alphabet {
    /// By kind, promotion and colour. Golds do not promote.
    board: [[[Symbol; 2]; 2]; HandKind::COUNT],
    /// By kind and colour.
    hand: [[Symbol; 2]; HandKind::COUNT],
    /// By kind.
    missing: [Symbol; HandKind::COUNT],
    on_board: Lookup,
    in_hand: Lookup,
}

/// Meaning and length of the code at the start of the next eight bits.
type Lookup = [Option<(Meaning, u8)>; 256];

impl Alphabet {
    const fn new(
        board: [[[Symbol; 2]; 2]; HandKind::COUNT],
        hand: [[Symbol; 2]; HandKind::COUNT],
        missing: [Symbol; HandKind::COUNT],
    ) -> Self {
        let (mut on_board, mut in_hand): (Lookup, Lookup) = ([None; 256], [None; 256]);
        enter(&mut on_board, EMPTY, Meaning::Empty);
        let mut number = 0;
        while number < HandKind::COUNT {
            let kind = HandKind::ALL[number];
            let mut side = 0;
            while side < 2 {
                let color = Color::ALL[side];
                enter(&mut on_board, board[number][0][side], Meaning::Piece { kind, promoted: false, color });
                if !matches!(kind, HandKind::Gold) {
                    enter(&mut on_board, board[number][1][side], Meaning::Piece { kind, promoted: true, color });
                }
                enter(&mut in_hand, hand[number][side], Meaning::Piece { kind, promoted: false, color });
                side += 1;
            }
            enter(&mut in_hand, missing[number], Meaning::Missing);
            number += 1;
        }
        Self { board, hand, missing, on_board, in_hand }
    }
}

/// Enters a code at all bytes that start with it.
const fn enter(lookup: &mut Lookup, symbol: Symbol, meaning: Meaning) {
    let mut next = symbol.value as usize;
    while next < 256 {
        assert!(lookup[next].is_none(), "the code is prefix-free");
        lookup[next] = Some((meaning, symbol.bits));
        next += 1 << symbol.bits;
    }
}

/// Code of a kind without its promotion and colour bits: value and length. Silver and knight are
/// swapped between the encodings. In hand the lowest bit is omitted.
type Bare = [(u8, u8); HandKind::COUNT];

/// A code followed by two bits; golds have the colour bit only.
const fn marked((value, bits): (u8, u8), kind: usize, first: bool, second: bool) -> Symbol {
    if kind == HandKind::Gold as usize {
        Symbol { value: value | (second as u8) << bits, bits: bits + 1 }
    } else {
        Symbol { value: value | (first as u8) << bits | (second as u8) << (bits + 1), bits: bits + 2 }
    }
}

/// YaneuraOu's encoding: promotion before colour; a missing piece is coded as a promoted one in
/// hand.
static SFEN: Alphabet = {
    const BARE: Bare = [(0b1, 2), (0b11, 4), (0b1011, 4), (0b111, 4), (0b1_1111, 6), (0b11_1111, 6), (0b1111, 5)];
    let mut board = [[[EMPTY; 2]; 2]; HandKind::COUNT];
    let mut hand = [[EMPTY; 2]; HandKind::COUNT];
    let mut missing = [EMPTY; HandKind::COUNT];
    let mut kind = 0;
    while kind < HandKind::COUNT {
        let (value, bits) = BARE[kind];
        let held = (value >> 1, bits - 1);
        board[kind] = [
            [marked(BARE[kind], kind, false, false), marked(BARE[kind], kind, false, true)],
            [marked(BARE[kind], kind, true, false), marked(BARE[kind], kind, true, true)],
        ];
        hand[kind] = [marked(held, kind, false, false), marked(held, kind, false, true)];
        missing[kind] = marked(held, kind, true, false);
        kind += 1;
    }
    // There is no promoted gold; a promoted silver of White takes its code.
    missing[HandKind::Gold as usize] = Symbol { value: 0b1_1011, bits: 5 };
    Alphabet::new(board, hand, missing)
};

/// Apery's encoding: colour before promotion on the board; in hand the colour bit is last, and
/// missing pieces have their own codes.
static HUFFMAN: Alphabet = {
    const BARE: Bare = [(0b1, 2), (0b11, 4), (0b111, 4), (0b1011, 4), (0b1_1111, 6), (0b11_1111, 6), (0b1111, 5)];
    const HELD: Bare = [(0, 3), (1, 5), (0b11, 5), (0b101, 5), (0b1_1111, 7), (0b11_1111, 7), (0b111, 5)];
    const MISSING: Bare =
        [(0b10, 3), (0b1001, 5), (0b1011, 5), (0b1101, 5), (0b1111, 7), (0b10_1111, 7), (0b1_1101, 5)];
    let mut board = [[[EMPTY; 2]; 2]; HandKind::COUNT];
    let mut hand = [[EMPTY; 2]; HandKind::COUNT];
    let mut missing = [EMPTY; HandKind::COUNT];
    let mut kind = 0;
    while kind < HandKind::COUNT {
        board[kind] = [
            [marked(BARE[kind], kind, false, false), marked(BARE[kind], kind, true, kind == HandKind::Gold as usize)],
            [marked(BARE[kind], kind, false, true), marked(BARE[kind], kind, true, true)],
        ];
        let (value, bits) = HELD[kind];
        hand[kind] = [Symbol { value, bits }, Symbol { value: value | 1 << (bits - 1), bits }];
        let (value, bits) = MISSING[kind];
        missing[kind] = Symbol { value, bits };
        kind += 1;
    }
    Alphabet::new(board, hand, missing)
};

const BITS: usize = 8 * BYTES;

/// Writes bits.
#[derive(Default)]
struct Writer {
    bytes: [u8; BYTES],
    at: usize,
    lost: bool,
}

impl Writer {
    fn put(&mut self, symbol: Symbol) {
        for bit in 0..usize::from(symbol.bits) {
            if symbol.value >> bit & 1 != 0 {
                match self.bytes.get_mut(self.at / 8) {
                    Some(byte) => *byte |= 1 << (self.at % 8),
                    None => self.lost = true,
                }
            }
            self.at += 1;
        }
    }

    /// The bytes, if everything fits. A final 0 bit beyond the end is implied.
    fn finish(self) -> Option<[u8; BYTES]> {
        (!self.lost && self.at <= BITS + 1).then_some(self.bytes)
    }
}

/// Reads bits.
struct Reader<'a> {
    bytes: &'a [u8; BYTES],
    at: usize,
    /// Number of 0 bits that may be read past the end.
    past_end: usize,
}

impl Reader<'_> {
    /// The next eight bits, padded with 0 at the end.
    fn peek(&self) -> usize {
        let byte = |at: usize| self.bytes.get(at).copied().unwrap_or_default();
        let pair = u16::from_le_bytes([byte(self.at / 8), byte(self.at / 8 + 1)]);
        usize::from((pair >> (self.at % 8)) as u8)
    }

    fn skip(&mut self, count: usize) -> Result<(), PackedSfenError> {
        self.at += count;
        if self.at > BITS + self.past_end { Err(PackedSfenError::Truncated) } else { Ok(()) }
    }

    /// Up to eight bits.
    fn take(&mut self, count: usize) -> Result<u8, PackedSfenError> {
        let value = self.peek() as u8 & u8::MAX >> (8 - count);
        self.skip(count)?;
        Ok(value)
    }
}

//! Huffman codes of the pieces, in both encodings.

use crate::types::{Color, HandKind};

/// Code of a piece or an empty square, low bit first.
#[derive(Copy, Clone)]
pub(super) struct Symbol {
    pub(super) value: u8,
    pub(super) bits: u8,
}

/// An empty square.
pub(super) const EMPTY: Symbol = Symbol { value: 0, bits: 1 };

/// Meaning of a code.
#[derive(Copy, Clone)]
pub(super) enum Meaning {
    /// An empty square.
    Empty,
    /// A piece on the board or, unpromoted, in hand.
    Piece { kind: HandKind, promoted: bool, color: Color },
    /// A piece missing from the set.
    Missing,
}

/// The codes of one encoding, with decoding tables.
pub(super) struct Alphabet {
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
    pub(super) const fn board(&self, kind: HandKind, promoted: bool, color: Color) -> Symbol {
        self.board[kind as usize][promoted as usize][color as usize]
    }

    pub(super) const fn hand(&self, kind: HandKind, color: Color) -> Symbol {
        self.hand[kind as usize][color as usize]
    }

    pub(super) const fn missing(&self, kind: HandKind) -> Symbol {
        self.missing[kind as usize]
    }

    /// Decodes a square from the next eight bits.
    pub(super) const fn on_board(&self, next: u8) -> Option<(Meaning, u8)> {
        self.on_board[next as usize]
    }

    /// Decodes a piece in hand or missing from the next eight bits.
    pub(super) const fn in_hand(&self, next: u8) -> Option<(Meaning, u8)> {
        self.in_hand[next as usize]
    }

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
pub(super) static SFEN: Alphabet = {
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
pub(super) static HUFFMAN: Alphabet = {
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
            [marked(BARE[kind], kind, false, false), colored(BARE[kind], kind)],
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

/// The code of an unpromoted White piece in the encoding with colour first.
const fn colored(bare: (u8, u8), kind: usize) -> Symbol {
    marked(bare, kind, true, kind == HandKind::Gold as usize)
}

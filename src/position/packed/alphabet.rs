//! The bits of each piece, in the two ways that are in use.

use crate::types::{Color, HandKind};

/// One piece, or an empty square, in bits; the lowest comes first.
#[derive(Copy, Clone)]
pub(super) struct Symbol {
    pub(super) value: u8,
    pub(super) bits: u8,
}

/// An empty square.
pub(super) const EMPTY: Symbol = Symbol { value: 0, bits: 1 };

/// What a symbol means.
#[derive(Copy, Clone)]
pub(super) enum Meaning {
    /// An empty square.
    Empty,
    /// A piece on the board or, never promoted, in hand.
    Piece { kind: HandKind, promoted: bool, color: Color },
    /// A piece that is not in the game.
    Missing,
}

/// The symbols of one encoding, and what eight bits begin with.
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

/// By the next eight bits: what they mean, and how many of them.
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

    /// What stands on a square, by the next eight bits.
    pub(super) const fn on_board(&self, next: u8) -> Option<(Meaning, u8)> {
        self.on_board[next as usize]
    }

    /// What follows the board, by the next eight bits.
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

/// Enters a symbol at all bytes that begin with it.
const fn enter(lookup: &mut Lookup, symbol: Symbol, meaning: Meaning) {
    let mut next = symbol.value as usize;
    while next < 256 {
        assert!(lookup[next].is_none(), "no symbol begins with another");
        lookup[next] = Some((meaning, symbol.bits));
        next += 1 << symbol.bits;
    }
}

/// A piece on the board without its marks of promotion and colour, by kind: value and bits. Silver and knight change places
/// between the encodings. In hand the lowest bit is left out.
type Bare = [(u8, u8); HandKind::COUNT];

/// A bare piece with two marks behind it; golds have only the mark of colour.
const fn marked((value, bits): (u8, u8), kind: usize, first: bool, second: bool) -> Symbol {
    if kind == HandKind::Gold as usize {
        Symbol { value: value | (second as u8) << bits, bits: bits + 1 }
    } else {
        Symbol { value: value | (first as u8) << bits | (second as u8) << (bits + 1), bits: bits + 2 }
    }
}

/// The encoding of YaneuraOu: promotion before colour; a missing piece is a promoted one in hand.
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
    // There is no promoted gold; its place is taken by a promoted silver of White.
    missing[HandKind::Gold as usize] = Symbol { value: 0b1_1011, bits: 5 };
    Alphabet::new(board, hand, missing)
};

/// The encoding of Apery: colour before promotion on the board; in hand the mark of colour comes last, and what is missing has
/// symbols of its own.
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

/// A bare, unpromoted piece of White where the mark of colour comes first.
const fn colored(bare: (u8, u8), kind: usize) -> Symbol {
    marked(bare, kind, true, kind == HandKind::Gold as usize)
}

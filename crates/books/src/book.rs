//! Book moves and positions, in any format, and the keys of positions in book files.
//!
//! The keys never change. A key is the XOR of one number for each piece on the board, one for each kind in hand, and one
//! if White is to move. The numbers are outputs of SplitMix64 with the state `0x53484f422d4b4559`
//! (the letters `SHOB-KEY`): output *i*, from 0, is *mix*(state + (*i* + 1) ·
//! `0x9e3779b97f4a7c15`), where *mix* is
//!
//! ```text
//! z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
//! z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
//! z ^ (z >> 31)
//! ```
//!
//! | what | *i* |
//! |---|---|
//! | piece on a square | (14 · colour + kind) · 81 + square |
//! | *n* ≥ 1 pieces of a kind in hand | 2268 + (7 · colour + kind) · 19 + *n* |
//! | White to move | 2534 |
//!
//! with Black 0 and White 1; kinds P L N S B R G K +P +L +N +S +B +R from 0, those in hand the
//! first seven; square 9 · (file − 1) + (rank − 1). They are unrelated to the keys of [`Position`],
//! which may change with any version.

use sabi_shogi::{Color, HandKind, Move, Piece, Position, Score, Square, split_mix};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A book move. Unknown values are `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move. A candidate only: legality is checked before it is played.
    pub mv: Move,
    /// Weight relative to the other moves of the position; 0 if it is not to be played.
    pub weight: u32,
    /// Number of games with the move.
    pub games: Option<u32>,
    /// Score of these games for the side that played it, in 1/10000: win 1, draw 1/2.
    pub win_rate: Option<u16>,
    /// Score for the side that plays it, in centipawns.
    pub score: Option<Score>,
    /// Depth of the search for the score.
    pub depth: Option<u16>,
    /// The expected answer.
    pub answer: Option<Move>,
    /// Opening name.
    pub name: Option<Arc<str>>,
}

impl BookMove {
    /// A move with only a weight.
    pub fn new(mv: Move, weight: u32) -> Self {
        Self { mv, weight, games: None, win_rate: None, score: None, depth: None, answer: None, name: None }
    }
}

/// A win rate of 1.
pub const WIN_RATE_ONE: u16 = 10_000;

/// A position with its moves, largest weight first.
#[derive(Clone, Debug)]
pub struct BookPosition {
    /// The position; its ply is that of the line through which it was first reached.
    pub position: Position,
    /// Its moves, without duplicates.
    pub moves: Vec<BookMove>,
}

impl BookPosition {
    /// The SFEN without the move number, the sort key of text books.
    pub fn sfen_without_ply(&self) -> String {
        let mut sfen = self.position.sfen();
        sfen.truncate(sfen.rfind(' ').unwrap_or(sfen.len()));
        sfen
    }
}

/// A book in memory: positions by [`book_key`].
pub type BookMap = BTreeMap<u64, BookPosition>;

const SEED: u64 = 0x5348_4f42_2d4b_4559;

const HANDS_AT: usize = Piece::COUNT * Square::COUNT;
const MAX_IN_HAND: usize = 18;
const SIDE_AT: usize = HANDS_AT + 2 * HandKind::COUNT * (MAX_IN_HAND + 1);

static NUMBERS: [u64; SIDE_AT + 1] = {
    let mut numbers = [0; SIDE_AT + 1];
    let mut number = 0;
    while number <= SIDE_AT {
        numbers[number] = split_mix(SEED, number as u64 + 1);
        number += 1;
    }
    numbers
};

/// The key of a position in book files.
pub fn book_key(position: &Position) -> u64 {
    key(position, |piece| piece, |square| square, |color| color)
}

/// The key of the position rotated with the sides exchanged. Moves found under it belong to
/// [`Position::rotated`]: each must be [rotated](sabi_shogi::Move::rotated) to be played in
/// `position`.
pub fn flipped_book_key(position: &Position) -> u64 {
    key(position, Piece::flipped, Square::rotated, |color| !color)
}

fn key(
    position: &Position,
    piece_as: impl Fn(Piece) -> Piece,
    square_as: impl Fn(Square) -> Square,
    color_as: impl Fn(Color) -> Color,
) -> u64 {
    let mut key = if color_as(position.side_to_move()) == Color::White { NUMBERS[SIDE_AT] } else { 0 };
    for square in position.occupied() {
        if let Some(piece) = position.piece_at(square) {
            key ^= NUMBERS[piece_as(piece).index() * Square::COUNT + square_as(square).index()];
        }
    }
    for color in Color::ALL {
        for (kind, count) in position.hand(color).iter() {
            let row = HandKind::COUNT * color_as(color).index() + kind.index();
            key ^= NUMBERS[HANDS_AT + row * (MAX_IN_HAND + 1) + usize::from(count)];
        }
    }
    key
}

//! Random positions and books.

use sabi_books::{BookMap, BookMove, BookPosition, ShobOptions, WIN_RATE_ONE, book_key};
use sabi_shogi::{Move, Position, Score, legal_moves, split_mix};
use std::sync::Arc;

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        let value = split_mix(self.0, 1);
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        value
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    pub fn some<T>(&mut self, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.one_in(2) { Some(value(self)) } else { None }
    }
}

pub const ALL_OPTIONS: [ShobOptions; 4] = [
    ShobOptions { compress: false, positions: false },
    ShobOptions { compress: false, positions: true },
    ShobOptions { compress: true, positions: false },
    ShobOptions { compress: true, positions: true },
];

/// Positions of a random game from `start`.
pub fn playout(start: &str, plies: usize, random: &mut Random) -> Vec<Position> {
    let mut position = Position::from_sfen(start).expect("a position");
    let mut positions = vec![position.clone()];
    for _ in 0..plies {
        let moves = legal_moves(&position);
        if moves.is_empty() {
            break;
        }
        position.play(moves[random.below(moves.len())]);
        positions.push(position.clone());
    }
    positions
}

const NAMES: [&str; 4] = ["", "Static Rook", "矢倉", "a name that is much longer than the others, as some are"];

/// A move with random values, known or not.
pub fn any_move(mv: Move, random: &mut Random) -> BookMove {
    let score = |random: &mut Random| Score::raw(random.below(64_001) as i32 - 32_000);
    let extreme = |random: &mut Random| [0, 1, 127, 128, u32::MAX - 1, u32::MAX, 1000][random.below(7)];
    BookMove {
        mv,
        weight: extreme(random),
        games: random.some(extreme),
        win_rate: random.some(|random| random.below(usize::from(WIN_RATE_ONE) + 1) as u16),
        score: random.some(score),
        depth: random.some(|random| random.next() as u16),
        answer: random.some(|random| {
            loop {
                if let Some(mv) = Move::from_bits(random.next() as u16) {
                    return mv;
                }
            }
        }),
        name: random.some(|random| Arc::from(NAMES[random.below(NAMES.len())])),
    }
}

/// A book of random games; many positions are not connected.
pub fn any_book(games: usize, plies: usize, random: &mut Random) -> BookMap {
    let mut book = BookMap::new();
    for _ in 0..games {
        for position in playout(sabi_shogi::STARTPOS_SFEN, plies, random) {
            if random.one_in(5) {
                continue;
            }
            let choice = legal_moves(&position);
            let count = choice.len().min(random.below(4));
            let mut moves: Vec<BookMove> = Vec::new();
            // The move played is usually present.
            for _ in 0..count {
                let mv = choice[random.below(choice.len())];
                if moves.iter().all(|other| other.mv != mv) {
                    moves.push(any_move(mv, random));
                }
            }
            book.insert(book_key(&position), BookPosition { position, moves });
        }
    }
    book
}

/// A book whose positions are connected by its moves.
pub fn connected_book(games: usize, plies: usize, random: &mut Random) -> BookMap {
    let mut book = BookMap::new();
    for _ in 0..games {
        let positions = playout(sabi_shogi::STARTPOS_SFEN, plies, random);
        for pair in positions.windows(2) {
            let mv = pair[1].last_move().expect("a move was played");
            let entry = book
                .entry(book_key(&pair[0]))
                .or_insert_with(|| BookPosition { position: pair[0].clone(), moves: Vec::new() });
            if entry.moves.iter().all(|other| other.mv != mv) {
                entry.moves.push(any_move(mv, random));
            }
        }
    }
    book
}

/// Whether two books are equal, except for histories.
pub fn assert_same(left: &BookMap, right: &BookMap) {
    assert_eq!(left.len(), right.len());
    for ((left_key, left), (right_key, right)) in left.iter().zip(right) {
        assert_eq!(left_key, right_key);
        assert_eq!(left.position.sfen(), right.position.sfen());
        assert_eq!(left.moves, right.moves);
    }
}

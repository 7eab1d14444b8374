//! The keys of Apery's book: Zobrist keys from the standard 64-bit Mersenne Twister with its
//! default seed.

use sabi_shogi::{Color, HandKind, PieceKind, Position, Square};

/// Piece codes 0 to 30; 0 is the empty square, and some are unused.
const PIECES: usize = 31;
/// Counts 0 to 18.
const COUNTS: usize = 19;

/// Keys in the order in which they are drawn.
struct Keys {
    pieces: [[u64; Square::COUNT]; PIECES],
    hands: [[u64; COUNTS]; HandKind::COUNT],
    white: u64,
}

static KEYS: Keys = draw();

/// The Mersenne Twister MT19937-64 of Matsumoto and Nishimura.
struct MersenneTwister {
    state: [u64; Self::SIZE],
    at: usize,
}

impl MersenneTwister {
    const SIZE: usize = 312;
    const MIDDLE: usize = 156;
    /// The default seed.
    const SEED: u64 = 5489;

    const fn new() -> Self {
        let mut state = [Self::SEED; Self::SIZE];
        let mut at = 1;
        while at < Self::SIZE {
            let last = state[at - 1];
            state[at] = (last ^ (last >> 62)).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(at as u64);
            at += 1;
        }
        Self { state, at: Self::SIZE }
    }

    const fn twist(&mut self) {
        let mut at = 0;
        while at < Self::SIZE {
            let low = self.state[(at + 1) % Self::SIZE] & 0x7fff_ffff;
            let mixed = self.state[at] & !0x7fff_ffff | low;
            let odd = if mixed & 1 == 1 { 0xb502_6f5a_a966_19e9 } else { 0 };
            self.state[at] = self.state[(at + Self::MIDDLE) % Self::SIZE] ^ (mixed >> 1) ^ odd;
            at += 1;
        }
        self.at = 0;
    }

    const fn next(&mut self) -> u64 {
        if self.at == Self::SIZE {
            self.twist();
        }
        let mut x = self.state[self.at];
        self.at += 1;
        x ^= (x >> 29) & 0x5555_5555_5555_5555;
        x ^= (x << 17) & 0x71d6_7fff_eda6_0000;
        x ^= (x << 37) & 0xfff7_eee0_0000_0000;
        x ^ (x >> 43)
    }
}

const fn draw() -> Keys {
    let mut twister = MersenneTwister::new();
    let mut keys = Keys { pieces: [[0; Square::COUNT]; PIECES], hands: [[0; COUNTS]; HandKind::COUNT], white: 0 };
    let mut piece = 0;
    while piece < PIECES {
        let mut square = 0;
        while square < Square::COUNT {
            keys.pieces[piece][square] = twister.next();
            square += 1;
        }
        piece += 1;
    }
    let mut hand = 0;
    while hand < HandKind::COUNT {
        let mut count = 0;
        while count < COUNTS {
            keys.hands[hand][count] = twister.next();
            count += 1;
        }
        hand += 1;
    }
    keys.white = twister.next();
    keys
}

/// Apery's code of a piece kind.
const fn code(kind: PieceKind) -> usize {
    use PieceKind as K;
    match kind {
        K::Pawn => 1,
        K::Lance => 2,
        K::Knight => 3,
        K::Silver => 4,
        K::Bishop => 5,
        K::Rook => 6,
        K::Gold => 7,
        K::King => 8,
        K::ProPawn => 9,
        K::ProLance => 10,
        K::ProKnight => 11,
        K::ProSilver => 12,
        K::Horse => 13,
        K::Dragon => 14,
    }
}

/// Apery's key of a position: squares, the hand of the side to move, and that side.
pub fn apery_key(position: &Position) -> u64 {
    let side = position.side_to_move();
    let mut key = if side == Color::White { KEYS.white } else { 0 };
    for square in position.occupied() {
        if let Some(piece) = position.piece_at(square) {
            let white = if piece.color() == Color::White { 16 } else { 0 };
            key ^= KEYS.pieces[code(piece.kind()) + white][square.index()];
        }
    }
    // An empty hand has keys too.
    let hand = position.hand(side);
    HandKind::ASCENDING
        .iter()
        .zip(&KEYS.hands)
        .fold(key, |key, (&kind, keys)| key ^ keys[usize::from(hand.count(kind))])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value required by the C++ standard.
    #[test]
    fn matches_standard_mt19937_64() {
        let mut twister = MersenneTwister::new();
        (1..10_000).for_each(|_| {
            twister.next();
        });
        assert_eq!(twister.next(), 9_981_545_732_273_789_042);
    }

    #[test]
    fn keys_match_real_books() {
        let start = Position::startpos();
        assert_eq!(apery_key(&start), 0xeebe_8ee7_e1ad_7e15);
        assert_eq!(apery_key(&start.with_moves(["7g7f"]).unwrap()), 0x3e7b_1f82_5672_20d5);
    }
}

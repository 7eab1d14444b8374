//! What a network sees: every piece on its square or in a hand as a number, once from the view of each side.
//!
//! The numbers are those of the YaneuraOu family ("BonaPiece"). A side sees the board from its own end, its own pieces as friends.
//! The k-th piece of a kind in hand has a number of its own, and all up to the k-th count.

use crate::position::Position;
use crate::types::{Color, HandKind, Piece, PieceKind, Square};
use serde::{Deserialize, Serialize};

/// Numbers of pieces other than kings: 0 stands for one that is missing.
pub(super) const PIECES: usize = 1548;
/// Numbers of kings and all other pieces.
const PIECES_AND_KINGS: usize = PIECES + 2 * Square::COUNT;
/// How many pieces other than kings a full set has.
const FULL_SET: usize = 38;
/// No position has more features.
pub(super) const MOST: usize = FULL_SET + 2;

/// The number of a piece as Black and as White see it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Seen([u16; 2]);

impl Seen {
    #[inline]
    pub fn by(self, color: Color) -> usize {
        self.0[color].into()
    }
}

/// First numbers of a kind on the board, for a friend and an enemy.
const fn on_board(kind: PieceKind) -> [usize; 2] {
    match kind {
        PieceKind::Pawn => [90, 171],
        PieceKind::Lance => [252, 333],
        PieceKind::Knight => [414, 495],
        PieceKind::Silver => [576, 657],
        PieceKind::Gold | PieceKind::ProPawn | PieceKind::ProLance | PieceKind::ProKnight | PieceKind::ProSilver => {
            [738, 819]
        }
        PieceKind::Bishop => [900, 981],
        PieceKind::Horse => [1062, 1143],
        PieceKind::Rook => [1224, 1305],
        PieceKind::Dragon => [1386, 1467],
        PieceKind::King => [PIECES, PIECES + Square::COUNT],
    }
}

/// Numbers of the first piece of a kind in hand, of a friend and an enemy.
const fn in_hand(kind: HandKind) -> [usize; 2] {
    match kind {
        HandKind::Pawn => [1, 20],
        HandKind::Lance => [39, 44],
        HandKind::Knight => [49, 54],
        HandKind::Silver => [59, 64],
        HandKind::Gold => [69, 74],
        HandKind::Bishop => [79, 82],
        HandKind::Rook => [85, 88],
    }
}

static BOARD: [[Seen; Square::COUNT]; Piece::COUNT] = {
    let mut table = [[Seen([0; 2]); Square::COUNT]; Piece::COUNT];
    let mut number = 0;
    while number < Piece::COUNT {
        let [friend, enemy] = on_board(PieceKind::ALL[number % PieceKind::COUNT]);
        let mut square = 0;
        while square < Square::COUNT {
            let turned = Square::COUNT - 1 - square;
            let seen = if number < PieceKind::COUNT {
                [friend + square, enemy + turned]
            } else {
                [enemy + square, friend + turned]
            };
            table[number][square] = Seen([seen[0] as u16, seen[1] as u16]);
            square += 1;
        }
        number += 1;
    }
    table
};

/// The number of a piece on a square.
#[inline]
pub(super) fn board(piece: Piece, square: Square) -> Seen {
    BOARD[piece.index()][square]
}

/// The number of the `count`-th piece of a kind in a hand, counted from 1.
#[inline]
pub(super) fn hand(color: Color, kind: HandKind, count: u8) -> Seen {
    let [friend, enemy] = in_hand(kind).map(|first| first as u16 + u16::from(count) - 1);
    Seen(if color == Color::Black { [friend, enemy] } else { [enemy, friend] })
}

/// What one side sees under a number ([`Features::Kp`]), the other sees under the number at its place in this table.
pub fn turned_numbers() -> Vec<u16> {
    // What is missing is missing for both.
    let mut turned = vec![0; PIECES_AND_KINGS];
    let hands = Color::ALL.into_iter().flat_map(|color| {
        HandKind::ALL.into_iter().flat_map(move |kind| (1..=kind.in_a_set()).map(move |count| hand(color, kind, count)))
    });
    for Seen([black, white]) in BOARD.iter().flatten().copied().chain(hands) {
        turned[usize::from(black)] = white;
        turned[usize::from(white)] = black;
    }
    turned
}

/// The numbers ([`Features::Kp`]) on the board that is mirrored left to right: the rules do not tell the two apart.
pub fn mirrored_numbers() -> Vec<u16> {
    // Hands, and what is missing, stay as they are.
    let mut mirrored: Vec<u16> = (0..PIECES_AND_KINGS as u16).collect();
    for row in &BOARD {
        for square in Square::all() {
            mirrored[row[square].by(Color::Black)] = row[square.mirrored()].0[0];
        }
    }
    mirrored
}

/// How pieces become inputs of a network.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Features {
    /// Every piece with the place of the own king.
    HalfKp,
    /// Every piece, and both kings, by themselves.
    Kp,
}

impl Features {
    pub(super) const ALL: [Self; 2] = [Self::HalfKp, Self::Kp];

    /// How many inputs there are for each side.
    pub const fn inputs(self) -> usize {
        match self {
            Self::HalfKp => Square::COUNT * PIECES,
            Self::Kp => PIECES_AND_KINGS,
        }
    }

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::HalfKp => "HalfKP(Friend)",
            Self::Kp => "K+P",
        }
    }

    /// The number that files have for it.
    pub(super) const fn hash(self) -> u32 {
        match self {
            Self::HalfKp => 0x5D69_D5B9 ^ 1,
            // That of the kings, then that of the pieces.
            Self::Kp => 0xD3CE_E169 ^ 0x764C_FB4B_u32.rotate_left(1),
        }
    }

    /// Whether a king of its own that moves changes everything a side sees.
    #[inline]
    pub(super) const fn depend_on_king(self) -> bool {
        matches!(self, Self::HalfKp)
    }

    /// Whether a king is a piece like others.
    #[inline]
    pub(super) const fn have_kings(self) -> bool {
        matches!(self, Self::Kp)
    }

    /// What is added to the number of a piece to make it the number of an input, in the view of `color`.
    #[inline]
    pub(super) fn offset(self, position: &Position, color: Color) -> usize {
        match self {
            // Where a mate problem has no king, it is thought to be at home.
            Self::HalfKp => PIECES * position.king(color).map_or(44, |king| king.seen_by(color).index()),
            Self::Kp => 0,
        }
    }

    /// Calls `each` with all inputs that are set in the view of `color`. The number of a missing piece may come several times.
    pub fn each(self, position: &Position, color: Color, mut each: impl FnMut(usize)) {
        let offset = self.offset(position, color);
        let mut pieces = 0;
        position.occupied().for_each(|square| {
            if let Some(piece) = position.piece_at(square) {
                let king = piece.kind() == PieceKind::King;
                pieces += usize::from(!king);
                if !king || self.have_kings() {
                    each(offset + board(piece, square).by(color));
                }
            }
        });
        for owner in Color::ALL {
            for (kind, count) in position.hand(owner).iter() {
                pieces += usize::from(count);
                (1..=count).for_each(|nth| each(offset + hand(owner, kind, nth).by(color)));
            }
        }
        // Every piece that is not there counts as one, too.
        (pieces..FULL_SET).for_each(|_| each(offset));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_description() {
        let sfen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
        let position = Position::from_sfen(sfen).unwrap();
        let listed = |features: Features, color| {
            let mut list = Vec::new();
            features.each(&position, color, |index| list.push(index));
            list.sort_unstable();
            list
        };
        let black = listed(Features::Kp, Color::Black);
        assert_eq!(black.len(), 40);
        // The own king on 5i, the enemy's on 5a; the own rook on 2h, the enemy's on 8b; the pawn on 7f.
        for index in [1548 + 44, 1629 + 36, 1224 + 16, 1305 + 64, 90 + 59] {
            assert!(black.contains(&index), "{index}");
        }
        let white = listed(Features::Kp, Color::White);
        // The same board turned: their 3d is our 7f.
        assert_eq!(white, black);
        let half = listed(Features::HalfKp, Color::White);
        assert_eq!(half.len(), 38);
        assert!(half.contains(&(1548 * 44 + 90 + 59)));
    }

    #[test]
    fn what_one_side_sees_the_other_sees_turned() {
        let turned = turned_numbers();
        let sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";
        let position = Position::from_sfen(sfen).unwrap();
        let [mut black, mut white] = Color::ALL.map(|color| {
            let mut list = Vec::new();
            Features::Kp.each(&position, color, |number| list.push(number as u16));
            list
        });
        black.iter_mut().for_each(|number| *number = turned[usize::from(*number)]);
        black.sort_unstable();
        white.sort_unstable();
        assert_eq!(black, white);
    }

    #[test]
    fn mirrored_numbers_are_those_of_the_mirrored_board() {
        let mirrored = mirrored_numbers();
        let rows = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";
        let mirror = "ln6l/kg1+P5/3S1pn2/pP4p1p/1pS2P3/P1P2bPP1/1SG5P/8R/LKb4NL w GR5pnsg 1";
        let [mut seen, mut other] = [rows, mirror].map(|sfen| {
            let mut list = Vec::new();
            Features::Kp.each(&Position::from_sfen(sfen).unwrap(), Color::White, |number| list.push(number as u16));
            list
        });
        seen.iter_mut().for_each(|number| *number = mirrored[usize::from(*number)]);
        seen.sort_unstable();
        other.sort_unstable();
        assert_eq!(seen, other);
    }

    #[test]
    fn hands_count_up_and_missing_pieces_count_as_one() {
        let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b 2P3p 1").unwrap();
        let mut list = Vec::new();
        Features::HalfKp.each(&position, Color::White, |index| list.push(index - 1548 * 44));
        list.sort_unstable();
        assert_eq!(list[..33], [0; 33]);
        assert_eq!(list[33..], [1, 2, 3, 20, 21]);
    }
}

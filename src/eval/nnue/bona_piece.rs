//! Piece indices ("BonaPiece") by perspective.
//!
//! The indices of the YaneuraOu family. Each side sees the board from its own end, with its own
//! pieces as friends. The k-th piece of a kind in hand has its own index, and all up to the k-th
//! are active.

use sabi_shogi::{Color, HandKind, Piece, PieceKind, Square};

/// Indices of pieces other than kings; 0 is a missing piece.
pub(super) const PIECES: usize = 1548;
/// Indices of pieces and kings.
pub(super) const PIECES_AND_KINGS: usize = PIECES + 2 * Square::COUNT;
/// Indices below this are pieces in hand.
pub(super) const HANDS: usize = 90;

/// A piece index from the view of Black and White.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct BonaPiece([u16; 2]);

impl BonaPiece {
    #[inline]
    pub fn by(self, color: Color) -> usize {
        self.0[color].into()
    }
}

/// First index of a kind on the board, friend and enemy.
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

/// Index of the first piece of a kind in hand, friend and enemy.
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

static BOARD: [[BonaPiece; Square::COUNT]; Piece::COUNT] = {
    let mut table = [[BonaPiece([0; 2]); Square::COUNT]; Piece::COUNT];
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
            table[number][square] = BonaPiece([seen[0] as u16, seen[1] as u16]);
            square += 1;
        }
        number += 1;
    }
    table
};

/// Index of a piece on a square.
#[inline]
pub(super) fn board(piece: Piece, square: Square) -> BonaPiece {
    BOARD[piece.index()][square]
}

/// Index of the `count`-th piece of a kind in hand, from 1.
#[inline]
pub(super) fn hand(color: Color, kind: HandKind, count: u8) -> BonaPiece {
    let [friend, enemy] = in_hand(kind).map(|first| first as u16 + u16::from(count) - 1);
    BonaPiece(if color == Color::Black { [friend, enemy] } else { [enemy, friend] })
}

/// Maps an index ([`Features::Kp`](super::Features::Kp)) of one perspective to that of the other.
pub fn opposite_indices() -> Vec<u16> {
    // A missing piece is missing in both.
    let mut turned = vec![0; PIECES_AND_KINGS];
    let hands = Color::ALL.into_iter().flat_map(|color| {
        HandKind::ALL
            .into_iter()
            .flat_map(move |kind| (1..=kind.full_set_count()).map(move |count| hand(color, kind, count)))
    });
    for BonaPiece([black, white]) in BOARD.iter().flatten().copied().chain(hands) {
        turned[usize::from(black)] = white;
        turned[usize::from(white)] = black;
    }
    turned
}

/// Map of indices.
pub(super) type IndexTable = [u16; PIECES_AND_KINGS];

/// Maps an index ([`Features::Kp`](super::Features::Kp)) to that on the board mirrored left to
/// right, which is equivalent by the rules.
pub fn mirrored_indices() -> Vec<u16> {
    MIRRORED.to_vec()
}

/// See [`mirrored_indices`].
pub(super) static MIRRORED: IndexTable = index_table(true, false);
/// Maps the enemy king to the indices of the own one.
pub(super) static MERGED: IndexTable = index_table(false, true);
/// Both.
pub(super) static MIRRORED_AND_MERGED: IndexTable = index_table(true, true);

const fn index_table(mirrored: bool, merged: bool) -> IndexTable {
    let mut table = [0; PIECES_AND_KINGS];
    let mut number = 0;
    while number < table.len() {
        let mut new = number;
        // Hands and missing pieces are unchanged.
        if mirrored && number >= HANDS {
            let (kind, square) = ((number - HANDS) / Square::COUNT, (number - HANDS) % Square::COUNT);
            new = HANDS + kind * Square::COUNT + (8 - square / 9) * 9 + square % 9;
        }
        if merged && new >= PIECES + Square::COUNT {
            new -= Square::COUNT;
        }
        table[number] = new as u16;
        number += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::Features;
    use super::*;
    use sabi_shogi::Position;

    #[test]
    fn indices_of_both_perspectives_are_rotated() {
        let turned = opposite_indices();
        let sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";
        let position = Position::from_sfen(sfen).unwrap();
        let [mut black, mut white] = Color::ALL.map(|color| {
            let mut list = Vec::new();
            Features::Kp.for_each_active(&position, color, |number| list.push(number as u16));
            list
        });
        black.iter_mut().for_each(|number| *number = turned[usize::from(*number)]);
        black.sort_unstable();
        white.sort_unstable();
        assert_eq!(black, white);
    }

    #[test]
    fn mirrored_indices_match_mirrored_board() {
        let mirrored = mirrored_indices();
        let rows = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";
        let mirror = "ln6l/kg1+P5/3S1pn2/pP4p1p/1pS2P3/P1P2bPP1/1SG5P/8R/LKb4NL w GR5pnsg 1";
        let [mut seen, mut other] = [rows, mirror].map(|sfen| {
            let mut list = Vec::new();
            Features::Kp
                .for_each_active(&Position::from_sfen(sfen).unwrap(), Color::White, |number| list.push(number as u16));
            list
        });
        seen.iter_mut().for_each(|number| *number = mirrored[usize::from(*number)]);
        seen.sort_unstable();
        other.sort_unstable();
        assert_eq!(seen, other);
    }
}

//! Input features of a network, by perspective.
//!
//! A piece on a square or in hand has a piece index ("BonaPiece"), as in the YaneuraOu family. Each
//! side sees the board from its own end, with its own pieces as friends. The k-th piece of a kind
//! in hand has its own index, and all up to the k-th are active. Most [`Features`] combine it with
//! the square of the own king. [`Pieces`] finds the indices that differ between two positions.

use sabi_shogi::{Bitboard, Color, Hand, HandKind, Piece, PieceKind, Position, Square};
use serde::{Deserialize, Serialize};

/// Pieces of a full set without kings.
const FULL_SET: usize = 38;
/// Maximum number of active features.
pub(super) const MAX_ACTIVE: usize = FULL_SET + 2;
/// Own king squares with files 6 to 9 mirrored to 4 to 1.
const MIRRORED_SQUARES: usize = 5 * 9;
/// King square of a missing king (mate problem).
const MISSING_KING_SQUARE: usize = 44;
/// Zones of the own king on those squares.
const ZONES: usize = 15;
/// Zone by square, file by file from the first rank: the two home ranks, where castles differ, have
/// one zone per square.
#[rustfmt::skip]
const ZONE_OF: [u8; MIRRORED_SQUARES] = [
    13, 13, 13, 12, 12, 12, 10, 5, 0,
    13, 13, 13, 12, 12, 12, 10, 6, 1,
    14, 14, 14, 12, 12, 12, 11, 7, 2,
    14, 14, 14, 12, 12, 12, 11, 8, 3,
    14, 14, 14, 12, 12, 12, 11, 9, 4,
];
/// Piece indices with both kings sharing theirs.
const PIECES_AND_MERGED_KINGS: usize = PIECES + Square::COUNT;

/// Feature set of a network.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Features {
    /// Piece x own king square.
    HalfKp,
    /// The same, mirrored if the own king is on the left.
    HalfKpVm,
    /// [`HalfKp`](Self::HalfKp) x attack counts of both sides on the piece: 0, 1, 2+.
    HalfKpe9,
    /// Piece or king x own king square.
    HalfKa1,
    /// The same, mirrored if the own king is on the left.
    HalfKaHm1,
    /// [`HalfKa1`](Self::HalfKa1) with both kings sharing their indices.
    HalfKa2,
    /// The same, mirrored if the own king is on the left.
    HalfKaHm2,
    /// Piece or king x own king zone, mirrored if the own king is on the left.
    HalfKaZ15,
    /// Piece or king.
    Kp,
    /// The same, with an additional input for a king of either side on a square.
    Ka2,
}

/// How features depend on the own king.
#[derive(Copy, Clone, PartialEq, Eq)]
enum OwnKing {
    Nothing,
    Square,
    MirroredSquare,
    Zone,
}

/// Kings among the inputs.
#[derive(Copy, Clone, PartialEq, Eq)]
enum KingInputs {
    None,
    Apart,
    Merged,
}

impl Features {
    /// All feature sets.
    pub const ALL: [Self; 10] = {
        use Features::*;
        [HalfKp, HalfKpVm, HalfKpe9, HalfKa1, HalfKaHm1, HalfKa2, HalfKaHm2, HalfKaZ15, Kp, Ka2]
    };

    /// Number of inputs per perspective in a file.
    pub const fn inputs(self) -> usize {
        match self {
            Self::Ka2 => PIECES_AND_MERGED_KINGS + 2 * Square::COUNT,
            _ => self.king_buckets() * self.bucket_inputs(),
        }
    }

    /// Name and hash in files.
    const fn in_files(self) -> (&'static str, u32) {
        /// Hash of the kings.
        const K: u32 = 0xD3CE_E169;
        match self {
            Self::HalfKp => ("HalfKP(Friend)", 0x5D69_D5B8),
            Self::HalfKpVm => ("HalfKP_vm(Friend)", 0x0B6B_1D9A),
            Self::HalfKpe9 => ("HalfKPE9(Friend)", 0x5D69_D5B8),
            Self::HalfKa1 => ("HalfKA1(Friend)", 0x5F13_4CB8),
            Self::HalfKaHm1 => ("HalfKA_hm1(Friend)", 0x7F13_4CB8),
            Self::HalfKa2 => ("HalfKA2(Friend)", 0x5F23_4CB8),
            Self::HalfKaHm2 => ("HalfKA_hm2(Friend)", 0x7F23_4CB8),
            Self::HalfKaZ15 => ("HalfKA_z15(Friend)", 0x5F13_4CB8 ^ 15 << 24),
            Self::Kp => ("K+P", K ^ 0x764C_FB4B_u32.rotate_left(1)),
            Self::Ka2 => ("K+A2", K ^ 0xA20D_CB9B_u32.rotate_left(1)),
        }
    }

    /// Name in files.
    pub const fn name(self) -> &'static str {
        self.in_files().0
    }

    /// Common name.
    pub fn short_name(self) -> &'static str {
        self.name().trim_end_matches("(Friend)")
    }

    /// Name in architecture names.
    pub(super) fn key(self) -> String {
        self.short_name().chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_uppercase()
    }

    /// Hash in files.
    pub(super) const fn hash(self) -> u32 {
        self.in_files().1
    }

    /// The features of the memory layout: two inputs that a king always sets together are merged
    /// into their sum.
    pub(super) const fn in_memory(self) -> Self {
        if matches!(self, Self::Ka2) { Self::Kp } else { self }
    }

    const fn own_king(self) -> OwnKing {
        match self {
            Self::Kp | Self::Ka2 => OwnKing::Nothing,
            Self::HalfKp | Self::HalfKpe9 | Self::HalfKa1 | Self::HalfKa2 => OwnKing::Square,
            Self::HalfKpVm | Self::HalfKaHm1 | Self::HalfKaHm2 => OwnKing::MirroredSquare,
            Self::HalfKaZ15 => OwnKing::Zone,
        }
    }

    const fn kings(self) -> KingInputs {
        match self {
            Self::HalfKp | Self::HalfKpVm | Self::HalfKpe9 => KingInputs::None,
            Self::Kp | Self::Ka2 | Self::HalfKa1 | Self::HalfKaHm1 | Self::HalfKaZ15 => KingInputs::Apart,
            Self::HalfKa2 | Self::HalfKaHm2 => KingInputs::Merged,
        }
    }

    /// Number of own king buckets.
    pub const fn king_buckets(self) -> usize {
        match self.own_king() {
            OwnKing::Nothing => 1,
            OwnKing::Square => Square::COUNT,
            OwnKing::MirroredSquare => MIRRORED_SQUARES,
            OwnKing::Zone => ZONES,
        }
    }

    /// Weight rows per own king bucket.
    pub const fn bucket_inputs(self) -> usize {
        let numbers = match self.kings() {
            KingInputs::None => PIECES,
            KingInputs::Apart => PIECES_AND_KINGS,
            KingInputs::Merged => PIECES_AND_MERGED_KINGS,
        };
        if self.have_attack_counts() { numbers * AttackCounts::CLASSES } else { numbers }
    }

    /// Whether features depend on a zone of the own king: those of this engine alone.
    pub(super) const fn have_zones(self) -> bool {
        matches!(self.own_king(), OwnKing::Zone)
    }

    /// Whether an own king move changes all features of the perspective.
    #[inline]
    pub(super) const fn depend_on_king(self) -> bool {
        !matches!(self.own_king(), OwnKing::Nothing)
    }

    /// Whether kings are pieces.
    #[inline]
    pub const fn have_kings(self) -> bool {
        !matches!(self.kings(), KingInputs::None)
    }

    /// Whether features depend on attack counts, which any move may change.
    #[inline]
    pub(super) const fn have_attack_counts(self) -> bool {
        matches!(self, Self::HalfKpe9)
    }

    /// Bucket of an own king square from its side's view, and whether the board is mirrored.
    #[inline]
    pub fn king_bucket(self, king: usize) -> (usize, bool) {
        let half = || if king < MIRRORED_SQUARES { (king, false) } else { ((8 - king / 9) * 9 + king % 9, true) };
        match self.own_king() {
            OwnKing::Nothing => (0, false),
            OwnKing::Square => (king, false),
            OwnKing::MirroredSquare => half(),
            OwnKing::Zone => {
                let (king, mirrored) = half();
                (ZONE_OF[king].into(), mirrored)
            }
        }
    }

    /// The perspective of a side with its king on this square, from its own view.
    #[inline]
    pub(super) fn perspective(self, king: usize) -> Perspective {
        let (bucket, mirrored) = self.king_bucket(king);
        let merged = matches!(self.kings(), KingInputs::Merged);
        let index_table = match (mirrored, merged) {
            (false, false) => None,
            (true, false) => Some(&MIRRORED),
            (false, true) => Some(&MERGED),
            (true, true) => Some(&MIRRORED_AND_MERGED),
        };
        Perspective { first: bucket * self.bucket_inputs(), index_table }
    }

    /// Calls `each` with all active features of `color`. The index of a missing piece may occur
    /// several times.
    pub fn for_each_active(self, position: &Position, color: Color, mut each: impl FnMut(usize)) {
        let perspective = self.perspective(own_king(position, color));
        let pieces = Pieces::new(position, color, self.attack_counts(position).as_ref());
        pieces.changes_since(&Pieces::default(), color, self.have_kings(), |number, _| each(perspective.input(number)));
        // Missing pieces are features too.
        (pieces.count()..FULL_SET).for_each(|_| each(perspective.first));
    }

    /// Attack counts of both sides, if used.
    #[inline]
    pub(super) fn attack_counts(self, position: &Position) -> Option<AttackCounts> {
        self.have_attack_counts().then(|| AttackCounts::new(position))
    }
}

/// The own king square from its side's view.
#[inline]
pub(super) fn own_king(position: &Position, color: Color) -> usize {
    position.king(color).map_or(MISSING_KING_SQUARE, |king| king.relative_to(color).index())
}

/// The perspective of one side.
#[derive(Copy, Clone, Debug)]
pub(super) struct Perspective {
    /// First feature of the own king bucket.
    first: usize,
    index_table: Option<&'static IndexTable>,
}

impl Perspective {
    /// The feature of a piece index.
    #[inline]
    pub fn input(&self, number: usize) -> usize {
        self.first + self.index_table.map_or(number, |table| table[number].into())
    }
}

/// Indices of pieces other than kings; 0 is a missing piece.
pub(super) const PIECES: usize = 1548;
/// Indices of pieces and kings.
const PIECES_AND_KINGS: usize = PIECES + 2 * Square::COUNT;
/// Indices below this are pieces in hand.
const HANDS: usize = 90;

/// A piece index from the view of Black and White.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct BonaPiece([u16; 2]);

impl BonaPiece {
    /// That of a piece on a square.
    #[inline]
    pub fn on_board(piece: Piece, square: Square) -> Self {
        BOARD[piece.index()][square]
    }

    /// That of the `count`-th piece of a kind in hand, from 1.
    #[inline]
    pub fn in_hand(color: Color, kind: HandKind, count: u8) -> Self {
        let [friend, enemy] = hand_indices(kind).map(|first| first + u16::from(count) - 1);
        Self(if color == Color::Black { [friend, enemy] } else { [enemy, friend] })
    }

    #[inline]
    pub fn by(self, color: Color) -> usize {
        self.0[color].into()
    }
}

/// First index of a kind on the board, friend and enemy.
const fn board_indices(kind: PieceKind) -> [usize; 2] {
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
const fn hand_indices(kind: HandKind) -> [u16; 2] {
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
        let [friend, enemy] = board_indices(PieceKind::ALL[number % PieceKind::COUNT]);
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

/// Maps an index ([`Features::Kp`]) of one perspective to that of the other.
pub fn opposite_indices() -> Vec<u16> {
    // A missing piece is missing in both.
    let mut turned = vec![0; PIECES_AND_KINGS];
    let hands = Color::ALL.into_iter().flat_map(|color| {
        HandKind::ALL
            .into_iter()
            .flat_map(move |kind| (1..=kind.full_set_count()).map(move |count| BonaPiece::in_hand(color, kind, count)))
    });
    for BonaPiece([black, white]) in BOARD.iter().flatten().copied().chain(hands) {
        turned[usize::from(black)] = white;
        turned[usize::from(white)] = black;
    }
    turned
}

/// Map of indices.
type IndexTable = [u16; PIECES_AND_KINGS];

/// Maps an index ([`Features::Kp`]) to that on the board mirrored left to right, which is
/// equivalent by the rules.
pub fn mirrored_indices() -> Vec<u16> {
    MIRRORED.to_vec()
}

/// See [`mirrored_indices`].
static MIRRORED: IndexTable = index_table(true, false);
/// Maps the enemy king to the indices of the own one.
static MERGED: IndexTable = index_table(false, true);
/// Both.
static MIRRORED_AND_MERGED: IndexTable = index_table(true, true);

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

/// Squares compared at once.
const CHUNK: usize = 8;
/// Squares, padded to full chunks.
const SQUARES: usize = Square::COUNT.next_multiple_of(CHUNK);

/// What determines the piece indices of a position from the view of one side.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    /// Code of the piece by square; 0 if there is none.
    board: [u8; SQUARES],
    /// Attack class by square; 0 if unused.
    classes: [u8; SQUARES],
    hands: [Hand; 2],
}

impl Default for Pieces {
    fn default() -> Self {
        Self { board: [0; SQUARES], classes: [0; SQUARES], hands: [Hand::EMPTY; 2] }
    }
}

impl Pieces {
    /// Those of a position from the view of `color`.
    #[inline]
    pub fn new(position: &Position, color: Color, attack_counts: Option<&AttackCounts>) -> Self {
        let mut pieces = Self { hands: Color::ALL.map(|color| position.hand(color)), ..Self::default() };
        let squares = pieces.board.iter_mut().zip(position.board());
        squares.for_each(|(code, piece)| *code = piece.map_or(0, Piece::code));
        if let Some(attack_counts) = attack_counts {
            position.occupied().for_each(|square| pieces.classes[square.index()] = attack_counts.class(square, color));
        }
        pieces
    }

    /// Number of pieces without kings.
    pub fn count(&self) -> usize {
        let on_board = self
            .board
            .iter()
            .filter_map(|&code| Piece::of_code(code))
            .filter(|piece| piece.kind() != PieceKind::King)
            .count();
        let in_hand = |hand: &Hand| hand.iter().map(|(_, count)| usize::from(count)).sum::<usize>();
        on_board + self.hands.iter().map(in_hand).sum::<usize>()
    }

    /// Calls `each` with every piece index that was removed or added since `earlier`, and whether
    /// it was added. Both must be from the view of `color`.
    #[inline]
    pub fn changes_since(&self, earlier: &Self, color: Color, have_kings: bool, mut each: impl FnMut(usize, bool)) {
        for chunk in 0..SQUARES / CHUNK {
            let mut changed = self.changed(earlier, chunk);
            while changed != 0 {
                let byte = changed.trailing_zeros() / 8;
                changed &= !(0xFF << (8 * byte));
                let square = Square::clamped(chunk * CHUNK + byte as usize);
                for (pieces, is_added) in [(earlier, false), (self, true)] {
                    if let Some(piece) = Piece::of_code(pieces.board[square.index()])
                        && (have_kings || piece.kind() != PieceKind::King)
                    {
                        let class = usize::from(pieces.classes[square.index()]);
                        each(BonaPiece::on_board(piece, square).by(color) + class * PIECES, is_added);
                    }
                }
            }
        }
        for owner in Color::ALL {
            let [before, after] = [earlier.hands[owner], self.hands[owner]];
            if before != after {
                for kind in HandKind::ALL {
                    let [before, after] = [before, after].map(|hand| hand.count(kind));
                    for count in before.min(after)..before.max(after) {
                        each(BonaPiece::in_hand(owner, kind, count + 1).by(color), after > before);
                    }
                }
            }
        }
    }

    /// Marks the squares of a chunk that differ: their bytes, the first the lowest, are not 0.
    #[inline]
    fn changed(&self, earlier: &Self, chunk: usize) -> u64 {
        let word = |squares: &[u8; SQUARES]| u64::from_le_bytes(squares.as_chunks().0[chunk]);
        word(&self.board) ^ word(&earlier.board) | word(&self.classes) ^ word(&earlier.classes)
    }
}

/// For each occupied square its attack class from the view of Black and White.
#[derive(Clone, Debug)]
pub(super) struct AttackCounts([[u8; 2]; Square::COUNT]);

impl AttackCounts {
    /// Attack counts 0, 1, 2+ of both sides.
    pub const CLASSES: usize = 3 * 3;

    pub fn new(position: &Position) -> Self {
        let occupied = position.occupied();
        // Pawns of one side never attack the same square.
        let pawns = Color::ALL.map(|color| position.pieces(color, PieceKind::Pawn));
        let by_pawns = |color: Color| [pawns[color].forward(color), Bitboard::EMPTY];
        // By side: squares attacked at least once, and at least twice.
        let mut attacked = Color::ALL.map(by_pawns);
        (occupied & !(pawns[0] | pawns[1])).for_each(|square| {
            if let Some(piece) = position.piece_at(square) {
                let attacks = sabi_shogi::attacks(piece.color(), piece.kind(), square, occupied);
                let [once, twice] = &mut attacked[piece.color()];
                *twice |= *once & attacks;
                *once |= attacks;
            }
        });
        let mut classes = [[0; 2]; Square::COUNT];
        occupied.for_each(|square| {
            let [black, white] = attacked.map(|[once, twice]| u8::from(once.has(square)) + u8::from(twice.has(square)));
            classes[square] = [3 * black + white, 3 * white + black];
        });
        Self(classes)
    }

    /// The class of a square for `color`: `3 * own + enemy` attacks.
    #[inline]
    pub fn class(&self, square: Square, color: Color) -> u8 {
        self.0[square][color]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feature_indices_match_description() {
        let sfen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
        let position = Position::from_sfen(sfen).unwrap();
        let listed = |features: Features, color| {
            let mut list = Vec::new();
            features.for_each_active(&position, color, |index| list.push(index));
            list.sort_unstable();
            list
        };
        let black = listed(Features::Kp, Color::Black);
        assert_eq!(black.len(), 40);
        // The own king on 5i, the enemy's on 5a; the own rook on 2h, the enemy's on 8b; the pawn on
        // 7f.
        for index in [1548 + 44, 1629 + 36, 1224 + 16, 1305 + 64, 90 + 59] {
            assert!(black.contains(&index), "{index}");
        }
        let white = listed(Features::Kp, Color::White);
        // The same board rotated: their 3d is our 7f.
        assert_eq!(white, black);
        let half = listed(Features::HalfKp, Color::White);
        assert_eq!(half.len(), 38);
        assert!(half.contains(&(1548 * 44 + 90 + 59)));
    }

    #[test]
    fn hand_features() {
        let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b 2P3p 1").unwrap();
        let mut list = Vec::new();
        Features::HalfKp.for_each_active(&position, Color::White, |index| list.push(index - 1548 * 44));
        list.sort_unstable();
        assert_eq!(list[..33], [0; 33]);
        assert_eq!(list[33..], [1, 2, 3, 20, 21]);
    }

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

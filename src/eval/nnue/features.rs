//! Input features of a network, by perspective.

use super::attack_counts::AttackCounts;
use super::bona_piece::{IndexTable, MERGED, MIRRORED, MIRRORED_AND_MERGED, PIECES, PIECES_AND_KINGS};
use super::pieces::Pieces;
use sabi_shogi::{Color, Position, Square};
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
    pub const ALL: [Self; 10] = [
        Self::HalfKp,
        Self::HalfKpVm,
        Self::HalfKpe9,
        Self::HalfKa1,
        Self::HalfKaHm1,
        Self::HalfKa2,
        Self::HalfKaHm2,
        Self::HalfKaZ15,
        Self::Kp,
        Self::Ka2,
    ];

    /// Number of inputs per perspective in a file.
    pub const fn inputs(self) -> usize {
        match self {
            Self::Ka2 => PIECES_AND_MERGED_KINGS + 2 * Square::COUNT,
            _ => self.king_buckets() * self.bucket_inputs(),
        }
    }

    /// Name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::HalfKp => "HalfKP(Friend)",
            Self::HalfKpVm => "HalfKP_vm(Friend)",
            Self::HalfKpe9 => "HalfKPE9(Friend)",
            Self::HalfKa1 => "HalfKA1(Friend)",
            Self::HalfKaHm1 => "HalfKA_hm1(Friend)",
            Self::HalfKa2 => "HalfKA2(Friend)",
            Self::HalfKaHm2 => "HalfKA_hm2(Friend)",
            Self::HalfKaZ15 => "HalfKA_z15(Friend)",
            Self::Kp => "K+P",
            Self::Ka2 => "K+A2",
        }
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
        /// Hash of the kings.
        const K: u32 = 0xD3CE_E169;
        match self {
            Self::HalfKp | Self::HalfKpe9 => 0x5D69_D5B8,
            Self::HalfKpVm => 0x0B6B_1D9A,
            Self::HalfKa1 => 0x5F13_4CB8,
            Self::HalfKaHm1 => 0x7F13_4CB8,
            Self::HalfKa2 => 0x5F23_4CB8,
            Self::HalfKaHm2 => 0x7F23_4CB8,
            Self::HalfKaZ15 => 0x5F13_4CB8 ^ 15 << 24,
            Self::Kp => K ^ 0x764C_FB4B_u32.rotate_left(1),
            Self::Ka2 => K ^ 0xA20D_CB9B_u32.rotate_left(1),
        }
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

    /// The perspective of `color`.
    #[inline]
    pub(super) fn perspective(self, position: &Position, color: Color) -> Perspective {
        self.perspective_from(own_king(position, color))
    }

    /// The perspective of a side with its king on this square, from its own view.
    #[inline]
    pub(super) fn perspective_from(self, king: usize) -> Perspective {
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
        let perspective = self.perspective(position, color);
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
}

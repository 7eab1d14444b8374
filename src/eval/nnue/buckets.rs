//! Selection of the layer stack of a position.
//!
//! Networks with layer stacks have one per bucket: by hands, king squares and game progress. The
//! stack index is `(hands * kings + king) * progress + stage`; a count is 1 if the network does not
//! use it.

use super::features::Features;
use sabi_shogi::{Color, Hand, HandKind, Position, Square};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How the layer stacks of a network are selected.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Buckets {
    hands: Option<Hands>,
    kings: Option<KingBuckets>,
    /// Number of progress stages; 0 if unused.
    progress: u8,
}

/// Bucket of a side's hand.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Hands {
    Bishop,
    PawnBishop,
    Light,
    Points,
    Types,
    ManyTypes,
}

/// Bucket of a king square.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum KingBuckets {
    Thirds,
    Ranks,
    NineZones,
    ThirteenZones,
    BackTwoRanks,
    BackThreeRanks,
}

impl Hands {
    /// In the order of the enum: names, and numbers of buckets per side.
    const NAMED: [(&str, Self, usize); 6] = [
        ("HAND4", Self::Bishop, 2),
        ("HAND16", Self::PawnBishop, 4),
        ("HAND64", Self::Light, 8),
        ("HAND64Z", Self::Points, 8),
        ("HAND256", Self::Types, 16),
        ("HAND1024", Self::ManyTypes, 32),
    ];

    const fn count(self) -> usize {
        Self::NAMED[self as usize].2
    }

    fn bucket(self, hand: Hand) -> usize {
        use HandKind as H;
        let count = |kinds: &[H]| kinds.iter().map(|&kind| usize::from(hand.count(kind))).sum::<usize>();
        // One bit per group of kinds: set if a piece of the group is held.
        let groups = |groups: &[&[H]]| {
            groups.iter().enumerate().map(|(bit, kinds)| usize::from(count(kinds) > 0) << bit).sum::<usize>()
        };
        const LIGHT: [H; 3] = [H::Pawn, H::Lance, H::Knight];
        match self {
            Self::Bishop => groups(&[&[H::Bishop]]),
            Self::PawnBishop => groups(&[&[H::Pawn], &[H::Bishop]]),
            Self::Light => groups(&[&LIGHT, &[H::Silver, H::Gold, H::Rook], &[H::Bishop]]),
            Self::Points => {
                let points = count(&[H::Pawn])
                    + 2 * count(&[H::Lance, H::Knight])
                    + 3 * count(&[H::Silver, H::Gold])
                    + 5 * count(&[H::Bishop, H::Rook]);
                points.div_ceil(4).min(7)
            }
            Self::Types => groups(&[&LIGHT, &[H::Silver, H::Gold], &[H::Bishop], &[H::Rook]]),
            Self::ManyTypes => {
                groups(&[&[H::Pawn], &[H::Lance, H::Knight], &[H::Silver, H::Gold], &[H::Bishop], &[H::Rook]])
            }
        }
    }
}

impl KingBuckets {
    /// In the order of the enum: names, and numbers of buckets per side.
    const NAMED: [(&str, Self, usize); 6] = [
        ("K3K3", Self::Thirds, 3),
        ("K9K9", Self::Ranks, 9),
        ("K9K9Z", Self::NineZones, 9),
        ("K13K13Z", Self::ThirteenZones, 13),
        ("K21K21", Self::BackTwoRanks, 21),
        ("K29K29", Self::BackThreeRanks, 29),
    ];

    const fn count(self) -> usize {
        Self::NAMED[self as usize].2
    }

    /// For each bucket, that of the mirrored squares.
    fn mirrored(self) -> Vec<usize> {
        let mut mirrored = vec![0; self.count()];
        for king in Square::all() {
            mirrored[self.bucket(king)] = self.bucket(king.mirrored());
        }
        mirrored
    }

    /// Bucket of a king square from its side's view.
    fn bucket(self, king: Square) -> usize {
        let (file, rank) = (usize::from(king.file()), usize::from(king.rank()));
        // Far ranks merged, near ones separate, the nearest also by file.
        let far = match rank {
            0..3 => 0,
            3..6 => 1,
            _ => rank - 4,
        };
        match self {
            Self::Thirds => rank / 3,
            Self::Ranks => rank,
            Self::NineZones if rank >= 7 => 3 + 3 * (rank - 7) + file / 3,
            Self::ThirteenZones if rank >= 7 => 7 + 3 * (rank - 7) + file / 3,
            Self::ThirteenZones => rank,
            Self::BackTwoRanks if rank >= 7 => 3 + 9 * (rank - 7) + file,
            Self::BackThreeRanks if rank >= 6 => 2 + 9 * (rank - 6) + file,
            Self::NineZones | Self::BackTwoRanks | Self::BackThreeRanks => far,
        }
    }
}

impl Buckets {
    /// Supported numbers of progress stages.
    const STAGES: [u8; 6] = [2, 3, 4, 8, 16, 32];

    /// A single layer stack.
    pub const NONE: Self = Self { hands: None, kings: None, progress: 0 };
    /// By the rank thirds of both kings.
    pub const K3K3: Self = Self { hands: None, kings: Some(KingBuckets::Thirds), progress: 0 };

    /// The buckets with these names, each of another kind: `HAND64`, `K9K9Z`, `PROGRESS8`.
    pub(super) fn of_names<'n>(names: impl Iterator<Item = &'n str>) -> Option<Self> {
        let mut buckets = Self::default();
        for name in names {
            let is_new = if let Some((_, hands, _)) = Hands::NAMED.iter().find(|(known, ..)| *known == name) {
                buckets.hands.replace(*hands).is_none()
            } else if let Some((_, kings, _)) = KingBuckets::NAMED.iter().find(|(known, ..)| *known == name) {
                buckets.kings.replace(*kings).is_none()
            } else {
                let stages = name.strip_prefix("PROGRESS")?.parse().ok()?;
                let stages = Self::STAGES.contains(&stages).then_some(stages)?;
                std::mem::replace(&mut buckets.progress, stages) == 0
            };
            is_new.then_some(())?;
        }
        Some(buckets)
    }

    /// Number of layer stacks.
    pub fn count(&self) -> usize {
        let hands = self.hands.map_or(1, Hands::count);
        let kings = self.kings.map_or(1, KingBuckets::count);
        hands * hands * kings * kings * usize::from(self.progress.max(1))
    }

    /// Whether game progress is used.
    pub const fn have_progress(&self) -> bool {
        self.progress > 0
    }

    /// The layer stack of a position.
    #[inline]
    pub fn bucket(&self, position: &Position, progress: Option<&Progress>) -> usize {
        if *self == Self::NONE { 0 } else { self.select(position, progress) }
    }

    fn select(&self, position: &Position, progress: Option<&Progress>) -> usize {
        let us = position.side_to_move();
        let of_both = |count: usize, bucket: &dyn Fn(Color) -> usize| count * bucket(us) + bucket(!us);
        let mut number = 0;
        if let Some(hands) = self.hands {
            number = of_both(hands.count(), &|color| hands.bucket(position.hand(color)));
        }
        if let Some(kings) = self.kings {
            // A missing king (mate problem) counts as on its home square.
            let king = |color| position.king(color).map_or(Square::clamped(44), |king| king.relative_to(color));
            let bucket = of_both(kings.count(), &|color| kings.bucket(king(color)));
            number = number * kings.count() * kings.count() + bucket;
        }
        if let Some(progress) = progress {
            let stages = usize::from(self.progress);
            number = number * stages + progress.of(position) * stages / Progress::STEPS;
        }
        number
    }

    /// For each layer stack, that of the horizontally mirrored position. Without progress, for at
    /// most 65,536 layer stacks.
    pub fn mirrored(&self) -> Vec<u16> {
        let side = self.kings.map_or_else(|| vec![0], KingBuckets::mirrored);
        let kings = side.len();
        let mirror = |stack: usize| {
            let (hands, king) = (stack / (kings * kings), stack % (kings * kings));
            (hands * kings * kings + side[king / kings] * kings + side[king % kings]) as u16
        };
        (0..self.count()).map(mirror).collect()
    }
}

/// The names, as `K9K9Z` or `HAND16_K3K3`.
impl FromStr for Buckets {
    type Err = UnknownBuckets;

    fn from_str(names: &str) -> Result<Self, UnknownBuckets> {
        Self::of_names(names.to_ascii_uppercase().split('_')).ok_or(UnknownBuckets)
    }
}

/// No names of buckets.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected names of buckets, as K9K9Z or HAND16_K3K3: see docs/networks.md")]
pub struct UnknownBuckets;

/// The names as in architecture names, each with a leading `_`.
impl fmt::Display for Buckets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hands = self.hands.map(|hands| Hands::NAMED[hands as usize].0);
        let kings = self.kings.map(|kings| KingBuckets::NAMED[kings as usize].0);
        for name in hands.into_iter().chain(kings) {
            write!(f, "_{name}")?;
        }
        if self.have_progress() { write!(f, "_PROGRESS{}", self.progress) } else { Ok(()) }
    }
}

/// `progress = 1 / (1 + exp(-s / 65536))`, where `s` is the bias plus the sum of a weight for each
/// piece x own king square, over both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bias.
    pub bias: i32,
    /// Indexed by HalfKP features: [`Progress::WEIGHTS`].
    pub weights: Vec<i32>,
}

impl Progress {
    /// Number of weights.
    pub const WEIGHTS: usize = Features::HalfKp.inputs();
    /// Progress is quantised to this many steps.
    const STEPS: usize = 256;

    /// The progress of a position, from 0 to 255.
    fn of(&self, position: &Position) -> usize {
        let mut sum = i64::from(self.bias);
        for color in Color::ALL {
            Features::HalfKp.for_each_active(position, color, |input| sum += i64::from(self.weights[input]));
        }
        // The number of thresholds not above the sum.
        let (mut from, mut to) = (1, Self::STEPS);
        while from < to {
            let middle = usize::midpoint(from, to);
            if threshold(middle) <= sum { from = middle + 1 } else { to = middle }
        }
        from - 1
    }
}

/// The minimum sum of progress `step / 256`.
fn threshold(step: usize) -> i64 {
    let share = step as f64 / Progress::STEPS as f64;
    ((share / (1.0 - share)).ln() * 65536.0).round() as i64
}

//! Entries of the transposition table and their packing: whole in the first level, compact in the
//! second.

use sabi_shogi::{Bound, Move, Score};

/// Which search stored an entry. Entries of all but the main search are helper entries.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Source {
    /// The main search.
    Main = 0,
    /// The node after a null move.
    NullMove = 1,
    /// ProbCut.
    Internal = 2,
    /// Quiescence search.
    Quiescence = 3,
    /// The opening book. Its entries have no static eval.
    Book = 4,
}

impl Source {
    /// The two stored bits. A book entry is replaced like a helper entry; [`BOOK`] marks it.
    const fn bits(self) -> u32 {
        match self {
            Self::Book => Self::Internal as u32,
            source => source as u32,
        }
    }

    const fn from_bits(bits: u32) -> Self {
        match bits & 3 {
            0 => Self::Main,
            1 => Self::NullMove,
            2 => Self::Internal,
            _ => Self::Quiescence,
        }
    }
}

/// tt data of a position. Mate scores are relative to the position, not to the root.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The tt move, if any. Only a candidate: another position may share the key.
    pub mv: Option<Move>,
    /// The score; meaningless without a bound.
    pub score: Score,
    /// Static eval; `None` in check, and for book entries.
    pub eval: Option<Score>,
    /// Depth, from [`Entry::DEPTH_UNSEARCHED`] to [`Entry::MAX_DEPTH`].
    pub depth: i32,
    /// Bound; `None` when only the static eval was stored.
    pub bound: Option<Bound>,
    /// Whether the position was on a principal variation.
    pub pv: bool,
    /// Which search stored it.
    pub source: Source,
}

/// Replacement criteria of an entry.
#[derive(Copy, Clone)]
pub(super) struct ReplacementInfo {
    pub depth: i32,
    pub exact: bool,
    /// Whether it is from the main search.
    pub main: bool,
    pub generation: u8,
}

/// Number of generations.
pub(super) const GENERATIONS: u8 = 32;

/// Age in generations.
#[inline]
pub(super) const fn age(now: u8, then: u8) -> i32 {
    ((GENERATIONS + now - then) % GENERATIONS) as i32
}

/// Packed "no static eval".
const NO_EVAL: u16 = 0x8000;
/// Packed "no static eval, book entry": below every static eval.
const BOOK: u16 = 0x8001;
const _: () = assert!(Score::INFINITE.get() < 0x7fff);
/// Added to a packed depth, so that no packed entry is 0, a free slot.
const DEPTH_OFFSET: i32 = 1 - Entry::DEPTH_UNSEARCHED;

impl Entry {
    /// Minimum depth: no search, only a static eval, a stand pat score or a book move.
    pub const DEPTH_UNSEARCHED: i32 = -2;
    /// Maximum depth: that of mates proved by the solver.
    pub const MAX_DEPTH: i32 = 127 - DEPTH_OFFSET;

    /// Packs into two words: move, pv flag and score; evaluation, depth, bound, source and
    /// generation (modulo 32).
    #[inline]
    pub(super) fn pack(&self, generation: u8) -> [u32; 2] {
        let mv = self.mv.map_or(0, Move::bits);
        let eval = match (self.source, self.eval) {
            (Source::Book, _) => BOOK,
            (_, Some(score)) => score.get() as i16 as u16,
            (_, None) => NO_EVAL,
        };
        let depth = (self.depth.clamp(Self::DEPTH_UNSEARCHED, Self::MAX_DEPTH) + DEPTH_OFFSET) as u32;
        let bound = self.bound.map_or(0, |bound| bound as u32);
        let flags = depth | bound << 7 | self.source.bits() << 9 | u32::from(generation) << 11;
        let score = u32::from(self.score.get() as i16 as u16);
        // A move has fifteen bits.
        [u32::from(mv) | u32::from(self.pv) << 15 | score << 16, u32::from(eval) | flags << 16]
    }

    /// Replacement criteria from the second packed word.
    #[inline]
    pub(super) fn replacement_info(second: u32) -> ReplacementInfo {
        let flags = second >> 16;
        ReplacementInfo {
            depth: (flags & 127) as i32 - DEPTH_OFFSET,
            exact: flags >> 7 & 3 == Bound::Exact as u32,
            main: flags >> 9 & 3 == Source::Main as u32,
            generation: (flags >> 11) as u8,
        }
    }

    /// Unpacks [`Entry::pack`]ed words.
    #[inline]
    pub(super) fn unpack([first, second]: [u32; 2]) -> Self {
        let eval = second as u16;
        let flags = second >> 16;
        Self {
            mv: Move::from_bits(first as u16 & 0x7fff),
            score: Score::raw(i32::from((first >> 16) as u16 as i16)),
            eval: (eval != NO_EVAL && eval != BOOK).then(|| Score::raw(i32::from(eval as i16))),
            depth: (flags & 127) as i32 - DEPTH_OFFSET,
            bound: Bound::from_bits((flags >> 7 & 3) as u8),
            pv: first >> 15 & 1 != 0,
            source: if eval == BOOK { Source::Book } else { Source::from_bits(flags >> 9) },
        }
    }
}

/// Scores up to this are stored exactly.
const FINE_SCORES: u32 = 1800;
/// Step size in centipawns between that and the mates.
const SCORE_STEP: u32 = 16;
/// The first mate score and its step.
const MATES: u32 = Score::MATE_IN_MAX_PLY.get().unsigned_abs();
const MATE_STEP: u32 = FINE_SCORES + (MATES - FINE_SCORES).div_ceil(SCORE_STEP);
const SIGN: u32 = 1 << 12;

const _: () = assert!(MATE_STEP + Score::INFINITE.get().unsigned_abs() - MATES < SIGN);

/// Depths below this are stored exactly.
const FINE_DEPTHS: i32 = 24;
const DEPTH_STEP: i32 = 8;
const DEPTH_STEPS: i32 = 32;

/// An entry of the second level.
///
/// Two words instead of three: 23 key bits instead of 32, no static eval, no source, 32 depth steps
/// and 8192 score steps. Rounding is conservative: depths and lower bounds round down, upper bounds
/// up, and an exact score between steps becomes a lower bound. Mate distances are exact.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct CompactEntry(pub [u32; 2]);

impl CompactEntry {
    /// Stored key bits.
    pub(super) const TAG_MASK: u32 = 0x7f_ffff;

    /// Packs an entry with a bound; without one there is nothing to store here.
    #[inline]
    pub(super) fn pack(tag: u32, entry: &Entry, generation: u8) -> Option<Self> {
        let bound = entry.bound?;
        let (score, bound) = round(entry.score.get(), bound);
        let generation = u32::from(generation);
        let first = tag & Self::TAG_MASK | depth_step(entry.depth) << 23 | generation << 28;
        // A move has fifteen bits: the last generation bit is stored next to it.
        let mv = u32::from(entry.mv.map_or(0, Move::bits)) | generation >> 4 << 15;
        Some(Self([first, mv | score << 16 | (bound as u32) << 29 | u32::from(entry.pv) << 31]))
    }

    /// The entry. Its source is lost: treated as a helper entry.
    #[inline]
    pub(super) fn unpack(self) -> Entry {
        let Self([first, second]) = self;
        let score = (second >> 16) & 0x1fff;
        let size = score_of(score & (SIGN - 1)).cast_signed();
        Entry {
            mv: Move::from_bits(second as u16 & 0x7fff),
            score: Score::raw(if score & SIGN == 0 { size } else { -size }),
            eval: None,
            depth: depth_of((first >> 23) & 31),
            bound: Bound::from_bits((second >> 29 & 3) as u8),
            pv: second >> 31 != 0,
            source: Source::Internal,
        }
    }

    #[inline]
    pub(super) fn replacement_info(self) -> ReplacementInfo {
        let Self([first, second]) = self;
        ReplacementInfo {
            depth: depth_of((first >> 23) & 31),
            exact: second >> 29 & 3 == Bound::Exact as u32,
            main: false,
            generation: (first >> 28 | (second >> 15 & 1) << 4) as u8,
        }
    }
}

/// The step and sign of a score, rounded in the direction that keeps the bound valid.
fn round(score: i32, bound: Bound) -> (u32, Bound) {
    let wanted = score.unsigned_abs();
    let below = score_step(wanted);
    let exact = score_of(below) == wanted;
    let bound = if exact || bound == Bound::Upper { bound } else { Bound::Lower };
    // A lower bound is rounded down, away from zero if negative.
    let outwards = (bound == Bound::Upper) == (score >= 0);
    let step = below + u32::from(!exact && outwards);
    (if score < 0 { step | SIGN } else { step }, bound)
}

/// The largest step not beyond a number.
const fn score_step(size: u32) -> u32 {
    if size <= FINE_SCORES {
        size
    } else if size < MATES {
        FINE_SCORES + (size - FINE_SCORES) / SCORE_STEP
    } else {
        MATE_STEP + (size - MATES)
    }
}

/// The size of the score of a step.
const fn score_of(step: u32) -> u32 {
    if step <= FINE_SCORES {
        step
    } else if step < MATE_STEP {
        FINE_SCORES + (step - FINE_SCORES) * SCORE_STEP
    } else {
        MATES + (step - MATE_STEP)
    }
}

/// The step of a depth, rounded down.
fn depth_step(depth: i32) -> u32 {
    let depth = (depth - Entry::DEPTH_UNSEARCHED).max(0);
    let step = if depth < FINE_DEPTHS { depth } else { FINE_DEPTHS + (depth - FINE_DEPTHS) / DEPTH_STEP };
    step.min(DEPTH_STEPS - 1).cast_unsigned()
}

const fn depth_of(step: u32) -> i32 {
    let step = step.cast_signed();
    let depth = if step < FINE_DEPTHS { step } else { FINE_DEPTHS + (step - FINE_DEPTHS) * DEPTH_STEP };
    depth + Entry::DEPTH_UNSEARCHED
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabi_shogi::MAX_PLY;

    #[test]
    fn entries_round_trip() {
        let moves = [None, "7g7f".parse().ok(), "8h2b+".parse().ok(), "P*5e".parse().ok(), "G*9i".parse().ok()];
        let scores = [0, 1, -1, 31_799, -31_799, 32_000, -32_000, 32_001, -32_001].map(Score::raw);
        let sources = [Source::Main, Source::NullMove, Source::Internal, Source::Quiescence, Source::Book];
        let mut entry =
            Entry { mv: None, score: Score::ZERO, eval: None, depth: 0, bound: None, pv: false, source: Source::Main };
        for mv in moves {
            for score in scores.into_iter().chain([Score::mate_in(MAX_PLY), Score::mated_in(0)]) {
                for (number, source) in sources.into_iter().enumerate() {
                    for depth in Entry::DEPTH_UNSEARCHED..=Entry::MAX_DEPTH {
                        entry = Entry {
                            mv,
                            score,
                            eval: (!score.is_mate() && source != Source::Book).then_some(-score),
                            depth,
                            bound: Bound::from_bits((depth & 3) as u8),
                            pv: depth % 2 == 0,
                            source,
                        };
                        let generation =
                            (depth.unsigned_abs() as u8).wrapping_mul(7).wrapping_add(number as u8) % GENERATIONS;
                        let packed = entry.pack(generation);
                        assert_eq!(Entry::unpack(packed), entry);
                        assert_eq!(Entry::replacement_info(packed[1]).generation, generation);
                        assert_ne!(packed[1], 0);
                    }
                }
            }
        }
        entry.depth = 1000;
        assert_eq!(Entry::unpack(entry.pack(0)).depth, Entry::MAX_DEPTH);
        entry.depth = -1000;
        assert_eq!(Entry::unpack(entry.pack(0)).depth, Entry::DEPTH_UNSEARCHED);
    }

    #[test]
    fn ages_wrap_around() {
        for current in 0..GENERATIONS {
            for searches in 0..GENERATIONS {
                let then = (current + GENERATIONS - searches) % GENERATIONS;
                assert_eq!(age(current, then), i32::from(searches));
            }
        }
    }

    fn compacted(score: i32, bound: Bound, depth: i32) -> Entry {
        Entry {
            mv: "G*5e".parse().ok(),
            score: Score::raw(score),
            eval: None,
            depth,
            bound: Some(bound),
            pv: score % 2 == 0,
            source: Source::Internal,
        }
    }

    #[test]
    fn rounding_keeps_bounds_valid() {
        // Miri is a hundred times slower.
        for score in (-32_001..=32_001).step_by(if cfg!(miri) { 101 } else { 1 }) {
            for bound in [Bound::Lower, Bound::Upper, Bound::Exact] {
                let kept = CompactEntry::pack(0xabcd_ef12, &compacted(score, bound, 3), 7).unwrap().unpack();
                let sound = match kept.bound.unwrap() {
                    Bound::Lower => bound != Bound::Upper && kept.score.get() <= score,
                    Bound::Upper => bound == Bound::Upper && kept.score.get() >= score,
                    Bound::Exact => bound == Bound::Exact && kept.score.get() == score,
                };
                assert!(sound, "{score} {bound:?} became {kept:?}");
                assert!((kept.score.get() - score).abs() < SCORE_STEP.cast_signed());
                let own_step = score.abs() <= FINE_SCORES.cast_signed() || Score::raw(score).is_mate();
                assert!(!own_step || (kept.score.get(), kept.bound) == (score, Some(bound)), "{score} {bound:?}");
            }
        }
    }

    #[test]
    fn packed_depth_never_exceeds_depth() {
        let mut last = Entry::DEPTH_UNSEARCHED;
        for depth in Entry::DEPTH_UNSEARCHED..=Entry::MAX_DEPTH {
            let kept = CompactEntry::pack(1, &compacted(0, Bound::Lower, depth), 7).unwrap().unpack().depth;
            assert!(kept <= depth && kept >= last && (depth > 21 || kept == depth), "{depth} became {kept}");
            last = kept;
        }
    }

    #[test]
    fn other_fields_round_trip() {
        for mv in [None, "7g7f".parse().ok(), "8h2b+".parse().ok(), "P*5e".parse().ok()] {
            for score in 0..32 {
                let whole = Entry { mv, ..compacted(score, Bound::Exact, 7) };
                let packed = CompactEntry::pack(0xabcd_ef12, &whole, score as u8).unwrap();
                assert_eq!((packed.unpack(), packed.0[0] & CompactEntry::TAG_MASK), (whole, 0x4d_ef12));
                let info = packed.replacement_info();
                assert_eq!((info.depth, info.exact, i32::from(info.generation)), (7, true, score));
                assert_ne!(packed.0[1], 0, "a taken slot does not look free");
            }
        }
        assert_eq!(CompactEntry::pack(1, &Entry { bound: None, ..compacted(0, Bound::Exact, 7) }, 7), None);
    }
}

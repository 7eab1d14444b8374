//! Compact entries of the second level.
//!
//! Two words instead of three: 23 key bits instead of 32, no static eval, no source, 32 depth steps
//! and 8192 score steps. Rounding is conservative: depths and lower bounds round down, upper bounds
//! up, and an exact score between steps becomes a lower bound. Mate distances are exact.

use super::entry::{Entry, ReplacementInfo, Source};
use sabi_shogi::{Bound, Move, Score};

/// Stored key bits.
pub(super) const TAG_MASK: u32 = 0x7f_ffff;

/// Scores up to this are stored exactly.
const FINE: u32 = 1800;
/// Step size in centipawns between that and the mates.
const STEP: u32 = 16;
/// The first mate score and its step.
const MATES: u32 = Score::MATE_IN_MAX_PLY.get().unsigned_abs();
const MATE_STEP: u32 = FINE + (MATES - FINE).div_ceil(STEP);
const SIGN: u32 = 1 << 12;

const _: () = assert!(MATE_STEP + Score::INFINITE.get().unsigned_abs() - MATES < SIGN);

/// Depths below this are stored exactly.
const FINE_DEPTHS: i32 = 24;
const DEPTH_STEP: i32 = 8;
const DEPTH_STEPS: i32 = 32;

/// Packs an entry with a bound; without one there is nothing to store here.
#[inline]
pub(super) fn pack(tag: u32, entry: &Entry, generation: u8) -> Option<[u32; 2]> {
    let bound = entry.bound?;
    let (score, bound) = round(entry.score.get(), bound);
    let generation = u32::from(generation);
    let first = tag & TAG_MASK | depth_step(entry.depth) << 23 | generation << 28;
    // A move has fifteen bits: the last generation bit is stored next to it.
    let mv = u32::from(entry.mv.map_or(0, Move::bits)) | generation >> 4 << 15;
    Some([first, mv | score << 16 | (bound as u32) << 29 | u32::from(entry.pv) << 31])
}

/// Unpacks [`pack`]ed words. The source is lost: treated as a helper entry.
#[inline]
pub(super) fn unpack([first, second]: [u32; 2]) -> Entry {
    let score = (second >> 16) & 0x1fff;
    let size = size(score & (SIGN - 1)).cast_signed();
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

/// Replacement criteria of [`pack`]ed words.
#[inline]
pub(super) fn replacement_info([first, second]: [u32; 2]) -> ReplacementInfo {
    ReplacementInfo {
        depth: depth_of((first >> 23) & 31),
        exact: second >> 29 & 3 == Bound::Exact as u32,
        main: false,
        generation: (first >> 28 | (second >> 15 & 1) << 4) as u8,
    }
}

/// The step of a score, rounded in the direction that keeps the bound valid.
fn round(score: i32, bound: Bound) -> (u32, Bound) {
    let wanted = score.unsigned_abs();
    let below = step(wanted);
    let exact = size(below) == wanted;
    let bound = if exact || bound == Bound::Upper { bound } else { Bound::Lower };
    // A lower bound is rounded down, away from zero if negative.
    let outwards = (bound == Bound::Upper) == (score >= 0);
    let step = below + u32::from(!exact && outwards);
    (if score < 0 { step | SIGN } else { step }, bound)
}

/// The largest step not beyond a number.
const fn step(size: u32) -> u32 {
    if size <= FINE {
        size
    } else if size < MATES {
        FINE + (size - FINE) / STEP
    } else {
        MATE_STEP + (size - MATES)
    }
}

/// The number of a step.
const fn size(step: u32) -> u32 {
    if step <= FINE {
        step
    } else if step < MATE_STEP {
        FINE + (step - FINE) * STEP
    } else {
        MATES + (step - MATE_STEP)
    }
}

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

    fn entry(score: i32, bound: Bound, depth: i32) -> Entry {
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
                let kept = unpack(pack(0xabcd_ef12, &entry(score, bound, 3), 7).unwrap());
                let sound = match kept.bound.unwrap() {
                    Bound::Lower => bound != Bound::Upper && kept.score.get() <= score,
                    Bound::Upper => bound == Bound::Upper && kept.score.get() >= score,
                    Bound::Exact => bound == Bound::Exact && kept.score.get() == score,
                };
                assert!(sound, "{score} {bound:?} became {kept:?}");
                assert!((kept.score.get() - score).abs() < STEP.cast_signed());
                let own_step = score.abs() <= FINE.cast_signed() || Score::raw(score).is_mate();
                assert!(!own_step || (kept.score.get(), kept.bound) == (score, Some(bound)), "{score} {bound:?}");
            }
        }
    }

    #[test]
    fn packed_depth_never_exceeds_depth() {
        let mut last = Entry::DEPTH_UNSEARCHED;
        for depth in Entry::DEPTH_UNSEARCHED..=Entry::MAX_DEPTH {
            let kept = unpack(pack(1, &entry(0, Bound::Lower, depth), 7).unwrap()).depth;
            assert!(kept <= depth && kept >= last && (depth > 21 || kept == depth), "{depth} became {kept}");
            last = kept;
        }
    }

    #[test]
    fn other_fields_round_trip() {
        for mv in [None, "7g7f".parse().ok(), "8h2b+".parse().ok(), "P*5e".parse().ok()] {
            for score in 0..32 {
                let whole = Entry { mv, ..entry(score, Bound::Exact, 7) };
                let words = pack(0xabcd_ef12, &whole, score as u8).unwrap();
                assert_eq!((unpack(words), words[0] & TAG_MASK), (whole, 0x4d_ef12));
                let info = replacement_info(words);
                assert_eq!((info.depth, info.exact, i32::from(info.generation)), (7, true, score));
                assert_ne!(words[1], 0, "a taken slot does not look free");
            }
        }
        assert_eq!(pack(1, &Entry { bound: None, ..entry(0, Bound::Exact, 7) }, 7), None);
    }
}

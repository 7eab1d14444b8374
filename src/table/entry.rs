//! Entries of the transposition table and their packing.

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
}

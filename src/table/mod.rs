//! Tables shared by all search threads.
//!
//! `bucket` is the concurrency primitive: a cache line with its own lock word.
//! [`TranspositionTable`], with an optional second level, and [`EvalCache`] build on it with a
//! replacement [`Policy`]: a score, the weighted sum of depth, age and exactness. The entry with the
//! lowest score is replaced; ties are broken by the key of the new entry. Every access takes
//! [`TableStats`]: [`Counts`], or `()` for none.

mod bucket;
mod counts;
mod entry;
mod eval_cache;
#[cfg(test)]
mod tests;
mod transposition;

pub use counts::{Counts, Event, TableStats};
pub use entry::{Entry, Source};
pub use eval_cache::{EvalCache, LocalEvalCache, ThreadEvalCache};
pub use transposition::TranspositionTable;

/// Replacement policy of a full bucket.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Any entry, chosen by the key of the new one.
    Always,
    /// The shallowest entry, of any age.
    DepthPreferred,
    /// The oldest entry, of any depth.
    AgeBased,
    /// Depth weighted against age.
    #[default]
    DepthAndAge,
    /// The same, with a bonus for exact scores.
    ExactPreferred,
    /// Some slots by depth and age, the others always replaced.
    TwoTier,
}

/// Plies of depth per generation of age.
const AGE_WEIGHT: i32 = 4;
/// Bonus of an exact score in plies.
const EXACT_WEIGHT: i32 = 8;
/// Slots of a bucket that [`Policy::TwoTier`] reserves for deep entries.
const DEEP_SLOTS: usize = 3;

/// Replacement score of a free slot, below all entries.
const FREE: i32 = -0x10_0000;
/// Replacement score of a protected entry, above all others.
const PROTECTED: i32 = 0x10_0000;

/// Weights of a policy.
#[derive(Copy, Clone, Debug)]
struct Ranking {
    depth: i32,
    age: i32,
    exact: i32,
    two_tier: bool,
}

impl Policy {
    const fn ranking(self) -> Ranking {
        let (depth, age, exact) = match self {
            Self::Always => (0, 0, 0),
            Self::DepthPreferred => (1, 0, 0),
            Self::AgeBased => (0, 1, 0),
            Self::DepthAndAge | Self::TwoTier => (1, AGE_WEIGHT, 0),
            Self::ExactPreferred => (1, AGE_WEIGHT, EXACT_WEIGHT),
        };
        Ranking { depth, age, exact, two_tier: matches!(self, Self::TwoTier) }
    }
}

impl Ranking {
    /// Replacement score; `age` in generations.
    #[inline]
    const fn replacement_score(&self, depth: i32, age: i32, exact: bool) -> i32 {
        self.depth * depth - self.age * age + self.exact * exact as i32
    }

    /// The slot for a new entry of score `newcomer`, given the scores in the bucket; `tie_break`,
    /// any number that varies between positions, decides between equal scores.
    #[inline]
    fn slot<const N: usize>(&self, scores: &[i32; N], newcomer: i32, tie_break: u32) -> usize {
        let tie_break = tie_break as usize % N;
        if !self.two_tier {
            return index_of_min(scores, tie_break);
        }
        let (deep, last) = scores.split_at(DEEP_SLOTS.min(N - 1));
        let slot = index_of_min(deep, tie_break);
        if newcomer >= deep[slot] { slot } else { deep.len() + tie_break % last.len() }
    }
}

/// Index of the lowest score; of equal ones the first in circular order from `tie_break`.
#[inline]
fn index_of_min(scores: &[i32], tie_break: usize) -> usize {
    let turn = |slot: usize| if slot >= tie_break { slot - tie_break } else { slot + scores.len() };
    (0..scores.len()).min_by_key(|&slot| scores[slot] * 16 + turn(slot) as i32).unwrap_or(0)
}

#[cfg(test)]
mod policy_tests {
    use super::*;

    /// Depth, age, exact.
    const ENTRIES: [(i32, i32, bool); 5] = [(9, 5, false), (4, 0, true), (3, 1, false), (5, 2, false), (2, 0, false)];

    fn slot(policy: Policy, newcomer: i32, tie_break: u32) -> usize {
        let ranking = policy.ranking();
        let scores = ENTRIES.map(|(depth, age, exact)| ranking.replacement_score(depth, age, exact));
        ranking.slot(&scores, ranking.replacement_score(newcomer, 0, false), tie_break)
    }

    #[test]
    fn victim_of_each_policy() {
        for tie_break in 0..20 {
            assert_eq!(slot(Policy::Always, 1, tie_break), tie_break as usize % 5);
            assert_eq!(slot(Policy::DepthPreferred, 1, tie_break), 4);
            assert_eq!(slot(Policy::AgeBased, 1, tie_break), 0);
            assert_eq!(slot(Policy::DepthAndAge, 1, tie_break), 0);
            assert_eq!(slot(Policy::ExactPreferred, 1, tie_break), 0);
            // 3 at age 1 scores -1, 9 at age 5 -11: the old one goes for any better newcomer.
            assert_eq!(slot(Policy::TwoTier, 1, tie_break), 0);
            assert!(slot(Policy::TwoTier, -12, tie_break) >= 3);
        }
    }

    #[test]
    fn exact_scores_are_preferred() {
        let victim = |policy: Policy| {
            let ranking = policy.ranking();
            ranking.slot(&[ranking.replacement_score(3, 0, true), ranking.replacement_score(5, 0, false)], 0, 0)
        };
        assert_eq!((victim(Policy::DepthAndAge), victim(Policy::ExactPreferred)), (0, 1));
    }

    #[test]
    fn free_slots_first_protected_last() {
        for policy in [Policy::Always, Policy::DepthPreferred, Policy::AgeBased, Policy::DepthAndAge] {
            for tie_break in 0..5 {
                let scores = [
                    policy.ranking().replacement_score(124, 0, true),
                    FREE,
                    policy.ranking().replacement_score(-2, 7, false),
                ];
                assert_eq!(policy.ranking().slot(&scores, 0, tie_break), 1);
                let scores = [PROTECTED, policy.ranking().replacement_score(124, 0, true), PROTECTED];
                assert_eq!(policy.ranking().slot(&scores, 0, tie_break), 1);
            }
        }
    }

    #[test]
    fn ties_are_uniform() {
        let mut taken = [0; 5];
        for tie_break in 0..1000 {
            taken[Policy::AgeBased.ranking().slot(&[3; 5], 3, tie_break)] += 1;
        }
        assert_eq!(taken, [200; 5]);
    }
}

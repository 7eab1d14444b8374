//! The second level of the transposition table: replaced entries in compact form.

use super::bucket::{Bucket, Words, bucket_index};
use super::compact::{self, TAG_MASK};
use super::entry::{Entry, ReplacementInfo, age};
use super::policy::{FREE, Ranking};
use crate::util::{HugeSlice, MemoryError, prefetch};

/// Entries in a bucket: two words each.
const ENTRIES: usize = 7;
const STRIDE: usize = 2;

/// First-level bucket and tag of an entry: all that is left of its key when it is replaced.
#[derive(Copy, Clone)]
pub(super) struct Address {
    pub bucket: usize,
    pub tag: u32,
}

/// A table of compact entries.
pub(super) struct SecondLevel {
    buckets: HugeSlice<Bucket>,
}

impl SecondLevel {
    pub(super) fn new(buckets: usize) -> Result<Self, MemoryError> {
        Ok(Self { buckets: HugeSlice::zeroed(buckets)? })
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val::<[Bucket]>(&self.buckets)
    }

    pub(super) fn clear(&mut self) {
        self.buckets.clear();
    }

    #[inline]
    fn bucket(&self, address: Address) -> &Bucket {
        // Mix both parts: either may be much larger or smaller than the number of buckets here. The
        // constant is that of Fibonacci hashing (Knuth, TAOCP 6.4).
        let whole = (address.bucket as u64) << 32 | u64::from(address.tag);
        let mixed = whole.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &self.buckets[bucket_index(mixed, self.buckets.len())]
    }

    #[inline]
    pub(super) fn prefetch(&self, address: Address) {
        prefetch(self.bucket(address));
    }

    /// An entry and its generation. It stays here: the first level may have no room for it.
    pub(super) fn probe(&self, address: Address) -> Option<(Entry, u8)> {
        let tag = address.tag & TAG_MASK;
        let words = self.bucket(address).read(|words| slot_of(words, tag).map(|at| read(words, at)));
        words.flatten().map(|words| (compact::unpack(words), compact::replacement_info(words).generation))
    }

    /// Stores an [`Entry::pack`]ed entry unless all others in its bucket have a higher score;
    /// returns whether it is stored.
    pub(super) fn store(&self, address: Address, entry: [u32; 2], ranking: Ranking, generation: u8) -> bool {
        let info = Entry::replacement_info(entry[1]);
        let Some(packed) = compact::pack(address.tag, &Entry::unpack(entry), info.generation) else {
            return false;
        };
        let replacement_score =
            |info: ReplacementInfo| ranking.replacement_score(info.depth, age(generation, info.generation), info.exact);
        let written = self.bucket(address).write(|words| {
            let scores: [i32; ENTRIES] = std::array::from_fn(|slot| match read(words, slot * STRIDE) {
                [_, 0] => FREE,
                taken => replacement_score(compact::replacement_info(taken)),
            });
            let newcomer = replacement_score(info);
            let (at, fits) = match slot_of(words, address.tag & TAG_MASK) {
                Some(at) => (at, true),
                None => {
                    let slot = ranking.slot(&scores, newcomer, address.tag >> 24);
                    (slot * STRIDE, newcomer >= scores[slot])
                }
            };
            if fits {
                words.set(at, packed[0]);
                words.set(at + 1, packed[1]);
            }
            fits
        });
        written.unwrap_or(false)
    }
}

#[inline]
fn read(words: &Words<'_>, at: usize) -> [u32; 2] {
    [words.get(at), words.get(at + 1)]
}

#[inline]
fn slot_of(words: &Words<'_>, tag: u32) -> Option<usize> {
    (0..ENTRIES).map(|slot| slot * STRIDE).find(|&at| words.get(at) & TAG_MASK == tag && words.get(at + 1) != 0)
}

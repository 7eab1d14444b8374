//! Evaluation cache, for evaluations that cost more than a lookup.
//!
//! Two levels: a small one owned by each thread ([`LocalEvalCache`], sized for the L2 cache)
//! before a large shared one ([`EvalCache`], on buckets). [`ThreadEvalCache`] combines both for
//! one thread.
//!
//! Both compare the full 64-bit key.

use super::bucket::{Bucket, PER_MEBIBYTE, Words, bucket_index, permille};
use super::counts::{Event, TableStats};
use super::entry::{GENERATIONS, age};
use super::{FREE, Policy, Ranking};
use crate::machine::{HugeSlice, MemoryError, filled, prefetch};
use std::sync::atomic::AtomicBool;

/// Entries per bucket: two key words and one value word each.
const ENTRIES: usize = 5;
const STRIDE: usize = 3;

/// Static eval of a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Value {
    value: i16,
    /// Depth of the node.
    depth: u8,
    generation: u8,
}

impl Value {
    /// Never 0, the free slot.
    #[inline]
    fn pack(self) -> u32 {
        u32::from(self.value as u16) | u32::from(self.depth) << 16 | u32::from(self.generation) << 24 | 1 << 31
    }

    #[inline]
    fn unpack(word: u32) -> Option<Self> {
        (word != 0).then_some(Self {
            value: word as u16 as i16,
            depth: (word >> 16) as u8,
            generation: (word >> 24) as u8 % GENERATIONS,
        })
    }
}

/// The shared level.
pub struct EvalCache {
    buckets: HugeSlice<Bucket>,
    ranking: Ranking,
    generation: u8,
}

impl EvalCache {
    /// Allocates exactly `megabytes` MiB, all of it for buckets; one bucket for 0 MiB.
    ///
    /// # Errors
    /// When out of memory.
    pub fn new(megabytes: usize) -> Result<Self, MemoryError> {
        let buckets = HugeSlice::lazily_zeroed(megabytes.saturating_mul(PER_MEBIBYTE).max(1))?;
        Ok(Self { buckets, ranking: Policy::default().ranking(), generation: 0 })
    }

    /// Sets the replacement policy.
    pub fn set_policy(&mut self, policy: Policy) {
        self.ranking = policy.ranking();
    }

    /// Size in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val::<[Bucket]>(&self.buckets)
    }

    /// Touches all pages now instead of during use, until `cut_short` is set.
    pub fn touch(&mut self, cut_short: &AtomicBool) {
        self.buckets.touch(cut_short);
    }

    /// Clears the cache, until `cut_short` is set. Required when the evaluation changes.
    pub fn clear(&mut self, cut_short: &AtomicBool) {
        self.buckets.clear(cut_short);
    }

    /// Starts a new generation.
    pub fn next_generation(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[bucket_index(key, self.buckets.len())]
    }

    /// Prefetches the bucket of a position.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// Static eval of a position.
    #[inline]
    pub fn probe(&self, key: u64, stats: &mut impl TableStats) -> Option<i32> {
        let read = self.bucket(key).read(|words| slot_of(words, key).and_then(|at| read_value(words, at)));
        stats.record(if matches!(read, Some(Some(_))) { Event::Hit } else { Event::Miss });
        if read.is_none() {
            stats.record(Event::Torn);
        }
        read.flatten().map(|found| found.value.into())
    }

    /// Stores the static eval at a node of `depth`. Values beyond 16 bits are not stored.
    pub fn store(&self, key: u64, value: i32, depth: i32, stats: &mut impl TableStats) {
        let Ok(value) = i16::try_from(value) else { return };
        let depth = depth.clamp(0, u8::MAX.into()) as u8;
        let new = Value { value, depth, generation: self.generation };
        let event = self.bucket(key).write(|words| {
            let (at, event) = match slot_of(words, key) {
                Some(at) => (at, Event::Same),
                None => self.make_room(words, key, new),
            };
            words.set(at, key as u32);
            words.set(at + 1, (key >> 32) as u32);
            words.set(at + 2, new.pack());
            event
        });
        stats.record(event.unwrap_or(Event::Contended));
    }

    /// The slot for a value, and the event for the statistics.
    fn make_room(&self, words: &Words<'_>, key: u64, new: Value) -> (usize, Event) {
        let replacement_score = |value: Value| {
            self.ranking.replacement_score(value.depth.into(), age(self.generation, value.generation), false)
        };
        let scores: [i32; ENTRIES] =
            std::array::from_fn(|slot| read_value(words, slot * STRIDE).map_or(FREE, replacement_score));
        let at = self.ranking.slot(&scores, replacement_score(new), key as u32 >> 24) * STRIDE;
        let event = match read_value(words, at) {
            None => Event::Free,
            Some(old) if old.generation != self.generation => Event::Older,
            Some(old) if old.depth < new.depth => Event::Shallower,
            Some(_) => Event::Deeper,
        };
        (at, event)
    }

    /// Used slots, in permille of a sample.
    pub fn fill(&self) -> u32 {
        permille(&self.buckets, ENTRIES, |words| {
            (0..ENTRIES).filter(|slot| read_value(words, slot * STRIDE).is_some()).count()
        })
    }
}

#[inline]
fn read_value(words: &Words<'_>, at: usize) -> Option<Value> {
    Value::unpack(words.get(at + 2))
}

#[inline]
fn slot_of(words: &Words<'_>, key: u64) -> Option<usize> {
    (0..ENTRIES).map(|slot| slot * STRIDE).find(|&at| {
        words.get(at) == key as u32 && words.get(at + 1) == (key >> 32) as u32 && read_value(words, at).is_some()
    })
}

/// Slots of a thread's own level: 256 KiB.
const LOCAL_SLOTS: usize = 1 << 14;

#[derive(Copy, Clone, Default)]
struct LocalEntry {
    key: u64,
    value: Option<i16>,
}

/// The level owned by one thread.
pub struct LocalEvalCache(Box<[LocalEntry]>);

impl LocalEvalCache {
    /// Size in bytes.
    pub const BYTES: usize = LOCAL_SLOTS * size_of::<LocalEntry>();

    /// An empty one.
    ///
    /// # Errors
    /// When out of memory.
    pub fn new() -> Result<Self, MemoryError> {
        Ok(Self(filled(LocalEntry::default(), LOCAL_SLOTS)?))
    }

    /// Clears the cache. Required when the evaluation changes.
    pub fn clear(&mut self) {
        self.0.fill(LocalEntry::default());
    }

    #[inline]
    fn slot(&mut self, key: u64) -> &mut LocalEntry {
        &mut self.0[key as usize % LOCAL_SLOTS]
    }
}

/// The cache as seen by one thread.
pub struct ThreadEvalCache<'a> {
    local: &'a mut LocalEvalCache,
    shared: &'a EvalCache,
}

impl<'a> ThreadEvalCache<'a> {
    /// Combines both levels, which must belong to the same evaluation.
    pub fn new(local: &'a mut LocalEvalCache, shared: &'a EvalCache) -> Self {
        Self { local, shared }
    }

    /// Cached or newly computed static eval of the position with this key, at a node of `depth`.
    #[inline]
    pub fn value(&mut self, key: u64, depth: i32, compute: impl FnOnce() -> i32, stats: &mut impl TableStats) -> i32 {
        let local = self.local.slot(key);
        if let (true, Some(value)) = (local.key == key, local.value) {
            stats.record(Event::LocalHit);
            return value.into();
        }
        let value = self.shared.probe(key, stats).unwrap_or_else(|| {
            let value = compute();
            self.shared.store(key, value, depth, stats);
            value
        });
        *local = LocalEntry { key, value: i16::try_from(value).ok() };
        value
    }
}

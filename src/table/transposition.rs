//! The transposition table, with an optional second level for replaced entries.

use super::bucket::{Bucket, PER_MEBIBYTE, Words, WriteGuard, bucket_index, permille};
use super::counts::{Event, TableStats};
use super::entry::{CompactEntry, Entry, GENERATIONS, ReplacementInfo, age};
use super::{FREE, PROTECTED, Policy, Ranking};
use crate::machine::{HugeSlice, MemoryError, prefetch};
use sabi_shogi::Bound;
use std::sync::atomic::AtomicBool;

/// Entries per bucket: three words each.
const ENTRIES: usize = 5;
/// Words per entry: low half of the key, then [`Entry::pack`].
const STRIDE: usize = 3;

/// A store for the same position keeps an entry of the same generation that is deeper by more than
/// this.
const DEPTH_TOLERANCE: i32 = 4;

/// A transposition table shared by all threads. No access waits: each bucket has its own lock word.
pub struct TranspositionTable {
    buckets: HugeSlice<Bucket>,
    /// Second level for replaced entries, if enabled.
    second: Option<SecondLevel>,
    ranking: Ranking,
    generation: u8,
}

impl TranspositionTable {
    /// Allocates exactly `megabytes` MiB of buckets, and `second_megabytes` MiB for a second level,
    /// whose pages [`TranspositionTable::touch`] touches. 0 MiB: a single bucket; no second level.
    ///
    /// # Errors
    /// When out of memory.
    pub fn new(megabytes: usize, second_megabytes: usize) -> Result<Self, MemoryError> {
        Self::with_buckets(megabytes.saturating_mul(PER_MEBIBYTE).max(1), second_megabytes.saturating_mul(PER_MEBIBYTE))
    }

    pub(super) fn with_buckets(first: usize, second: usize) -> Result<Self, MemoryError> {
        let buckets = HugeSlice::lazily_zeroed(first)?;
        let second = if second > 0 { Some(SecondLevel { buckets: HugeSlice::lazily_zeroed(second)? }) } else { None };
        Ok(Self { buckets, second, ranking: Policy::default().ranking(), generation: 0 })
    }

    /// Sets the replacement policy.
    pub fn set_policy(&mut self, policy: Policy) {
        self.ranking = policy.ranking();
    }

    /// Size of both levels in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val::<[Bucket]>(&self.buckets)
            + self.second.as_ref().map_or(0, |second| size_of_val::<[Bucket]>(&second.buckets))
    }

    /// Touches all pages now instead of during use, until `cut_short` is set.
    pub fn touch(&mut self, cut_short: &AtomicBool) {
        self.buckets.touch(cut_short);
        self.second.iter_mut().for_each(|second| second.buckets.touch(cut_short));
    }

    /// Clears the table, until `cut_short` is set.
    pub fn clear(&mut self, cut_short: &AtomicBool) {
        self.buckets.clear(cut_short);
        self.second.iter_mut().for_each(|second| second.buckets.clear(cut_short));
        self.generation = 0;
    }

    /// Starts a new generation.
    pub fn next_generation(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    #[inline]
    fn address(&self, key: u64) -> Address {
        Address { bucket: bucket_index(key, self.buckets.len()), tag: key as u32 }
    }

    /// Prefetches the buckets of a position.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        let address = self.address(key);
        prefetch(&self.buckets[address.bucket]);
        if let Some(second) = &self.second {
            prefetch(second.bucket(address));
        }
    }

    /// Probes the table.
    #[inline]
    pub fn probe(&self, key: u64, stats: &mut impl TableStats) -> Option<Entry> {
        let address = self.address(key);
        let read = self.buckets[address.bucket]
            .read(|words| slot_of(words, address.tag).map(|at| [words.get(at + 1), words.get(at + 2)]));
        if let Some(words) = read.flatten() {
            stats.record(Event::Hit);
            return Some(Entry::unpack(words));
        }
        let found = self.second.as_ref().and_then(|second| self.promote(second, address, stats));
        stats.record(if found.is_some() { Event::SecondLevelHit } else { Event::Miss });
        if read.is_none() {
            stats.record(Event::Torn);
        }
        found
    }

    /// Probes the second level and promotes a hit to the first.
    #[inline(never)]
    fn promote(&self, second: &SecondLevel, address: Address, stats: &mut impl TableStats) -> Option<Entry> {
        let (entry, generation) = second.probe(address)?;
        self.insert(address, &entry, generation, stats);
        Some(entry)
    }

    /// Stores an entry of the current generation. Gives up if another thread is writing to the
    /// bucket.
    #[inline]
    pub fn store(&self, key: u64, entry: &Entry, stats: &mut impl TableStats) {
        self.insert(self.address(key), entry, self.generation, stats);
    }

    #[inline]
    fn insert(&self, address: Address, entry: &Entry, generation: u8, stats: &mut impl TableStats) {
        let Address { bucket, tag } = address;
        let done = self.buckets[bucket].write(|words| {
            if let Some(at) = slot_of(words, tag) {
                stats.record(self.update(words, at, tag, entry));
            } else if let Some(at) = slots().find(|&at| words.get(at + 2) == 0) {
                write_words(words, at, tag, entry.pack(generation));
                stats.record(Event::Free);
            } else {
                return self.evict(words, tag, entry.pack(generation), stats);
            }
            None
        });
        match done {
            None => stats.record(Event::Contended),
            Some(None) => {}
            Some(Some(old)) => self.store_second(bucket, old, stats),
        }
    }

    /// Stores a replaced entry in the second level, if there is one.
    #[inline]
    fn store_second(&self, bucket: usize, [tag, first, second]: [u32; STRIDE], stats: &mut impl TableStats) {
        if let Some(level) = &self.second
            && level.store(Address { bucket, tag }, [first, second], self.ranking, self.generation)
        {
            stats.record(Event::SecondLevelStore);
        }
    }

    /// Overwrites an entry of the same position, unless the new one is clearly worse. Always inlined:
    /// [`Self::insert`] with and without statistics would otherwise share it by a call.
    #[inline(always)]
    fn update(&self, words: &WriteGuard<'_>, at: usize, tag: u32, new: &Entry) -> Event {
        let packed = [words.get(at + 1), words.get(at + 2)];
        let old = Entry::unpack(packed);
        // Only an entry of this generation is kept.
        let keeps = Entry::replacement_info(packed[1]).generation == self.generation && is_clearly_worse(new, &old);
        let (event, entry) = if keeps { (Event::RejectedWorse, &old) } else { (Event::Same, new) };
        // The newer move is preferred in either case, except to that of a proved mate.
        let mv = if entry.depth == Entry::MAX_DEPTH { entry.mv } else { new.mv }.or(old.mv);
        write_words(words, at, tag, Entry { mv, ..*entry }.pack(self.generation));
        event
    }

    /// Replaces the entry with the lowest replacement score and returns it; `None` if the new one
    /// is rejected: helper entries never replace main entries of this search.
    #[inline(never)]
    fn evict<S: TableStats>(
        &self,
        words: &WriteGuard<'_>,
        tag: u32,
        packed: [u32; 2],
        stats: &mut S,
    ) -> Option<[u32; STRIDE]> {
        let new_info = Entry::replacement_info(packed[1]);
        let new_score = self.replacement_score(new_info);
        let others: [ReplacementInfo; ENTRIES] =
            std::array::from_fn(|slot| Entry::replacement_info(words.get(slot * STRIDE + 2)));
        let is_protected = |other: ReplacementInfo| !new_info.main && other.main && other.generation == self.generation;
        let least = |scores: [i32; ENTRIES]| self.ranking.slot(&scores, new_score, tag >> 24);
        let slot =
            least(others.map(|other| if is_protected(other) { PROTECTED } else { self.replacement_score(other) }));
        if S::ENABLED && is_protected(others[least(others.map(|other| self.replacement_score(other)))]) {
            stats.record(Event::Protected);
        }
        if is_protected(others[slot]) {
            stats.record(Event::RejectedHelper);
            return None;
        }
        let at = slot * STRIDE;
        let old = std::array::from_fn(|word| words.get(at + word));
        write_words(words, at, tag, packed);
        stats.record(if others[slot].generation != self.generation {
            Event::Older
        } else if others[slot].depth < new_info.depth {
            Event::Shallower
        } else {
            Event::Deeper
        });
        Some(old)
    }

    #[inline]
    fn replacement_score(&self, info: ReplacementInfo) -> i32 {
        self.ranking.replacement_score(info.depth, age(self.generation, info.generation), info.exact)
    }

    /// Entries of the current generation, in permille of a sample.
    pub fn hashfull(&self) -> u32 {
        self.sample(|info| info.generation == self.generation)
    }

    /// Used slots, in permille of a sample.
    pub fn fill(&self) -> u32 {
        self.sample(|_| true)
    }

    fn sample(&self, wanted: impl Fn(ReplacementInfo) -> bool) -> u32 {
        permille(&self.buckets, ENTRIES, |words| {
            let seconds = slots().map(|at| words.get(at + 2));
            seconds.filter(|&second| second != 0 && wanted(Entry::replacement_info(second))).count()
        })
    }
}

/// The first word of each entry.
#[inline]
fn slots() -> impl Iterator<Item = usize> {
    (0..ENTRIES).map(|slot| slot * STRIDE)
}

#[inline]
fn slot_of(words: &Words<'_>, tag: u32) -> Option<usize> {
    // A free slot looks like tag 0.
    slots().find(|&at| words.get(at) == tag).filter(|&at| words.get(at + 2) != 0)
}

/// Whether `new` has less information than `old`, both of the same position.
fn is_clearly_worse(new: &Entry, old: &Entry) -> bool {
    new.bound != Some(Bound::Exact) && new.depth + DEPTH_TOLERANCE + 2 * i32::from(new.pv) < old.depth
}

#[inline]
fn write_words(words: &WriteGuard<'_>, at: usize, tag: u32, packed: [u32; 2]) {
    words.set(at, tag);
    words.set(at + 1, packed[0]);
    words.set(at + 2, packed[1]);
}

/// First-level bucket and tag of an entry: all that is left of its key when it is replaced.
#[derive(Copy, Clone)]
struct Address {
    bucket: usize,
    tag: u32,
}

/// A table of compact entries.
struct SecondLevel {
    buckets: HugeSlice<Bucket>,
}

impl SecondLevel {
    /// Entries in a bucket: two words each.
    const ENTRIES: usize = 7;
    const STRIDE: usize = 2;

    #[inline]
    fn bucket(&self, address: Address) -> &Bucket {
        // Mix both parts: either may be much larger or smaller than the number of buckets here. The
        // constant is that of Fibonacci hashing (Knuth, TAOCP 6.4).
        let whole = (address.bucket as u64) << 32 | u64::from(address.tag);
        let mixed = whole.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &self.buckets[bucket_index(mixed, self.buckets.len())]
    }

    /// An entry and its generation. It stays here: the first level may have no room for it.
    fn probe(&self, address: Address) -> Option<(Entry, u8)> {
        let read =
            self.bucket(address).read(|words| Self::slot_of(words, address.tag).map(|at| Self::entry(words, at)));
        read.flatten().map(|entry| (entry.unpack(), entry.replacement_info().generation))
    }

    /// Stores an [`Entry::pack`]ed entry unless all others in its bucket have a higher score;
    /// returns whether it is stored.
    fn store(&self, address: Address, entry: [u32; 2], ranking: Ranking, generation: u8) -> bool {
        let info = Entry::replacement_info(entry[1]);
        let Some(packed) = CompactEntry::pack(address.tag, &Entry::unpack(entry), info.generation) else {
            return false;
        };
        let replacement_score =
            |info: ReplacementInfo| ranking.replacement_score(info.depth, age(generation, info.generation), info.exact);
        let written = self.bucket(address).write(|words| {
            let scores: [i32; Self::ENTRIES] =
                std::array::from_fn(|slot| match Self::entry(words, slot * Self::STRIDE) {
                    CompactEntry([_, 0]) => FREE,
                    taken => replacement_score(taken.replacement_info()),
                });
            let newcomer = replacement_score(info);
            let (at, fits) = match Self::slot_of(words, address.tag) {
                Some(at) => (at, true),
                None => {
                    let slot = ranking.slot(&scores, newcomer, address.tag >> 24);
                    (slot * Self::STRIDE, newcomer >= scores[slot])
                }
            };
            if fits {
                words.set(at, packed.0[0]);
                words.set(at + 1, packed.0[1]);
            }
            fits
        });
        written.unwrap_or(false)
    }

    #[inline]
    fn entry(words: &Words<'_>, at: usize) -> CompactEntry {
        CompactEntry([words.get(at), words.get(at + 1)])
    }

    #[inline]
    fn slot_of(words: &Words<'_>, tag: u32) -> Option<usize> {
        let tag = tag & CompactEntry::TAG_MASK;
        (0..Self::ENTRIES)
            .map(|slot| slot * Self::STRIDE)
            .find(|&at| words.get(at) & CompactEntry::TAG_MASK == tag && words.get(at + 1) != 0)
    }
}

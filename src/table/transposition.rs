//! The transposition table.

use super::bucket::{Bucket, Held, Words};
use super::entry::{Entry, GENERATIONS};
use crate::util::{HugeSlice, MemoryError, prefetch};

/// Entries in a bucket: three words each.
const ENTRIES: usize = 5;
/// Words of an entry: the low half of the key, then [`Entry::pack`].
const STRIDE: usize = 3;
const MEBIBYTE: usize = 1 << 20;

/// How many plies of depth one generation of age outweighs when an entry must go.
const AGE_WEIGHT: i32 = 4;
/// A store for the same position keeps the old entry when that is deeper by more than this and as young.
const DEPTH_TOLERANCE: i32 = 4;

/// A transposition table that all threads read and write without waiting.
pub struct Table {
    buckets: HugeSlice<Bucket>,
    megabytes: usize,
    generation: u8,
}

impl Table {
    /// Allocates exactly `megabytes` MiB, all of it for buckets, on pages that are ready to use.
    ///
    /// # Errors
    /// When the memory is not there.
    pub fn new(megabytes: usize) -> Result<Self, MemoryError> {
        let mut buckets = HugeSlice::zeroed(megabytes.saturating_mul(MEBIBYTE / size_of::<Bucket>()))?;
        // Fresh pages are zero already.
        buckets.touch();
        Ok(Self { buckets, megabytes, generation: 0 })
    }

    /// The size in MiB.
    pub fn megabytes(&self) -> usize {
        self.megabytes
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.clear();
        self.generation = 0;
    }

    /// Marks the beginning of a search: what is stored from now on is younger than what is there.
    pub fn next_generation(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        // The high half of a product spreads the key's high bits evenly over any number of buckets.
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Brings the bucket of a position near, ahead of [`Table::probe`].
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// Looks a position up.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let tag = key as u32;
        self.bucket(key)
            .read(|words| slot_of(words, tag).map(|at| [words.get(at + 1), words.get(at + 2)]))
            .flatten()
            .filter(|words| words[1] != 0)
            .map(Entry::unpack)
    }

    /// Stores what was found about a position. The entry's generation is set here. Gives up when another thread writes to
    /// the same bucket at this moment.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) {
        entry.generation = self.generation;
        let tag = key as u32;
        self.bucket(key).write(|words| {
            if let Some(at) = slot_of(words, tag) {
                let old = read_entry(words, at);
                if self.is_clearly_worse(&entry, &old) {
                    // What stays is deeper, but the later move has seen more.
                    write_entry(words, at, tag, &Entry { mv: entry.mv.or(old.mv), ..old });
                } else {
                    entry.mv = entry.mv.or(old.mv);
                    write_entry(words, at, tag, &entry);
                }
            } else {
                let least = slots().min_by_key(|&at| self.worth(words, at)).unwrap_or(0);
                write_entry(words, least, tag, &entry);
            }
        });
    }

    /// Whether `new` knows less about the same position than `old`.
    fn is_clearly_worse(&self, new: &Entry, old: &Entry) -> bool {
        let exact = new.bound == Some(crate::types::Bound::Exact);
        !exact && old.generation == self.generation && new.depth + DEPTH_TOLERANCE + 2 * i32::from(new.pv) < old.depth
    }

    /// What an entry is worth keeping: deep and young ones most, empty ones nothing.
    fn worth(&self, words: &Words<'_>, at: usize) -> i32 {
        let entry = read_entry(words, at);
        if words.get(at + 2) == 0 {
            return i32::MIN;
        }
        let age = (GENERATIONS + self.generation - entry.generation) % GENERATIONS;
        entry.depth - AGE_WEIGHT * i32::from(age)
    }

    /// How many of a thousand sampled entries are of the present search.
    pub fn hashfull(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(1000 / ENTRIES)];
        let young = |bucket: &Bucket| {
            bucket.read(|words| {
                slots()
                    .filter(|&at| words.get(at + 2) != 0)
                    .filter(|&at| read_entry(words, at).generation == self.generation)
                    .count()
            })
        };
        let found: usize = sample.iter().filter_map(young).sum();
        (found * 1000 / (sample.len() * ENTRIES).max(1)) as u32
    }
}

/// The first word of each entry.
#[inline]
fn slots() -> impl Iterator<Item = usize> {
    (0..ENTRIES).map(|slot| slot * STRIDE)
}

#[inline]
fn slot_of(words: &Words<'_>, tag: u32) -> Option<usize> {
    slots().find(|&at| words.get(at) == tag)
}

#[inline]
fn read_entry(words: &Words<'_>, at: usize) -> Entry {
    Entry::unpack([words.get(at + 1), words.get(at + 2)])
}

#[inline]
fn write_entry(words: &Held<'_>, at: usize, tag: u32, entry: &Entry) {
    let packed = entry.pack();
    words.set(at, tag);
    words.set(at + 1, packed[0]);
    words.set(at + 2, packed[1]);
}

#[cfg(test)]
mod tests {
    use super::super::entry::Source;
    use super::*;
    use crate::types::{Bound, Score};

    fn entry(depth: i32, score: i32) -> Entry {
        Entry {
            mv: "7g7f".parse().ok(),
            score: Score::cp(score),
            eval: Some(Score::cp(score + 1)),
            depth,
            bound: Some(Bound::Lower),
            pv: false,
            source: Source::Main,
            generation: 0,
        }
    }

    #[test]
    fn finds_what_was_stored() {
        let table = Table::new(1).unwrap();
        assert_eq!(table.buckets.len() * size_of::<Bucket>(), 1 << 20);
        assert_eq!(table.probe(0), None);
        for number in 1..1000u64 {
            let key = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            table.store(key, entry(number as i32 % 20, number as i32));
            assert_eq!(table.probe(key), Some(entry(number as i32 % 20, number as i32)));
        }
    }

    #[test]
    fn deep_entries_outlive_shallow_ones_until_they_are_old() {
        let mut table = Table::new(1).unwrap();
        table.store(1, entry(20, 1));
        (2..100).for_each(|key| table.store(key, entry(1, 2)));
        assert!(table.probe(1).is_some());
        (0..7).for_each(|_| table.next_generation());
        (200..300).for_each(|key| table.store(key, entry(1, 2)));
        assert!(table.probe(1).is_none());
    }

    #[test]
    fn a_shallow_bound_does_not_replace_a_deep_one_of_the_same_position() {
        let table = Table::new(1).unwrap();
        table.store(7, entry(20, 1));
        table.store(7, entry(2, 5));
        assert_eq!(table.probe(7).map(|e| e.depth), Some(20));
        table.store(7, entry(18, 5));
        assert_eq!(table.probe(7).map(|e| e.depth), Some(18));
        table.store(7, Entry { mv: None, ..entry(19, 6) });
        assert_eq!(table.probe(7).and_then(|e| e.mv), "7g7f".parse().ok());
    }

    #[test]
    fn too_much_memory_is_an_error() {
        assert!(Table::new(usize::MAX / MEBIBYTE).is_err());
        assert!(Table::new(usize::MAX).is_err());
    }

    #[test]
    fn threads_never_read_a_mixture() {
        let table = Table::new(1).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..40_000u64 {
                        // All keys fall into the first buckets, so that threads meet there all the time.
                        let key = (round * 7 + thread) % 64;
                        let depth = (round % 50) as i32;
                        let made = Entry { eval: Some(Score::cp(depth * 3 + 1)), ..entry(depth, depth * 3) };
                        table.store(key, made);
                        if let Some(found) = table.probe(round % 64) {
                            assert_eq!(found.score.get(), found.depth * 3);
                            assert_eq!(found.eval, Some(Score::cp(found.depth * 3 + 1)));
                        }
                    }
                });
            }
        });
    }
}

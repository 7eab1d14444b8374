//! A cache line with its own lock word: the primitive of all shared tables.
//!
//! The lock word is a sequence count (seqlock), odd during a write. A reader takes no lock: it
//! reads the count, copies, reads the count again and treats a change as a miss. A writer tries
//! once to make the count odd and gives up if another writer holds it. No thread waits, nothing is
//! poisoned, and no read is torn.
//!
//! The payload consists of relaxed atomics, so racing reads are defined; the fences follow Boehm,
//! "Can seqlocks get along with programming language memory models?" (MSPC 2012).

use bytemuck::Zeroable;
use std::ops::Deref;
use std::sync::atomic::{AtomicU32, Ordering, fence};

/// 32 bits accessed through a shared reference.
///
/// Orderings are those of [`AtomicU32`].
pub(super) trait Word {
    /// The current value.
    fn load(&self, order: Ordering) -> u32;

    /// Sets the value.
    fn store(&self, value: u32, order: Ordering);

    /// Compare and exchange; returns whether it succeeded. Relaxed on failure.
    fn replace(&self, old: u32, new: u32, order: Ordering) -> bool;

    /// A fence between what comes before and what comes after.
    fn fence(order: Ordering);
}

impl Word for AtomicU32 {
    #[inline]
    fn load(&self, order: Ordering) -> u32 {
        self.load(order)
    }

    #[inline]
    fn store(&self, value: u32, order: Ordering) {
        self.store(value, order);
    }

    #[inline]
    fn replace(&self, old: u32, new: u32, order: Ordering) -> bool {
        self.compare_exchange(old, new, order, Ordering::Relaxed).is_ok()
    }

    #[inline]
    fn fence(order: Ordering) {
        fence(order);
    }
}

/// Words of payload.
const WORDS: usize = 15;

/// Fifteen words under one lock word, in one cache line.
#[derive(Default, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Bucket<W = AtomicU32> {
    sequence: W,
    words: [W; WORDS],
}

/// Buckets per MiB.
pub(super) const PER_MEBIBYTE: usize = (1 << 20) / size_of::<Bucket>();

/// Bucket index of a key: the high half of `key * buckets` spreads the high bits evenly over any
/// number of buckets.
#[inline]
pub(super) fn bucket_index(key: u64, buckets: usize) -> usize {
    ((u128::from(key) * buckets as u128) >> 64) as usize
}

const _: () = assert!(size_of::<Bucket>() == 64 && align_of::<Bucket>() == 64);

impl<W: Word> Bucket<W> {
    /// Reads through `read`; `None` when a write interfered.
    #[inline]
    pub(super) fn read<T>(&self, read: impl FnOnce(&Words<'_, W>) -> T) -> Option<T> {
        let before = self.sequence.load(Ordering::Acquire);
        if before & 1 != 0 {
            return None;
        }
        let value = read(&Words(self));
        W::fence(Ordering::Acquire);
        (self.sequence.load(Ordering::Relaxed) == before).then_some(value)
    }

    /// Calls `write` with exclusive access; `None`, without waiting, when another writer holds the
    /// bucket.
    #[inline]
    pub(super) fn write<T>(&self, write: impl FnOnce(&WriteGuard<'_, W>) -> T) -> Option<T> {
        let before = self.sequence.load(Ordering::Relaxed);
        if before & 1 != 0 || !self.sequence.replace(before, before.wrapping_add(1), Ordering::Acquire) {
            return None;
        }
        W::fence(Ordering::Release);
        let value = write(&WriteGuard(Words(self)));
        self.sequence.store(before.wrapping_add(2), Ordering::Release);
        Some(value)
    }
}

/// Entries in a sample.
const SAMPLE: usize = 1000;

/// Counts entries of the first buckets, which have `entries` each: permille of them.
pub(super) fn permille(buckets: &[Bucket], entries: usize, count: impl Fn(&Words<'_>) -> usize) -> u32 {
    let sample = &buckets[..buckets.len().min(SAMPLE / entries)];
    let counted: usize = sample.iter().filter_map(|bucket| bucket.read(&count)).sum();
    (counted * 1000 / (sample.len() * entries).max(1)) as u32
}

/// Read access to the payload.
pub(super) struct Words<'a, W = AtomicU32>(&'a Bucket<W>);

impl<W: Word> Words<'_, W> {
    /// Loads a word.
    #[inline]
    pub(super) fn get(&self, at: usize) -> u32 {
        self.0.words[at].load(Ordering::Relaxed)
    }
}

/// Write access to the payload of a locked bucket.
pub(super) struct WriteGuard<'a, W = AtomicU32>(Words<'a, W>);

impl<W: Word> WriteGuard<'_, W> {
    /// Stores a word.
    #[inline]
    pub(super) fn set(&self, at: usize, value: u32) {
        self.0.0.words[at].store(value, Ordering::Relaxed);
    }
}

impl<'a, W> Deref for WriteGuard<'a, W> {
    type Target = Words<'a, W>;

    #[inline]
    fn deref(&self) -> &Words<'a, W> {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(not(any(miri, target_family = "wasm")))]
    use std::sync::atomic::AtomicBool;

    fn copy(words: &Words<'_>) -> [u32; WORDS] {
        std::array::from_fn(|at| words.get(at))
    }

    /// Writers fill the whole bucket with one number; a reader that sees two different numbers has
    /// seen a torn store.
    #[cfg(not(any(miri, target_family = "wasm")))]
    fn torn_reads(read: impl Fn(&Bucket) -> Option<[u32; WORDS]> + Sync) -> (u64, u64) {
        let bucket: Bucket = Bucket::zeroed();
        let done = AtomicBool::new(false);
        let mut seen = (0, 0);
        std::thread::scope(|scope| {
            for writer in 0..2u32 {
                let (bucket, done) = (&bucket, &done);
                scope.spawn(move || {
                    let mut number = writer;
                    while !done.load(Ordering::Relaxed) {
                        number = number.wrapping_add(2);
                        bucket.write(|words| (0..WORDS).for_each(|at| words.set(at, number)));
                    }
                });
            }
            // Long enough for a torn read to show up when nothing prevents it, which the second
            // test demands.
            let until = std::time::Instant::now() + std::time::Duration::from_millis(1500);
            while std::time::Instant::now() < until && seen.1 == 0 {
                for _ in 0..1000 {
                    if let Some(words) = read(&bucket) {
                        seen.0 += 1;
                        seen.1 += u64::from(words.iter().any(|&word| word != words[0]));
                    }
                }
            }
            done.store(true, Ordering::Relaxed);
        });
        seen
    }

    #[test]
    #[cfg(not(any(miri, target_family = "wasm")))]
    fn no_torn_reads() {
        let (reads, torn) = torn_reads(|bucket| bucket.read(copy));
        assert!(reads > 0);
        assert_eq!(torn, 0);
    }

    #[test]
    #[cfg(not(any(miri, target_family = "wasm")))]
    fn unchecked_reads_are_torn() {
        let (_, torn) = torn_reads(|bucket| Some(copy(&Words(bucket))));
        assert!(torn > 0, "the test above could not fail");
    }

    #[test]
    fn locked_bucket() {
        let bucket: Bucket = Bucket::zeroed();
        bucket.write(|held| {
            held.set(3, 7);
            assert!(bucket.write(|_| ()).is_none());
            assert!(bucket.read(copy).is_none());
        });
        assert!(bucket.write(|_| ()).is_some());
        assert_eq!(bucket.read(|words| words.get(3)), Some(7));
    }
}

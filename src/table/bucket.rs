//! A cache line that holds its own lock word: the primitive every shared table is made of.
//!
//! The lock word is a sequence count (a seqlock), odd while somebody writes. A reader takes no lock: it reads the count, copies
//! what it wants, reads the count again and treats a change as a miss. A writer tries once to make the count odd and gives up
//! when another writer was first. So nobody ever waits, nothing can be poisoned, and no reader sees half of one store and half
//! of another.
//!
//! The payload is made of relaxed atomics, so racing reads are defined; the fences are those of Boehm, "Can seqlocks get along
//! with programming language memory models?" (MSPC 2012).

use bytemuck::Zeroable;
use std::ops::Deref;
use std::sync::atomic::{AtomicU32, Ordering, fence};

/// Words of payload.
pub(super) const WORDS: usize = 15;

/// Fifteen words under one lock word, in one cache line.
#[derive(Zeroable)]
#[repr(C, align(64))]
pub(super) struct Bucket {
    sequence: AtomicU32,
    words: [AtomicU32; WORDS],
}

const _: () = assert!(size_of::<Bucket>() == 64 && align_of::<Bucket>() == 64);

impl Bucket {
    /// Reads through `read`; `None` when a writer was or came in between.
    #[inline]
    pub(super) fn read<T>(&self, read: impl FnOnce(&Words<'_>) -> T) -> Option<T> {
        let before = self.sequence.load(Ordering::Acquire);
        if before & 1 != 0 {
            return None;
        }
        let value = read(&Words(self));
        fence(Ordering::Acquire);
        (self.sequence.load(Ordering::Relaxed) == before).then_some(value)
    }

    /// Gives `write` the only writable view of the words; `None`, without waiting, when another writer holds the bucket.
    #[inline]
    pub(super) fn write<T>(&self, write: impl FnOnce(&Held<'_>) -> T) -> Option<T> {
        let before = self.sequence.load(Ordering::Relaxed);
        if before & 1 != 0
            || self
                .sequence
                .compare_exchange(before, before.wrapping_add(1), Ordering::Acquire, Ordering::Relaxed)
                .is_err()
        {
            return None;
        }
        fence(Ordering::Release);
        let value = write(&Held(Words(self)));
        self.sequence.store(before.wrapping_add(2), Ordering::Release);
        Some(value)
    }
}

/// The payload of a bucket, to be read.
pub(super) struct Words<'a>(&'a Bucket);

impl Words<'_> {
    /// Loads a word.
    #[inline]
    pub(super) fn get(&self, at: usize) -> u32 {
        self.0.words[at].load(Ordering::Relaxed)
    }
}

/// The payload of a bucket whose lock is held.
pub(super) struct Held<'a>(Words<'a>);

impl Held<'_> {
    /// Stores a word.
    #[inline]
    pub(super) fn set(&self, at: usize, value: u32) {
        self.0.0.words[at].store(value, Ordering::Relaxed);
    }
}

impl<'a> Deref for Held<'a> {
    type Target = Words<'a>;

    #[inline]
    fn deref(&self) -> &Words<'a> {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    fn empty() -> Bucket {
        Bucket { sequence: AtomicU32::new(0), words: Default::default() }
    }

    /// Writers fill the whole bucket with one number; a reader that sees two different numbers has seen a torn store.
    fn torn_reads(read: impl Fn(&Bucket) -> Option<[u32; WORDS]> + Sync) -> (u64, u64) {
        let bucket = empty();
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
            // Long enough for a torn read to show up when nothing prevents it, which the second test demands.
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

    fn copy(words: &Words<'_>) -> [u32; WORDS] {
        std::array::from_fn(|at| words.get(at))
    }

    #[test]
    fn no_read_is_a_mixture_of_two_stores() {
        let (reads, torn) = torn_reads(|bucket| bucket.read(copy));
        assert!(reads > 0);
        assert_eq!(torn, 0);
    }

    #[test]
    fn without_the_check_mixtures_are_seen() {
        let (_, torn) = torn_reads(|bucket| Some(copy(&Words(bucket))));
        assert!(torn > 0, "the test above could not fail");
    }

    #[test]
    fn a_held_bucket_refuses_writers_and_misses_readers() {
        let bucket = empty();
        bucket.write(|_| {
            assert!(bucket.write(|_| ()).is_none());
            assert!(bucket.read(copy).is_none());
        });
        assert!(bucket.write(|_| ()).is_some());
        assert!(bucket.read(copy).is_some());
    }
}

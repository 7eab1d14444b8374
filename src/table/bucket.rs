//! A cache line that holds its own lock word: the primitive every shared table is made of.
//!
//! The lock word is a sequence count (a seqlock), odd while somebody writes. A reader takes no lock: it reads the count, copies
//! what it wants, reads the count again and treats a change as a miss. A writer tries once to make the count odd and gives up
//! when another writer was first. So nobody ever waits, nothing can be poisoned, and no reader sees half of one store and half
//! of another.
//!
//! The payload is made of relaxed atomics, so racing reads are defined; the fences are those of Boehm, "Can seqlocks get along
//! with programming language memory models?" (MSPC 2012). Where there are no threads the words are plain memory ([`Word`]),
//! and the same code compiles to a few moves.

use crate::util::{NativeWord, Word};
use bytemuck::Zeroable;
use std::ops::Deref;
use std::sync::atomic::Ordering;

/// Words of payload.
pub(super) const WORDS: usize = 15;

/// Fifteen words under one lock word, in one cache line.
#[derive(Zeroable)]
#[repr(C, align(64))]
pub(super) struct Bucket<W = NativeWord> {
    sequence: W,
    words: [W; WORDS],
}

const _: () = assert!(size_of::<Bucket>() == 64 && align_of::<Bucket>() == 64);

impl<W: Word> Bucket<W> {
    /// Reads through `read`; `None` when a writer was or came in between.
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

    /// Gives `write` the only writable view of the words; `None`, without waiting, when another writer holds the bucket.
    #[inline]
    pub(super) fn write<T>(&self, write: impl FnOnce(&Held<'_, W>) -> T) -> Option<T> {
        let before = self.sequence.load(Ordering::Relaxed);
        if before & 1 != 0 || !self.sequence.replace(before, before.wrapping_add(1), Ordering::Acquire) {
            return None;
        }
        W::fence(Ordering::Release);
        let value = write(&Held(Words(self)));
        self.sequence.store(before.wrapping_add(2), Ordering::Release);
        Some(value)
    }
}

/// The payload of a bucket, to be read.
pub(super) struct Words<'a, W>(&'a Bucket<W>);

impl<W: Word> Words<'_, W> {
    /// Loads a word.
    #[inline]
    pub(super) fn get(&self, at: usize) -> u32 {
        self.0.words[at].load(Ordering::Relaxed)
    }
}

/// The payload of a bucket whose lock is held.
pub(super) struct Held<'a, W>(Words<'a, W>);

impl<W: Word> Held<'_, W> {
    /// Stores a word.
    #[inline]
    pub(super) fn set(&self, at: usize, value: u32) {
        self.0.0.words[at].store(value, Ordering::Relaxed);
    }
}

impl<'a, W> Deref for Held<'a, W> {
    type Target = Words<'a, W>;

    #[inline]
    fn deref(&self) -> &Words<'a, W> {
        &self.0
    }
}

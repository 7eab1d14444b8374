//! A vector with room for `N` elements inside itself: move lists are made millions of times a second.

use std::fmt;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};

/// A vector of at most `N` copyable elements that lives on the stack and is never initialised ahead of use.
pub struct StackVec<T: Copy, const N: usize> {
    len: usize,
    items: [MaybeUninit<T>; N],
}

impl<T: Copy, const N: usize> StackVec<T, N> {
    /// An empty vector.
    #[inline]
    pub const fn new() -> Self {
        Self { len: 0, items: [const { MaybeUninit::uninit() }; N] }
    }

    /// Appends an element.
    ///
    /// # Panics
    /// When `N` elements are already inside.
    #[inline]
    pub fn push(&mut self, item: T) {
        self.items[self.len] = MaybeUninit::new(item);
        self.len += 1;
    }

    /// Forgets all elements.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl<T: Copy, const N: usize> Default for StackVec<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy, const N: usize> Clone for StackVec<T, N> {
    fn clone(&self) -> Self {
        self.iter().copied().collect()
    }
}

impl<T: Copy, const N: usize> FromIterator<T> for StackVec<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
        let mut out = Self::new();
        iter.into_iter().for_each(|item| out.push(item));
        out
    }
}

impl<T: Copy, const N: usize> Deref for StackVec<T, N> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `push` is the only way `len` grows and it writes the element first, so the first `len` are initialised;
        // `MaybeUninit<T>` has the layout of `T`.
        unsafe { std::slice::from_raw_parts(self.items.as_ptr().cast(), self.len) }
    }
}

impl<T: Copy, const N: usize> DerefMut for StackVec<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; the borrow is unique.
        unsafe { std::slice::from_raw_parts_mut(self.items.as_mut_ptr().cast(), self.len) }
    }
}

impl<'a, T: Copy, const N: usize> IntoIterator for &'a StackVec<T, N> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Copy + fmt::Debug, const N: usize> fmt::Debug for StackVec<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.deref().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behaves_like_a_vector() {
        let mut v: StackVec<u16, 4> = StackVec::new();
        assert!(v.is_empty());
        (1..=4).for_each(|x| v.push(x));
        assert_eq!(*v, [1, 2, 3, 4]);
        assert_eq!(*v.clone(), [1, 2, 3, 4]);
        v.swap(0, 3);
        assert_eq!(v.iter().copied().collect::<StackVec<_, 4>>().last(), Some(&1));
        v.clear();
        assert!(v.is_empty());
    }

    #[test]
    #[should_panic]
    fn refuses_one_too_many() {
        let mut v: StackVec<u8, 1> = StackVec::new();
        v.push(1);
        v.push(2);
    }
}

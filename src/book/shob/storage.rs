//! Sections of a book, and decoding of values.

use super::ShobError;
use crate::util::ByteSource;
use std::borrow::Cow;
use std::ops::Range;

/// A section of a book, with bounds-checked access.
#[derive(Clone, Debug)]
pub(super) struct Section<'a> {
    source: &'a ByteSource<'static>,
    place: Range<usize>,
}

impl<'a> Section<'a> {
    pub fn new(source: &'a ByteSource<'static>, place: &Range<usize>) -> Self {
        Self { source, place: place.clone() }
    }

    pub fn len(&self) -> usize {
        self.place.len()
    }

    /// Bytes at an offset.
    #[inline]
    pub fn get(&self, at: usize, length: usize) -> Result<Cow<'a, [u8]>, ShobError> {
        let start = self.place.start.checked_add(at).ok_or(CUT)?;
        let end = start.checked_add(length).filter(|&end| end <= self.place.end).ok_or(CUT)?;
        Ok(self.source.read(start..end)?)
    }

    /// The `u32` at an offset.
    pub fn u32(&self, at: usize) -> Result<u32, ShobError> {
        Cursor::new(&self.get(at, 4)?).u32()
    }
}

const CUT: ShobError = ShobError::Damaged("something ends too early");

/// Bounds-checked sequential reader.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    #[inline]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], ShobError> {
        let (first, rest) = self.0.split_first_chunk().ok_or(CUT)?;
        self.0 = rest;
        Ok(*first)
    }

    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], ShobError> {
        let (first, rest) = self.0.split_at_checked(count).ok_or(CUT)?;
        self.0 = rest;
        Ok(first)
    }

    /// The remaining bytes.
    pub fn rest(self) -> &'a [u8] {
        self.0
    }

    #[inline]
    pub fn u16(&mut self) -> Result<u16, ShobError> {
        self.array().map(u16::from_le_bytes)
    }

    #[inline]
    pub fn u32(&mut self) -> Result<u32, ShobError> {
        self.array().map(u32::from_le_bytes)
    }

    #[inline]
    pub fn u64(&mut self) -> Result<u64, ShobError> {
        self.array().map(u64::from_le_bytes)
    }

    /// A varint: groups of seven bits, low first, continuation in the high bit.
    #[inline]
    pub fn varint(&mut self) -> Result<u64, ShobError> {
        let mut value = 0;
        for group in 0..6 {
            let [byte] = self.array()?;
            value |= u64::from(byte & 127) << (7 * group);
            if byte < 128 {
                return Ok(value);
            }
        }
        Err(ShobError::Damaged("a number is too long"))
    }

    /// A signed varint: 0, -1, 1, -2, 2, …
    #[inline]
    pub fn signed(&mut self) -> Result<i64, ShobError> {
        let value = self.varint()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Inverse of [`Cursor::varint`]; `value` has at most 42 bits.
pub(super) fn put_varint(bytes: &mut Vec<u8>, mut value: u64) {
    debug_assert!(value < 1 << 42);
    while value >= 128 {
        bytes.push(value as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Inverse of [`Cursor::signed`].
pub(super) fn put_signed(bytes: &mut Vec<u8>, value: i64) {
    put_varint(bytes, ((value << 1) ^ (value >> 63)) as u64);
}

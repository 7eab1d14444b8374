//! Where the bytes of a book are, and how single values are read from them.

use super::ShobError;
use crate::util::MappedFile;
use std::borrow::Cow;
use std::ops::Deref;

/// The bytes of a book.
#[derive(Debug)]
pub(super) enum Storage {
    Mapped(MappedFile),
    Memory(Cow<'static, [u8]>),
}

impl Deref for Storage {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(file) => file,
            Self::Memory(bytes) => bytes,
        }
    }
}

const CUT: ShobError = ShobError::Damaged("something ends too early");

/// Reads values one after the other and never beyond the end.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// At a place that a file names.
    pub fn at(bytes: &'a [u8], place: usize) -> Result<Self, ShobError> {
        bytes.get(place..).map(Self).ok_or(CUT)
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

    /// All that is left.
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

    /// A number in groups of seven bits, the lowest first; all but the last have the high bit set.
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

    /// A number that may be negative, kept as 0, -1, 1, -2, 2, …
    #[inline]
    pub fn signed(&mut self) -> Result<i64, ShobError> {
        let value = self.varint()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The counterpart of [`Cursor::varint`]; `value` has at most 42 bits.
pub(super) fn put_varint(bytes: &mut Vec<u8>, mut value: u64) {
    debug_assert!(value < 1 << 42);
    while value >= 128 {
        bytes.push(value as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// The counterpart of [`Cursor::signed`].
pub(super) fn put_signed(bytes: &mut Vec<u8>, value: i64) {
    put_varint(bytes, ((value << 1) ^ (value >> 63)) as u64);
}

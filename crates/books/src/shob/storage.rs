//! Sections of a book.

use super::ShobError;
use sabi_files::{ByteSource, Cursor};
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
        let start = self.place.start.checked_add(at).ok_or(TRUNCATED)?;
        let end = start.checked_add(length).filter(|&end| end <= self.place.end).ok_or(TRUNCATED)?;
        Ok(self.source.read(start..end)?)
    }

    /// The `u32` at an offset.
    pub fn u32(&self, at: usize) -> Result<u32, ShobError> {
        Ok(Cursor(&self.get(at, 4)?).u32()?)
    }
}

const TRUNCATED: ShobError = ShobError::Damaged("something ends too early");

//! Variable-length integers.

use super::error::CompactError;

/// Appends a varint.
pub(super) fn put(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Zigzag encoding: the sign in bit 0.
pub(super) const fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

/// The inverse of [`zigzag`].
pub(super) const fn unzigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -((value & 1).cast_signed())
}

/// The remaining bytes of a block.
pub(super) struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// The next bytes.
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], CompactError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(CompactError::Content("its columns are cut short"))?;
        self.0 = rest;
        Ok(taken)
    }

    /// The next byte.
    #[inline]
    pub(super) fn byte(&mut self) -> Result<u8, CompactError> {
        let (&byte, rest) = self.0.split_first().ok_or(CompactError::Content("its columns are cut short"))?;
        self.0 = rest;
        Ok(byte)
    }

    /// The next number.
    #[inline]
    pub(super) fn varint(&mut self) -> Result<u64, CompactError> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(CompactError::Content("it has a number that is too long"))
    }
}

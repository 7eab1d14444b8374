//! A bit stream of 32 bytes, low bit first.

use super::alphabet::Symbol;
use super::{BYTES, PackedSfenError};

const BITS: usize = 8 * BYTES;

/// Writes bits.
#[derive(Default)]
pub(super) struct Writer {
    bytes: [u8; BYTES],
    at: usize,
    lost: bool,
}

impl Writer {
    pub(super) fn put(&mut self, symbol: Symbol) {
        for bit in 0..usize::from(symbol.bits) {
            if symbol.value >> bit & 1 != 0 {
                match self.bytes.get_mut(self.at / 8) {
                    Some(byte) => *byte |= 1 << (self.at % 8),
                    None => self.lost = true,
                }
            }
            self.at += 1;
        }
    }

    /// The bytes, if everything fits. A final 0 bit beyond the end is implied.
    pub(super) fn finish(self) -> Option<[u8; BYTES]> {
        (!self.lost && self.at <= BITS + 1).then_some(self.bytes)
    }
}

/// Reads bits.
pub(super) struct Reader<'a> {
    bytes: &'a [u8; BYTES],
    at: usize,
    /// Number of 0 bits that may be read past the end.
    past_end: usize,
}

impl<'a> Reader<'a> {
    pub(super) const fn new(bytes: &'a [u8; BYTES]) -> Self {
        Self { bytes, at: 0, past_end: 0 }
    }

    /// Allows one 0 bit to be read past the end.
    pub(super) const fn allow_one_more(&mut self) {
        self.past_end = 1;
    }

    pub(super) const fn at_end(&self) -> bool {
        self.at >= BITS
    }

    /// The next eight bits, padded with 0 at the end.
    pub(super) fn peek(&self) -> u8 {
        let byte = |at: usize| self.bytes.get(at).copied().unwrap_or_default();
        let pair = u16::from_le_bytes([byte(self.at / 8), byte(self.at / 8 + 1)]);
        (pair >> (self.at % 8)) as u8
    }

    pub(super) fn skip(&mut self, count: usize) -> Result<(), PackedSfenError> {
        self.at += count;
        if self.at > BITS + self.past_end { Err(PackedSfenError::Truncated) } else { Ok(()) }
    }

    /// Up to eight bits.
    pub(super) fn take(&mut self, count: usize) -> Result<u8, PackedSfenError> {
        let mask = u8::MAX >> (8 - count);
        let value = self.peek() & mask;
        self.skip(count)?;
        Ok(value)
    }
}

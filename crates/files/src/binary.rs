//! What our binary files share: little-endian numbers, varints, checksums, LZ4 blocks.

use super::crc32;
use integer_encoding::VarInt;

/// Maximum compression ratio of LZ4.
const BEST_RATIO: usize = 255;

/// Why a value cannot be read.
#[derive(Copy, Clone, Debug)]
pub struct DecodeError(pub &'static str);

const TRUNCATED: DecodeError = DecodeError("something ends too early");
const TOO_LONG: DecodeError = DecodeError("a number is too long");
/// Maximum length of a varint.
const VARINT: usize = 10;

/// Sequential reader; fails with [`DecodeError`] where the bytes end before the value does.
#[derive(Clone, Debug)]
pub struct Cursor<'a>(pub &'a [u8]);

impl<'a> Cursor<'a> {
    /// The next bytes.
    #[inline]
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        let (first, rest) = self.0.split_at_checked(count).ok_or(TRUNCATED)?;
        self.0 = rest;
        Ok(first)
    }

    /// The next `N` bytes.
    #[inline]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let (first, rest) = self.0.split_first_chunk().ok_or(TRUNCATED)?;
        self.0 = rest;
        Ok(*first)
    }

    /// The next `u16`.
    #[inline]
    pub fn u16(&mut self) -> Result<u16, DecodeError> {
        self.array().map(u16::from_le_bytes)
    }

    /// The next `u32`.
    #[inline]
    pub fn u32(&mut self) -> Result<u32, DecodeError> {
        self.array().map(u32::from_le_bytes)
    }

    /// The next `u64`.
    #[inline]
    pub fn u64(&mut self) -> Result<u64, DecodeError> {
        self.array().map(u64::from_le_bytes)
    }

    /// The next varint: groups of seven bits, low first, continuation in the high bit. Signed
    /// numbers have their sign in bit 0.
    #[inline]
    pub fn varint<T: VarInt>(&mut self) -> Result<T, DecodeError> {
        let why = if self.0.len() < VARINT { TRUNCATED } else { TOO_LONG };
        let (value, length) = T::decode_var(self.0).ok_or(why)?;
        self.0 = &self.0[length..];
        Ok(value)
    }

    /// Whether nothing is left.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Inverse of [`Cursor::varint`].
#[inline]
pub fn put_varint(bytes: &mut Vec<u8>, value: impl VarInt) {
    let mut varint = [0; VARINT];
    let length = value.encode_var(&mut varint);
    bytes.extend_from_slice(&varint[..length]);
}

/// Appends the CRC-32 of the bytes to them.
pub fn append_crc(bytes: &mut Vec<u8>) {
    bytes.extend(crc32(bytes).to_le_bytes());
}

/// Inverse of [`append_crc`]; `None` if the checksum is wrong.
pub fn verify_crc(bytes: &[u8]) -> Option<&[u8]> {
    let (content, sum) = bytes.split_last_chunk()?;
    (crc32(content).to_le_bytes() == *sum).then_some(content)
}

/// Decompresses an LZ4 block of this length; `None` if it is damaged or has another length.
///
/// Memory is bounded by the compressed length.
pub fn decompress(packed: &[u8], length: usize) -> Option<Vec<u8>> {
    if length > packed.len().saturating_mul(BEST_RATIO) {
        return None;
    }
    let mut bytes = vec![0; length];
    let found = lz4_flex::block::decompress_into(packed, &mut bytes).ok()?;
    (found == length).then_some(bytes)
}

//! Head of a compressed block in a network file: magic, length of the rest in bytes.

use super::error::NetworkError;
use std::io::{self, Read, Write};

/// Bytes of a magic.
const MAGIC: usize = 17;
/// Bytes of a head.
pub(super) const HEAD: u64 = MAGIC as u64 + 4;

/// Reads the head of a block with at most `rest` bytes, and returns the length behind it.
///
/// # Errors
/// When there is none.
pub(super) fn read_head(source: &mut impl Read, magic: &[u8; MAGIC], rest: u64) -> Result<u64, NetworkError> {
    let mut head = [0; HEAD as usize];
    if rest < HEAD {
        return Err(NetworkError::Packed);
    }
    source.read_exact(&mut head)?;
    let (mark, length) = head.split_at(MAGIC);
    let length = length.iter().rev().fold(0, |length, &byte| length << 8 | u64::from(byte));
    if mark != magic || length > rest - HEAD { Err(NetworkError::Packed) } else { Ok(length) }
}

/// Writes the head of a block with this length behind it.
///
/// # Errors
/// When writing fails, or the block is too long.
pub(super) fn write_head(out: &mut impl Write, magic: &[u8; MAGIC], length: usize) -> io::Result<()> {
    let length = u32::try_from(length).map_err(|_| io::Error::from(io::ErrorKind::FileTooLarge))?;
    out.write_all(magic)?;
    out.write_all(&length.to_le_bytes())
}

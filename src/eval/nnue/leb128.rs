//! Signed LEB128 compression of 16-bit values.
//!
//! A block: magic, length in bytes, values. Seven bits per byte, low bits first; the top bit marks
//! continuation, bit 6 of the last byte is the sign.

use super::block_head::{HEAD, read_head, write_head};
use super::error::NetworkError;
use std::io::{self, BufRead, Write};

const MAGIC: &[u8; 17] = b"COMPRESSED_LEB128";
/// Maximum bytes per value.
const MAX_BYTES: u32 = 3;

/// Reads a block of `count` values from a source with at most `rest` bytes left. Also returns the
/// length of the block.
///
/// # Errors
/// When it is not a block of exactly `count` values.
pub(super) fn read(source: &mut impl BufRead, count: usize, rest: u64) -> Result<(Vec<i16>, u64), NetworkError> {
    let length = read_head(source, MAGIC, rest)?;
    // A value takes at least one byte, which also bounds the allocation.
    if length < count as u64 {
        return Err(NetworkError::Packed);
    }
    let mut numbers = crate::machine::try_vec_with_capacity(count)?;
    let (mut left, mut number, mut shift) = (length, 0i32, 0);
    while left > 0 {
        let bytes = source.fill_buf()?;
        let taken = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        if taken == 0 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        for &byte in &bytes[..taken] {
            number |= i32::from(byte & 0x7F) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                let unused = 32 - shift;
                match i16::try_from(number << unused >> unused) {
                    Ok(number) if numbers.len() < count => numbers.push(number),
                    _ => return Err(NetworkError::Packed),
                }
                (number, shift) = (0, 0);
            } else if shift == 7 * MAX_BYTES {
                return Err(NetworkError::Packed);
            }
        }
        source.consume(taken);
        left -= taken as u64;
    }
    if shift != 0 || numbers.len() != count { Err(NetworkError::Packed) } else { Ok((numbers, HEAD + length)) }
}

/// Writes a block.
///
/// # Errors
/// When writing fails, or there are too many values for one block.
pub(super) fn write(out: &mut impl Write, numbers: &[i16]) -> io::Result<()> {
    let length: usize = numbers.iter().map(|&number| bytes_of(number).1).sum();
    write_head(out, MAGIC, length)?;
    numbers.iter().try_for_each(|&number| {
        let (bytes, length) = bytes_of(number);
        out.write_all(&bytes[..length])
    })
}

/// The bytes of a value and their number.
fn bytes_of(number: i16) -> ([u8; MAX_BYTES as usize], usize) {
    let (mut bytes, mut length, mut rest) = ([0; MAX_BYTES as usize], 0, number);
    loop {
        bytes[length] = rest as u8 & 0x7F;
        rest >>= 7;
        let is_last = rest == 0 && bytes[length] & 0x40 == 0 || rest == -1 && bytes[length] & 0x40 != 0;
        length += 1;
        if is_last {
            return (bytes, length);
        }
        bytes[length - 1] |= 0x80;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers: Vec<i16> = (i16::MIN..=i16::MAX).collect();
        let mut bytes = Vec::new();
        write(&mut bytes, &numbers).unwrap();
        let (read, length) = read(&mut &bytes[..], numbers.len(), bytes.len() as u64).unwrap();
        assert!(read == numbers && length == bytes.len() as u64);
        // Examples of the format's definition.
        for (number, known) in
            [(0, &[0][..]), (2, &[2]), (-2, &[0x7E]), (127, &[0xFF, 0]), (-127, &[0x81, 0x7F]), (128, &[0x80, 1])]
        {
            let (bytes, length) = bytes_of(number);
            assert_eq!(&bytes[..length], known, "{number}");
        }
    }

    #[test]
    fn invalid_blocks_are_rejected() {
        let mut bytes = Vec::new();
        write(&mut bytes, &[1, -300, 5]).unwrap();
        let fails = |bytes: &[u8], count| read(&mut &bytes[..], count, bytes.len() as u64).is_err();
        assert!(!fails(&bytes, 3));
        assert!(fails(&bytes, 2) && fails(&bytes, 4));
        (0..bytes.len()).for_each(|cut| assert!(fails(&bytes[..cut], 3), "{cut}"));
        for (at, byte) in [(3, b'x'), (MAGIC.len(), 5), (MAGIC.len() + 3, 255), (bytes.len() - 1, 0x80)] {
            let mut bad = bytes.clone();
            bad[at] = byte;
            assert!(fails(&bad, 3), "{at}");
        }
        // More than 16 bits, and an unterminated value.
        let block = |numbers: &[u8]| [&MAGIC[..], &(numbers.len() as u32).to_le_bytes(), numbers].concat();
        assert!(!fails(&block(&[0xFF, 0xFF, 1]), 1));
        assert!(fails(&block(&[0xFF, 0xFF, 2]), 1) && fails(&block(&[0xFF, 0xFF, 0xFF, 0]), 1));
    }
}

//! Compression of feature weights by bucket of the own king.
//!
//! A block: magic, length in bytes, then a zlib stream of two [LEB128](super::leb128) blocks: the
//! median over all buckets of each weight of a bucket, and the difference of each weight to that.
//! Trained differences are small and even, so that a weight takes about two bits.

use super::error::NetworkError;
use super::leb128;
use crate::util::try_vec_with_capacity;
use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::io::{self, BufRead, BufReader, Read, Write};

const MAGIC: &[u8] = b"COMPRESSED_DELTAS";
/// Header bytes.
const HEAD: u64 = MAGIC.len() as u64 + 4;

/// Reads a block of `buckets` times `count` weights, `rest` bytes long.
///
/// # Errors
/// When it is not such a block, of exactly this length.
pub(super) fn read(
    source: &mut impl BufRead,
    count: usize,
    buckets: usize,
    rest: u64,
) -> Result<Vec<i16>, NetworkError> {
    let mut head = [0; HEAD as usize];
    if rest < HEAD {
        return Err(NetworkError::Packed);
    }
    source.read_exact(&mut head)?;
    let (mark, length) = head.split_at(MAGIC.len());
    let length = length.iter().rev().fold(0, |length, &byte| length << 8 | u64::from(byte));
    if mark != MAGIC || length != rest - HEAD {
        return Err(NetworkError::Packed);
    }
    let mut packed = source.take(length);
    let mut unpacked = BufReader::new(ZlibDecoder::new(&mut packed));
    let mut block = |count| match leb128::read(&mut unpacked, count, u64::MAX) {
        // A damaged stream is an error of the decoder's reader.
        Err(NetworkError::Io(_)) => Err(NetworkError::Packed),
        read => read.map(|(numbers, _)| numbers),
    };
    let medians = block(count)?;
    let mut weights = block(buckets * count)?;
    if !matches!(unpacked.read(&mut [0]), Ok(0)) || packed.limit() > 0 {
        return Err(NetworkError::Packed);
    }
    for bucket in weights.chunks_exact_mut(count) {
        bucket.iter_mut().zip(&medians).for_each(|(weight, &median)| *weight = weight.wrapping_add(median));
    }
    Ok(weights)
}

/// Writes a block of the weights of `buckets`.
///
/// # Errors
/// When writing fails, or memory is insufficient.
pub(super) fn write(out: &mut impl Write, weights: &[i16], buckets: usize) -> io::Result<()> {
    let count = weights.len() / buckets;
    let medians: Vec<i16> = (0..count).map(|at| median(weights.iter().skip(at).step_by(count))).collect();
    let mut deltas = try_vec_with_capacity(weights.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
    deltas.extend(weights.iter().zip(medians.iter().cycle()).map(|(weight, median)| weight.wrapping_sub(*median)));
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    leb128::write(&mut packed, &medians)?;
    leb128::write(&mut packed, &deltas)?;
    let packed = packed.finish()?;
    let length = u32::try_from(packed.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
    out.write_all(MAGIC)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&packed)
}

/// The median, one of the values.
fn median<'n>(numbers: impl Iterator<Item = &'n i16>) -> i16 {
    let mut numbers: Vec<i16> = numbers.copied().collect();
    let middle = numbers.len() / 2;
    *numbers.select_nth_unstable(middle).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_come_back() {
        let weights = [i16::MIN, 300, -5, i16::MAX, 302, -5, 0, 290, -7];
        let mut bytes = Vec::new();
        write(&mut bytes, &weights, 3).unwrap();
        assert_eq!(read(&mut &bytes[..], 3, 3, bytes.len() as u64).unwrap(), weights);
    }

    #[test]
    fn invalid_blocks_are_rejected() {
        let mut bytes = Vec::new();
        write(&mut bytes, &[1, 2, 3, 1, 4, 3], 2).unwrap();
        let fails = |bytes: &[u8], count, buckets| read(&mut &bytes[..], count, buckets, bytes.len() as u64).is_err();
        assert!(!fails(&bytes, 3, 2));
        assert!(fails(&bytes, 3, 3) && fails(&bytes, 2, 3) && fails(&bytes, 3, 1));
        (0..bytes.len()).for_each(|cut| assert!(fails(&bytes[..cut], 3, 2), "{cut}"));
        assert!(fails(&[&bytes[..], &[0]].concat(), 3, 2));
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 1;
            assert!(fails(&bad, 3, 2), "{at}");
        }
        // Bytes behind the stream, within the length.
        let mut longer = [&bytes[..], &[0]].concat();
        longer[MAGIC.len()] += 1;
        assert!(fails(&longer, 3, 2));
    }
}

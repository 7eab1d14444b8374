//! Compression of feature weights by bucket of the own king.
//!
//! A block: magic, length in bytes, then a zlib stream of two [LEB128](super::leb128) blocks: the
//! median over all buckets of each weight of a bucket, and the difference of each weight to that.
//! Trained differences are small and even, so that a weight takes about two bits.

use super::block_head::{HEAD, read_head, write_head};
use super::error::NetworkError;
use super::leb128;
use crate::machine::{median_by, try_vec_with_capacity};
use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::io::{self, BufRead, BufReader, Read, Write};

const MAGIC: &[u8; 17] = b"COMPRESSED_DELTAS";

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
    let length = read_head(source, MAGIC, rest)?;
    if length != rest - HEAD {
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
    let median = |at| median_by(weights.iter().skip(at).step_by(count).copied().collect(), i16::cmp);
    let medians: Vec<i16> = (0..count).map(median).collect();
    let mut deltas = try_vec_with_capacity(weights.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
    deltas.extend(weights.iter().zip(medians.iter().cycle()).map(|(weight, median)| weight.wrapping_sub(*median)));
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    leb128::write(&mut packed, &medians)?;
    leb128::write(&mut packed, &deltas)?;
    let packed = packed.finish()?;
    write_head(out, MAGIC, packed.len())?;
    out.write_all(&packed)
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

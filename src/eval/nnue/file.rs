//! Network files: `nn.bin` of the YaneuraOu family.
//!
//! Version, hash and architecture text; then sections, each with its hash: feature transformer
//! (`i16`, by input), progress weights if used (`i32`), and each layer stack (`i32` biases, `i8`
//! weights by output, rows padded to 32). Little-endian, nothing after the last section. The
//! feature transformer of an SFNN network is compressed (LEB128), and so are the weights of king
//! zones (deltas). Hashes are written correctly but not checked: trainers differ in them.

use super::buckets::Progress;
use super::features::Features;
use super::shape::{Dense, GROUP, Parameters, Shape};
use crate::machine::{MemoryError, try_vec_with_capacity};
use bytemuck::Pod;
use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use sabi_files::open_regular;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

/// Version field of files.
const VERSION: u32 = 0x7AF3_2F16;
/// Bytes of version, hash and text length.
const HEAD: u64 = 12;
/// Maximum length of the text.
const MAX_TEXT: u32 = 4096;

/// Why a network cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Not a network, or cut off in the header.
    #[error("not a network: it does not begin with version {VERSION:x}")]
    NotANetwork,
    #[error("unsupported network: {0}; supported: {supported} with two hidden layers, such as {half}, or layer stacks, such as {stacks}", supported = Features::ALL.map(Features::short_name).join(", "), half = Shape::HALF_KP.short_name(), stacks = Shape::SFNN_1536.short_name())]
    Unknown(String),
    #[error("it has {found} bytes instead of {wanted} for a network {shape}")]
    Length { found: u64, wanted: u64, shape: Shape },
    #[error("the compressed feature transformer is incomplete or damaged")]
    Packed,
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

impl Parameters {
    /// Whether a file that starts like this is a network of any kind.
    pub fn detect(head: &[u8]) -> bool {
        head.starts_with(&VERSION.to_le_bytes())
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read or is not a complete network of a known shape.
    pub fn read(path: &Path) -> Result<Self, NetworkError> {
        let file = open_regular(path)?;
        let length = file.metadata()?.len();
        Self::read_from(BufReader::with_capacity(1 << 16, file), length)
    }

    /// Parses a file.
    ///
    /// # Errors
    /// Those of [`Parameters::read`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        Self::read_from(bytes, bytes.len() as u64)
    }

    fn read_from(mut source: impl BufRead, length: u64) -> Result<Self, NetworkError> {
        if length < HEAD || number(&mut source)? != VERSION {
            return Err(NetworkError::NotANetwork);
        }
        let (_hash, text_length) = (number(&mut source)?, number(&mut source)?);
        let head = HEAD + u64::from(text_length);
        if text_length > MAX_TEXT || head > length {
            return Err(NetworkError::NotANetwork);
        }
        let mut text = vec![0; text_length as usize];
        source.read_exact(&mut text)?;
        let text = String::from_utf8_lossy(&text);
        let shape = Shape::of_text(&text, length - head).map_err(NetworkError::Unknown)?;
        let wanted = head + shape.bytes() as u64;
        let of_length = |wanted: u64| {
            if length == wanted { Ok(()) } else { Err(NetworkError::Length { found: length, wanted, shape }) }
        };
        let weights = shape.width * shape.features.inputs();
        let (bias, feature_weights) = if shape.sfnn.is_some() {
            if length < wanted {
                return Err(NetworkError::Length { found: length, wanted, shape });
            }
            let _hash = number(&mut source)?;
            let (bias, bias_length) = read_leb128(&mut source, shape.width, length - wanted)?;
            let (weights, weights_length) = read_leb128(&mut source, weights, length - wanted - bias_length)?;
            of_length(wanted + bias_length + weights_length)?;
            (bias, weights)
        } else if let Some(rest) = packed_weights(&shape, length, wanted) {
            let _hash = number(&mut source)?;
            let buckets = shape.features.king_buckets();
            (
                integers(&mut source, shape.width, i16::from_le)?,
                read_deltas(&mut source, weights / buckets, buckets, rest)?,
            )
        } else {
            of_length(wanted)?;
            let _hash = number(&mut source)?;
            (integers(&mut source, shape.width, i16::from_le)?, integers(&mut source, weights, i16::from_le)?)
        };
        // All lengths are known from here on.
        let progress = if shape.buckets.have_progress() {
            let _hash = number(&mut source)?;
            let bias = number(&mut source)?.cast_signed();
            Some(Progress { bias, weights: integers(&mut source, Progress::WEIGHTS, i32::from_le)? })
        } else {
            None
        };
        let mut stacks = try_vec_with_capacity(shape.buckets.count())?;
        for _ in 0..shape.buckets.count() {
            let _hash = number(&mut source)?;
            let [first, second, last] = shape.dense();
            let mut dense = |(inputs, outputs)| read_dense(&mut source, inputs, outputs);
            stacks.push([dense(first)?, dense(second)?, dense(last)?]);
        }
        Ok(Self { shape, bias, feature_weights, progress, stacks })
    }

    /// Writes a file.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let shape = &self.shape;
        let text = shape.to_string();
        for head in [VERSION, shape.hash(), text.len() as u32] {
            out.write_all(&head.to_le_bytes())?;
        }
        out.write_all(text.as_bytes())?;
        out.write_all(&shape.first_hash().to_le_bytes())?;
        if shape.sfnn.is_some() {
            write_leb128(out, &self.bias)?;
            write_leb128(out, &self.feature_weights)?;
        } else {
            let mut write =
                |numbers: &[i16]| numbers.iter().try_for_each(|number| out.write_all(&number.to_le_bytes()));
            write(&self.bias)?;
            match shape.features.have_zones() {
                true => write_deltas(out, &self.feature_weights, shape.features.king_buckets())?,
                false => write(&self.feature_weights)?,
            }
        }
        if let Some(Progress { bias, weights }) = &self.progress {
            out.write_all(&Shape::PROGRESS_HASH.to_le_bytes())?;
            [bias].into_iter().chain(weights).try_for_each(|number| out.write_all(&number.to_le_bytes()))?;
        }
        for stack in &self.stacks {
            out.write_all(&shape.dense_hash().to_le_bytes())?;
            for ((inputs, _), Dense { bias, weights }) in shape.dense().into_iter().zip(stack) {
                bias.iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))?;
                let padding = vec![0; inputs.next_multiple_of(GROUP) - inputs];
                for row in weights.chunks_exact(inputs) {
                    out.write_all(bytemuck::cast_slice(row))?;
                    out.write_all(&padding)?;
                }
            }
        }
        Ok(())
    }
}

/// Bytes of the compressed weights of king zones in a file of this length, which would be
/// `unpacked` without compression.
fn packed_weights(shape: &Shape, length: u64, unpacked: u64) -> Option<u64> {
    let weights = 2 * (shape.width * shape.features.inputs()) as u64;
    if shape.features.have_zones() && length != unpacked { (length + weights).checked_sub(unpacked) } else { None }
}

fn number(source: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    source.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

fn integers<T: Pod>(source: &mut impl Read, count: usize, from_le: impl Fn(T) -> T) -> Result<Vec<T>, NetworkError> {
    let mut numbers = try_vec_with_capacity(count)?;
    numbers.resize(count, T::zeroed());
    source.read_exact(bytemuck::cast_slice_mut(&mut numbers))?;
    numbers.iter_mut().for_each(|number| *number = from_le(*number));
    Ok(numbers)
}

fn read_dense(source: &mut impl Read, inputs: usize, outputs: usize) -> Result<Dense, NetworkError> {
    let bias = integers(source, outputs, i32::from_le)?;
    let mut weights = Vec::with_capacity(inputs * outputs);
    let mut row = vec![0i8; inputs.next_multiple_of(GROUP)];
    for _ in 0..outputs {
        source.read_exact(bytemuck::cast_slice_mut(&mut row))?;
        weights.extend_from_slice(&row[..inputs]);
    }
    Ok(Dense { bias, weights })
}

/// Bytes of a magic.
const MAGIC_LENGTH: usize = 17;
/// Bytes of the head of a compressed block: magic, length of the rest in bytes.
const BLOCK_HEAD: u64 = MAGIC_LENGTH as u64 + 4;

/// Reads the head of a block with at most `rest` bytes, and returns the length behind it.
fn read_block_head(source: &mut impl Read, magic: &[u8; MAGIC_LENGTH], rest: u64) -> Result<u64, NetworkError> {
    let mut head = [0; BLOCK_HEAD as usize];
    if rest < BLOCK_HEAD {
        return Err(NetworkError::Packed);
    }
    source.read_exact(&mut head)?;
    let (mark, length) = head.split_at(MAGIC_LENGTH);
    let length = length.iter().rev().fold(0, |length, &byte| length << 8 | u64::from(byte));
    if mark != magic || length > rest - BLOCK_HEAD { Err(NetworkError::Packed) } else { Ok(length) }
}

/// Writes the head of a block with this length behind it.
fn write_block_head(out: &mut impl Write, magic: &[u8; MAGIC_LENGTH], length: usize) -> io::Result<()> {
    let length = u32::try_from(length).map_err(|_| io::Error::from(io::ErrorKind::FileTooLarge))?;
    out.write_all(magic)?;
    out.write_all(&length.to_le_bytes())
}

/// A block of 16-bit values as signed LEB128: seven bits per byte, low bits first; the top bit
/// marks continuation, bit 6 of the last byte is the sign.
const LEB128_MAGIC: &[u8; MAGIC_LENGTH] = b"COMPRESSED_LEB128";
/// Maximum bytes per value.
const MAX_LEB128_BYTES: u32 = 3;

/// Reads a block of exactly `count` values from a source with at most `rest` bytes left. Also
/// returns the length of the block.
fn read_leb128(source: &mut impl BufRead, count: usize, rest: u64) -> Result<(Vec<i16>, u64), NetworkError> {
    let length = read_block_head(source, LEB128_MAGIC, rest)?;
    // A value takes at least one byte, which also bounds the allocation.
    if length < count as u64 {
        return Err(NetworkError::Packed);
    }
    let mut numbers = try_vec_with_capacity(count)?;
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
            } else if shift == 7 * MAX_LEB128_BYTES {
                return Err(NetworkError::Packed);
            }
        }
        source.consume(taken);
        left -= taken as u64;
    }
    if shift != 0 || numbers.len() != count { Err(NetworkError::Packed) } else { Ok((numbers, BLOCK_HEAD + length)) }
}

fn write_leb128(out: &mut impl Write, numbers: &[i16]) -> io::Result<()> {
    let length: usize = numbers.iter().map(|&number| leb128_bytes(number).1).sum();
    write_block_head(out, LEB128_MAGIC, length)?;
    numbers.iter().try_for_each(|&number| {
        let (bytes, length) = leb128_bytes(number);
        out.write_all(&bytes[..length])
    })
}

/// The bytes of a value and their number.
fn leb128_bytes(number: i16) -> ([u8; MAX_LEB128_BYTES as usize], usize) {
    let (mut bytes, mut length, mut rest) = ([0; MAX_LEB128_BYTES as usize], 0, number);
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

/// Feature weights by bucket of the own king: a zlib stream of two LEB128 blocks, the median over
/// all buckets of each weight of a bucket, and the difference of each weight to that. Trained
/// differences are small and even, so that a weight takes about two bits.
const DELTAS_MAGIC: &[u8; MAGIC_LENGTH] = b"COMPRESSED_DELTAS";

/// Reads a block of `buckets` times `count` weights, exactly `rest` bytes long.
fn read_deltas(source: &mut impl BufRead, count: usize, buckets: usize, rest: u64) -> Result<Vec<i16>, NetworkError> {
    let length = read_block_head(source, DELTAS_MAGIC, rest)?;
    if length != rest - BLOCK_HEAD {
        return Err(NetworkError::Packed);
    }
    let mut packed = source.take(length);
    let mut unpacked = BufReader::new(ZlibDecoder::new(&mut packed));
    let mut block = |count| match read_leb128(&mut unpacked, count, u64::MAX) {
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

fn write_deltas(out: &mut impl Write, weights: &[i16], buckets: usize) -> io::Result<()> {
    let count = weights.len() / buckets;
    let median = |at| median_by(weights.iter().skip(at).step_by(count).copied().collect(), i16::cmp);
    let medians: Vec<i16> = (0..count).map(median).collect();
    let mut deltas = try_vec_with_capacity(weights.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
    deltas.extend(weights.iter().zip(medians.iter().cycle()).map(|(weight, median)| weight.wrapping_sub(*median)));
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    write_leb128(&mut packed, &medians)?;
    write_leb128(&mut packed, &deltas)?;
    let packed = packed.finish()?;
    write_block_head(out, DELTAS_MAGIC, packed.len())?;
    out.write_all(&packed)
}

/// The median, one of the values; of an even number the upper one.
///
/// # Panics
/// When there are no values.
pub fn median_by<T: Copy>(mut numbers: Vec<T>, compare: impl FnMut(&T, &T) -> std::cmp::Ordering) -> T {
    let middle = numbers.len() / 2;
    *numbers.select_nth_unstable_by(middle, compare).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leb128_round_trip() {
        let numbers: Vec<i16> = (i16::MIN..=i16::MAX).collect();
        let mut bytes = Vec::new();
        write_leb128(&mut bytes, &numbers).unwrap();
        let (read, length) = read_leb128(&mut &bytes[..], numbers.len(), bytes.len() as u64).unwrap();
        assert!(read == numbers && length == bytes.len() as u64);
        // Examples of the format's definition.
        for (number, known) in
            [(0, &[0][..]), (2, &[2]), (-2, &[0x7E]), (127, &[0xFF, 0]), (-127, &[0x81, 0x7F]), (128, &[0x80, 1])]
        {
            let (bytes, length) = leb128_bytes(number);
            assert_eq!(&bytes[..length], known, "{number}");
        }
    }

    #[test]
    fn invalid_leb128_is_rejected() {
        let mut bytes = Vec::new();
        write_leb128(&mut bytes, &[1, -300, 5]).unwrap();
        let fails = |bytes: &[u8], count| read_leb128(&mut &bytes[..], count, bytes.len() as u64).is_err();
        assert!(!fails(&bytes, 3));
        assert!(fails(&bytes, 2) && fails(&bytes, 4));
        (0..bytes.len()).for_each(|cut| assert!(fails(&bytes[..cut], 3), "{cut}"));
        for (at, byte) in [(3, b'x'), (LEB128_MAGIC.len(), 5), (LEB128_MAGIC.len() + 3, 255), (bytes.len() - 1, 0x80)] {
            let mut bad = bytes.clone();
            bad[at] = byte;
            assert!(fails(&bad, 3), "{at}");
        }
        // More than 16 bits, and an unterminated value.
        let block = |numbers: &[u8]| [&LEB128_MAGIC[..], &(numbers.len() as u32).to_le_bytes(), numbers].concat();
        assert!(!fails(&block(&[0xFF, 0xFF, 1]), 1));
        assert!(fails(&block(&[0xFF, 0xFF, 2]), 1) && fails(&block(&[0xFF, 0xFF, 0xFF, 0]), 1));
    }

    #[test]
    fn deltas_round_trip() {
        let weights = [i16::MIN, 300, -5, i16::MAX, 302, -5, 0, 290, -7];
        let mut bytes = Vec::new();
        write_deltas(&mut bytes, &weights, 3).unwrap();
        assert_eq!(read_deltas(&mut &bytes[..], 3, 3, bytes.len() as u64).unwrap(), weights);
    }

    #[test]
    fn invalid_deltas_are_rejected() {
        let mut bytes = Vec::new();
        write_deltas(&mut bytes, &[1, 2, 3, 1, 4, 3], 2).unwrap();
        let fails =
            |bytes: &[u8], count, buckets| read_deltas(&mut &bytes[..], count, buckets, bytes.len() as u64).is_err();
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
        longer[DELTAS_MAGIC.len()] += 1;
        assert!(fails(&longer, 3, 2));
    }
}

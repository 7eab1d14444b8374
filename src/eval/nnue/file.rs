//! Network files: `nn.bin` of the YaneuraOu family.
//!
//! Version, hash and architecture text; then sections, each with its hash: feature transformer
//! (`i16`, by input), progress weights if used (`i32`), and each layer stack (`i32` biases, `i8`
//! weights by output, rows padded to 32). Little-endian, nothing after the last section. The
//! feature transformer of an SFNN network is [compressed](leb128), and so are the weights of
//! [king zones](deltas). Hashes are written correctly but not checked: trainers differ in them.

use super::deltas;
use super::error::{NetworkError, VERSION};
use super::leb128;
use super::progress::Progress;
use super::shape::{Dense, GROUP, Parameters, Shape};
use crate::machine::try_vec_with_capacity;
use sabi_files::open_regular;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

/// Maximum length of the text.
const MAX_TEXT: u32 = 4096;
/// Bytes of version, hash and text length.
const HEAD: u64 = 12;

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
            let (bias, bias_length) = leb128::read(&mut source, shape.width, length - wanted)?;
            let (weights, weights_length) = leb128::read(&mut source, weights, length - wanted - bias_length)?;
            of_length(wanted + bias_length + weights_length)?;
            (bias, weights)
        } else if let Some(rest) = packed_weights(&shape, length, wanted) {
            let _hash = number(&mut source)?;
            let buckets = shape.features.king_buckets();
            (shorts(&mut source, shape.width)?, deltas::read(&mut source, weights / buckets, buckets, rest)?)
        } else {
            of_length(wanted)?;
            let _hash = number(&mut source)?;
            (shorts(&mut source, shape.width)?, shorts(&mut source, weights)?)
        };
        // All lengths are known from here on.
        let progress = if shape.has_progress() {
            let _hash = number(&mut source)?;
            let bias = number(&mut source)?.cast_signed();
            Some(Progress { bias, weights: integers(&mut source, Progress::WEIGHTS)? })
        } else {
            None
        };
        let mut stacks = try_vec_with_capacity(shape.stacks())?;
        for _ in 0..shape.stacks() {
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
            leb128::write(out, &self.bias)?;
            leb128::write(out, &self.feature_weights)?;
        } else {
            let mut write =
                |numbers: &[i16]| numbers.iter().try_for_each(|number| out.write_all(&number.to_le_bytes()));
            write(&self.bias)?;
            match shape.features.have_zones() {
                true => deltas::write(out, &self.feature_weights, shape.features.king_buckets())?,
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

/// Bytes of the compressed weights of king zones in a file of this length, which would be `unpacked`
/// without compression.
fn packed_weights(shape: &Shape, length: u64, unpacked: u64) -> Option<u64> {
    let weights = 2 * (shape.width * shape.features.inputs()) as u64;
    if shape.features.have_zones() && length != unpacked { (length + weights).checked_sub(unpacked) } else { None }
}

fn number(source: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    source.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

fn shorts(source: &mut impl Read, count: usize) -> Result<Vec<i16>, NetworkError> {
    let mut numbers = try_vec_with_capacity(count)?;
    numbers.resize(count, 0i16);
    source.read_exact(bytemuck::cast_slice_mut(&mut numbers))?;
    numbers.iter_mut().for_each(|number| *number = i16::from_le(*number));
    Ok(numbers)
}

fn integers(source: &mut impl Read, count: usize) -> io::Result<Vec<i32>> {
    let mut numbers = vec![0i32; count];
    source.read_exact(bytemuck::cast_slice_mut(&mut numbers))?;
    numbers.iter_mut().for_each(|number| *number = i32::from_le(*number));
    Ok(numbers)
}

fn read_dense(source: &mut impl Read, inputs: usize, outputs: usize) -> io::Result<Dense> {
    let bias = integers(source, outputs)?;
    let mut weights = Vec::with_capacity(inputs * outputs);
    let mut row = vec![0i8; inputs.next_multiple_of(GROUP)];
    for _ in 0..outputs {
        source.read_exact(bytemuck::cast_slice_mut(&mut row))?;
        weights.extend_from_slice(&row[..inputs]);
    }
    Ok(Dense { bias, weights })
}

//! Sample files, so that games are read once and fitted often.
//!
//! All integers are little-endian. Bytes 0-7 are `SABISMPL`, 8-11 the version, 12-15 a checksum of
//! the names and sizes of all terms, 16-39 three u64 counts (words, samples, games), 40-43 a
//! checksum of the preceding bytes. The columns of the samples follow, in chunks of up to 1 MiB:
//! raw length, compressed length and CRC-32 of the raw bytes, 4 bytes each, then LZ4 data.

use super::samples::Samples;
use sabi::eval::{Block, MAX_PHASE, Weights};
use sabi::util::{Cursor, DecodeError, append_crc, crc32, decompress, open_regular, replace_file, verify_crc};
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

const MAGIC: [u8; 8] = *b"SABISMPL";
const VERSION: u32 = 1;
const HEADER: usize = 44;
const CHUNK: usize = 1 << 20;

/// A sample file cannot be used.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum SamplesError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("it is not a sample file")]
    WrongFormat,
    #[error("its version is {0}, supported is {VERSION}")]
    Version(u32),
    #[error("it was made for an evaluation with other terms: extract the samples again")]
    OtherWeights,
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
}

impl From<DecodeError> for SamplesError {
    fn from(DecodeError(why): DecodeError) -> Self {
        Self::Damaged(why)
    }
}

/// Checksum of the weight layout.
fn layout() -> u32 {
    let shape = |block: &Block| format!("{} {} {},", block.name, block.rows, block.columns);
    crc32(Weights::blocks().iter().map(shape).collect::<String>().as_bytes())
}

impl Samples {
    /// Whether a file with this head is a sample file.
    pub fn detect(head: &[u8]) -> bool {
        head.starts_with(&MAGIC)
    }
}

/// Writes a sample file atomically.
///
/// # Errors
/// I/O errors; an old file is then unchanged.
pub fn write_samples(samples: &Samples, path: &Path) -> io::Result<()> {
    replace_file(path, |file| {
        let counts = [samples.words.len(), samples.len(), samples.game_count()];
        let mut header = MAGIC.to_vec();
        header.extend(VERSION.to_le_bytes());
        header.extend(layout().to_le_bytes());
        header.extend(counts.iter().flat_map(|&count| (count as u64).to_le_bytes()));
        append_crc(&mut header);
        file.write_all(&header)?;
        write_column(file, &samples.words, u16::to_le_bytes)?;
        write_column(file, &samples.ends, u64::to_le_bytes)?;
        write_column(file, &samples.phases, u8::to_le_bytes)?;
        write_column(file, &samples.half_points, u8::to_le_bytes)?;
        write_column(file, &samples.scores, i16::to_le_bytes)?;
        write_column(file, &samples.games, u64::to_le_bytes)
    })
}

fn write_column<T: Copy, const N: usize>(
    file: &mut impl Write,
    column: &[T],
    bytes_of: impl Fn(T) -> [u8; N],
) -> io::Result<()> {
    for part in column.chunks(CHUNK / N) {
        let raw: Vec<u8> = part.iter().flat_map(|&value| bytes_of(value)).collect();
        let packed = lz4_flex::block::compress(&raw);
        for number in [raw.len() as u32, packed.len() as u32, crc32(&raw)] {
            file.write_all(&number.to_le_bytes())?;
        }
        file.write_all(&packed)?;
    }
    Ok(())
}

/// Reads and validates a sample file.
///
/// # Errors
/// When it cannot be read, is another kind of file, is damaged, or belongs to another weight
/// layout.
pub fn read_samples(path: &Path) -> Result<Samples, SamplesError> {
    let mut file = BufReader::with_capacity(CHUNK, open_regular(path)?);
    let mut header = [0; HEADER];
    file.read_exact(&mut header).map_err(|error| map_eof(error, SamplesError::WrongFormat))?;
    let mut cursor = Cursor(header.strip_prefix(&MAGIC).ok_or(SamplesError::WrongFormat)?);
    let version = cursor.u32()?;
    if version != VERSION {
        return Err(SamplesError::Version(version));
    }
    if verify_crc(&header).is_none() {
        return Err(SamplesError::Damaged("the checksum of its header is wrong"));
    }
    if cursor.u32()? != layout() {
        return Err(SamplesError::OtherWeights);
    }
    let (words, samples, games) = (cursor.u64()?, cursor.u64()?, cursor.u64()?);
    let samples = Samples {
        words: read_column(&mut file, words, u16::from_le_bytes)?,
        ends: read_column(&mut file, samples, u64::from_le_bytes)?,
        phases: read_column(&mut file, samples, u8::from_le_bytes)?,
        half_points: read_column(&mut file, samples, u8::from_le_bytes)?,
        scores: read_column(&mut file, samples, i16::from_le_bytes)?,
        games: read_column(&mut file, games, u64::from_le_bytes)?,
    };
    if file.read(&mut [0])? > 0 {
        return Err(SamplesError::Damaged("it has trailing data"));
    }
    check(&samples)?;
    Ok(samples)
}

/// An unexpected end of file is damage, not an I/O error.
fn map_eof(error: io::Error, otherwise: SamplesError) -> SamplesError {
    if error.kind() == io::ErrorKind::UnexpectedEof { otherwise } else { error.into() }
}

fn read_column<T, const N: usize>(
    file: &mut impl Read,
    count: u64,
    value_of: impl Fn([u8; N]) -> T,
) -> Result<Vec<T>, SamplesError> {
    let cut = |error| map_eof(error, SamplesError::Damaged("it is truncated"));
    let mut column = Vec::new();
    while (column.len() as u64) < count {
        let mut numbers = [[0; 4]; 3];
        file.read_exact(numbers.as_flattened_mut()).map_err(cut)?;
        let [raw_len, packed_len, checksum] = numbers.map(u32::from_le_bytes);
        let raw_len = raw_len as usize;
        if raw_len == 0 || raw_len > CHUNK || !raw_len.is_multiple_of(N) || packed_len as usize > 2 * CHUNK {
            return Err(SamplesError::Damaged("a chunk has a wrong length"));
        }
        let mut packed = vec![0; packed_len as usize];
        file.read_exact(&mut packed).map_err(cut)?;
        let raw = decompress(&packed, raw_len).filter(|raw| crc32(raw) == checksum);
        let raw = raw.ok_or(SamplesError::Damaged("a chunk has a wrong checksum"))?;
        column.extend(raw.as_chunks::<N>().0.iter().map(|&bytes| value_of(bytes)));
    }
    if column.len() as u64 > count {
        return Err(SamplesError::Damaged("a column is longer than its header says"));
    }
    Ok(column)
}

/// Validates all offsets and values, so that later code need not.
fn check(samples: &Samples) -> Result<(), SamplesError> {
    let rising = |ends: &[u64], last: usize| ends.is_sorted() && ends.last().copied().unwrap_or(0) == last as u64;
    if !rising(&samples.ends, samples.words.len()) || !rising(&samples.games, samples.len()) {
        return Err(SamplesError::Damaged("its offsets are out of order"));
    }
    let phases = samples.phases.iter().all(|&phase| i32::from(phase) <= MAX_PHASE);
    if !phases || samples.half_points.iter().any(|&points| points > 2) {
        return Err(SamplesError::Damaged("a phase or a result is out of range"));
    }
    let in_range = |at: usize| samples.features(at).all(|(index, _)| index < Weights::COUNT);
    if !(0..samples.len()).all(in_range) {
        return Err(SamplesError::Damaged("a weight index is out of range"));
    }
    Ok(())
}

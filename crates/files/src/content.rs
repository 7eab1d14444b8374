//! What files hold: bytes in memory or on disk, little-endian numbers, varints, checksums and LZ4
//! blocks; lines of text; short messages of JSON errors.

use super::crc32;
use super::regular::open_regular;
use integer_encoding::VarInt;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::ops::Range;
use std::path::Path;

/// Maximum compression ratio of LZ4.
const BEST_RATIO: usize = 255;

/// Why a value cannot be read.
#[derive(Copy, Clone, Debug, thiserror::Error)]
#[error("{0}")]
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

/// Compresses bytes into an LZ4 block, which does not hold their length.
pub fn compress(bytes: &[u8]) -> Vec<u8> {
    lz4_flex::block::compress(bytes)
}

/// Maximum length of an LZ4 block of this many bytes.
pub fn max_compressed(length: usize) -> usize {
    lz4_flex::block::get_maximum_output_size(length)
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

/// Files up to this size are read into memory, so that later changes do not matter.
const IN_MEMORY: u64 = 16 << 20;

/// The bytes of a file, or of memory.
///
/// Larger files are read on demand. They are not mapped: truncating a mapped file would kill this
/// process. A missing part is an error, a changed one is returned as it is.
#[derive(Debug)]
pub enum ByteSource<'a> {
    /// In memory.
    Memory(Cow<'a, [u8]>),
    /// In a file of this length.
    File(File, usize),
}

impl ByteSource<'static> {
    /// Opens a regular file.
    ///
    /// # Errors
    /// Those of the file system, and when it is not a regular file.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = open_regular(path)?;
        let length = file.metadata()?.len();
        if length > IN_MEMORY && cfg!(any(unix, windows)) {
            let length = usize::try_from(length).map_err(|_| io::ErrorKind::FileTooLarge)?;
            return Ok(Self::File(file, length));
        }
        let mut bytes = Vec::with_capacity(length as usize);
        file.take(length).read_to_end(&mut bytes)?;
        Ok(Self::Memory(bytes.into()))
    }
}

impl ByteSource<'_> {
    /// Length in bytes.
    pub fn len(&self) -> usize {
        match self {
            Self::Memory(bytes) => bytes.len(),
            Self::File(_, length) => *length,
        }
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A range of the bytes.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] beyond the end, and those of the file system.
    #[inline]
    pub fn read(&self, place: Range<usize>) -> io::Result<Cow<'_, [u8]>> {
        match self {
            Self::Memory(bytes) => bytes.get(place).map(Cow::Borrowed).ok_or(io::ErrorKind::UnexpectedEof.into()),
            Self::File(file, length) if place.start <= place.end && place.end <= *length => {
                let mut bytes = vec![0; place.len()];
                read_at(file, place.start as u64, &mut bytes)?;
                Ok(Cow::Owned(bytes))
            }
            Self::File(..) => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

impl<'a> From<&'a [u8]> for ByteSource<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Memory(Cow::Borrowed(bytes))
    }
}

impl From<Vec<u8>> for ByteSource<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Memory(Cow::Owned(bytes))
    }
}

#[cfg(unix)]
fn read_at(file: &File, place: u64, bytes: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, place)
}

#[cfg(windows)]
fn read_at(file: &File, mut place: u64, mut bytes: &mut [u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, place)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => (place, bytes) = (place + count as u64, &mut bytes[count..]),
        }
    }
    Ok(())
}

/// Files are always read into memory there.
#[cfg(not(any(unix, windows)))]
fn read_at(_: &File, _: u64, _: &mut [u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Maximum length of a JSON message: it may contain text of the file.
const MAX_LENGTH: usize = 200;

/// Reads the next line, with its end, into `line`; of a longer one only the first `max` bytes are
/// kept. Returns false at the end.
///
/// # Errors
/// Those of the source.
pub fn read_line(source: &mut (impl BufRead + ?Sized), max: usize, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let read = Read::take(&mut *source, max as u64).read_until(b'\n', line)?;
    if read == max && !line.ends_with(b"\n") {
        source.skip_until(b'\n')?;
    }
    Ok(read > 0)
}

/// Text without a byte order mark of UTF-8.
pub fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// An error of `serde_json` with a short message free of control characters.
#[derive(Debug, thiserror::Error)]
#[error("{reason}{}", place(*line, *column))]
pub struct JsonError {
    /// The message without the position.
    pub reason: String,
    /// The line, from 1; 0 if unknown.
    pub line: usize,
    column: usize,
}

fn place(line: usize, column: usize) -> String {
    if line == 0 { String::new() } else { format!(" at line {line} column {column}") }
}

impl From<serde_json::Error> for JsonError {
    fn from(error: serde_json::Error) -> Self {
        let (line, column, message) = (error.line(), error.column(), error.to_string());
        let reason = message.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&message);
        let shown = reason.chars().map(|c| if c.is_control() { '?' } else { c });
        let mut reason: String = shown.clone().take(MAX_LENGTH).collect();
        if shown.count() > MAX_LENGTH {
            reason.push('…');
        }
        Self { reason, line, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> JsonError {
        serde_json::from_str::<Vec<u8>>(text).unwrap_err().into()
    }

    #[test]
    fn short_messages_are_unchanged() {
        for text in ["", "[1,", "[1,\n x]", "{}", "[300]", "[\"a\"]"] {
            let original = serde_json::from_str::<Vec<u8>>(text).unwrap_err();
            assert_eq!(error(text).to_string(), original.to_string());
        }
    }

    #[test]
    fn long_messages_are_truncated() {
        let error = error(&format!("\n\"{}\"", "x".repeat(10_000)));
        assert_eq!((error.line, error.reason.chars().count()), (2, MAX_LENGTH + 1));
        assert!(error.to_string().ends_with("x… at line 2 column 10002"), "{error}");
    }
}

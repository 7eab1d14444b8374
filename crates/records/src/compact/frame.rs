//! File header, block heads, and sequential reading of blocks.

use super::columns::Block;
use super::error::{CompactError, VERSION};
use crate::error::{Fault, Located};
use sabi_files::{Cursor, append_crc, crc32, decompress, verify_crc};
use std::io::{self, Read};

pub(super) const MAGIC: [u8; 8] = *b"SABIGAME";
const BLOCK_MAGIC: [u8; 4] = *b"BLCK";
/// Length of the header before the settings text.
const FIXED: usize = 16;
/// Length of the head of a block.
const HEAD: usize = 24;
/// Maximum length of the settings text.
const MAX_SETTINGS: usize = 1 << 16;
/// Maximum decompressed length of a block.
const MAX_BLOCK: usize = 1 << 24;

/// The file header.
pub(super) fn header(settings: &str) -> io::Result<Vec<u8>> {
    if settings.len() > MAX_SETTINGS {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the text about the settings is too long"));
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((settings.len() as u32).to_le_bytes());
    bytes.extend(settings.as_bytes());
    append_crc(&mut bytes);
    Ok(bytes)
}

/// The bytes of a block.
pub(super) fn frame(block: &Block) -> io::Result<Vec<u8>> {
    let raw = block.encode();
    if raw.len() > MAX_BLOCK {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the block is too long"));
    }
    let packed = lz4_flex::block::compress(&raw);
    let mut bytes = BLOCK_MAGIC.to_vec();
    for number in [block.len() as u32, raw.len() as u32, packed.len() as u32, crc32(&packed)] {
        bytes.extend(number.to_le_bytes());
    }
    append_crc(&mut bytes);
    bytes.extend(packed);
    Ok(bytes)
}

/// The blocks of a stream.
pub(super) struct BlockReader {
    /// `None` after the end.
    reader: Option<Box<dyn Read + Send>>,
    pub settings: String,
    /// Bytes of the header and of complete blocks.
    pub complete_bytes: u64,
    /// Number of games of the blocks so far, damaged ones included.
    pub games: usize,
}

impl BlockReader {
    /// Reads the header.
    pub(super) fn new(mut reader: Box<dyn Read + Send>) -> Result<Self, Fault> {
        let mut bytes = Vec::new();
        read_more(&mut reader, &mut bytes, FIXED as u32)?;
        let mut fixed = Cursor(bytes.strip_prefix(&MAGIC).ok_or(CompactError::WrongFormat)?);
        let cut = |_| CompactError::Header;
        let (version, length) = (fixed.u32().map_err(cut)?, fixed.u32().map_err(cut)?);
        if version != VERSION {
            return Err(CompactError::Version(version).into());
        }
        if length as usize > MAX_SETTINGS {
            return Err(CompactError::Header.into());
        }
        // The text and the checksum.
        read_more(&mut reader, &mut bytes, length + 4)?;
        let text = verify_crc(&bytes).filter(|header| header.len() == FIXED + length as usize);
        let text = text.and_then(|header| str::from_utf8(&header[FIXED..]).ok()).ok_or(CompactError::Header)?;
        Ok(Self { settings: text.to_owned(), complete_bytes: bytes.len() as u64, reader: Some(reader), games: 0 })
    }

    /// The next block; `None` after the last.
    fn block(&mut self, reader: &mut dyn Read) -> Result<Option<Result<Block, CompactError>>, Fault> {
        let mut bytes = Vec::new();
        read_more(reader, &mut bytes, HEAD as u32)?;
        match bytes.len() {
            0 => return Ok(None),
            HEAD => {}
            length => return Err(CompactError::Truncated { length: length as u64, expected: HEAD as u64 }.into()),
        }
        let head = Head::read(&bytes).ok_or(CompactError::Head)?;
        bytes.clear();
        read_more(reader, &mut bytes, head.packed)?;
        let [length, expected] = [bytes.len(), head.packed as usize].map(|length| (HEAD + length) as u64);
        if length < expected {
            return Err(CompactError::Truncated { length, expected }.into());
        }
        self.complete_bytes += expected;
        self.games += head.games as usize;
        Ok(Some(head.unpack(&bytes)))
    }
}

/// The head of a block.
struct Head {
    games: u32,
    raw: u32,
    packed: u32,
    checksum: u32,
}

impl Head {
    /// `None` if it is damaged.
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut cursor = Cursor(verify_crc(bytes)?.strip_prefix(&BLOCK_MAGIC)?);
        let mut next = || cursor.u32().ok();
        let head = Self { games: next()?, raw: next()?, packed: next()?, checksum: next()? };
        let max_packed = lz4_flex::block::get_maximum_output_size(MAX_BLOCK);
        let fits = head.raw as usize <= MAX_BLOCK && head.packed as usize <= max_packed && head.games <= head.raw;
        fits.then_some(head)
    }

    fn unpack(&self, packed: &[u8]) -> Result<Block, CompactError> {
        if crc32(packed) != self.checksum {
            return Err(CompactError::Checksum { games: self.games });
        }
        let raw = decompress(packed, self.raw as usize).ok_or(CompactError::Content("it cannot be unpacked"))?;
        Block::decode(&raw, self.games as usize)
    }
}

/// Appends up to `count` bytes of the stream.
fn read_more(reader: &mut dyn Read, bytes: &mut Vec<u8>, count: u32) -> io::Result<usize> {
    reader.take(count.into()).read_to_end(bytes)
}

impl Iterator for BlockReader {
    type Item = Result<Block, Located>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut reader = self.reader.take()?;
        let first = self.games + 1;
        match self.block(&mut reader) {
            Ok(block) => {
                self.reader = Some(reader);
                block.map(|block| block.map_err(|error| Fault::from(error).at(first)))
            }
            Err(fault) => Some(Err(fault.at(first))),
        }
    }
}

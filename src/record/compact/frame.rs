//! File header, block heads, and sequential reading of blocks.

use super::columns::Block;
use super::error::{CompactError, VERSION};
use crate::record::error::{Fault, Located};
use crate::util::crc32;
use std::io::{self, Read};

pub(super) const MAGIC: [u8; 8] = *b"SABIGAME";
const BLOCK_MAGIC: [u8; 4] = *b"BLCK";
const HEAD: usize = 24;
/// Maximum length of the settings text.
const LONGEST_TEXT: usize = 1 << 16;
/// Maximum decompressed length of a block.
const LONGEST_BLOCK: usize = 1 << 24;

/// The file header.
pub(super) fn header(settings: &str) -> io::Result<Vec<u8>> {
    if settings.len() > LONGEST_TEXT {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the text about the settings is too long"));
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((settings.len() as u32).to_le_bytes());
    bytes.extend(settings.as_bytes());
    bytes.extend(crc32(&bytes).to_le_bytes());
    Ok(bytes)
}

/// The bytes of a block.
pub(super) fn frame(block: &Block) -> io::Result<Vec<u8>> {
    let raw = block.encode();
    if raw.len() > LONGEST_BLOCK {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the block is too long"));
    }
    let packed = lz4_flex::block::compress(&raw);
    let mut bytes = BLOCK_MAGIC.to_vec();
    for number in [block.len() as u32, raw.len() as u32, packed.len() as u32, crc32(&packed)] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(crc32(&bytes).to_le_bytes());
    bytes.extend(packed);
    Ok(bytes)
}

/// The blocks of a stream.
pub(super) struct Frames {
    /// `None` after the end.
    reader: Option<Box<dyn Read + Send>>,
    settings: String,
    /// Offset after the last complete block.
    whole: u64,
    games: usize,
}

impl Frames {
    /// Reads the header.
    pub(super) fn new(mut reader: Box<dyn Read + Send>) -> Result<Self, Fault> {
        let mut head = [0; 16];
        let found = fill(&mut reader, &mut head)?;
        if found < 8 || head[..8] != MAGIC {
            return Err(CompactError::Foreign.into());
        }
        if found < head.len() {
            return Err(CompactError::Header.into());
        }
        let [_, _, version, length] = words(&head);
        if version != VERSION {
            return Err(CompactError::Version(version).into());
        }
        let length = length as usize;
        if length > LONGEST_TEXT {
            return Err(CompactError::Header.into());
        }
        let mut rest = vec![0; length + 4];
        if fill(&mut reader, &mut rest)? < rest.len() {
            return Err(CompactError::Header.into());
        }
        let sum = rest.split_off(length);
        let whole = head.iter().chain(&rest).copied().collect::<Vec<u8>>();
        if crc32(&whole).to_le_bytes() != *sum {
            return Err(CompactError::Header.into());
        }
        let settings = String::from_utf8(rest).map_err(|_| CompactError::Header)?;
        Ok(Self { reader: Some(reader), settings, whole: (whole.len() + 4) as u64, games: 0 })
    }

    /// The settings text.
    pub(super) fn settings(&self) -> &str {
        &self.settings
    }

    /// Number of games of the blocks so far, damaged ones included.
    pub(super) const fn games(&self) -> usize {
        self.games
    }

    /// Bytes of the header and of complete blocks.
    pub(super) const fn whole(&self) -> u64 {
        self.whole
    }

    fn block(reader: &mut dyn Read, head: &[u8; HEAD]) -> Result<(Result<Block, CompactError>, usize), Fault> {
        let [_, games, raw_length, packed_length, sum, _] = words(head);
        let mut packed = Vec::new();
        reader.take(packed_length.into()).read_to_end(&mut packed)?;
        if packed.len() < packed_length as usize {
            let [found, whole] = [packed.len(), packed_length as usize].map(|length| (HEAD + length) as u64);
            return Err(CompactError::Cut { found, whole }.into());
        }
        if crc32(&packed) != sum {
            return Ok((Err(CompactError::Checksum { games }), packed.len()));
        }
        let mut raw = vec![0; raw_length as usize];
        let block = match lz4_flex::block::decompress_into(&packed, &mut raw) {
            Ok(length) if length == raw.len() => Block::decode(&raw, games as usize),
            _ => Err(CompactError::Content("it cannot be unpacked")),
        };
        Ok((block, packed.len()))
    }
}

/// Whether the checksum of a head is right.
fn is_sound(head: &[u8; HEAD]) -> bool {
    let [magic, games, raw, packed, _, sum] = words(head);
    let most = lz4_flex::block::get_maximum_output_size(LONGEST_BLOCK);
    magic.to_le_bytes() == BLOCK_MAGIC
        && crc32(&head[..HEAD - 4]) == sum
        && raw as usize <= LONGEST_BLOCK
        && packed as usize <= most
        && games <= raw
}

impl Iterator for Frames {
    type Item = Result<Block, Located>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut reader = self.reader.take()?;
        let mut head = [0; HEAD];
        let read = match fill(&mut reader, &mut head) {
            Ok(0) => return None,
            Ok(HEAD) if is_sound(&head) => Self::block(&mut reader, &head),
            Ok(HEAD) => Err(CompactError::Head.into()),
            Ok(found) => Err(CompactError::Cut { found: found as u64, whole: HEAD as u64 }.into()),
            Err(error) => Err(error.into()),
        };
        let first = self.games + 1;
        Some(match read {
            Ok((block, packed)) => {
                self.whole += (HEAD + packed) as u64;
                self.games += words::<HEAD, 6>(&head)[1] as usize;
                self.reader = Some(reader);
                block.map_err(|error| Fault::from(error).at(first))
            }
            Err(fault) => Err(fault.at(first)),
        })
    }
}

/// Fills the buffer as far as the stream goes.
fn fill(reader: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

fn words<const N: usize, const W: usize>(bytes: &[u8; N]) -> [u32; W] {
    const { assert!(N == 4 * W) }
    std::array::from_fn(|at| u32::from_le_bytes([0, 1, 2, 3].map(|byte| bytes[4 * at + byte])))
}

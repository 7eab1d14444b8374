//! SABG, the files of self-play games, `.sabg`: compact, with a score for each move.
//!
//! Little-endian. Header: `SABIGAME`, version (`u32`), length of the settings text (`u32`), the
//! text in UTF-8, and the CRC-32 of all that (`u32`). The text holds the settings of the games; it
//! may be empty.
//!
//! The header is followed by blocks, so that a file grows by whole blocks. A block has a head of 24
//! bytes: `BLCK`, number of games, decompressed length, compressed length, CRC-32 of the compressed
//! bytes, CRC-32 of the head so far; then the compressed bytes (LZ4, block format). Decompressed,
//! they are columns, one after the other:
//!
//! | column | one element for each | as |
//! |---|---|---|
//! | numbers | game | difference from the number before, the first from 0; a varint with sign |
//! | outcomes | game | bits 0-1: result (draw, Black, White, unknown), bits 2-7: end reason |
//! | lengths | game | moves; a varint |
//! | starts | game | 0 for the start position, or 1, [`PackedSfen`], and the ply as a varint |
//! | moves | move | 16 bits, [`Move::bits`] |
//! | scores | move | 0 for none, or 1 + the signed difference from the prediction; a varint |
//!
//! Scores are for the side to move. A score of 30 predicts -30 for the opponent, and a move without
//! a score negates the prediction once more; a game begins at 0. A varint has seven bits per byte,
//! low first, and bit 7 set in all but the last; the sign is in bit 0.
//!
//! A killed writer leaves a truncated block. Readers report it, and [`GameFile`] removes it before
//! appending.
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.sabg");
//! use sabi_records::sabg::{Writer, read_blocks};
//! use sabi_records::{Game, read_file};
//! use sabi_shogi::{Position, Score};
//!
//! let mut game = Game::new(Position::startpos());
//! game.push("7g7f".parse()?, None, Some(Score::cp(30)));
//! let mut writer = Writer::new(std::fs::File::create(&path)?, "nodes 5000")?;
//! writer.push(1, &game)?;
//! writer.finish()?;
//!
//! for block in read_blocks(&path)? {
//!     for game in block?.games() {
//!         assert_eq!(game.scores, [Some(Score::cp(30))]);
//!     }
//! }
//! // As any other record, at a lower speed:
//! assert_eq!(read_file(&path).count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block;

pub use super::error::SabgError;
pub use block::{Block, Start, StoredGame};

#[cfg(doc)]
use sabi_shogi::{Move, PackedSfen};

use crate::error::{Fault, Located, RecordError, SABG_VERSION};
use crate::game::Game;
use crate::training::PackError;
use sabi_files::{
    Cursor, append_crc, compress, crc32, decompress, is_named, max_compressed, open_locked_for_append, open_regular,
    verify_crc,
};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::iter;
use std::path::{Path, PathBuf};

const MAGIC: [u8; 8] = *b"SABIGAME";
const BLOCK_MAGIC: [u8; 4] = *b"BLCK";
/// Length of the header before the settings text.
const FIXED: usize = 16;
/// Length of the head of a block.
const HEAD: usize = 24;
/// Maximum length of the settings text.
const MAX_SETTINGS: usize = 1 << 16;
/// Maximum decompressed length of a block.
const MAX_BLOCK: usize = 1 << 24;

/// Games per block of a file written at once.
const BLOCK_GAMES: usize = 256;
/// Moves after which a new block is started.
const BLOCK_MOVES: usize = 1 << 18;

/// The file header.
fn header(settings: &str) -> io::Result<Vec<u8>> {
    if settings.len() > MAX_SETTINGS {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the text about the settings is too long"));
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend(SABG_VERSION.to_le_bytes());
    bytes.extend((settings.len() as u32).to_le_bytes());
    bytes.extend(settings.as_bytes());
    append_crc(&mut bytes);
    Ok(bytes)
}

/// The bytes of a block.
fn frame(block: &Block) -> io::Result<Vec<u8>> {
    let raw = block.encode();
    if raw.len() > MAX_BLOCK {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the block is too long"));
    }
    let packed = compress(&raw);
    let mut bytes = BLOCK_MAGIC.to_vec();
    for number in [block.len() as u32, raw.len() as u32, packed.len() as u32, crc32(&packed)] {
        bytes.extend(number.to_le_bytes());
    }
    append_crc(&mut bytes);
    bytes.extend(packed);
    Ok(bytes)
}

/// The blocks of a file, in order. A damaged one is one error, and later ones are still read if its
/// length is known.
pub struct Blocks {
    file: PathBuf,
    /// `None` after the end.
    reader: Option<Box<dyn Read + Send>>,
    /// The settings text of the file.
    pub settings: String,
    /// Bytes of the header and of the complete blocks read so far.
    pub complete_bytes: u64,
    /// Number of games of the blocks so far, damaged ones included.
    pub games: usize,
}

impl Blocks {
    /// Reads the header of a stream; `name` is used in errors.
    ///
    /// # Errors
    /// When it is of another kind, or damaged.
    pub fn new(name: impl AsRef<Path>, mut stream: impl Read + Send + 'static) -> Result<Self, RecordError> {
        let file = name.as_ref().to_owned();
        match read_header(&mut stream) {
            Ok((settings, complete_bytes)) => {
                Ok(Self { file, reader: Some(Box::new(stream)), settings, complete_bytes, games: 0 })
            }
            Err(fault) => Err(fault.at(0).of_file(&file)),
        }
    }

    /// The next block; `None` after the last.
    fn block(&mut self, reader: &mut dyn Read) -> Result<Option<Result<Block, SabgError>>, Fault> {
        let mut bytes = Vec::new();
        read_more(reader, &mut bytes, HEAD as u32)?;
        match bytes.len() {
            0 => return Ok(None),
            HEAD => {}
            length => return Err(SabgError::Truncated { length: length as u64, expected: HEAD as u64 }.into()),
        }
        let head = BlockHead::read(&bytes).ok_or(SabgError::Head)?;
        bytes.clear();
        read_more(reader, &mut bytes, head.packed)?;
        let [length, expected] = [bytes.len(), head.packed as usize].map(|length| (HEAD + length) as u64);
        if length < expected {
            return Err(SabgError::Truncated { length, expected }.into());
        }
        self.complete_bytes += expected;
        self.games += head.games as usize;
        Ok(Some(head.unpack(&bytes)))
    }
}

impl Iterator for Blocks {
    type Item = Result<Block, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut reader = self.reader.take()?;
        let first = self.games + 1;
        let block = match self.block(&mut reader) {
            Ok(block) => {
                self.reader = Some(reader);
                block?.map_err(Fault::from)
            }
            Err(fault) => Err(fault),
        };
        Some(block.map_err(|fault| fault.at(first).of_file(&self.file)))
    }
}

/// Reads the header: the settings text, and the length in bytes.
fn read_header(stream: &mut dyn Read) -> Result<(String, u64), Fault> {
    let mut bytes = Vec::new();
    read_more(stream, &mut bytes, FIXED as u32)?;
    let mut fixed = Cursor(bytes.strip_prefix(&MAGIC).ok_or(SabgError::WrongFormat)?);
    let cut = |_| SabgError::Header;
    let (version, length) = (fixed.u32().map_err(cut)?, fixed.u32().map_err(cut)?);
    if version != SABG_VERSION {
        return Err(SabgError::Version(version).into());
    }
    if length as usize > MAX_SETTINGS {
        return Err(SabgError::Header.into());
    }
    // The text and the checksum.
    read_more(stream, &mut bytes, length + 4)?;
    let text = verify_crc(&bytes).filter(|header| header.len() == FIXED + length as usize);
    let text = text.and_then(|header| str::from_utf8(&header[FIXED..]).ok()).ok_or(SabgError::Header)?;
    Ok((text.to_owned(), bytes.len() as u64))
}

/// The head of a block.
struct BlockHead {
    games: u32,
    raw: u32,
    packed: u32,
    checksum: u32,
}

impl BlockHead {
    /// `None` if it is damaged.
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut cursor = Cursor(verify_crc(bytes)?.strip_prefix(&BLOCK_MAGIC)?);
        let mut next = || cursor.u32().ok();
        let head = Self { games: next()?, raw: next()?, packed: next()?, checksum: next()? };
        let max_packed = max_compressed(MAX_BLOCK);
        let fits = head.raw as usize <= MAX_BLOCK && head.packed as usize <= max_packed && head.games <= head.raw;
        fits.then_some(head)
    }

    fn unpack(&self, packed: &[u8]) -> Result<Block, SabgError> {
        if crc32(packed) != self.checksum {
            return Err(SabgError::Checksum { games: self.games });
        }
        let raw = decompress(packed, self.raw as usize).ok_or(SabgError::Content("it cannot be unpacked"))?;
        Block::decode(&raw, self.games as usize)
    }
}

/// Appends up to `count` bytes of the stream.
fn read_more(reader: &mut dyn Read, bytes: &mut Vec<u8>, count: u32) -> io::Result<usize> {
    reader.take(count.into()).read_to_end(bytes)
}

/// The blocks of a file.
///
/// # Errors
/// When the file cannot be read, is of another kind, or its header is damaged.
pub fn read_blocks(path: impl AsRef<Path>) -> Result<Blocks, RecordError> {
    let path = path.as_ref();
    match open_regular(path) {
        Ok(file) => Blocks::new(path, BufReader::with_capacity(1 << 16, file)),
        Err(error) => Err(Fault::from(error).at(0).of_file(path)),
    }
}

/// Whether a file that starts like this has compact games.
pub fn is_sabg(head: &[u8]) -> bool {
    head.starts_with(&MAGIC)
}

/// The games of a stream, one by one, each with its number in the file.
pub(crate) fn stored_games(
    reader: Box<dyn Read + Send>,
) -> Result<impl Iterator<Item = Result<Game, Located>> + Send, Fault> {
    // The caller knows the file.
    let mut blocks = Blocks::new("", reader).map_err(|error| error.fault)?;
    let by_block = iter::from_fn(move || {
        let first = blocks.games + 1;
        let (block, damage) = match blocks.next()? {
            Ok(block) => (block, None),
            Err(error) => (Block::default(), Some(Err(error.fault.at(error.line)))),
        };
        let games = (0..block.len()).filter_map(move |at| {
            let game = block.game(at)?.game().map(|game| Game { line: first + at, ..game });
            Some(game.map_err(|fault| fault.at(first + at)))
        });
        Some(games.chain(damage))
    });
    Ok(by_block.flatten())
}

/// Writes the games of one file.
pub struct Writer<W> {
    out: W,
    block: Block,
}

impl<W: Write> Writer<W> {
    /// Writes the header with the settings text.
    ///
    /// # Errors
    /// When writing fails, or the text is too long.
    pub fn new(mut out: W, settings: &str) -> io::Result<Self> {
        out.write_all(&header(settings)?)?;
        Ok(Self { out, block: Block::default() })
    }

    /// Adds a game with its number.
    ///
    /// # Errors
    /// When the format cannot hold it (nothing is written then), or writing fails.
    pub fn push(&mut self, number: u64, game: &Game) -> Result<(), PackError> {
        self.block.push(number, game)?;
        Ok(self.flush_if_full()?)
    }

    /// Adds a game of another file.
    ///
    /// # Errors
    /// Those of [`Writer::push`].
    pub fn push_stored(&mut self, game: StoredGame<'_>) -> Result<(), PackError> {
        self.block.push_stored(game)?;
        Ok(self.flush_if_full()?)
    }

    fn flush_if_full(&mut self) -> io::Result<()> {
        if self.block.len() >= BLOCK_GAMES || self.block.moves() >= BLOCK_MOVES { self.write_block() } else { Ok(()) }
    }

    fn write_block(&mut self) -> io::Result<()> {
        self.out.write_all(&frame(&self.block)?)?;
        self.block.clear();
        Ok(())
    }

    /// Writes the last block and returns the output.
    ///
    /// # Errors
    /// When writing fails.
    pub fn finish(mut self) -> io::Result<W> {
        if !self.block.is_empty() {
            self.write_block()?;
        }
        Ok(self.out)
    }
}

/// Why games cannot be appended to a file.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum GameFileError {
    #[error("cannot write '{}'", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("'{}' was made with other settings: '{theirs}' there, '{ours}' here; name another file", path.display())]
    OtherSettings { path: PathBuf, theirs: String, ours: String },
}

/// A file to which games are appended.
///
/// A block is written in one piece and synced before the next. When the process is killed, only the
/// games of the open block are lost.
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    file: File,
    /// Length of the file.
    pub bytes: u64,
}

impl GameFile {
    /// Opens a file of games made with `settings`, a text of several lines, and shows the games in
    /// it; creates it if needed. A truncated last block is removed. The file is locked while open.
    ///
    /// # Errors
    /// When the file is of another kind, is damaged, or has games with other settings. It is then
    /// unchanged.
    pub fn open(path: &Path, settings: &str, mut show: impl FnMut(StoredGame<'_>)) -> Result<Self, GameFileError> {
        let error = |source| GameFileError::Io { path: path.to_owned(), source };
        let mut file = open_locked_for_append(path, true).map_err(error)?;
        if begins(&mut file, &header(settings).map_err(error)?).map_err(error)? {
            let bytes = file.metadata().map_err(error)?.len();
            return Ok(Self { path: path.to_owned(), file, bytes });
        }
        file.rewind().map_err(error)?;
        let reader = BufReader::with_capacity(1 << 16, file.try_clone().map_err(error)?);
        let mut blocks = Blocks::new(path, reader)?;
        if blocks.settings != settings {
            let [theirs, ours] = difference(&blocks.settings, settings).map(str::to_owned);
            return Err(GameFileError::OtherSettings { path: path.to_owned(), theirs, ours });
        }
        while let Some(block) = blocks.next() {
            match block {
                Ok(block) => block.games().for_each(&mut show),
                Err(cut) if matches!(cut.fault, Fault::Sabg(SabgError::Truncated { .. })) => {
                    file.set_len(blocks.complete_bytes).map_err(error)?;
                }
                Err(damage) => return Err(damage.into()),
            }
        }
        Ok(Self { path: path.to_owned(), file, bytes: blocks.complete_bytes })
    }

    /// Appends a block and syncs it to disk; after an error the file is as before.
    ///
    /// # Errors
    /// Those of the file system, and when the file was removed or replaced: it has no name any more,
    /// and its games would be lost.
    pub fn add(&mut self, block: &Block) -> io::Result<()> {
        if !is_named(&self.file, &self.path)? {
            return Err(io::Error::new(io::ErrorKind::NotFound, "it was removed or replaced meanwhile"));
        }
        let bytes = frame(block)?;
        self.file.seek(SeekFrom::End(0))?;
        if let Err(error) = self.file.write_all(&bytes).and_then(|()| self.file.sync_data()) {
            // Part of a block would precede the next one; the first error is reported.
            let _ = self.file.set_len(self.bytes);
            return Err(error);
        }
        self.bytes += bytes.len() as u64;
        Ok(())
    }
}

/// Writes the header into a file that is empty or has a truncated header; returns whether it did.
fn begins(file: &mut File, header: &[u8]) -> io::Result<bool> {
    let length = file.metadata()?.len();
    if length >= header.len() as u64 {
        return Ok(false);
    }
    let mut there = Vec::new();
    file.rewind()?;
    Read::by_ref(file).take(length).read_to_end(&mut there)?;
    if !header.starts_with(&there) {
        return Ok(false);
    }
    file.write_all(&header[there.len()..])?;
    file.sync_data()?;
    Ok(true)
}

/// The first differing lines of two texts.
fn difference<'a>(theirs: &'a str, ours: &'a str) -> [&'a str; 2] {
    let mut lines = [theirs.lines(), ours.lines()];
    loop {
        match lines.each_mut().map(Iterator::next) {
            [Some(theirs), Some(ours)] if theirs == ours => {}
            [theirs, ours] => return [theirs.unwrap_or("nothing"), ours.unwrap_or("nothing")],
        }
    }
}

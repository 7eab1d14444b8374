//! The games of a file.

use super::columns::Block;
use super::frame::{BlockReader, MAGIC};
use crate::error::{Fault, Located, RecordError};
use crate::game::Game;
use sabi_files::open_regular;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

/// The blocks of a file, in order. A damaged one is one error, and later ones are still read if its
/// length is known.
pub struct Blocks {
    file: PathBuf,
    reader: BlockReader,
}

impl Blocks {
    /// Reads the header of a stream; `name` is used in errors.
    ///
    /// # Errors
    /// When it is of another kind, or damaged.
    pub fn new(name: impl AsRef<Path>, stream: impl Read + Send + 'static) -> Result<Self, RecordError> {
        let file = name.as_ref().to_owned();
        match BlockReader::new(Box::new(stream)) {
            Ok(reader) => Ok(Self { file, reader }),
            Err(fault) => Err(RecordError { file, line: 0, fault }),
        }
    }

    /// The settings text of the file.
    pub fn settings(&self) -> &str {
        &self.reader.settings
    }

    /// Number of games of the blocks so far, damaged ones included.
    pub const fn games(&self) -> usize {
        self.reader.games
    }

    /// Bytes of the header and of the complete blocks read so far.
    pub const fn complete_bytes(&self) -> u64 {
        self.reader.complete_bytes
    }
}

impl Iterator for Blocks {
    type Item = Result<Block, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let error = |Located { line, fault }| RecordError { file: self.file.clone(), line, fault };
        self.reader.next().map(|block| block.map_err(error))
    }
}

/// The blocks of a file.
///
/// # Errors
/// When the file cannot be read, is of another kind, or its header is damaged.
pub fn read_blocks(path: impl AsRef<Path>) -> Result<Blocks, RecordError> {
    let path = path.as_ref();
    match open_regular(path) {
        Ok(file) => Blocks::new(path, BufReader::with_capacity(1 << 16, file)),
        Err(error) => Err(RecordError { file: path.to_owned(), line: 0, fault: error.into() }),
    }
}

/// Whether a file that starts like this has compact games.
pub fn is_compact(head: &[u8]) -> bool {
    head.starts_with(&MAGIC)
}

/// The games of a stream, one by one, each with its number in the file.
pub(crate) struct StoredGames {
    reader: BlockReader,
    block: Block,
    /// Index of the next game of the block.
    next: usize,
    /// Number of games before the block.
    before: usize,
}

impl StoredGames {
    pub(crate) fn new(reader: Box<dyn Read + Send>) -> Result<Self, Fault> {
        Ok(Self { reader: BlockReader::new(reader)?, block: Block::default(), next: 0, before: 0 })
    }
}

impl Iterator for StoredGames {
    type Item = Result<Game, Located>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.block.game(self.next) {
                self.next += 1;
                let number = self.before + self.next;
                let game = game.game().map(|game| Game { line: number, ..game });
                return Some(game.map_err(|fault| fault.at(number)));
            }
            let before = self.reader.games;
            match self.reader.next()? {
                Ok(block) => (self.block, self.next, self.before) = (block, 0, before),
                Err(located) => return Some(Err(located)),
            }
        }
    }
}

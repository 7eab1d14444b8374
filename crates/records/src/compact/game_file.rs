//! A game file extended block by block during games.

use super::columns::Block;
use super::error::CompactError;
use super::frame;
use super::games::Blocks;
use super::stored::StoredGame;
use crate::error::{Fault, RecordError};
use sabi_files::{is_named, open_locked_for_append};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

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
    bytes: u64,
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
        if begins(&mut file, &frame::header(settings).map_err(error)?).map_err(error)? {
            let bytes = file.metadata().map_err(error)?.len();
            return Ok(Self { path: path.to_owned(), file, bytes });
        }
        file.rewind().map_err(error)?;
        let reader = BufReader::with_capacity(1 << 16, file.try_clone().map_err(error)?);
        let mut blocks = Blocks::new(path, reader)?;
        if blocks.settings() != settings {
            let [theirs, ours] = difference(blocks.settings(), settings).map(str::to_owned);
            return Err(GameFileError::OtherSettings { path: path.to_owned(), theirs, ours });
        }
        while let Some(block) = blocks.next() {
            match block {
                Ok(block) => block.games().for_each(&mut show),
                Err(cut) if matches!(cut.fault, Fault::Compact(CompactError::Truncated { .. })) => {
                    file.set_len(blocks.complete_bytes()).map_err(error)?;
                }
                Err(damage) => return Err(damage.into()),
            }
        }
        Ok(Self { path: path.to_owned(), file, bytes: blocks.complete_bytes() })
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
        let bytes = frame::frame(block)?;
        self.file.seek(SeekFrom::End(0))?;
        if let Err(error) = self.file.write_all(&bytes).and_then(|()| self.file.sync_data()) {
            // Part of a block would precede the next one; the first error is reported.
            let _ = self.file.set_len(self.bytes);
            return Err(error);
        }
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Length of the file.
    pub const fn bytes(&self) -> u64 {
        self.bytes
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

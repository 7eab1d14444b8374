//! Writer of compact games.

use super::columns::Block;
use super::stored::StoredGame;
use super::{BLOCK_GAMES, BLOCK_MOVES, frame};
use crate::game::Game;
use crate::packed::PackError;
use std::io::{self, Write};

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
        out.write_all(&frame::header(settings)?)?;
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
        self.out.write_all(&frame::frame(&self.block)?)?;
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

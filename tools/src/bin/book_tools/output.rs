//! Output of a changed book.

use clap::Args;
use sabi::cli::check_not_an_input;
use sabi_books::{BookMap, learning::LearningFile};
use sabi_files::WriteLock;
use sabi_tools::cli::book::{Compression, lock_book_output, save};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Output {
    /// Book to write
    #[arg(long, value_name = "BOOK")]
    output: PathBuf,
    /// Compression of a .shob book [default: lz4]
    #[arg(long, value_enum)]
    compress: Option<Compression>,
}

impl Output {
    /// Path of the book to write.
    pub fn path(&self) -> &Path {
        &self.output
    }

    /// Whether the format holds all that a book has; the others hold neither results of games nor
    /// moves without a score beside others.
    pub fn holds_all(&self) -> bool {
        self.output.extension().is_some_and(|extension| extension == "shob" || extension == "json")
    }

    /// See [`lock_book_output`].
    pub fn lock(&self) -> anyhow::Result<WriteLock> {
        lock_book_output(&self.output, self.compress)
    }

    /// See [`check_not_an_input`].
    pub fn check_not_an_input(&self, inputs: &[PathBuf]) -> anyhow::Result<()> {
        check_not_an_input(&self.output, inputs)
    }

    /// See [`save`].
    pub fn save(&self, book: &BookMap, out: &mut impl Write) -> anyhow::Result<()> {
        self.announce_and_save(book, |_| LearningFile::finish(&self.output), out)
    }

    /// See [`save`].
    pub fn announce_and_save(
        &self,
        book: &BookMap,
        announce: impl FnOnce(&[u8]) -> io::Result<()>,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        save(book, self.compress, &self.output, announce, out)
    }
}

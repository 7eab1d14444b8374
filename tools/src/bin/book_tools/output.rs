//! Output of a changed book.

use anyhow::Context;
use clap::Args;
use sabi::book::BookMap;
use sabi::book::learning::LearningFile;
use sabi::cli::check_not_an_input;
use sabi::util::WriteLock;
use sabi_tools::cli::book::{Compression, check_book_output, save};
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

    /// Checks the output as [`check_book_output`], and locks it: another program that reads the
    /// book, changes it and writes it back meanwhile would lose these changes.
    pub fn lock(&self) -> anyhow::Result<WriteLock> {
        check_book_output(&self.output, self.compress)?;
        WriteLock::of(&self.output).with_context(|| format!("cannot use '{}'", self.output.display()))
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

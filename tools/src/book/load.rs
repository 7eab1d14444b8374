//! Loading a whole book of any format.

use sabi_books::{
    BookMap, OpenError, Shob, book_key,
    formats::{ReadReport, read_merged},
};
use sabi_files::read_regular;
use std::path::Path;

/// A book in memory, and how it was read.
#[derive(Debug)]
pub struct Loaded {
    /// The book.
    pub book: BookMap,
    /// Entries that the reader dropped.
    pub report: ReadReport,
}

/// Loads a book; a .shob file is verified first.
///
/// # Errors
/// When the file cannot be read, is not a book, is damaged, or holds position keys only.
pub fn load(path: &Path) -> Result<Loaded, OpenError> {
    let file = read_regular(path)?;
    let mut report = ReadReport::default();
    if Shob::detect(&file) {
        let shob = Shob::new(file)?;
        shob.verify()?;
        return Ok(Loaded { book: shob.to_map()?, report });
    }
    let positions = read_merged(&file, &mut report)?;
    let book = positions.into_iter().map(|entry| (book_key(&entry.position), entry)).collect();
    Ok(Loaded { book, report })
}

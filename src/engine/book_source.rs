//! Sources of the opening book.

use super::BookOptions;
use super::options::NO_BOOK;
use crate::engine::EMBEDDED_BOOK;
use crate::machine::search_paths;
use sabi_books::{OpenBook, OpenError, formats::ReadReport};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// File name of the embedded book, where one is needed.
const EMBEDDED_NAME: &str = "sabi.shob";

/// Where a book comes from and how it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BookSource {
    /// The embedded book; its learning file goes to this folder.
    Embedded { folder: PathBuf },
    /// A file; a sorted text book may be searched on disk.
    File { path: PathBuf, on_the_fly: bool },
}

/// Length and modification time of a file.
pub(super) type Stamp = (u64, SystemTime);

impl BookOptions {
    /// Opens the book selected by these options, if any.
    ///
    /// # Errors
    /// When the file does not exist or cannot be used.
    pub fn open(&self) -> Result<Option<OpenBook>, OpenError> {
        BookSource::of(self).map(|source| Ok(source.open(&mut ReadReport::default())?.1)).transpose()
    }
}

impl BookSource {
    /// The selected source.
    pub fn of(options: &BookOptions) -> Option<Self> {
        let folder = Path::new(&options.folder);
        match options.file.as_str() {
            NO_BOOK => None,
            _ if !options.own_book => None,
            "" => Some(Self::Embedded { folder: folder.to_owned() }),
            name => Some(Self::File { path: folder.join(name), on_the_fly: options.on_the_fly }),
        }
    }

    /// Display name.
    pub fn name(&self) -> String {
        match self {
            Self::Embedded { .. } => EMBEDDED_NAME.to_owned(),
            Self::File { path, .. } => path.display().to_string(),
        }
    }

    /// Stamp of the first existing file of this name.
    pub fn stamp(&self) -> Option<Stamp> {
        let Self::File { path, .. } = self else { return None };
        let metadata = search_paths(path).iter().find_map(|path| path.metadata().ok())?;
        Some((metadata.len(), metadata.modified().ok()?))
    }

    /// Opens the first existing file of this name and returns its path; for the embedded book, the
    /// path it would have.
    pub fn open(&self, report: &mut ReadReport) -> Result<(PathBuf, OpenBook), OpenError> {
        let mut result = Err(io::Error::from(io::ErrorKind::NotFound).into());
        let (path, on_the_fly) = match self {
            Self::Embedded { folder } => {
                let path = search_paths(&folder.join(EMBEDDED_NAME)).swap_remove(0);
                return Ok((path, OpenBook::from_static(EMBEDDED_BOOK)?));
            }
            Self::File { path, on_the_fly } => (path, *on_the_fly),
        };
        for path in search_paths(path) {
            result = OpenBook::open(&path, on_the_fly, report).map(|book| (path, book));
            if !matches!(&result, Err(OpenError::Io(error)) if error.kind() == io::ErrorKind::NotFound) {
                break;
            }
        }
        result
    }
}

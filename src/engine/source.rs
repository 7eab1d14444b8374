//! Where the opening book comes from.

use super::BookOptions;
use super::options::NO_BOOK;
use crate::book::foreign::Report;
use crate::book::{EMBEDDED, OpenBook, OpenError};
use crate::util::places;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The name that the book of the engine has, where it needs one.
const EMBEDDED_NAME: &str = "sabi.shob";

/// Where a book comes from, and how it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// From the engine itself; what is learnt of it goes to this folder.
    Embedded { folder: PathBuf },
    /// From a file; a sorted text book may be searched in place.
    File { path: PathBuf, in_place: bool },
}

/// Length of a file, and when it was last written.
pub(super) type Stamp = (u64, SystemTime);

impl BookOptions {
    /// Opens the book that these options want, if they want one.
    ///
    /// # Errors
    /// When there is no such file, or it cannot be used.
    pub fn open(&self) -> Result<Option<OpenBook>, OpenError> {
        Source::of(self).map(|source| Ok(source.open(&mut Report::default())?.1)).transpose()
    }
}

impl Source {
    /// The one that is wanted.
    pub fn of(options: &BookOptions) -> Option<Self> {
        let folder = Path::new(&options.folder);
        match options.file.as_str() {
            NO_BOOK => None,
            _ if !options.own_book => None,
            "" => Some(Self::Embedded { folder: folder.to_owned() }),
            name => Some(Self::File { path: folder.join(name), in_place: options.in_place }),
        }
    }

    /// What to call it.
    pub fn name(&self) -> String {
        match self {
            Self::Embedded { .. } => EMBEDDED_NAME.to_owned(),
            Self::File { path, .. } => path.display().to_string(),
        }
    }

    /// The stamp of the first file of that name there is.
    pub fn stamp(&self) -> Option<Stamp> {
        let Self::File { path, .. } = self else { return None };
        let kept = places(path).iter().find_map(|path| path.metadata().ok())?;
        Some((kept.len(), kept.modified().ok()?))
    }

    /// Opens the first file of that name there is, and tells where it is; for the book of the engine, where it would be.
    pub fn open(&self, report: &mut Report) -> Result<(PathBuf, OpenBook), OpenError> {
        let mut result = Err(io::Error::from(io::ErrorKind::NotFound).into());
        let (path, in_place) = match self {
            Self::Embedded { folder } => {
                let path = places(&folder.join(EMBEDDED_NAME)).swap_remove(0);
                return Ok((path, OpenBook::from_static(EMBEDDED)?));
            }
            Self::File { path, in_place } => (path, *in_place),
        };
        for path in places(path) {
            result = OpenBook::open(&path, in_place, report).map(|book| (path, book));
            if !matches!(&result, Err(OpenError::Io(error)) if error.kind() == io::ErrorKind::NotFound) {
                break;
            }
        }
        result
    }
}

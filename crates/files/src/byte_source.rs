//! Random access to bytes in memory or in a file.

use super::regular::open_regular;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

/// Files up to this size are read into memory, so that later changes do not matter.
const IN_MEMORY: u64 = 16 << 20;

/// The bytes of a file, or of memory.
///
/// Larger files are read on demand. They are not mapped: truncating a mapped file would kill this
/// process. A missing part is an error, a changed one is returned as it is.
#[derive(Debug)]
pub enum ByteSource<'a> {
    /// In memory.
    Memory(Cow<'a, [u8]>),
    /// In a file of this length.
    File(File, usize),
}

impl ByteSource<'static> {
    /// Opens a regular file.
    ///
    /// # Errors
    /// Those of the file system, and when it is not a regular file.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = open_regular(path)?;
        let length = file.metadata()?.len();
        if length > IN_MEMORY && cfg!(any(unix, windows)) {
            let length = usize::try_from(length).map_err(|_| io::ErrorKind::FileTooLarge)?;
            return Ok(Self::File(file, length));
        }
        let mut bytes = Vec::with_capacity(length as usize);
        file.take(length).read_to_end(&mut bytes)?;
        Ok(Self::Memory(bytes.into()))
    }
}

impl ByteSource<'_> {
    /// Length in bytes.
    pub fn len(&self) -> usize {
        match self {
            Self::Memory(bytes) => bytes.len(),
            Self::File(_, length) => *length,
        }
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A range of the bytes.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] beyond the end, and those of the file system.
    #[inline]
    pub fn read(&self, place: Range<usize>) -> io::Result<Cow<'_, [u8]>> {
        match self {
            Self::Memory(bytes) => bytes.get(place).map(Cow::Borrowed).ok_or(io::ErrorKind::UnexpectedEof.into()),
            Self::File(file, length) if place.start <= place.end && place.end <= *length => {
                let mut bytes = vec![0; place.len()];
                read_at(file, place.start as u64, &mut bytes)?;
                Ok(Cow::Owned(bytes))
            }
            Self::File(..) => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

impl<'a> From<&'a [u8]> for ByteSource<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Memory(Cow::Borrowed(bytes))
    }
}

impl From<Vec<u8>> for ByteSource<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Memory(Cow::Owned(bytes))
    }
}

#[cfg(unix)]
fn read_at(file: &File, place: u64, bytes: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, place)
}

#[cfg(windows)]
fn read_at(file: &File, mut place: u64, mut bytes: &mut [u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, place)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => (place, bytes) = (place + count as u64, &mut bytes[count..]),
        }
    }
    Ok(())
}

/// Files are always read into memory there.
#[cfg(not(any(unix, windows)))]
fn read_at(_: &File, _: u64, _: &mut [u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

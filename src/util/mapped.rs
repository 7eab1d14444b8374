//! A file as a slice of bytes.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

/// The bytes of a file, mapped where the system can do that, so that only what is used is ever read.
///
/// The file must not be changed while it is mapped: whoever writes such files replaces them whole (see
/// [`replace_file`](super::replace_file)), which leaves what is mapped as it was.
#[derive(Debug)]
pub struct MappedFile(Option<Bytes>);

#[cfg(not(target_family = "wasm"))]
type Bytes = memmap2::Mmap;
#[cfg(target_family = "wasm")]
type Bytes = Vec<u8>;

impl MappedFile {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be opened or is no file.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let kept = file.metadata()?;
        if !kept.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is not a file"));
        }
        // Nothing cannot be mapped.
        if kept.len() == 0 { Ok(Self(None)) } else { Ok(Self(Some(bytes_of(file)?))) }
    }
}

#[cfg(not(target_family = "wasm"))]
fn bytes_of(file: File) -> io::Result<Bytes> {
    // SAFETY: the map is private to this process and only read. The slice it gives is sound as long as nobody changes the
    // file in place, which the type asks of those who write such files; they write new files and rename them.
    unsafe { memmap2::Mmap::map(&file) }
}

#[cfg(target_family = "wasm")]
fn bytes_of(mut file: File) -> io::Result<Bytes> {
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut file, &mut bytes)?;
    Ok(bytes)
}

impl Deref for MappedFile {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }
}

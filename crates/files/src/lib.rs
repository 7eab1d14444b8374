//! Files that survive: replaced atomically, appended line by line, locked; and bounded readers of
//! what they hold.
//!
//! A program that is killed, or a disk that is full, leaves the old file or the new one, and of a
//! log all lines but the last. [`replace_file`] writes a temporary file beside its target, syncs and
//! renames it; [`append_line`] writes a line under a lock and mends one that was cut; [`WriteLock`]
//! keeps two processes from writing the same file; [`open_regular`] opens no pipe, device or
//! folder by mistake. [`ByteSource`] and [`Cursor`] read checked binary data, [`read_line`] lines of
//! bounded length.
//!
//! ```
//! use sabi_files::{append_line, read_regular, replace_with_bytes};
//!
//! let folder = tempfile::tempdir()?;
//! let (settings, log) = (folder.path().join("settings"), folder.path().join("log"));
//! replace_with_bytes(&settings, b"threads 2\n")?;
//! replace_with_bytes(&settings, b"threads 4\n")?;
//! append_line(&log, "threads changed")?;
//! assert_eq!(read_regular(&settings)?, b"threads 4\n");
//! assert_eq!(read_regular(&log)?, b"threads changed\n");
//! # Ok::<(), std::io::Error>(())
//! ```

#![warn(missing_docs)]

mod append;
mod content;
mod regular;
mod replace;

pub use append::{WriteLock, append_line, open_lines, open_locked_for_append, open_to_append, unlock};
pub use content::{
    ByteSource, Cursor, DecodeError, JsonError, append_crc, compress, decompress, max_compressed, put_varint,
    read_line, verify_crc, without_bom,
};
pub use crc32fast::hash as crc32;
pub use regular::{feeds_standard_input, is_named, is_same_file, open_regular, read_regular, search_paths};
pub use replace::{check_replaceable, ignore_sigxfsz, remove_file, replace_file, replace_with_bytes};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

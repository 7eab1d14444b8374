//! Files that survive: replaced atomically, appended line by line, locked; and bounded readers of
//! what they hold.
//!
//! Nothing here knows shogi. [`replace_file`] writes a temporary file beside its target, syncs and
//! renames it; [`open_to_append`] and [`append_line`] mend a line that was cut;
//! [`WriteLock`] keeps two processes from writing the same file; [`Cursor`] reads checked binary
//! data, [`read_line`] lines of bounded length.

#![warn(missing_docs)]

mod append;
mod binary;
mod byte_source;
mod file_lock;
mod file_size;
mod json_error;
mod lines;
mod regular;
mod replace;
mod write_lock;

pub use append::{append_line, open_lines, open_locked_for_append, open_to_append};
pub use binary::{Cursor, DecodeError, append_crc, decompress, put_varint, verify_crc};
pub use byte_source::ByteSource;
pub use crc32fast::hash as crc32;
pub use file_lock::unlock;
pub use file_size::ignore_sigxfsz;
pub use json_error::JsonError;
pub use lines::{read_line, without_bom};
pub use regular::{feeds_standard_input, is_named, is_same_file, open_regular, read_regular};
pub use replace::{check_replaceable, remove_file, replace_file, replace_with_bytes};
pub use write_lock::WriteLock;

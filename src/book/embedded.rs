//! The book that is part of the program.

/// Its bytes, as [`OpenBook::from_static`](super::OpenBook::from_static) takes them. `book/README.md` tells what it was made from,
/// and how.
pub const EMBEDDED: &[u8] = include_bytes!("../../book/sabi.shob");

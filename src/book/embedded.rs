//! The embedded book.

/// Its bytes, for [`OpenBook::from_static`](super::OpenBook::from_static). `book/README.md`
/// documents its origin.
pub const EMBEDDED: &[u8] = include_bytes!("../../book/sabi.shob");

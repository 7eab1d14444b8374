//! Formats of books.

use std::fmt;

/// A format that can be read.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// YaneuraOu's text, and AobaZero's.
    YaneuraOu,
    /// YaneuraOu's binary book.
    Ybb,
    /// Apery's `book.bin`.
    Apery,
    /// ShogiGUI's graph.
    Sbk,
    /// JSON with openings by name, in one of its three shapes.
    Openings,
    /// Our own JSON.
    Json,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::YaneuraOu => "YaneuraOu text",
            Self::Ybb => "YaneuraOu binary",
            Self::Apery => "Apery",
            Self::Sbk => "sbk",
            Self::Openings => "JSON of openings",
            Self::Json => "Sabi JSON",
        })
    }
}

//! Book formats.

use std::fmt;

/// A readable format.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// YaneuraOu and AobaZero text.
    YaneuraOu,
    /// YaneuraOu binary book.
    Ybb,
    /// Apery's `book.bin`.
    Apery,
    /// ShogiGUI's graph.
    Sbk,
    /// JSON with opening names, in one of three shapes.
    Openings,
    /// Sabi's JSON.
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

//! Book formats.

/// A readable format.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Format {
    /// YaneuraOu and AobaZero text.
    #[error("YaneuraOu text")]
    YaneuraOu,
    /// YaneuraOu binary book.
    #[error("YaneuraOu binary")]
    Ybb,
    /// Apery's `book.bin`.
    #[error("Apery")]
    Apery,
    /// ShogiGUI's graph.
    #[error("sbk")]
    Sbk,
    /// JSON with opening names, in one of three shapes.
    #[error("JSON of openings")]
    Openings,
    /// Sabi's JSON.
    #[error("Sabi JSON")]
    Json,
}

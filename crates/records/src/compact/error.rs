//! Errors of compact game files.

use sabi_files::DecodeError;

/// The supported version.
pub(super) const VERSION: u32 = 1;

/// Why a file or block is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum CompactError {
    #[error("not a file of compact games")]
    WrongFormat,
    #[error("its version is {0}, this program reads version {known}", known = VERSION)]
    Version(u32),
    #[error("its header is damaged")]
    Header,
    #[error("the head of a block is damaged; the rest cannot be read")]
    Head,
    #[error("the last block is truncated after {length} of {expected} bytes")]
    Truncated { length: u64, expected: u64 },
    #[error("the checksum of a block with {games} games is wrong")]
    Checksum { games: u32 },
    #[error("a block is damaged: {0}")]
    Content(&'static str),
}

impl From<DecodeError> for CompactError {
    fn from(DecodeError(why): DecodeError) -> Self {
        Self::Content(why)
    }
}

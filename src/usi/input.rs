//! Lines of input.

use encoding_rs::SHIFT_JIS;
use std::time::Instant;

/// Maximum line length, far beyond any game.
pub(super) const MAX_LINE: usize = 4 << 20;

/// Input of the session.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// A line without its end, with its time of receipt.
    Line { at: Instant, text: String },
    /// An invalid line; whether it was a `position`.
    Rejected { at: Instant, error: InputError, position: bool },
    /// End of input.
    End,
}

impl Input {
    /// A line as received, without its end.
    pub(super) fn from_bytes(at: Instant, bytes: &[u8]) -> Self {
        match decode(bytes) {
            Ok(text) => Self::Line { at, text },
            Err(error) => {
                let position = bytes.trim_ascii_start().starts_with(b"position");
                Self::Rejected { at, error, position }
            }
        }
    }
}

/// Why a line is invalid before parsing.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum InputError {
    #[error("the line is longer than {} bytes", MAX_LINE)]
    TooLong,
    #[error("the line is neither UTF-8 nor Shift_JIS text")]
    NoText,
    #[error("the line holds control characters")]
    Control,
}

/// Decodes a line: UTF-8, or else the code page of Japanese Windows.
fn decode(bytes: &[u8]) -> Result<String, InputError> {
    if bytes.len() > MAX_LINE {
        return Err(InputError::TooLong);
    }
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    let text = match std::str::from_utf8(bytes) {
        // Some programs begin their output with a byte order mark.
        Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text).to_owned(),
        Err(_) => {
            SHIFT_JIS.decode_without_bom_handling_and_without_replacement(bytes).ok_or(InputError::NoText)?.into_owned()
        }
    };
    if text.trim_ascii().chars().any(|c| c.is_control() && c != '\t') { Err(InputError::Control) } else { Ok(text) }
}

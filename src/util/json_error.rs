//! Short JSON error messages.

use std::fmt;

/// Maximum length: the message may contain text of the file.
const MAX_LENGTH: usize = 200;

/// An error of `serde_json` with a short message free of control characters.
#[derive(Debug)]
pub struct JsonError {
    reason: String,
    line: usize,
    column: usize,
}

impl JsonError {
    /// The message without the position.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The line, from 1; 0 if unknown.
    pub fn line(&self) -> usize {
        self.line
    }
}

impl From<serde_json::Error> for JsonError {
    fn from(error: serde_json::Error) -> Self {
        let (line, column, message) = (error.line(), error.column(), error.to_string());
        let reason = message.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&message);
        let shown = reason.chars().map(|c| if c.is_control() { '?' } else { c });
        let mut reason: String = shown.clone().take(MAX_LENGTH).collect();
        if shown.count() > MAX_LENGTH {
            reason.push('…');
        }
        Self { reason, line, column }
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self { reason, line: 0, .. } => f.write_str(reason),
            Self { reason, line, column } => write!(f, "{reason} at line {line} column {column}"),
        }
    }
}

impl std::error::Error for JsonError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> JsonError {
        serde_json::from_str::<Vec<u8>>(text).unwrap_err().into()
    }

    #[test]
    fn short_messages_are_unchanged() {
        for text in ["", "[1,", "[1,\n x]", "{}", "[300]", "[\"a\"]"] {
            let original = serde_json::from_str::<Vec<u8>>(text).unwrap_err();
            assert_eq!(error(text).to_string(), original.to_string());
        }
    }

    #[test]
    fn long_messages_are_truncated() {
        let error = error(&format!("\n\"{}\"", "x".repeat(10_000)));
        assert_eq!((error.line(), error.reason().chars().count()), (2, MAX_LENGTH + 1));
        assert!(error.to_string().ends_with("x… at line 2 column 10002"), "{error}");
    }
}

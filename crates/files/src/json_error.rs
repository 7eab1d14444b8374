//! Short JSON error messages.

/// Maximum length: the message may contain text of the file.
const MAX_LENGTH: usize = 200;

/// An error of `serde_json` with a short message free of control characters.
#[derive(Debug, thiserror::Error)]
#[error("{reason}{}", place(*line, *column))]
pub struct JsonError {
    /// The message without the position.
    pub reason: String,
    /// The line, from 1; 0 if unknown.
    pub line: usize,
    column: usize,
}

fn place(line: usize, column: usize) -> String {
    if line == 0 { String::new() } else { format!(" at line {line} column {column}") }
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
        assert_eq!((error.line, error.reason.chars().count()), (2, MAX_LENGTH + 1));
        assert!(error.to_string().ends_with("x… at line 2 column 10002"), "{error}");
    }
}

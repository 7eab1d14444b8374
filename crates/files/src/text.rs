//! Lines in bounded memory, and short messages of JSON errors.

use std::io::{self, BufRead, Read};

/// Maximum length of a JSON message: it may contain text of the file.
const MAX_LENGTH: usize = 200;

/// Reads the next line, with its end, into `line`; of a longer one only the first `max` bytes are
/// kept. Returns false at the end.
///
/// # Errors
/// Those of the source.
pub fn read_line(source: &mut (impl BufRead + ?Sized), max: usize, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let read = Read::take(&mut *source, max as u64).read_until(b'\n', line)?;
    if read == max && !line.ends_with(b"\n") {
        source.skip_until(b'\n')?;
    }
    Ok(read > 0)
}

/// Text without a byte order mark of UTF-8.
pub fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

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

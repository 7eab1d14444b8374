//! Line reader in bounded memory.

use sabi_files::{read_line, without_bom};
use std::io::{self, BufRead};

/// Maximum length of a line; the rest is ignored.
pub(super) const MAX_LINE: usize = 16 * 1024;

/// Numbered lines without line ends and byte order mark.
pub(super) struct LineReader<R> {
    source: R,
    buffer: Vec<u8>,
    number: u64,
}

impl<R: BufRead> LineReader<R> {
    pub fn new(source: R) -> Self {
        Self { source, buffer: Vec::new(), number: 0 }
    }

    /// Number of the last line, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The next line, trimmed, with invalid bytes replaced. `None` at the end.
    pub fn next(&mut self) -> io::Result<Option<String>> {
        if !read_line(&mut self.source, MAX_LINE, &mut self.buffer)? {
            return Ok(None);
        }
        self.number += 1;
        let text = if self.number == 1 { without_bom(&self.buffer) } else { &self.buffer };
        Ok(Some(String::from_utf8_lossy(text).trim().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let mut lines = LineReader::new(bytes);
        std::iter::from_fn(|| lines.next().unwrap()).collect()
    }

    #[test]
    fn strips_line_ends_bom_and_blanks() {
        assert_eq!(lines(b"\xef\xbb\xbfa \r\nb\n\n c"), ["a", "b", "", "c"]);
        assert_eq!(lines(b""), [""; 0]);
        assert_eq!(lines(b"\xff\n"), ["\u{fffd}"]);
    }

    #[test]
    fn long_line_is_truncated() {
        let mut text = vec![b'x'; 3 * MAX_LINE];
        text.extend(b"\nnext");
        let lines = lines(&text);
        assert_eq!((lines[0].len(), lines[1].as_str(), lines.len()), (MAX_LINE, "next", 2));
    }
}

//! Splits a file into games.

use super::is_header;
use crate::error::{Fault, Located};
use crate::text;
use sabi_files::{read_line, without_bom};
use std::io::BufRead;
use std::mem;

/// Maximum length of a game and of a line.
const MAX_TEXT: usize = 1 << 20;

/// The texts of the games of a stream. A game begins with the first tag after moves.
pub(crate) struct GameSplitter {
    /// `None` after the end.
    reader: Option<Box<dyn BufRead + Send>>,
    /// Number of lines read.
    lines: usize,
    /// Text of the next game so far, and the number of its first line.
    text: Vec<u8>,
    first: usize,
    /// Whether it contains moves.
    has_moves: bool,
}

/// The text of one game, and the number of its first line.
type Text = Result<(String, usize), Located>;

impl GameSplitter {
    pub(crate) fn new(reader: Box<dyn BufRead + Send>) -> Self {
        Self { reader: Some(reader), lines: 0, text: Vec::new(), first: 1, has_moves: false }
    }

    /// Adds a line; returns the game that it ends.
    fn add(&mut self, line: &[u8]) -> Option<Text> {
        let line = if self.lines == 0 { without_bom(line) } else { line };
        let decoded = String::from_utf8_lossy(line);
        let header = is_header(&decoded);
        let ended = (header && self.has_moves).then(|| self.take());
        if self.text.is_empty() {
            self.first = self.lines + 1;
        }
        self.has_moves |= !header && !decoded.trim().is_empty() && !decoded.starts_with('%');
        // A text that is too long is cut.
        if self.text.len() <= MAX_TEXT {
            self.text.extend_from_slice(line);
        }
        self.lines += 1;
        ended
    }

    fn take(&mut self) -> Text {
        self.has_moves = false;
        let bytes = mem::take(&mut self.text);
        let fault = |fault: Fault| fault.at(self.first);
        if bytes.len() > MAX_TEXT {
            return Err(fault(Fault::LongText(MAX_TEXT)));
        }
        Ok((text::decode(&bytes).map_err(fault)?.into_owned(), self.first))
    }
}

impl Iterator for GameSplitter {
    type Item = Text;

    fn next(&mut self) -> Option<Self::Item> {
        let mut line = Vec::new();
        loop {
            match read_line(self.reader.as_mut()?, MAX_TEXT + 1, &mut line) {
                Err(error) => {
                    self.reader = None;
                    return Some(Err(Fault::from(error).at(self.lines)));
                }
                Ok(false) => {
                    self.reader = None;
                    return (!self.text.trim_ascii().is_empty()).then(|| self.take());
                }
                Ok(true) => {
                    if let Some(ended) = self.add(&line) {
                        return Some(ended);
                    }
                }
            }
        }
    }
}

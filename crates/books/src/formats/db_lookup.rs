//! Binary search in a sorted text book, in memory or in a file.
//!
//! It relies on the order of board and side only; hands and move numbers of a board are scanned. So
//! it does not depend on how the writing program orders hands or numbers.
//!
//! An unsorted book is rejected: a linear search would take as long as loading it, for every move
//! of a game. Small books are checked completely; of large ones, neighbours at many offsets and
//! these offsets among each other. Disorder elsewhere in a large book can hide positions, nothing
//! worse.

use super::candidates::{Candidates, UnknownValues};
use super::db_lines::{DbLine, read_move, read_position};
use super::line_reader::MAX_LINE;
use super::read_report::{Location, ReadReport};
use super::{Format, FormatError};
use crate::BookPosition;
use sabi_files::{ByteSource, without_bom};
use sabi_shogi::Position;
use std::borrow::Cow;
use std::io;

/// Whether the move number must match.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PlyRule {
    /// Same move number only.
    Same,
    /// Any move number; the same is preferred, then the smallest.
    Any,
}

/// Books up to this size are checked completely.
const CHECKED_WHOLE: usize = 8 << 20;
/// Number of offsets checked in larger ones.
const CHECKED_PLACES: usize = 4096;

/// Read size.
const CHUNK: usize = 4096;

/// A text book searched on disk.
#[derive(Debug)]
pub struct SortedDb<'a> {
    source: ByteSource<'a>,
}

/// A position line: its offset, its end and its SFEN.
#[derive(Clone)]
struct Head {
    start: usize,
    end: usize,
    text: String,
}

impl Head {
    /// Sort key: board and side.
    fn order(&self) -> (&str, &str) {
        order_of(&self.text)
    }
}

fn order_of(text: &str) -> (&str, &str) {
    let mut words = text.split_ascii_whitespace();
    (words.next().unwrap_or(""), words.next().unwrap_or(""))
}

impl<'a> SortedDb<'a> {
    /// Checks that the book is sorted.
    ///
    /// # Errors
    /// When it is not, or cannot be read.
    pub fn new(source: impl Into<ByteSource<'a>>) -> Result<Self, FormatError> {
        let db = Self { source: source.into() };
        if db.source.len() <= CHECKED_WHOLE {
            db.check_whole()?
        } else {
            db.check_places()?
        }
        Ok(db)
    }

    /// Whether it has no position.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn is_empty(&self) -> io::Result<bool> {
        Ok(self.lines().head_from(0, self.source.len())?.is_none())
    }

    /// The moves of a position.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn lookup(
        &self,
        position: &Position,
        rule: PlyRule,
        report: &mut ReadReport,
    ) -> Result<Option<BookPosition>, FormatError> {
        let (sfen, mut lines) = (position.sfen(), self.lines());
        let wanted = order_of(&sfen);
        let mut next = self.first_at_least(wanted, &mut lines)?;
        let mut best: Option<(Head, Position)> = None;
        while let Some(head) = next.filter(|head| head.order() == wanted) {
            next = lines.head_from(head.end, self.source.len())?;
            let Some(found) = read_position(&head.text, Location::Byte(head.start as u64), report) else { continue };
            if found.key() != position.key() {
                continue;
            }
            if found.ply() == position.ply() {
                best = Some((head, found));
                break;
            }
            if rule == PlyRule::Any && best.as_ref().is_none_or(|(_, known)| found.ply() < known.ply()) {
                best = Some((head, found));
            }
        }
        match best {
            Some((head, found)) => moves_below(&mut lines, &head, found, report),
            None => Ok(None),
        }
    }

    fn lines(&self) -> LineCursor<'_> {
        LineCursor { source: &self.source, start: 0, bytes: Cow::Borrowed(&[]) }
    }

    /// The first position line with a sort key not below `wanted`.
    ///
    /// Each step at least halves the range, and reads at most the range and the end of a line.
    fn first_at_least(&self, wanted: (&str, &str), lines: &mut LineCursor<'_>) -> io::Result<Option<Head>> {
        let (mut low, mut high) = (0, self.source.len());
        let mut found = None;
        while low < high {
            let middle = low + (high - low) / 2;
            match lines.head_from(middle, high)? {
                Some(head) if head.order() < wanted => low = head.end,
                Some(head) => {
                    found = Some(head);
                    high = middle;
                }
                None => high = middle,
            }
        }
        Ok(found)
    }

    fn check_whole(&self) -> Result<(), FormatError> {
        let mut lines = self.lines();
        let mut last = lines.head_from(0, self.source.len())?;
        while let Some(head) = last {
            let next = lines.head_from(head.end, self.source.len())?;
            check_pair(Some(&head), next.as_ref())?;
            last = next;
        }
        Ok(())
    }

    fn check_places(&self) -> Result<(), FormatError> {
        let (length, step) = (self.source.len(), self.source.len() / CHECKED_PLACES);
        let (mut lines, mut last) = (self.lines(), None);
        for place in 0..CHECKED_PLACES {
            let Some(head) = lines.head_from(place * step, (place + 1) * step)? else { continue };
            check_pair(last.as_ref(), Some(&head))?;
            let next = lines.head_from(head.end, length.min(head.end + step))?;
            check_pair(Some(&head), next.as_ref())?;
            last = Some(head);
        }
        Ok(())
    }
}

fn moves_below(
    lines: &mut LineCursor<'_>,
    head: &Head,
    position: Position,
    report: &mut ReadReport,
) -> Result<Option<BookPosition>, FormatError> {
    let mut candidates = Candidates::new(position, Location::Byte(head.start as u64), UnknownValues::ZeroAtDepth);
    let mut at = head.end;
    while at < lines.source.len() {
        let (line, end) = lines.line(at)?;
        match DbLine::of(String::from_utf8_lossy(line.trim_ascii()).as_ref()) {
            DbLine::Position(_) => break,
            DbLine::Move(text) => read_move(text, Location::Byte(at as u64), &mut candidates, report),
            DbLine::Other => {}
        }
        at = end;
    }
    Ok(candidates.finish(report))
}

/// Buffered lines of a book.
struct LineCursor<'a> {
    source: &'a ByteSource<'a>,
    /// Offset of the buffer.
    start: usize,
    bytes: Cow<'a, [u8]>,
}

impl LineCursor<'_> {
    /// The first position line that begins in `from..until`.
    fn head_from(&mut self, from: usize, until: usize) -> io::Result<Option<Head>> {
        // A line that begins at `from` follows the end of the previous one.
        let mut at = if from == 0 { 0 } else { self.line(from - 1)?.1 };
        while at < until {
            let (line, end) = self.line(at)?;
            if let Some(text) = position_text(line) {
                return Ok(Some(Head { start: at, end, text: text.to_owned() }));
            }
            at = end;
        }
        Ok(None)
    }

    /// The rest of a line from `at`, up to the maximum length, and the offset of the next line.
    fn line(&mut self, at: usize) -> io::Result<(&[u8], usize)> {
        let length = self.source.len();
        let is_whole = |bytes: &[u8], start: usize| bytes.contains(&b'\n') || start + bytes.len() >= length;
        let inside = at.checked_sub(self.start).and_then(|skipped| self.bytes.get(skipped..));
        if !inside.is_some_and(|bytes| is_whole(bytes, at)) {
            self.start = at;
            self.bytes = self.source.read(at..length.min(at + CHUNK))?;
            // Lines are rarely longer than the buffer.
            if !is_whole(&self.bytes, at) {
                self.bytes = self.source.read(at..length.min(at + MAX_LINE))?;
            }
        }
        let bytes = &self.bytes[at - self.start..];
        match bytes.iter().position(|&byte| byte == b'\n') {
            Some(end) => Ok((&bytes[..=end], at + end + 1)),
            None => {
                let mut end = at + bytes.len();
                while end < length {
                    let chunk = self.source.read(end..length.min(end + MAX_LINE))?;
                    match chunk.iter().position(|&byte| byte == b'\n') {
                        Some(place) => return Ok((bytes, end + place + 1)),
                        None => end += chunk.len(),
                    }
                }
                Ok((bytes, end))
            }
        }
    }
}

fn check_pair(first: Option<&Head>, second: Option<&Head>) -> Result<(), FormatError> {
    match (first, second) {
        (Some(first), Some(second)) if first.order() > second.order() => {
            Err(FormatError::NotSorted { format: Format::YaneuraOu, at: second.start as u64 })
        }
        _ => Ok(()),
    }
}

/// The SFEN of a position line; invalid text is not a position.
fn position_text(line: &[u8]) -> Option<&str> {
    let line = without_bom(line).trim_ascii();
    let may_be_one = line.starts_with(b"sfen") || line.starts_with(b"position");
    match DbLine::of(may_be_one.then(|| std::str::from_utf8(line).ok())??) {
        DbLine::Position(text) => Some(text),
        _ => None,
    }
}

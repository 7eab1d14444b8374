//! Finding a position in a sorted text book where it lies, in memory or in a mapped file.
//!
//! The order that is relied on is that of board and side; hands and move numbers of one board are looked through. So a
//! book is searched well whatever its program thinks of the order of hands or of numbers.
//!
//! A book that is not sorted is refused, never searched from end to end: that would be as slow as reading it, for every
//! move of a game. Small books are checked whole; of large ones, neighbours at many places and these places among each
//! other. Disorder elsewhere in a large book can hide positions, but not harm.

use super::candidates::{Candidates, Unknown};
use super::db_lines::{Line, read_move, read_position};
use super::report::{Place, Report};
use super::{ForeignError, Format};
use crate::book::BookPosition;
use crate::position::Position;

/// Whether the number of the move must agree.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PlyRule {
    /// The position must stand in the book with this number.
    Same,
    /// It may have any; the same number is preferred, then the smallest.
    Any,
}

/// Books up to this size are checked whole.
const CHECKED_WHOLE: usize = 8 << 20;
/// As many places of larger ones.
const CHECKED_PLACES: usize = 4096;

/// A text book that is searched where it lies.
pub struct SortedDb<'a> {
    bytes: &'a [u8],
}

/// A position line: where it begins, and what follows its first word.
#[derive(Copy, Clone)]
struct Head<'a> {
    start: usize,
    end: usize,
    text: &'a str,
}

impl<'a> Head<'a> {
    /// Board and side: what the book is sorted by.
    fn order(&self) -> (&'a str, &'a str) {
        let mut words = self.text.split_ascii_whitespace();
        (words.next().unwrap_or(""), words.next().unwrap_or(""))
    }
}

impl<'a> SortedDb<'a> {
    /// Checks that the book is sorted.
    ///
    /// # Errors
    /// When it is not.
    pub fn new(bytes: &'a [u8]) -> Result<Self, ForeignError> {
        let db = Self { bytes };
        if bytes.len() <= CHECKED_WHOLE { db.check_whole() } else { db.check_places() }.map(|()| db)
    }

    /// A book of which the same bytes were checked by [`SortedDb::new`].
    pub(in crate::book) fn checked(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// The moves of a position.
    pub fn lookup(&self, position: &Position, rule: PlyRule, report: &mut Report) -> Option<BookPosition> {
        let sfen = position.sfen();
        let wanted = Head { start: 0, end: 0, text: &sfen };
        let mut next = self.first_at_least(wanted.order());
        let mut best: Option<(Head<'_>, Position)> = None;
        while let Some(head) = next.filter(|head| head.order() == wanted.order()) {
            next = self.head_from(head.end, self.bytes.len());
            let Some(found) = read_position(head.text, Place::Byte(head.start as u64), report) else { continue };
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
        let (head, found) = best?;
        self.moves_below(head, found, report)
    }

    fn moves_below(&self, head: Head<'_>, position: Position, report: &mut Report) -> Option<BookPosition> {
        let mut candidates = Candidates::new(position, Place::Byte(head.start as u64), Unknown::ZeroAtDepthZero);
        let mut at = head.end;
        while at < self.bytes.len() {
            let (line, end) = self.line(at);
            match Line::of(&line) {
                Line::Position(_) => break,
                Line::Move(text) => read_move(text, Place::Byte(at as u64), &mut candidates, report),
                Line::Other => {}
            }
            at = end;
        }
        candidates.finish(report)
    }

    /// The first position line that does not belong before `wanted`.
    ///
    /// Each step at least halves what is left, and looks at no more than that and the end of a line.
    fn first_at_least(&self, wanted: (&str, &str)) -> Option<Head<'a>> {
        let (mut low, mut high) = (0, self.bytes.len());
        let mut found = None;
        while low < high {
            let middle = low + (high - low) / 2;
            match self.head_from(middle, high) {
                Some(head) if head.order() < wanted => low = head.end,
                Some(head) => {
                    found = Some(head);
                    high = middle;
                }
                None => high = middle,
            }
        }
        found
    }

    /// The first position line that begins at or after `from` and before `until`.
    fn head_from(&self, from: usize, until: usize) -> Option<Head<'a>> {
        let mut at = self.line_start(from);
        while at < until {
            let end = self.line_end(at);
            if let Some(text) = position_text(&self.bytes[at..end]) {
                return Some(Head { start: at, end, text });
            }
            at = end;
        }
        None
    }

    /// Where the first line begins that does not begin before `from`.
    fn line_start(&self, from: usize) -> usize {
        match from.checked_sub(1) {
            Some(before) => self.line_end(before),
            None => 0,
        }
    }

    /// Behind the end of the line in which `at` lies.
    fn line_end(&self, at: usize) -> usize {
        self.bytes[at..].iter().position(|&byte| byte == b'\n').map_or(self.bytes.len(), |length| at + length + 1)
    }

    /// A line, trimmed, and where the next one begins.
    fn line(&self, at: usize) -> (std::borrow::Cow<'a, str>, usize) {
        let end = self.line_end(at);
        (String::from_utf8_lossy(self.bytes[at..end].trim_ascii()), end)
    }

    fn check_whole(&self) -> Result<(), ForeignError> {
        let mut last = self.head_from(0, self.bytes.len());
        while let Some(head) = last {
            let next = self.head_from(head.end, self.bytes.len());
            check_pair(Some(head), next)?;
            last = next;
        }
        Ok(())
    }

    fn check_places(&self) -> Result<(), ForeignError> {
        let (length, step) = (self.bytes.len(), self.bytes.len() / CHECKED_PLACES);
        let mut last = None;
        for place in 0..CHECKED_PLACES {
            let Some(head) = self.head_from(place * step, (place + 1) * step) else { continue };
            check_pair(last, Some(head))?;
            let next = self.head_from(head.end, length.min(head.end + step));
            check_pair(Some(head), next)?;
            last = Some(head);
        }
        Ok(())
    }
}

fn check_pair(first: Option<Head<'_>>, second: Option<Head<'_>>) -> Result<(), ForeignError> {
    match (first, second) {
        (Some(first), Some(second)) if first.order() > second.order() => {
            Err(ForeignError::NotSorted { format: Format::YaneuraOu, at: second.start as u64 })
        }
        _ => Ok(()),
    }
}

/// The rest of a line that begins with `sfen`; what is no text is no position either.
fn position_text(line: &[u8]) -> Option<&str> {
    let line = super::lines::without_mark(line).trim_ascii();
    match Line::of(line.starts_with(b"sfen").then(|| std::str::from_utf8(line).ok())??) {
        Line::Position(text) => Some(text),
        _ => None,
    }
}

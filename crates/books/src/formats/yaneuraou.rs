//! YaneuraOu text books (DB2016): streaming reader, binary search on disk, writer.
//!
//! The reader is tolerant: the header may be missing or wrong, line ends vary, move lines have one
//! to many fields, comments are allowed anywhere, hands in any order, positions may be repeated with
//! another move number, and need not be sorted. The count of a move becomes its weight. AobaZero's
//! text (`position sfen …` followed by a move) is read as well.
//!
//! The search, in memory or in a file, relies on the order of board and side only; hands and move
//! numbers of a board are scanned. So it does not depend on how the writing program orders hands or
//! numbers. An unsorted book is rejected: a linear search would take as long as loading it, for
//! every move of a game. Small books are checked completely; of large ones, neighbours at many
//! offsets and these offsets among each other. Disorder elsewhere in a large book can hide
//! positions, nothing worse.

use super::reading::{
    Candidates, DropReason, Format, FormatError, Location, Omitted, PositionVisitor, ReadReport, UNSEARCHED_DEPTH,
    UnknownValues, file_score, file_weight,
};
use crate::{BookMove, BookPosition};
use sabi_files::{ByteSource, read_line, without_bom};
use sabi_shogi::{Position, Score};
use std::borrow::Cow;
use std::io::{self, BufRead, Write};

/// The first line; some programs reject a book without it.
const HEADER: &str = "#YANEURAOU-DB2016 1.00";
/// Maximum length of a line; the rest is ignored.
const MAX_LINE: usize = 16 * 1024;
/// An unknown score or depth, in a position where others are known.
const MISSING: &str = "none";
/// Books up to this size are checked completely.
const CHECKED_WHOLE: usize = 8 << 20;
/// Number of offsets checked in larger ones.
const CHECKED_PLACES: usize = 4096;
/// Read size.
const CHUNK: usize = 4096;

/// Reads a whole book and passes on its positions one by one.
///
/// # Errors
/// When reading fails.
pub fn read(
    source: impl BufRead,
    report: &mut ReadReport,
    visitor: &mut PositionVisitor<'_>,
) -> Result<(), FormatError> {
    read_as(source, UnknownValues::ZeroAtDepth, report, visitor)
}

/// [`read`] with these unknown values.
pub(crate) fn read_as(
    source: impl BufRead,
    unknown: UnknownValues,
    report: &mut ReadReport,
    visitor: &mut PositionVisitor<'_>,
) -> Result<(), FormatError> {
    let mut lines = LineReader { source, buffer: Vec::new(), number: 0 };
    let mut current: Option<Candidates> = None;
    while let Some(line) = lines.next()? {
        let location = Location::Line(lines.number);
        match DbLine::of(&line) {
            DbLine::Other => {}
            DbLine::Position(sfen) => {
                if let Some(done) = current.take().and_then(|candidates| candidates.finish(report))
                    && visitor(done).is_break()
                {
                    return Ok(());
                }
                match read_position(sfen, location, report) {
                    Some(position) => current = Some(Candidates::new(position, location, unknown)),
                    None => report.note(DropReason::BadPosition, location, || sfen.to_owned()),
                }
            }
            DbLine::Move(text) => match &mut current {
                Some(candidates) => read_move(text, location, candidates, report),
                None => report.note(DropReason::MoveWithoutPosition, location, || text.to_owned()),
            },
        }
    }
    if let Some(done) = current.and_then(|candidates| candidates.finish(report)) {
        let _ = visitor(done);
    }
    Ok(())
}

/// Numbered lines without line ends and byte order mark.
struct LineReader<R> {
    source: R,
    buffer: Vec<u8>,
    /// Number of the last line, from 1.
    number: u64,
}

impl<R: BufRead> LineReader<R> {
    /// The next line, trimmed, with invalid bytes replaced. `None` at the end.
    fn next(&mut self) -> io::Result<Option<String>> {
        if !read_line(&mut self.source, MAX_LINE, &mut self.buffer)? {
            return Ok(None);
        }
        self.number += 1;
        let text = if self.number == 1 { without_bom(&self.buffer) } else { &self.buffer };
        Ok(Some(String::from_utf8_lossy(text).trim().to_owned()))
    }
}

/// A line by its first word.
enum DbLine<'a> {
    /// Empty line, header or comment (`#` or `//`).
    Other,
    /// A position; the rest of the line is its SFEN.
    Position(&'a str),
    /// A move, presumably.
    Move(&'a str),
}

impl<'a> DbLine<'a> {
    fn of(line: &'a str) -> Self {
        if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
            return Self::Other;
        }
        // AobaZero writes its book as USI commands; otherwise the same.
        let words = line.strip_prefix("position ").unwrap_or(line);
        match words.strip_prefix("sfen").filter(|rest| rest.starts_with(|c: char| c.is_ascii_whitespace())) {
            Some(sfen) => Self::Position(without_comment(sfen)),
            None => Self::Move(without_comment(line)),
        }
    }
}

/// Comments may also end a line; nothing else contains these marks.
fn without_comment(text: &str) -> &str {
    let end = ["#", "//"].iter().filter_map(|mark| text.find(mark)).min();
    text[..end.unwrap_or(text.len())].trim()
}

/// Parses an SFEN whose move number may be missing or wrong.
pub(super) fn read_position(text: &str, location: Location, report: &mut ReadReport) -> Option<Position> {
    let mut words = text.split_ascii_whitespace();
    let (board, side, hands) = (words.next()?, words.next()?, words.next()?);
    let named = |number: &str| Position::from_sfen(&format!("{board} {side} {hands} {number}"));
    let (number, surplus) = (words.next(), words.next());
    if surplus.is_some() {
        return None;
    }
    named(number.unwrap_or("1")).ok().or_else(|| {
        // If only the number is wrong, use another.
        let position = named("1").ok()?;
        report.note(DropReason::BadPly, location, || text.to_owned());
        Some(position)
    })
}

/// Adds the move of a line: `move answer eval depth count`, all but the move optional.
fn read_move(line: &str, location: Location, candidates: &mut Candidates, report: &mut ReadReport) {
    let fields = fields(line);
    let field = |at: usize| fields.get(at).copied().unwrap_or("");
    let number = |at: usize| field(at).parse::<i64>().ok();
    if is_no_move(field(0)) {
        report.note(DropReason::NoMove, location, || line.to_owned());
        return;
    }
    let has_answer = !is_no_move(field(1));
    let answer = if has_answer { field(1).parse().ok() } else { None };
    if has_answer && answer.is_none() {
        report.note(DropReason::BadAnswer, location, || line.to_owned());
    }
    let Ok(mv) = field(0).parse() else {
        report.note(DropReason::BadMove, location, || field(0).to_owned());
        return;
    };
    // A missing count means 1, also to YaneuraOu; `none` and the like are not numbers, to it 0.
    let unknown_count = u32::from(field(4).is_empty() || !candidates.are_as_written());
    let entry = BookMove {
        score: number(2).map(file_score),
        depth: number(3).and_then(|depth| u16::try_from(depth).ok()),
        answer,
        ..BookMove::new(mv, number(4).map_or(unknown_count, file_weight))
    };
    candidates.push(entry, location, field(0), report);
}

/// Fields are separated by one blank, so that two blanks enclose an empty field: some programs
/// write a missing number like this. If even the second field were empty, or there are tabs, blanks
/// are alignment.
fn fields(line: &str) -> Vec<&str> {
    /// Additional fields of some programs are ignored.
    const KNOWN: usize = 5;
    let single: Vec<&str> = line.split(' ').take(KNOWN).collect();
    if single.get(1).is_some_and(|field| field.is_empty()) || line.contains('\t') {
        return line.split_ascii_whitespace().take(KNOWN).collect();
    }
    single
}

fn is_no_move(word: &str) -> bool {
    word.is_empty() || ["none", "resign", "win", "0000"].iter().any(|none| word.eq_ignore_ascii_case(none))
}

/// Writes a book as required by programs that search it on disk: sorted by the bytes of the
/// position lines, hands in standard order, LF line ends. No two positions may be equal.
///
/// Weights are written as counts. Excluded moves (weight 0) are left out, as are moves without a
/// score beside moves with one, and positions without a move left. Games, win rates and names are
/// omitted.
///
/// # Errors
/// When writing fails.
pub fn write_yaneuraou<'a>(
    mut out: impl Write,
    positions: impl IntoIterator<Item = &'a BookPosition>,
) -> io::Result<Omitted> {
    let (mut lines, mut omitted) = (Vec::new(), Omitted::default());
    for position in positions {
        let moves = omitted.keep_moves(position);
        if !moves.is_empty() {
            lines.push((position.sfen_without_ply(), position.position.ply(), moves));
        }
    }
    lines.sort_by(|a, b| a.0.cmp(&b.0));
    writeln!(out, "{HEADER}")?;
    for (sfen, ply, moves) in &lines {
        writeln!(out, "sfen {sfen} {ply}")?;
        // Without any score in the position, placeholder numbers that every program accepts.
        let any_score = moves.iter().any(|entry| entry.score.is_some() || entry.depth.is_some());
        let number = |value: Option<i32>, blank: i32| match value {
            None if any_score => MISSING.to_owned(),
            value => value.unwrap_or(blank).to_string(),
        };
        for entry in moves {
            let answer = entry.answer.map_or_else(|| MISSING.to_owned(), |answer| answer.to_string());
            let score = number(entry.score.map(Score::get), 0);
            let depth = number(entry.depth.map(i32::from), UNSEARCHED_DEPTH.into());
            writeln!(out, "{} {answer} {score} {depth} {}", entry.mv, entry.weight)?;
        }
    }
    out.flush().map(|()| omitted)
}

/// Whether the move number must match.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PlyRule {
    /// Same move number only.
    Same,
    /// Any move number; the same is preferred, then the smallest.
    Any,
}

/// A text book searched on disk.
#[derive(Debug)]
pub struct SortedDb<'a> {
    source: ByteSource<'a>,
    unknown: UnknownValues,
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
        let db = Self { source: source.into(), unknown: UnknownValues::ZeroAtDepth };
        db.check()?;
        Ok(db)
    }

    /// The same with unknown values as they are written.
    pub(crate) fn with_written_values(self) -> Self {
        Self { unknown: UnknownValues::AsWritten, ..self }
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
            let is_same = found.ply() == position.ply();
            let is_better = rule == PlyRule::Any && best.as_ref().is_none_or(|(_, known)| found.ply() < known.ply());
            if is_same || is_better {
                best = Some((head, found));
            }
            if is_same {
                break;
            }
        }
        best.map_or(Ok(None), |(head, found)| moves_below(&mut lines, &head, found, self.unknown, report))
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

    fn check(&self) -> Result<(), FormatError> {
        let (length, mut lines, mut last) = (self.source.len(), self.lines(), None::<Head>);
        // Compares the first position line of a range with the last one, and returns its end.
        let mut check_next = |from: usize, until: usize| {
            let Some(head) = lines.head_from(from, until)? else { return Ok(None) };
            if last.as_ref().is_some_and(|last| last.order() > head.order()) {
                return Err(FormatError::NotSorted { format: Format::YaneuraOu, at: head.start as u64 });
            }
            Ok(Some(last.insert(head).end))
        };
        if length <= CHECKED_WHOLE {
            let mut at = 0;
            while let Some(end) = check_next(at, length)? {
                at = end;
            }
            return Ok(());
        }
        let step = length / CHECKED_PLACES;
        for place in 0..CHECKED_PLACES {
            if let Some(end) = check_next(place * step, (place + 1) * step)? {
                check_next(end, length.min(end + step))?;
            }
        }
        Ok(())
    }
}

fn moves_below(
    lines: &mut LineCursor<'_>,
    head: &Head,
    position: Position,
    unknown: UnknownValues,
    report: &mut ReadReport,
) -> Result<Option<BookPosition>, FormatError> {
    let mut candidates = Candidates::new(position, Location::Byte(head.start as u64), unknown);
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

/// The SFEN of a position line; invalid text is not a position.
fn position_text(line: &[u8]) -> Option<&str> {
    let line = without_bom(line).trim_ascii();
    let may_be_one = line.starts_with(b"sfen") || line.starts_with(b"position");
    match DbLine::of(may_be_one.then(|| std::str::from_utf8(line).ok())??) {
        DbLine::Position(text) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let mut lines = LineReader { source: bytes, buffer: Vec::new(), number: 0 };
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

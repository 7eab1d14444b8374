//! Lines of YaneuraOu text books.

use super::candidates::{Candidates, UNSEARCHED_DEPTH, file_score, file_weight};
use super::read_report::{DropReason, Location, ReadReport};
use crate::BookMove;
use sabi_shogi::{Position, Score};

/// A line by its first word.
pub(super) enum DbLine<'a> {
    /// Empty line, header or comment (`#` or `//`).
    Other,
    /// A position; the rest of the line is its SFEN.
    Position(&'a str),
    /// A move, presumably.
    Move(&'a str),
}

impl<'a> DbLine<'a> {
    pub fn of(line: &'a str) -> Self {
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
pub(super) fn read_move(line: &str, location: Location, candidates: &mut Candidates, report: &mut ReadReport) {
    let fields = fields(line);
    let field = |at: usize| fields.get(at).copied().unwrap_or("");
    let number = |at: usize| field(at).parse::<i64>().ok();
    if is_no_move(field(0)) {
        report.note(DropReason::NoMove, location, || line.to_owned());
        return;
    }
    let answer = match field(1) {
        none if is_no_move(none) => None,
        word => word.parse().map_or_else(
            |_| {
                report.note(DropReason::BadAnswer, location, || line.to_owned());
                None
            },
            Some,
        ),
    };
    let Ok(mv) = field(0).parse() else {
        report.note(DropReason::BadMove, location, || field(0).to_owned());
        return;
    };
    let entry = BookMove {
        score: number(2).map(file_score),
        depth: number(3).and_then(|depth| u16::try_from(depth).ok()),
        answer,
        // A missing count means 1; `none` and the like are not numbers.
        ..BookMove::new(mv, number(4).map_or(1, file_weight))
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

/// An unknown score or depth, in a position where others are known.
const MISSING: &str = "none";

/// The line of a move. Without any score in the position, placeholder numbers that every program
/// accepts are written.
pub(super) fn move_line(entry: &BookMove, any_score: bool) -> String {
    let number = |value: Option<i32>, blank: i32| match value {
        None if any_score => MISSING.to_owned(),
        value => value.unwrap_or(blank).to_string(),
    };
    let answer = entry.answer.map_or_else(|| MISSING.to_owned(), |answer| answer.to_string());
    let score = number(entry.score.map(Score::get), 0);
    let depth = number(entry.depth.map(i32::from), UNSEARCHED_DEPTH.into());
    format!("{} {answer} {score} {depth} {}", entry.mv, entry.weight)
}

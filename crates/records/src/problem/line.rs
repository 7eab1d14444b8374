//! A problem per line: a position alone, or a tab-separated table with a position column.
//!
//! A header line with a column `sfen` names the columns; `plies` is the length of the mate. Empty
//! lines and comments after `#` are skipped.

use super::Problem;
use super::error::{Misplaced, ProblemFault};
use crate::error::Fault;
use crate::files::MAX_LINE;
use crate::text;
use crate::usi::read_sfen;
use sabi_shogi::{Position, excerpt};

/// Column indices of a table.
#[derive(Default)]
struct Columns {
    position: Option<usize>,
    plies: Option<usize>,
}

pub(super) fn read(bytes: &[u8]) -> Result<Vec<Problem>, Misplaced> {
    let mut columns = Columns::default();
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let place = format!("line {number}");
        match read_line(line, &mut columns, &place) {
            Ok(problem) => problems.extend(problem),
            Err(fault) => return Err(fault.at(place)),
        }
    }
    Ok(problems)
}

fn read_line(bytes: &[u8], columns: &mut Columns, place: &str) -> Result<Option<Problem>, ProblemFault> {
    if bytes.len() > MAX_LINE {
        return Err(Fault::LongLine(MAX_LINE).into());
    }
    let text = text::decode(bytes)?;
    let cells: Vec<&str> = text.trim_end().split('\t').map(str::trim).collect();
    if let Some(named) = Columns::named(&cells) {
        *columns = named;
        return Ok(None);
    }
    if text.trim_start().is_empty() || text.trim_start().starts_with('#') {
        return Ok(None);
    }
    let position = match columns.position {
        Some(at) => cells.get(at).filter(|cell| !cell.is_empty()).ok_or(ProblemFault::NoSuchColumn)?,
        None => cells.iter().find(|cell| detect(cell)).unwrap_or(&cells[0]),
    };
    let stated = columns.plies.and_then(|at| cells.get(at)).filter(|cell| !["", "-"].contains(cell));
    let stated = stated.map(|cell| cell.parse().map_err(|_| ProblemFault::NotALength(excerpt(cell)))).transpose()?;
    Ok(Some(Problem { stated, ..Problem::from_line(position, place.to_owned())? }))
}

impl Columns {
    /// The columns of a header line, if it is one.
    fn named(cells: &[&str]) -> Option<Self> {
        let names = cells.iter().map(|cell| cell.trim_start_matches('#').trim().to_ascii_lowercase());
        let names: Vec<String> = names.collect();
        let find = |name| names.iter().position(|cell| cell == name);
        let position = find("sfen").filter(|_| cells.len() > 1)?;
        Some(Self { position: Some(position), plies: find("plies") })
    }
}

/// Whether a cell looks like a position.
fn detect(cell: &str) -> bool {
    let word = cell.split_ascii_whitespace().next().unwrap_or_default();
    ["position", "startpos", "sfen"].contains(&word) || word.matches('/').count() == 8
}

/// The position of a line, after its moves.
pub(super) fn position(text: &str) -> Result<Position, ProblemFault> {
    let mut words = text.split('#').next().unwrap_or_default().split_ascii_whitespace().peekable();
    words.next_if_eq(&"position");
    let start = if words.next_if_eq(&"startpos").is_some() {
        Position::startpos()
    } else {
        words.next_if_eq(&"sfen");
        read_sfen(&mut words)?
    };
    match words.next() {
        None | Some("moves") => Ok(start.with_moves(words)?),
        Some(other) => Err(ProblemFault::Trailing(excerpt(other))),
    }
}

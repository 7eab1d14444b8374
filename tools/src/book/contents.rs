//! Whole books: loading, order, checking, statistics.

use sabi_books::{
    BookMap, BookMove, BookPosition, OpenBook, OpenError, Shob, book_key,
    formats::{PlyRule, ReadReport, read_merged},
};
use sabi_files::read_regular;
use sabi_shogi::Position;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Fault messages kept.
const EXAMPLES: usize = 5;
/// Plies in one row of the histogram.
const BAND: u32 = 10;

/// A book in memory, and how it was read.
#[derive(Debug)]
pub struct Loaded {
    /// The book.
    pub book: BookMap,
    /// Entries that the reader dropped.
    pub report: ReadReport,
}

/// Loads a book; a .shob file is verified first.
///
/// # Errors
/// When the file cannot be read, is not a book, is damaged, or holds position keys only.
pub fn load(path: &Path) -> Result<Loaded, OpenError> {
    let file = read_regular(path)?;
    let mut report = ReadReport::default();
    if Shob::detect(&file) {
        let shob = Shob::new(file)?;
        shob.verify()?;
        return Ok(Loaded { book: shob.to_map()?, report });
    }
    let positions = read_merged(&file, &mut report)?;
    let book = positions.into_iter().map(|entry| (book_key(&entry.position), entry)).collect();
    Ok(Loaded { book, report })
}

/// Sorts moves by weight, with a total order for ties.
pub(super) fn sort_moves(moves: &mut [BookMove]) {
    moves.sort_by_key(|entry| Reverse((entry.weight, entry.games, entry.score, Reverse(entry.mv))));
}

/// Whether any move has a number of games.
pub fn has_games(book: &BookMap) -> bool {
    book.values().flat_map(|entry| &entry.moves).any(|entry| entry.games.is_some())
}

/// The positions of a book sorted by SFEN, as in text books.
pub fn in_text_order(book: &BookMap) -> Vec<&BookPosition> {
    let mut positions: Vec<(String, &BookPosition)> =
        book.values().map(|entry| (entry.sfen_without_ply(), entry)).collect();
    positions.sort_by(|a, b| a.0.cmp(&b.0));
    positions.into_iter().map(|(_, entry)| entry).collect()
}

/// Findings of a check.
#[derive(Clone, Debug, Default)]
pub struct BookCheck {
    /// Positions checked.
    pub positions: u64,
    /// Moves checked.
    pub moves: u64,
    /// Faults: illegal moves and answers, positions with moves out of order.
    pub faults: u64,
    /// Messages of the first faults.
    pub examples: Vec<String>,
    /// Longest line in plies.
    pub longest: u32,
}

impl BookCheck {
    fn fault(&mut self, text: impl FnOnce() -> String) {
        self.faults += 1;
        if self.examples.len() < EXAMPLES {
            self.examples.push(text());
        }
    }

    /// Checks one position and its moves.
    pub fn add(&mut self, position: &Position, moves: &[BookMove]) {
        self.positions += 1;
        self.moves += moves.len() as u64;
        let mut next = position.clone();
        for entry in moves {
            if !position.is_legal(entry.mv) {
                self.fault(|| format!("{} is illegal in {}", entry.mv, position.sfen()));
            } else if let Some(answer) = entry.answer {
                next.play(entry.mv);
                if !next.is_legal(answer) {
                    self.fault(|| format!("the answer {answer} to {} is illegal in {}", entry.mv, position.sfen()));
                }
                next.undo();
            }
        }
        if !moves.is_sorted_by(|a, b| a.weight >= b.weight) {
            self.fault(|| format!("the moves are out of order in {}", position.sfen()));
        }
    }
}

/// Plays every line of a book from the start position, each position once, through the engine's
/// lookup.
///
/// # Errors
/// When a lookup finds damage.
pub fn check_lines(book: &OpenBook) -> Result<BookCheck, OpenError> {
    let mut found = BookCheck::default();
    let root = Position::startpos();
    let mut known = HashSet::from([book_key(&root)]);
    let mut open = vec![(root, 0)];
    while let Some((position, plies)) = open.pop() {
        let moves = book.lookup(&position, PlyRule::Any, &mut ReadReport::default())?;
        if moves.is_empty() {
            continue;
        }
        found.add(&position, &moves);
        found.longest = found.longest.max(plies + 1);
        for entry in moves.iter().rev().filter(|entry| position.is_legal(entry.mv)) {
            let next = position.after(entry.mv);
            if known.insert(book_key(&next)) {
                // Book lines may exceed the maximum game length: they are followed without history.
                open.extend(next.without_history().map(|next| (next, plies + 1)));
            }
        }
    }
    Ok(found)
}

/// Statistics of a book. Positions are added one by one.
#[derive(Clone, Debug, Default)]
pub struct BookStats {
    positions: u64,
    /// Moves of all positions.
    moves: u64,
    /// The most moves in one position.
    most_moves: usize,
    /// Moves with a number of games, win rate, score, and answer.
    known: [u64; 4],
    /// Bytes of the file.
    pub file_bytes: u64,
    /// Games of the most popular position (its weight where no games are known), and the position.
    popular: Option<(u64, String)>,
    bands: BTreeMap<u32, u64>,
    names: HashSet<Arc<str>>,
    without_position: bool,
}

impl BookStats {
    /// Adds a position; `None` for a position known by its key only.
    pub fn add(&mut self, position: Option<&Position>, moves: &[BookMove]) {
        self.positions += 1;
        self.moves += moves.len() as u64;
        self.most_moves = self.most_moves.max(moves.len());
        for entry in moves {
            let known =
                [entry.games.is_some(), entry.win_rate.is_some(), entry.score.is_some(), entry.answer.is_some()];
            known.into_iter().zip(&mut self.known).for_each(|(known, count)| *count += u64::from(known));
            self.names.extend(entry.name.clone());
        }
        let Some(position) = position else {
            self.without_position = true;
            return;
        };
        *self.bands.entry(position.ply().saturating_sub(1) / BAND).or_default() += 1;
        let popularity = moves.iter().map(|entry| u64::from(entry.games.unwrap_or(entry.weight))).sum();
        if self.popular.as_ref().is_none_or(|(most, _)| popularity > *most) {
            self.popular = Some((popularity, position.sfen()));
        }
    }

    /// Bytes of the same book as .shob without compression.
    fn plain_bytes(&self) -> u64 {
        let position = if self.without_position { 0 } else { 36 };
        let names: u64 = self.names.iter().map(|name| name.len() as u64 + 4).sum();
        let names = if self.names.is_empty() { 0 } else { names + 4 };
        64 + self.positions * (8 + 4 + position) + 4 + 24 * self.moves + names
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

impl fmt::Display for BookStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "positions           {}", self.positions)?;
        writeln!(f, "moves               {}", self.moves)?;
        writeln!(f, "moves a position    {:.2}, at most {}", ratio(self.moves, self.positions), self.most_moves)?;
        let [games, rates, scores, answers] = self.known;
        writeln!(f, "known of the moves  games {games}, win rate {rates}, score {scores}, answer {answers}")?;
        writeln!(f, "names               {}", self.names.len())?;
        let each = ratio(self.file_bytes, self.positions);
        writeln!(f, "size                {} bytes, {each:.1} a position", self.file_bytes)?;
        writeln!(f, "plain SHOB          {} bytes", self.plain_bytes())?;
        let percent = 100.0 * ratio(self.file_bytes, self.plain_bytes());
        writeln!(f, "compression ratio   {percent:.1} % of plain SHOB")?;
        if let Some((popularity, sfen)) = &self.popular {
            writeln!(f, "most popular        {popularity} games or weight: {sfen}")?;
        }
        let most = self.bands.values().max().copied().unwrap_or(0);
        for (&band, &count) in &self.bands {
            let bar = "#".repeat((40.0 * ratio(count, most)).ceil() as usize);
            writeln!(f, "ply {:>4}–{:<4} {count:>9} {bar}", band * BAND + 1, (band + 1) * BAND)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabi::engine::EMBEDDED_BOOK;

    #[test]
    fn embedded_book_is_valid() {
        let book = OpenBook::from_static(EMBEDDED_BOOK).unwrap();
        let found = check_lines(&book).unwrap();
        assert_eq!((found.faults, found.examples), (0, Vec::new()));
        assert!(found.positions > 5000, "{} positions can be reached", found.positions);
    }
}

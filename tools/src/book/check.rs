//! Checking a book by playing all its lines.

use sabi_books::{
    BookMove, OpenBook, OpenError, book_key,
    formats::{PlyRule, ReadReport},
};
use sabi_shogi::Position;
use std::collections::HashSet;

/// Fault messages kept.
const EXAMPLES: usize = 5;

/// Findings of a check.
#[derive(Clone, Debug, Default)]
pub struct Check {
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

impl Check {
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

/// Plays every line of a book from `root`, each position once, through the engine's lookup.
///
/// # Errors
/// When a lookup finds damage.
pub fn check(book: &OpenBook, root: &Position) -> Result<Check, OpenError> {
    let mut found = Check::default();
    let mut known = HashSet::from([book_key(root)]);
    let mut open = vec![(root.clone(), 0)];
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

#[cfg(test)]
mod tests {
    use super::*;
    use sabi::engine::EMBEDDED_BOOK;

    #[test]
    fn embedded_book_is_valid() {
        let book = OpenBook::from_static(EMBEDDED_BOOK).unwrap();
        let found = check(&book, &Position::startpos()).unwrap();
        assert_eq!((found.faults, found.examples), (0, Vec::new()));
        assert!(found.positions > 5000, "{} positions can be reached", found.positions);
    }
}

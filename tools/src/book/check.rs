//! Whether a book can be played from: every line replayed from its start.

use sabi::book::foreign::{PlyRule, Report};
use sabi::book::{BookMove, OpenBook, OpenError, book_key};
use sabi::position::Position;
use std::collections::HashSet;

/// Enough to see what is wrong.
const EXAMPLES: usize = 5;

/// What was found on the way.
#[derive(Clone, Debug, Default)]
pub struct Check {
    /// Positions looked at.
    pub positions: u64,
    /// Moves looked at.
    pub moves: u64,
    /// Moves and answers that the rules do not allow, and positions whose moves are out of order.
    pub faults: u64,
    /// The first of them.
    pub examples: Vec<String>,
    /// The longest line that was followed, in plies.
    pub longest: u32,
}

impl Check {
    fn fault(&mut self, text: impl FnOnce() -> String) {
        self.faults += 1;
        if self.examples.len() < EXAMPLES {
            self.examples.push(text());
        }
    }

    /// Looks at one position and its moves.
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

/// Plays every line of a book from `root` on, each position once, and looks everything up as the engine does.
///
/// # Errors
/// When a lookup finds damage.
pub fn check(book: &OpenBook, root: &Position) -> Result<Check, OpenError> {
    let mut found = Check::default();
    let mut known = HashSet::from([book_key(root)]);
    let mut open = vec![(root.clone(), 0)];
    while let Some((position, plies)) = open.pop() {
        let moves = book.lookup(&position, PlyRule::Any, &mut Report::default())?;
        if moves.is_empty() {
            continue;
        }
        found.add(&position, &moves);
        found.longest = found.longest.max(plies + 1);
        for entry in moves.iter().rev().filter(|entry| position.is_legal(entry.mv)) {
            let mut next = position.clone();
            next.play(entry.mv);
            if known.insert(book_key(&next)) {
                // Lines of a book may be longer than any game: they are followed without their history.
                open.extend(Position::from_sfen(&next.sfen()).map(|next| (next, plies + 1)));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabi::book::EMBEDDED;

    #[test]
    fn the_embedded_book_is_whole_and_every_line_of_it_is_legal() {
        let book = OpenBook::from_static(EMBEDDED).unwrap();
        let found = check(&book, &Position::startpos()).unwrap();
        assert_eq!((found.faults, found.examples), (0, Vec::new()));
        assert!(found.positions > 5000, "{} positions can be reached", found.positions);
    }
}

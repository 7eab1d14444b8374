//! One position for all that a source says of it.

use super::candidates::tidy;
use super::report::{Cause, Place, Report};
use crate::book::{BookMove, BookPosition};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Gathers positions; equal ones become one, whatever their move numbers.
///
/// The smallest move number stays, as is usual in books. Of two entries of one move that with more depth stays, of
/// equal ones the first.
#[derive(Default)]
pub struct Merger {
    /// By the SFEN without its number: its order is that of the lines of a sorted text book.
    positions: BTreeMap<Box<str>, BookPosition>,
}

impl Merger {
    /// Adds a position.
    pub fn add(&mut self, new: BookPosition, report: &mut Report) {
        match self.positions.entry(new.bare_sfen().into_boxed_str()) {
            Entry::Vacant(place) => {
                place.insert(new);
            }
            Entry::Occupied(mut place) => {
                report.note(Cause::DuplicatePosition, Place::Whole, || new.position.sfen());
                let known = place.get_mut();
                if new.position.ply() < known.position.ply() {
                    known.position = new.position;
                }
                for entry in new.moves {
                    add_move(&mut known.moves, entry, report);
                }
                tidy(&mut known.moves);
            }
        }
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The positions in the order of their SFEN.
    pub fn into_positions(self) -> Vec<BookPosition> {
        self.positions.into_values().collect()
    }
}

fn add_move(moves: &mut Vec<BookMove>, new: BookMove, report: &mut Report) {
    match moves.iter_mut().find(|known| known.mv == new.mv) {
        Some(known) => {
            report.note(Cause::DuplicateMove, Place::Whole, || new.mv.to_string());
            if new.depth > known.depth {
                *known = new;
            }
        }
        None => moves.push(new),
    }
}

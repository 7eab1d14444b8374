//! Merging of duplicate positions.

use super::candidates::sort_moves;
use super::read_report::{DropReason, Location, ReadReport};
use crate::{BookMove, BookPosition};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Collects positions; equal ones are merged, independent of their move numbers.
///
/// The smallest move number is kept. Of moves that several of them have, the deeper one is kept,
/// then the first. The report counts the positions merged, not their moves.
#[derive(Default)]
pub struct Merger {
    /// By SFEN without move number: the line order of a sorted text book.
    positions: BTreeMap<Box<str>, BookPosition>,
}

impl Merger {
    /// Adds a position.
    pub fn add(&mut self, new: BookPosition, report: &mut ReadReport) {
        match self.positions.entry(new.sfen_without_ply().into_boxed_str()) {
            Entry::Vacant(place) => {
                place.insert(new);
            }
            Entry::Occupied(mut place) => {
                report.note(DropReason::DuplicatePosition, Location::Whole, || new.position.sfen());
                let known = place.get_mut();
                if new.position.ply() < known.position.ply() {
                    known.position = new.position;
                }
                for entry in new.moves {
                    add_move(&mut known.moves, entry);
                }
                sort_moves(&mut known.moves);
            }
        }
    }

    /// The positions in SFEN order.
    pub fn into_positions(self) -> Vec<BookPosition> {
        self.positions.into_values().collect()
    }
}

fn add_move(moves: &mut Vec<BookMove>, new: BookMove) {
    match moves.iter_mut().find(|known| known.mv == new.mv) {
        Some(known) if new.depth > known.depth => *known = new,
        Some(_) => {}
        None => moves.push(new),
    }
}

//! Apery's `book.bin`: entries of 16 bytes, sorted by a key that cannot be inverted.

use super::apery_key::apery_key;
use super::candidates::{Candidates, UnknownValues, file_score};
use super::read_report::{DropReason, Location, ReadReport};
use super::{Format, FormatError, PositionVisitor};
use crate::{BookMove, BookPosition};
use sabi_shogi::{Move, Position, legal_moves};
use std::collections::{HashSet, VecDeque};

const ENTRY: usize = 16;

/// A book searched in its file format.
pub struct Apery<'a> {
    entries: &'a [[u8; ENTRY]],
}

/// Key of an entry.
fn key(entry: &[u8; ENTRY]) -> u64 {
    u64::from_le_bytes([entry[0], entry[1], entry[2], entry[3], entry[4], entry[5], entry[6], entry[7]])
}

/// Move of an entry: the bits are those of [`Move`].
fn move_of(entry: &[u8; ENTRY]) -> Option<Move> {
    Move::from_bits(u16::from_le_bytes([entry[8], entry[9]]))
}

/// Whether the start of a file may be such a book: ascending keys and valid moves. `complete`: it
/// is the whole file.
pub(super) fn detect(head: &[u8], complete: bool) -> bool {
    let (entries, rest) = head.as_chunks::<ENTRY>();
    !entries.is_empty()
        && (rest.is_empty() || !complete)
        && entries.is_sorted_by_key(key)
        && entries.iter().all(|entry| move_of(entry).is_some())
}

impl<'a> Apery<'a> {
    /// Checks that the entries are complete and sorted.
    ///
    /// # Errors
    /// When they are not.
    pub fn new(bytes: &'a [u8]) -> Result<Self, FormatError> {
        let (entries, rest) = bytes.as_chunks::<ENTRY>();
        if !rest.is_empty() {
            let at = (bytes.len() - rest.len()) as u64;
            return Err(FormatError::Damaged { format: Format::Apery, at, what: "the last entry is cut off" });
        }
        match entries.windows(2).position(|pair| key(&pair[0]) > key(&pair[1])) {
            Some(at) => Err(FormatError::NotSorted { format: Format::Apery, at: ((at + 1) * ENTRY) as u64 }),
            None => Ok(Self { entries }),
        }
    }

    /// A book whose bytes were checked by [`Apery::new`].
    pub(crate) fn checked(bytes: &'a [u8]) -> Self {
        Self { entries: bytes.as_chunks::<ENTRY>().0 }
    }

    /// Number of entries: moves, not positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The moves of a position, of any move number.
    pub fn lookup(&self, position: &Position, report: &mut ReadReport) -> Option<BookPosition> {
        let (first, entries) = self.range(apery_key(position))?;
        let location = |at: usize| Location::Byte(((first + at) * ENTRY) as u64);
        let mut candidates = Candidates::new(position.without_history()?, location(0), UnknownValues::Zero);
        for (at, entry) in entries.iter().enumerate() {
            let weight = u16::from_le_bytes([entry[10], entry[11]]);
            let score = i32::from_le_bytes([entry[12], entry[13], entry[14], entry[15]]);
            match move_of(entry) {
                Some(mv) => {
                    let entry = BookMove { score: Some(file_score(score.into())), ..BookMove::new(mv, weight.into()) };
                    candidates.push(entry, location(at), mv, report);
                }
                None => report.note(DropReason::BadMove, location(at), || format!("{entry:02x?}")),
            }
        }
        candidates.finish(report)
    }

    /// The entries of a key, and the index of the first.
    fn range(&self, wanted: u64) -> Option<(usize, &'a [[u8; ENTRY]])> {
        let first = self.entries.partition_point(|entry| key(entry) < wanted);
        let entries = &self.entries[first..];
        let count = entries.partition_point(|entry| key(entry) == wanted);
        (count > 0).then(|| (first, &entries[..count]))
    }

    /// Passes on the positions reachable from the start position, breadth first.
    ///
    /// From a book position every legal move to another book position is followed. A book may
    /// contain moves of one side only: where a book move leaves the book, every reply is tried.
    /// Unreached entries are counted in the report.
    pub fn walk(&self, report: &mut ReadReport, visitor: &mut PositionVisitor<'_>) {
        let mut seen = HashSet::new();
        let mut waiting: VecDeque<Position> = VecDeque::new();
        let mut reached = 0;
        let root = Position::startpos();
        self.visit(&root, &mut seen, &mut waiting);
        if self.range(apery_key(&root)).is_none() {
            self.visit_children(&root, &mut seen, &mut waiting);
        }
        while let Some(position) = waiting.pop_front() {
            reached += self.range(apery_key(&position)).map_or(0, |(_, entries)| entries.len());
            let Some(found) = self.lookup(&position, report) else { continue };
            self.visit_children(&position, &mut seen, &mut waiting);
            for entry in &found.moves {
                let child = position.after(entry.mv);
                if self.range(apery_key(&child)).is_none() {
                    self.visit_children(&child, &mut seen, &mut waiting);
                }
            }
            if visitor(found).is_break() {
                return;
            }
        }
        let unreached = self.entries.len().saturating_sub(reached);
        if unreached > 0 {
            report.note_many(DropReason::Unreached, unreached as u64, Location::Whole, || {
                format!("of {} entries", self.len())
            });
        }
    }

    fn visit_children(&self, parent: &Position, seen: &mut HashSet<u64>, waiting: &mut VecDeque<Position>) {
        let mut child = parent.clone();
        for &mv in legal_moves(parent).iter() {
            child.play(mv);
            self.visit(&child, seen, waiting);
            child.undo();
        }
    }

    fn visit(&self, position: &Position, seen: &mut HashSet<u64>, waiting: &mut VecDeque<Position>) {
        let key = apery_key(position);
        if self.range(key).is_some()
            && seen.insert(key)
            && let Some(position) = position.without_history()
        {
            waiting.push_back(position);
        }
    }
}

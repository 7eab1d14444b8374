//! Apery's `book.bin`: entries of 16 bytes, sorted by a key that cannot be inverted. The keys are
//! Zobrist keys from the standard 64-bit Mersenne Twister with its default seed.

use super::reading::{
    Candidates, DropReason, Format, FormatError, Location, PositionVisitor, ReadReport, UnknownValues, file_score,
};
use crate::{BookMove, BookPosition};
use sabi_shogi::{Color, HandKind, Move, Position, Square, legal_moves};
use std::array;
use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};
use std::sync::LazyLock;

const ENTRY: usize = 16;

/// A book searched in its file format.
#[derive(Debug)]
pub struct Apery<'a> {
    bytes: Cow<'a, [u8]>,
    unknown: UnknownValues,
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
    pub fn new(bytes: impl Into<Cow<'a, [u8]>>) -> Result<Self, FormatError> {
        let bytes = bytes.into();
        let (entries, rest) = bytes.as_chunks::<ENTRY>();
        if !rest.is_empty() {
            let at = (bytes.len() - rest.len()) as u64;
            return Err(FormatError::Damaged { format: Format::Apery, at, what: "the last entry is cut off" });
        }
        match entries.windows(2).position(|pair| key(&pair[0]) > key(&pair[1])) {
            Some(at) => Err(FormatError::NotSorted { format: Format::Apery, at: ((at + 1) * ENTRY) as u64 }),
            None => Ok(Self { bytes, unknown: UnknownValues::Zero }),
        }
    }

    /// The same with unknown values as they are written.
    pub(crate) fn with_written_values(self) -> Self {
        Self { unknown: UnknownValues::AsWritten, ..self }
    }

    fn entries(&self) -> &[[u8; ENTRY]] {
        self.bytes.as_chunks().0
    }

    /// Number of entries: moves, not positions.
    pub fn len(&self) -> usize {
        self.entries().len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The moves of a position, of any move number.
    pub fn lookup(&self, position: &Position, report: &mut ReadReport) -> Option<BookPosition> {
        let (first, entries) = self.range(apery_key(position))?;
        let location = |at: usize| Location::Byte(((first + at) * ENTRY) as u64);
        let mut candidates = Candidates::new(position.without_history()?, location(0), self.unknown);
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
    fn range(&self, wanted: u64) -> Option<(usize, &[[u8; ENTRY]])> {
        let first = self.entries().partition_point(|entry| key(entry) < wanted);
        let entries = &self.entries()[first..];
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
        let unreached = self.len().saturating_sub(reached);
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

/// Piece codes 0 to 30; 0 is the empty square, and some are unused.
const PIECES: usize = 31;
/// Counts 0 to 18.
const COUNTS: usize = 19;

/// Keys in the order in which they are drawn.
struct Keys {
    pieces: [[u64; Square::COUNT]; PIECES],
    hands: [[u64; COUNTS]; HandKind::COUNT],
    white: u64,
}

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let mut twister = MersenneTwister::new();
    let mut next = || twister.next();
    let pieces = array::from_fn(|_| array::from_fn(|_| next()));
    let hands = array::from_fn(|_| array::from_fn(|_| next()));
    Keys { pieces, hands, white: next() }
});

/// The Mersenne Twister MT19937-64 of Matsumoto and Nishimura.
struct MersenneTwister {
    state: [u64; Self::SIZE],
    at: usize,
}

impl MersenneTwister {
    const SIZE: usize = 312;
    const MIDDLE: usize = 156;
    /// The default seed.
    const SEED: u64 = 5489;

    fn new() -> Self {
        let mut state = [Self::SEED; Self::SIZE];
        for at in 1..Self::SIZE {
            let last = state[at - 1];
            state[at] = (last ^ (last >> 62)).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(at as u64);
        }
        Self { state, at: Self::SIZE }
    }

    fn twist(&mut self) {
        for at in 0..Self::SIZE {
            let low = self.state[(at + 1) % Self::SIZE] & 0x7fff_ffff;
            let mixed = self.state[at] & !0x7fff_ffff | low;
            let odd = if mixed & 1 == 1 { 0xb502_6f5a_a966_19e9 } else { 0 };
            self.state[at] = self.state[(at + Self::MIDDLE) % Self::SIZE] ^ (mixed >> 1) ^ odd;
        }
        self.at = 0;
    }

    fn next(&mut self) -> u64 {
        if self.at == Self::SIZE {
            self.twist();
        }
        let mut x = self.state[self.at];
        self.at += 1;
        x ^= (x >> 29) & 0x5555_5555_5555_5555;
        x ^= (x << 17) & 0x71d6_7fff_eda6_0000;
        x ^= (x << 37) & 0xfff7_eee0_0000_0000;
        x ^ (x >> 43)
    }
}

/// Apery's key of a position: squares, the hand of the side to move, and that side.
pub fn apery_key(position: &Position) -> u64 {
    let side = position.side_to_move();
    let mut key = if side == Color::White { KEYS.white } else { 0 };
    for square in position.occupied() {
        if let Some(piece) = position.piece_at(square) {
            // The kinds have our order, from 1 for Black and from 17 for White.
            let white = if piece.color() == Color::White { 16 } else { 0 };
            key ^= KEYS.pieces[1 + piece.kind() as usize + white][square.index()];
        }
    }
    // An empty hand has keys too.
    let hand = position.hand(side);
    HandKind::ASCENDING
        .iter()
        .zip(&KEYS.hands)
        .fold(key, |key, (&kind, keys)| key ^ keys[usize::from(hand.count(kind))])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value required by the C++ standard.
    #[test]
    fn matches_standard_mt19937_64() {
        let mut twister = MersenneTwister::new();
        (1..10_000).for_each(|_| {
            twister.next();
        });
        assert_eq!(twister.next(), 9_981_545_732_273_789_042);
    }

    #[test]
    fn keys_match_real_books() {
        let start = Position::startpos();
        assert_eq!(apery_key(&start), 0xeebe_8ee7_e1ad_7e15);
        assert_eq!(apery_key(&start.with_moves(["7g7f"]).unwrap()), 0x3e7b_1f82_5672_20d5);
    }
}

//! The positions of a compressed book: their order, and the blocks that hold them.
//!
//! Positions are ordered along lines, so that most are the result of a move in the same block. A
//! block has one number for each position:
//!
//! | number | the position |
//! |--:|---|
//! | 0 | is reached by the first move of the previous position |
//! | 1 | is stored packed |
//! | *n* ≥ 2 | is reached from the position *n* − 1 places before by a move with a stored number |
//!
//! These numbers are followed by the move numbers, the plies, and the packed positions. A ply is
//! stored as difference to its prediction: one more than that of the parent, or 0 for a packed
//! position.

use super::header::ShobError;
use super::moves::MoveBlock;
use crate::{BookMove, BookPosition, book_key};
use sabi_files::{Cursor, put_varint};
use sabi_shogi::{MAX_MOVE_NUMBER, PackedSfen, Position};
use std::collections::HashMap;

/// Upper bound of the bytes of a position.
pub(super) const MAX_POSITION_BYTES: usize = PackedSfen::BYTES + 16;

/// Maximum encoded ply, far beyond any game; additions cannot overflow. Plies above
/// [`MAX_MOVE_NUMBER`], which no text format can hold, are read as that.
pub(super) const MAX_GAME_PLY: u32 = 1 << 24;

/// A book position reached by a move of another.
#[derive(Copy, Clone, Debug)]
struct Child {
    /// Index of the move in its position.
    mv: u16,
    /// Key index of the child.
    rank: u32,
}

/// Children of each position, by key index.
pub(super) struct Tree {
    children: Vec<Child>,
    ends: Vec<usize>,
}

impl Tree {
    /// The tree of positions sorted by key.
    pub fn of(entries: &[(u64, &BookPosition)]) -> Self {
        let mut tree = Self { children: Vec::new(), ends: Vec::with_capacity(entries.len()) };
        for (_, entry) in entries {
            let mut position = entry.position.clone();
            for (number, mv) in entry.moves.iter().enumerate() {
                if position.is_legal(mv.mv) {
                    position.play(mv.mv);
                    if let Ok(rank) = entries.binary_search_by_key(&book_key(&position), |&(key, _)| key) {
                        tree.children.push(Child { mv: number as u16, rank: rank as u32 });
                    }
                    position.undo();
                }
            }
            tree.ends.push(tree.children.len());
        }
        tree
    }

    fn children(&self, rank: u32) -> &[Child] {
        let rank = rank as usize;
        let start = if rank == 0 { 0 } else { self.ends[rank - 1] };
        &self.children[start..self.ends[rank]]
    }

    /// All positions, each followed by those after its first move, then by those after its second,
    /// and so on. Lines begin at the positions with the lowest ply.
    pub fn order(&self, entries: &[(u64, &BookPosition)]) -> Vec<u32> {
        let mut starts: Vec<u32> = (0..entries.len() as u32).collect();
        // Stable: equal plies stay in key order.
        starts.sort_by_key(|&rank| entries[rank as usize].1.position.ply());
        let mut seen = vec![false; entries.len()];
        let mut order = Vec::with_capacity(entries.len());
        let mut waiting = Vec::new();
        for start in starts {
            waiting.push(start);
            while let Some(rank) = waiting.pop() {
                if !std::mem::replace(&mut seen[rank as usize], true) {
                    order.push(rank);
                    waiting.extend(self.children(rank).iter().rev().map(|child| child.rank));
                }
            }
        }
        order
    }
}

/// Encodes the positions of a block, given by their key indices.
///
/// # Errors
/// The position that cannot be packed.
pub(super) fn encode_positions(
    block: &[u32],
    entries: &[(u64, &BookPosition)],
    tree: &Tree,
) -> Result<Vec<u8>, String> {
    let (mut kinds, mut moves, mut plies, mut whole) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let ply_of = |rank: u32| i64::from(entries[rank as usize].1.position.ply());
    // The nearest previous position that leads to each, and by which move.
    let mut parents: HashMap<u32, (usize, u16)> = HashMap::new();
    for (at, &rank) in block.iter().enumerate() {
        let (parent, position) = (parents.get(&rank), &entries[rank as usize].1.position);
        // Decoding packs every position, also those that follow from a move.
        let packed = PackedSfen::of(position).ok_or_else(|| position.sfen())?;
        match parent {
            Some(&(parent, 0)) if parent + 1 == at => put_varint(&mut kinds, 0u64),
            Some(&(parent, mv)) => {
                put_varint(&mut kinds, at - parent + 1);
                put_varint(&mut moves, mv);
            }
            None => {
                put_varint(&mut kinds, 1u64);
                whole.extend(packed.0);
            }
        }
        put_varint(&mut plies, ply_of(rank) - parent.map_or(0, |&(parent, _)| ply_of(block[parent]) + 1));
        for child in tree.children(rank) {
            parents.insert(child.rank, (at, child.mv));
        }
    }
    Ok([kinds, moves, plies, whole].concat())
}

/// Decodes the positions of a block with these moves.
pub(super) fn decode_positions(bytes: &[u8], count: usize, moves: &MoveBlock) -> Result<Vec<Position>, ShobError> {
    let mut cursor = Cursor(bytes);
    let mut kinds: Vec<usize> = Vec::with_capacity(count);
    for _ in 0..count {
        kinds.push(cursor.varint()?);
    }
    let mut numbers = vec![0usize; count];
    for (number, _) in numbers.iter_mut().zip(&kinds).filter(|(_, kind)| **kind >= 2) {
        *number = cursor.varint()?;
    }
    let mut plies = cursor.clone();
    for _ in 0..count {
        cursor.varint::<i64>()?;
    }
    let mut positions: Vec<Position> = Vec::with_capacity(count);
    let mut encoded_plies: Vec<i64> = Vec::with_capacity(count);
    for (at, &kind) in kinds.iter().enumerate() {
        let mut ply: i64 = plies.varint()?;
        let position = if kind == 1 {
            unpacked(&PackedSfen(cursor.array()?), ply)?
        } else {
            let lost = ShobError::Damaged("a position has no parent");
            let parent = at.checked_sub(if kind == 0 { 1 } else { kind - 1 }).ok_or(lost)?;
            let position = &positions[parent];
            let packed = packed_after(position, moves.get(parent).and_then(|moves| moves.get(numbers[at])))?;
            ply = ply.wrapping_add(encoded_plies[parent] + 1);
            unpacked(&packed, ply)?
        };
        positions.push(position);
        encoded_plies.push(ply);
    }
    if cursor.is_empty() { Ok(positions) } else { Err(ShobError::Damaged("a block has too many bytes")) }
}

/// The position after a move, without history.
fn packed_after(position: &Position, mv: Option<&BookMove>) -> Result<PackedSfen, ShobError> {
    let mv = mv.filter(|mv| position.is_legal(mv.mv));
    let mv = mv.ok_or(ShobError::Damaged("a position follows from an illegal move"))?;
    let next = position.after(mv.mv);
    PackedSfen::of(&next).ok_or(ShobError::Damaged("a position cannot be packed"))
}

/// Unpacks a position.
pub(super) fn unpacked(packed: &PackedSfen, ply: i64) -> Result<Position, ShobError> {
    let ply = u32::try_from(ply).ok().filter(|&ply| ply <= MAX_GAME_PLY);
    let ply = ply.ok_or(ShobError::Damaged("a ply is out of range"))?;
    let position = packed.position(ply.min(MAX_MOVE_NUMBER));
    position.map_err(|_| ShobError::Damaged("a position is impossible"))
}

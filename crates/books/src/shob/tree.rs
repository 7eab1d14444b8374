//! Slot order of compressed books: lines stay together.

use crate::{BookMap, BookPosition, book_key};

/// A book position reached by a move of another.
#[derive(Copy, Clone, Debug)]
pub(super) struct Child {
    /// Index of the move in its position.
    pub mv: u16,
    /// Key index of the child.
    pub rank: u32,
}

/// Children of each position, by key index.
pub(super) struct Tree {
    children: Vec<Child>,
    ends: Vec<usize>,
}

impl Tree {
    pub fn of(book: &BookMap) -> Self {
        let keys: Vec<u64> = book.keys().copied().collect();
        let mut tree = Self { children: Vec::new(), ends: Vec::with_capacity(keys.len()) };
        for entry in book.values() {
            let mut position = entry.position.clone();
            for (number, mv) in entry.moves.iter().enumerate() {
                if position.is_legal(mv.mv) {
                    position.play(mv.mv);
                    if let Ok(rank) = keys.binary_search(&book_key(&position)) {
                        tree.children.push(Child { mv: number as u16, rank: rank as u32 });
                    }
                    position.undo();
                }
            }
            tree.ends.push(tree.children.len());
        }
        tree
    }

    pub fn children(&self, rank: u32) -> &[Child] {
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

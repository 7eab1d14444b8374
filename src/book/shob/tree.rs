//! The order of the positions in compressed books: lines stay together.

use crate::book::{BookMap, BookPosition, book_key};

/// A position of the book that a move of another leads to.
#[derive(Copy, Clone, Debug)]
pub(super) struct Child {
    /// The number of the move among those of the position it is played in.
    pub mv: u16,
    /// The place of the child's key.
    pub rank: u32,
}

/// Which positions the moves of each position lead to; positions by the place of their key.
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

    /// All positions, each followed by what its first move leads to, then by what its second leads to, and so on. Lines begin
    /// at the positions with the least number of plies.
    pub fn order(&self, entries: &[(u64, &BookPosition)]) -> Vec<u32> {
        let mut starts: Vec<u32> = (0..entries.len() as u32).collect();
        // Equal plies stay in the order of the keys.
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

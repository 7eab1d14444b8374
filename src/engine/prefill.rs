//! `BookPrefill`: book lines as move ordering hints in the transposition table.

use crate::mate::mate_in_one;
use crate::search::Searcher;
use sabi_books::BookMove;
use sabi_shogi::{Position, legal_moves};
use std::collections::{HashSet, VecDeque};
use std::time::Duration;

/// Plies from the root.
const PLIES: u32 = 8;
/// Maximum number of book positions: the nearest ones.
const MAX_POSITIONS: usize = 256;

/// Maximum time for the book before a move: one that is read from its file may be slow.
const MAX_TIME: Duration = Duration::from_millis(50);
/// Prefilling may take the optimum time of the move divided by this.
pub(super) const TIME_SHARE: u32 = 20;

/// Whether `elapsed` is still within the time for the book before a move of this optimum time, if it
/// has one: one `share`-th of it.
pub(super) fn is_in_time(elapsed: Duration, optimum: Option<Duration>, share: u32) -> bool {
    optimum.is_none_or(|optimum| elapsed < (optimum / share).min(MAX_TIME))
}

/// Stores the book positions near a root while `go_on` holds; returns their number. At the root
/// every legal move is followed, because some may lead back to the book; elsewhere the book moves.
pub(super) fn prefill(
    searcher: &Searcher,
    root: &Position,
    lookup: impl Fn(&Position) -> Vec<BookMove>,
    go_on: impl Fn() -> bool,
) -> usize {
    // Every queued position would copy the moves of the game.
    let Some(root) = root.without_history() else { return 0 };
    let mut queue = VecDeque::from([root.clone()]);
    let mut seen = HashSet::from([root.key()]);
    let (mut probed, mut stored) = (0, 0);
    while let Some(position) = queue.pop_front().filter(|_| probed < MAX_POSITIONS && go_on()) {
        let moves = lookup(&position);
        if let Some(best) = moves.first() {
            probed += 1;
            // A tt hit implies that mate in one was tried.
            if position.in_check() || mate_in_one(&position, &position.check_info()).is_none() {
                stored += usize::from(searcher.prefill(position.key(), best.mv, best.score));
            }
        }
        if position.ply() >= root.ply() + PLIES {
            continue;
        }
        let is_root = position.ply() == root.ply();
        let next = if is_root { legal_moves(&position) } else { moves.iter().map(|entry| entry.mv).collect() };
        for &mv in &next {
            let after = position.after(mv);
            if seen.insert(after.key()) {
                queue.push_back(after);
            }
        }
    }
    stored
}

//! The mate solver: proves mate or no mate by checks alone, and finds the shortest mate.
//!
//! Df-pn (`search`) with its own tables (`table`). An OR node (attacker to move) needs one mating
//! check, an AND node (defender to move) needs every defence to fail (`estimate`). A proof holds
//! for larger hands of the attacker, a disproof for smaller ones. A repetition fails for the
//! attacker (perpetual check). Disproofs that depend on one are stored separately. Useless
//! interpositions need not count. `line` reads the mating line from the proved nodes.

use super::estimate::{ENDLESS, Plies};
use super::search::Search;
use super::table::{PathTable, Table};
use crate::machine::{MAX_MATE_DEPTH, MemoryError};
use sabi_shogi::{Move, Position};

/// A mate question.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MateQuestion {
    /// Node limit.
    pub nodes: Option<u64>,
    /// Maximum mate length.
    pub plies: Option<u32>,
    /// Find the shortest mate, not any.
    pub shortest: bool,
    /// Count like problem composers: useless interpositions do not lengthen a mate. By the rules of
    /// the game every ply counts.
    pub as_problem: bool,
}

impl MateQuestion {
    /// The shortest mate of this position, without limits. A side to move without a king indicates
    /// a mate problem.
    pub fn about(position: &Position) -> Self {
        let as_problem = position.king(position.side_to_move()).is_none();
        Self { nodes: None, plies: None, shortest: true, as_problem }
    }
}

/// A mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mate {
    /// Every check and defence up to the mate.
    pub line: Vec<Move>,
    /// The mate length. `line` may be longer if useless interpositions do not count.
    pub plies: u32,
    /// Whether no shorter mate exists.
    pub shortest: bool,
}

/// Result of a mate search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateResult {
    /// The side to move mates.
    Mate(Mate),
    /// It cannot mate by checks alone.
    NoMate,
    /// Limit reached before a proof.
    Unknown,
}

/// Progress of a mate search.
#[derive(Copy, Clone, Debug)]
pub struct MateProgress<'a> {
    /// Nodes.
    pub nodes: u64,
    /// Hash full, in permille.
    pub fill: u32,
    /// The shortest mate found so far.
    pub best: Option<&'a Mate>,
}

/// A solver with its table.
pub struct MateSolver {
    table: Table,
    lines: PathTable,
}

impl MateSolver {
    /// A solver with this many MB; the current path needs a little more.
    ///
    /// # Errors
    /// When out of memory.
    pub fn new(megabytes: usize) -> Result<Self, MemoryError> {
        Ok(Self { table: Table::new(megabytes)?, lines: PathTable::new() })
    }

    /// Searches for a mate of the side to move; also returns the node count. `poll` is called
    /// every few hundred nodes and at every mate found.
    ///
    /// Deep lines need stack: some hundred bytes for each of up to 2,000 plies.
    pub fn solve(
        &mut self,
        position: &Position,
        question: &MateQuestion,
        poll: &mut dyn FnMut(&MateProgress<'_>) -> bool,
    ) -> (MateResult, u64) {
        self.table.clear();
        self.lines.clear();
        let mut search = Search::new(position, &mut self.table, &mut self.lines, question.as_problem);
        let result = find(&mut search, question, poll);
        (result, search.nodes)
    }
}

fn find(
    search: &mut Search<'_>,
    question: &MateQuestion,
    poll: &mut dyn FnMut(&MateProgress<'_>) -> bool,
) -> MateResult {
    let mut bound = question.plies.map_or(ENDLESS, |plies| plies.min(MAX_MATE_DEPTH) as Plies);
    if bound == 0 {
        return MateResult::Unknown;
    }
    let mut best: Option<Mate> = None;
    loop {
        let mut ask = |nodes, fill| poll(&MateProgress { nodes, fill, best: best.as_ref() });
        search.nodes_limit = question.nodes.unwrap_or(u64::MAX);
        let found = search.solve(bound, &mut ask);
        // Reading the line ignores the node limit; only a stop interrupts it.
        search.nodes_limit = u64::MAX;
        if !found.is_proof() {
            let Some(mate) = &best else {
                let never = found.is_disproof() && found.plies == ENDLESS && !search.too_deep;
                return if never { MateResult::NoMate } else { MateResult::Unknown };
            };
            let shortest = found.is_disproof() && !search.too_deep;
            let longest_defence = if shortest { search.line(bound + 2, true, &mut ask) } else { None };
            let line = longest_defence.unwrap_or_else(|| mate.line.clone());
            return MateResult::Mate(Mate { line, plies: mate.plies, shortest });
        }
        if let Some(line) = search.line(found.plies, false, &mut ask) {
            best = Some(Mate { line, plies: found.plies as u32, shortest: found.plies == 1 });
            let progress = MateProgress { nodes: search.nodes, fill: search.table.fill(), best: best.as_ref() };
            // Every mate is reported, also one that ends the search.
            let go_on = poll(&progress);
            if go_on && found.plies > 1 && question.shortest {
                bound = found.plies - 2;
                continue;
            }
        }
        return best.map_or(MateResult::Unknown, MateResult::Mate);
    }
}

//! The mate solver: proves that the side to move mates by checks alone, or that it cannot, and finds the shortest mate.
//!
//! The search is a depth-first proof-number search (`search`) with a memory of its own (`table`). A node with the attacker to
//! move needs one check that mates, one with the defender to move needs every answer to fail (`verdict`). What is proved for
//! one hand of the attacker holds for larger ones, what is disproved for smaller ones. A repetition is a failure of the attacker:
//! its checks would be perpetual. Disproofs that rest on one are kept apart from those that always hold (`path`). Drops in the
//! way of a check that change nothing need not count (`useless`).

mod child;
mod estimate;
mod line;
mod path;
mod search;
mod table;
mod useless;
mod verdict;

use crate::position::Position;
use crate::types::Move;
use crate::util::MemoryError;
use estimate::{ENDLESS, Plies};
use path::LineMemory;
use search::{DEEPEST, Search};
use table::Table;

/// What is to be found.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MateQuestion {
    /// Look at no more positions than this.
    pub nodes: Option<u64>,
    /// Look for no longer mate than this.
    pub plies: Option<u32>,
    /// Look for the shortest mate, not for any.
    pub shortest: bool,
    /// Count as composers of problems do: useless interpositions do not make a mate longer. By the rules of the game every ply
    /// counts.
    pub as_problem: bool,
}

impl MateQuestion {
    /// The shortest mate in this position, without limits. Without a king of its own the side to move is in a problem.
    pub fn about(position: &Position) -> Self {
        let as_problem = position.king(position.side_to_move()).is_none();
        Self { nodes: None, plies: None, shortest: true, as_problem }
    }
}

/// A mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mate {
    /// Every check and every answer; the last move mates.
    pub line: Vec<Move>,
    /// The length of the mate. Where useless interpositions do not count, the line may go on beyond it.
    pub plies: u32,
    /// Whether it is known that none is shorter.
    pub shortest: bool,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateResult {
    /// The side to move mates.
    Mate(Mate),
    /// It cannot mate by checks alone.
    NoMate,
    /// A limit was reached before either was proved.
    Unknown,
}

/// How far the search is.
#[derive(Copy, Clone, Debug)]
pub struct MateProgress<'a> {
    /// Positions looked at.
    pub nodes: u64,
    /// How full the memory is, in permille.
    pub fill: u32,
    /// The shortest mate found so far.
    pub best: Option<&'a Mate>,
}

/// A solver and its memory.
pub struct MateSolver {
    table: Table,
    lines: LineMemory,
}

impl MateSolver {
    /// A solver with this many MB of memory, which are not exceeded by much: the line it is in needs some more.
    ///
    /// # Errors
    /// When there is not so much memory.
    pub fn new(megabytes: usize) -> Result<Self, MemoryError> {
        Ok(Self { table: Table::new(megabytes)?, lines: LineMemory::new() })
    }

    /// Looks for a mate by the side to move; also says how many positions were looked at. `go_on` is asked every some hundred
    /// positions, and at every mate found.
    ///
    /// Long lines need stack: some hundred bytes for each of up to 2,000 plies.
    pub fn solve(
        &mut self,
        position: &Position,
        question: &MateQuestion,
        go_on: &mut dyn FnMut(&MateProgress<'_>) -> bool,
    ) -> (MateResult, u64) {
        self.table.forget();
        self.lines.forget();
        let mut search = Search::new(position, &mut self.table, &mut self.lines, question.as_problem);
        let result = find(&mut search, question, go_on);
        (result, search.nodes)
    }
}

fn find(
    search: &mut Search<'_>,
    question: &MateQuestion,
    go_on: &mut dyn FnMut(&MateProgress<'_>) -> bool,
) -> MateResult {
    let mut bound = question.plies.map_or(ENDLESS, |plies| plies.min(DEEPEST) as Plies);
    let mut best: Option<Mate> = None;
    loop {
        let mut ask = |nodes, fill| go_on(&MateProgress { nodes, fill, best: best.as_ref() });
        search.nodes_limit = question.nodes.unwrap_or(u64::MAX);
        let found = search.decide(bound, &mut ask);
        // A line is read from what is proved already: no limit of nodes cuts that short, only a wish to end.
        search.nodes_limit = u64::MAX;
        if !found.is_proof() {
            let Some(mate) = &best else {
                let never = found.is_disproof() && found.plies == ENDLESS && !search.too_deep;
                return if never { MateResult::NoMate } else { MateResult::Unknown };
            };
            let shortest = found.is_disproof();
            let longest_defence = if shortest { search.line(bound + 2, true, &mut ask) } else { None };
            let line = longest_defence.unwrap_or_else(|| mate.line.clone());
            return MateResult::Mate(Mate { line, plies: mate.plies, shortest });
        }
        if let Some(line) = search.line(found.plies, false, &mut ask) {
            best = Some(Mate { line, plies: found.plies as u32, shortest: found.plies == 1 });
            let progress = MateProgress { nodes: search.nodes, fill: search.table.fill(), best: best.as_ref() };
            if found.plies > 1 && question.shortest && go_on(&progress) {
                bound = found.plies - 2;
                continue;
            }
        }
        return best.map_or(MateResult::Unknown, MateResult::Mate);
    }
}

//! ShogiGUI's `.sbk` book: a protobuf graph of states, most of them without a position.
//!
//! Positions are found by playing the moves from a root to each state; keys in the file are
//! ignored. Games and win rate of a move are those of the state it leads to; weight 0 means known
//! but not to be played. Move marks (good, bad, …), comments and engine lines are ignored: their
//! point of view is not specified.

use super::reading::{
    Candidates, DropReason, Format, FormatError, Location, PositionVisitor, ReadReport, UnknownValues, file_weight,
};
use crate::{BookMove, WIN_RATE_ONE};
use prost::Message;
use sabi_shogi::{Color, HandKind, Move, Position, Square};
use std::collections::{HashMap, VecDeque};

/// The whole file. States are kept as bytes at first, so that a damaged one does not affect others.
#[derive(Clone, PartialEq, Message)]
struct Book {
    #[prost(bytes = "vec", repeated, tag = "3")]
    states: Vec<Vec<u8>>,
}

#[derive(Clone, PartialEq, Message)]
struct State {
    #[prost(int32, tag = "1")]
    id: i32,
    #[prost(int32, tag = "4")]
    games: i32,
    #[prost(int32, tag = "5")]
    won_black: i32,
    #[prost(int32, tag = "6")]
    won_white: i32,
    /// Set in roots only.
    #[prost(string, tag = "7")]
    position: String,
    #[prost(message, repeated, tag = "9")]
    moves: Vec<StateMove>,
}

#[derive(Clone, PartialEq, Message)]
struct StateMove {
    #[prost(int32, tag = "1")]
    bits: i32,
    #[prost(int32, tag = "3")]
    weight: i32,
    #[prost(int32, tag = "4")]
    next: i32,
}

impl StateMove {
    /// Ranks and files from 1, 0 as source for a drop; captured piece and side are not needed.
    fn mv(&self) -> Option<Move> {
        let bits = self.bits.cast_unsigned();
        let square = |shift: u32| {
            let (rank, file) = ((bits >> shift & 15) as u8, (bits >> (shift + 4) & 15) as u8);
            Square::at(file.checked_sub(1)?, rank.checked_sub(1)?)
        };
        let to = square(8)?;
        if bits & 0xff == 0 {
            let kind = (bits >> 24 & 15) as usize;
            return Some(Move::drop(*HandKind::ASCENDING.get(kind.checked_sub(1)?)?, to));
        }
        Move::board(square(0)?, to, bits >> 19 & 1 == 1)
    }
}

impl State {
    /// Statistics of the move of `mover` that led to the state.
    fn games_of_move(&self, mover: Color) -> (Option<u32>, Option<u16>) {
        let games = file_weight(self.games.into());
        if games == 0 {
            return (None, None);
        }
        let (black, white) = (i64::from(self.won_black), i64::from(self.won_white));
        let (won, lost) = if mover == Color::Black { (black, white) } else { (white, black) };
        let all = i64::from(games);
        if won < 0 || lost < 0 || won + lost > all || won + lost == 0 {
            return (Some(games), None);
        }
        let rate = (2 * won + (all - won - lost)) * i64::from(WIN_RATE_ONE) / (2 * all);
        (Some(games), u16::try_from(rate).ok())
    }
}

/// Whether the start of a file may be such a book: length-delimited fields 1 to 3, the last of
/// which may be cut off by the end of `head`, unless it is `complete`.
pub(super) fn detect(mut head: &[u8], complete: bool) -> bool {
    let mut fields = 0;
    while let Some((&tag, rest)) = head.split_first() {
        let mut rest = rest;
        let length = prost::decode_length_delimiter(&mut rest).ok();
        match (tag, length) {
            (0x0a | 0x12 | 0x1a, Some(length)) if length <= rest.len() => head = &rest[length..],
            (0x0a | 0x12 | 0x1a, _) => return !complete && fields + usize::from(length.is_some()) > 0,
            _ => return false,
        }
        fields += 1;
    }
    fields > 0
}

/// Reads a whole book and passes on the positions with moves, breadth first.
///
/// # Errors
/// When the file does not consist of such fields.
pub fn read(bytes: &[u8], report: &mut ReadReport, visitor: &mut PositionVisitor<'_>) -> Result<(), FormatError> {
    let book = Book::decode(bytes).map_err(|_| FormatError::Damaged {
        format: Format::Sbk,
        at: 0,
        what: "its fields do not fit together",
    })?;
    Graph::new(book, report).walk(report, visitor);
    Ok(())
}

struct Graph {
    states: Vec<State>,
    by_id: HashMap<i32, usize>,
}

impl Graph {
    fn new(book: Book, report: &mut ReadReport) -> Self {
        let (mut states, mut by_id) = (Vec::with_capacity(book.states.len()), HashMap::new());
        for (number, bytes) in (1..).zip(book.states) {
            match State::decode(bytes.as_slice()) {
                Ok(state) => {
                    // The first of two states with the same id is used.
                    by_id.entry(state.id).or_insert(states.len());
                    states.push(state);
                }
                Err(error) => report.note(DropReason::BadRecord, Location::Position(number), || error.to_string()),
            }
        }
        Self { states, by_id }
    }

    /// Breadth first, so that a state gets its smallest move number.
    fn walk(&self, report: &mut ReadReport, visitor: &mut PositionVisitor<'_>) {
        let mut visited = vec![false; self.states.len()];
        let mut waiting = self.roots(&mut visited, report);
        while let Some((at, position)) = waiting.pop_front() {
            let state = &self.states[at];
            let mut candidates = Candidates::new(position, Location::Position(at as u64 + 1), UnknownValues::Nothing);
            for (number, entry) in (1..).zip(&state.moves) {
                let location = Location::Move(at as u64 + 1, number);
                let Some(mv) = entry.mv() else {
                    report.note(DropReason::BadMove, location, || format!("{:#x}", entry.bits));
                    continue;
                };
                let next = self.by_id.get(&entry.next).copied();
                let mover = candidates.position().side_to_move();
                let (games, win_rate) = next.map_or((None, None), |next| self.states[next].games_of_move(mover));
                let weight = file_weight(entry.weight.into());
                let entry = BookMove { games, win_rate, ..BookMove::new(mv, weight) };
                if candidates.push(entry, location, mv, report)
                    && let Some(next) = next.filter(|&next| !visited[next])
                {
                    let child = candidates.position().after(mv);
                    // Walks through a book may exceed the length of a game.
                    if let Some(child) = child.without_history() {
                        visited[next] = true;
                        waiting.push_back((next, child));
                    }
                }
            }
            // A leaf is normal and not reported.
            if !state.moves.is_empty()
                && let Some(done) = candidates.finish(report)
                && visitor(done).is_break()
            {
                return;
            }
        }
        let unreached = visited.iter().filter(|&&visited| !visited).count() as u64;
        if unreached > 0 {
            report.note_many(DropReason::Unreached, unreached, Location::Whole, || {
                format!("of {} states", self.states.len())
            });
        }
    }

    fn roots(&self, visited: &mut [bool], report: &mut ReadReport) -> VecDeque<(usize, Position)> {
        let mut roots = VecDeque::new();
        for (at, state) in self.states.iter().enumerate().filter(|(_, state)| !state.position.is_empty()) {
            let text = state.position.trim();
            match Position::from_sfen(text.strip_prefix("sfen ").unwrap_or(text)) {
                Ok(position) => {
                    visited[at] = true;
                    roots.push_back((at, position));
                }
                Err(_) => report.note(DropReason::BadPosition, Location::Position(at as u64 + 1), || text.to_owned()),
            }
        }
        roots
    }
}

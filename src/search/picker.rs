//! Moves in the order in which they are worth trying, made only as far as they are asked for.

use super::history::{Context, Histories, PieceTo, piece_to};
use crate::bitboard::pawn_pushes;
use crate::movegen::{self, MAX_MOVES, MoveList, Promotions};
use crate::position::{CheckInfo, Position};
use crate::types::{Move, PieceKind};
use crate::util::StackVec;

/// What the picker does next.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Stage {
    TableMove,
    MakeTactical,
    GoodTactical,
    Refutations,
    MakeQuiet,
    Quiet,
    BadTactical,
    BadQuiet,
    MakeChecks,
    Checks,
    MakeEvasions,
    Evasions,
    Done,
}

/// Which moves are wanted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// All of them.
    Search,
    /// Captures and pawn promotions.
    Quiescence,
    /// Captures and pawn promotions, then quiet checks.
    QuiescenceWithChecks,
    /// Captures and pawn promotions that win at least this much in exchange.
    ProbCut(i32),
}

type Scored = (Move, i32);

/// Quiet moves scored below this come after bad captures.
const BAD_QUIET: i32 = -7000;

/// Hands out the moves of one node.
pub(super) struct Picker {
    stage: Stage,
    purpose: Purpose,
    table_move: Option<Move>,
    refutations: [Option<Move>; 3],
    next_refutation: usize,
    context: Context,
    promotions: Promotions,
    scored: StackVec<Scored, MAX_MOVES>,
    next: usize,
    bad_tactical: StackVec<Move, MAX_MOVES>,
    next_bad: usize,
    /// Where the quiet moves that were put off begin.
    bad_quiet: usize,
    skip_quiets: bool,
}

impl Picker {
    /// A picker for `purpose`. The table's move must be legal; the refutations (killers and the counter move) are checked here.
    pub(super) fn new(
        position: &Position,
        purpose: Purpose,
        table_move: Option<Move>,
        refutations: [Option<Move>; 3],
        context: Context,
        promotions: Promotions,
    ) -> Self {
        let table_move = table_move.filter(|&mv| match purpose {
            Purpose::Search => true,
            _ if position.in_check() => true,
            Purpose::Quiescence | Purpose::QuiescenceWithChecks => position.is_tactical(mv),
            Purpose::ProbCut(threshold) => position.is_tactical(mv) && position.see_at_least(mv, threshold),
        });
        let first = if position.in_check() { Stage::MakeEvasions } else { Stage::MakeTactical };
        Self {
            stage: if table_move.is_some() { Stage::TableMove } else { first },
            purpose,
            table_move,
            refutations,
            next_refutation: 0,
            context,
            promotions,
            scored: StackVec::new(),
            next: 0,
            bad_tactical: StackVec::new(),
            next_bad: 0,
            bad_quiet: 0,
            skip_quiets: false,
        }
    }

    /// From now on no quiet moves are handed out.
    #[inline]
    pub(super) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move, each once.
    pub(super) fn next(&mut self, position: &Position, histories: &Histories, info: &CheckInfo) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = if position.in_check() { Stage::MakeEvasions } else { Stage::MakeTactical };
                    return self.table_move;
                }
                Stage::MakeTactical => {
                    self.make_tactical(position, histories);
                    self.stage = Stage::GoodTactical;
                }
                Stage::GoodTactical => match self.next_good_tactical(position) {
                    Some(mv) => return Some(mv),
                    None => self.stage = self.after_tactical(),
                },
                Stage::Refutations => match self.next_refutation(position) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::MakeQuiet,
                },
                Stage::MakeQuiet => {
                    if !self.skip_quiets {
                        self.make_quiet(position, histories, info);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.next_good_quiet() {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::BadTactical,
                },
                Stage::BadTactical => match self.bad_tactical.get(self.next_bad) {
                    Some(&mv) => {
                        self.next_bad += 1;
                        return Some(mv);
                    }
                    None => {
                        self.next = self.bad_quiet;
                        self.stage = Stage::BadQuiet;
                    }
                },
                Stage::BadQuiet => match self.next_bad_quiet() {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::MakeChecks => {
                    self.make_checks(position, histories, info);
                    self.stage = Stage::Checks;
                }
                Stage::Checks | Stage::Evasions => match self.next_best() {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::MakeEvasions => {
                    self.make_evasions(position, histories);
                    self.stage = Stage::Evasions;
                }
                Stage::Done => return None,
            }
        }
    }

    fn after_tactical(&self) -> Stage {
        match self.purpose {
            Purpose::Search => Stage::Refutations,
            Purpose::QuiescenceWithChecks => Stage::MakeChecks,
            Purpose::Quiescence | Purpose::ProbCut(_) => Stage::Done,
        }
    }

    /// Moves the best of the remaining scored moves to the front and returns it.
    #[inline]
    fn next_best(&mut self) -> Option<Move> {
        let mv = best_to_front(self.scored.get_mut(self.next..)?)?;
        self.next += 1;
        Some(mv)
    }

    fn make_tactical(&mut self, position: &Position, histories: &Histories) {
        let mut list = MoveList::new();
        movegen::tactical_moves(position, self.promotions, &mut list);
        for &mv in list.iter().filter(|&&mv| Some(mv) != self.table_move) {
            self.scored.push((mv, tactical_score(position, histories, mv)));
        }
    }

    fn next_good_tactical(&mut self, position: &Position) -> Option<Move> {
        loop {
            let mv = self.next_best()?;
            let threshold = match self.purpose {
                Purpose::ProbCut(threshold) => threshold,
                // Moves with a good history may cost a little.
                Purpose::Search => -self.scored[self.next - 1].1 / 32,
                Purpose::Quiescence | Purpose::QuiescenceWithChecks => return Some(mv),
            };
            if position.see_at_least(mv, threshold) {
                return Some(mv);
            }
            if self.purpose == Purpose::Search {
                self.bad_tactical.push(mv);
            }
        }
    }

    fn next_refutation(&mut self, position: &Position) -> Option<Move> {
        while let Some(&candidate) = self.refutations.get(self.next_refutation) {
            let seen = self.refutations[..self.next_refutation].contains(&candidate);
            self.next_refutation += 1;
            if let Some(mv) = candidate
                && !seen
                && !self.skip_quiets
                && Some(mv) != self.table_move
                && !position.is_tactical(mv)
                && position.is_legal(mv)
            {
                return Some(mv);
            }
            // A refutation that is not handed out here must not be left out below.
            self.refutations[self.next_refutation - 1] = None;
        }
        None
    }

    fn make_quiet(&mut self, position: &Position, histories: &Histories, info: &CheckInfo) {
        let mut list = MoveList::new();
        movegen::quiet_moves(position, self.promotions, &mut list);
        self.scored.clear();
        self.next = 0;
        let mut good = 0;
        let them = !position.side_to_move();
        let pawn_attacks = pawn_pushes(them, position.pieces(them, PieceKind::Pawn));
        for &mv in &list {
            if Some(mv) == self.table_move || self.refutations.contains(&Some(mv)) {
                continue;
            }
            let Some(piece) = position.moved_piece(mv) else {
                continue;
            };
            let mut score = histories.quiet(position, mv, piece_to(piece, mv.to()), &self.context);
            if info.squares(piece.kind()).has(mv.to()) && position.see_at_least(mv, -CHECK_PRICE) {
                score += CHECK_BONUS;
            }
            if piece.kind() != PieceKind::Pawn {
                let leaves = mv.from().is_some_and(|from| pawn_attacks.has(from));
                let enters = pawn_attacks.has(mv.to());
                score += PAWN_THREAT * (i32::from(leaves) - i32::from(enters));
            }
            self.scored.push((mv, score));
            // The good ones stand in front, so that the search for the best of them passes over the rest.
            if score > BAD_QUIET {
                let last = self.scored.len() - 1;
                self.scored.swap(good, last);
                good += 1;
            }
        }
        self.bad_quiet = good;
    }

    /// The next of the good quiet moves. The first few are selected one by one, because a node seldom asks for more; then the
    /// rest is sorted.
    fn next_good_quiet(&mut self) -> Option<Move> {
        if self.skip_quiets || self.next >= self.bad_quiet {
            return None;
        }
        let rest = &mut self.scored[self.next..self.bad_quiet];
        if self.next < SELECTED {
            best_to_front(rest);
        } else if self.next == SELECTED {
            rest.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
        }
        let mv = rest[0].0;
        self.next += 1;
        Some(mv)
    }

    /// The next of the quiet moves that were put off, in no order.
    fn next_bad_quiet(&mut self) -> Option<Move> {
        if self.skip_quiets {
            return None;
        }
        let &(mv, _) = self.scored.get(self.next)?;
        self.next += 1;
        Some(mv)
    }

    fn make_checks(&mut self, position: &Position, histories: &Histories, info: &CheckInfo) {
        let mut list = MoveList::new();
        movegen::checking_moves(position, info, self.promotions, &mut list);
        self.scored.clear();
        self.next = 0;
        for &mv in list.iter().filter(|&&mv| Some(mv) != self.table_move && !position.is_tactical(mv)) {
            let moved = position.moved_piece(mv).map_or(0, |piece| piece_to(piece, mv.to()));
            self.scored.push((mv, histories.quiet(position, mv, moved, &self.context)));
        }
    }

    fn make_evasions(&mut self, position: &Position, histories: &Histories) {
        let mut list = MoveList::new();
        movegen::moves(position, self.promotions, &mut list);
        for &mv in list.iter().filter(|&&mv| Some(mv) != self.table_move) {
            let score = if position.is_tactical(mv) {
                EVADING_CAPTURE + tactical_score(position, histories, mv)
            } else {
                let moved = position.moved_piece(mv).map_or(0, |piece| piece_to(piece, mv.to()));
                histories.quiet(position, mv, moved, &self.context)
            };
            self.scored.push((mv, score));
        }
    }
}

/// So many quiet moves are selected before the rest is sorted.
const SELECTED: usize = 6;
/// Quiet checks come earlier by this much, if they do not lose more than a trifle in exchange.
const CHECK_BONUS: i32 = 5000;
const CHECK_PRICE: i32 = 75;
/// Pieces that leave the attack of a pawn come earlier by this much, those that enter it later.
const PAWN_THREAT: i32 = 4000;
/// Captures come before all other answers to a check.
const EVADING_CAPTURE: i32 = 1 << 20;

/// Swaps the best move to the front and returns it; the first of equals.
fn best_to_front(moves: &mut [Scored]) -> Option<Move> {
    let best = (0..moves.len()).max_by_key(|&at| (moves[at].1, std::cmp::Reverse(at)))?;
    moves.swap(0, best);
    Some(moves[0].0)
}

/// Most valuable victim first, refined by history.
fn tactical_score(position: &Position, histories: &Histories, mv: Move) -> i32 {
    let moved: PieceTo = position.moved_piece(mv).map_or(0, |piece| piece_to(piece, mv.to()));
    let taken = position.piece_at(mv.to()).map_or(PieceKind::Pawn, |piece| piece.kind());
    8 * position.move_gain(mv) + histories.capture(moved, taken)
}

#[cfg(test)]
mod tests {
    use super::super::history::NO_MOVE;
    use super::*;
    use std::collections::BTreeSet;

    const MIDDLE: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";

    fn pick_all(
        position: &Position,
        purpose: Purpose,
        table_move: Option<Move>,
        refutations: [Option<Move>; 3],
    ) -> Vec<Move> {
        let histories = Histories::new().unwrap();
        let info = position.check_info();
        let mut picker = Picker::new(position, purpose, table_move, refutations, [NO_MOVE; 3], Promotions::All);
        std::iter::from_fn(|| picker.next(position, &histories, &info)).collect()
    }

    #[test]
    fn every_legal_move_comes_exactly_once() {
        for sfen in [crate::position::STARTPOS_SFEN, MIDDLE] {
            let position = Position::from_sfen(sfen).unwrap();
            let legal: BTreeSet<Move> = movegen::legal_moves(&position).iter().copied().collect();
            let some: Vec<Option<Move>> = legal.iter().copied().step_by(7).map(Some).collect();
            for &table_move in some.iter().chain([&None]) {
                for window in some.windows(3) {
                    let refutations = [window[0], window[1], window[0]];
                    let picked = pick_all(&position, Purpose::Search, table_move, refutations);
                    assert_eq!(picked.len(), legal.len());
                    assert_eq!(picked.into_iter().collect::<BTreeSet<_>>(), legal);
                }
            }
        }
    }

    #[test]
    fn quiescence_gets_tactical_moves_and_checks() {
        let position = Position::from_sfen(MIDDLE).unwrap();
        let info = position.check_info();
        let picked: BTreeSet<Move> =
            pick_all(&position, Purpose::QuiescenceWithChecks, None, [None; 3]).into_iter().collect();
        let expected: BTreeSet<Move> = movegen::legal_moves(&position)
            .iter()
            .copied()
            .filter(|&mv| position.is_tactical(mv) || position.gives_check(mv, &info))
            .collect();
        assert_eq!(picked, expected);
    }
}

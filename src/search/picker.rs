//! Staged move picker.

use super::gravity::{PieceTo, piece_to};
use super::history::{Histories, QuietContext};
use super::quiets::ScoredQuiets;
use super::scored::{Scored, ScoredMoves, best_to_front};
use super::threats::{Targets, Threats};
use crate::movegen::{self, MAX_MOVES, MoveList, Promotions};
use crate::position::{CheckInfo, Position};
use crate::types::{Move, PieceKind};
use arrayvec::ArrayVec;

/// Next stage.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Stage {
    TtMove,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    GoodQuiets,
    BadCaptures,
    BadQuiets,
    GenerateEvasions,
    Evasions,
    Done,
}

/// Kind of search. Pawn promotions count as captures.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// All moves.
    Search,
    /// Captures.
    Quiescence,
    /// ProbCut: captures with SEE of at least this.
    ProbCut(i32),
}

/// Returns the moves of one node, best first.
pub(super) struct Picker {
    stage: Stage,
    purpose: Purpose,
    tt_move: Option<Move>,
    promotions: Promotions,
    scored: ScoredMoves,
    next: usize,
    bad_captures: ArrayVec<Move, MAX_MOVES>,
    next_bad: usize,
    /// Start of the bad quiet moves.
    bad_quiets: usize,
    skip_quiets: bool,
}

impl Picker {
    /// A picker for `purpose`. The tt move must be legal.
    pub(super) fn new(position: &Position, purpose: Purpose, tt_move: Option<Move>, promotions: Promotions) -> Self {
        let tt_move = tt_move.filter(|&mv| match purpose {
            Purpose::Search => true,
            _ if position.in_check() => true,
            Purpose::Quiescence => position.is_tactical(mv),
            Purpose::ProbCut(threshold) => position.is_tactical(mv) && position.see_ge(mv, threshold),
        });
        Self {
            stage: if tt_move.is_some() { Stage::TtMove } else { Self::first_stage(position) },
            purpose,
            tt_move,
            promotions,
            scored: ScoredMoves::new(),
            next: 0,
            bad_captures: ArrayVec::new(),
            next_bad: 0,
            bad_quiets: 0,
            skip_quiets: false,
        }
    }

    fn first_stage(position: &Position) -> Stage {
        if position.in_check() { Stage::GenerateEvasions } else { Stage::GenerateCaptures }
    }

    /// Skips quiet moves from now on, except evasions.
    #[inline]
    pub(super) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move; each is returned once.
    pub(super) fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &QuietContext,
        info: &CheckInfo,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Self::first_stage(position);
                    return self.tt_move;
                }
                Stage::GenerateCaptures => {
                    self.generate_captures(position, histories);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.next_good_capture(position) {
                    Some(mv) => return Some(mv),
                    None if self.purpose == Purpose::Search => self.stage = Stage::GenerateQuiets,
                    None => self.stage = Stage::Done,
                },
                Stage::GenerateQuiets => {
                    self.scored.clear();
                    (self.next, self.bad_quiets) = (0, 0);
                    if !self.skip_quiets {
                        self.generate_quiets(position, histories, context, info);
                    }
                    self.stage = Stage::GoodQuiets;
                }
                Stage::GoodQuiets => match self.next_quiet(self.bad_quiets) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::BadCaptures,
                },
                Stage::BadCaptures => match self.bad_captures.get(self.next_bad) {
                    Some(&mv) => {
                        self.next_bad += 1;
                        return Some(mv);
                    }
                    None => {
                        self.next = self.bad_quiets;
                        self.stage = Stage::BadQuiets;
                    }
                },
                Stage::BadQuiets => match self.next_quiet(self.scored.len()) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::GenerateEvasions => {
                    self.generate_evasions(position, histories, context);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => match self.next_best(self.scored.len()) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// The best of the remaining scored moves before `end`.
    #[inline]
    fn next_best(&mut self, end: usize) -> Option<Move> {
        let mv = best_to_front(self.scored.get_mut(self.next..end)?)?;
        self.next += 1;
        Some(mv)
    }

    fn generate_captures(&mut self, position: &Position, histories: &Histories) {
        let mut list = MoveList::new();
        movegen::tactical_moves(position, self.promotions, &mut list);
        for &mv in list.iter().filter(|&&mv| Some(mv) != self.tt_move) {
            let moved = position.moved_piece(mv).map_or(0, |piece| piece_to(piece, mv.to()));
            self.scored.push(Scored::new(mv, capture_score(position, histories, mv, moved)));
        }
    }

    fn next_good_capture(&mut self, position: &Position) -> Option<Move> {
        loop {
            let mv = self.next_best(self.scored.len())?;
            let threshold = match self.purpose {
                Purpose::ProbCut(threshold) => threshold,
                // A good capture history lowers the SEE threshold.
                Purpose::Search => -self.scored[self.next - 1].score() / 18,
                Purpose::Quiescence => return Some(mv),
            };
            if position.see_ge(mv, threshold) {
                return Some(mv);
            }
            if self.purpose == Purpose::Search {
                self.bad_captures.push(mv);
            }
        }
    }

    fn generate_quiets(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &QuietContext,
        info: &CheckInfo,
    ) {
        let order = histories.quiet_order(context);
        let (tt_move, moves) = (self.tt_move, &mut self.scored);
        let (threats, targets) = (Threats::new(position), Targets::new(position));
        let mut quiets = ScoredQuiets { position, info, order, threats, targets, tt_move, moves, good: 0 };
        movegen::quiet_moves_to(position, self.promotions, &mut quiets);
        self.bad_quiets = quiets.good;
    }

    /// The next quiet move before `end`.
    fn next_quiet(&mut self, end: usize) -> Option<Move> {
        if self.skip_quiets { None } else { self.next_best(end) }
    }

    fn generate_evasions(&mut self, position: &Position, histories: &Histories, context: &QuietContext) {
        let mut list = MoveList::new();
        movegen::moves(position, self.promotions, &mut list);
        for &mv in list.iter().filter(|&&mv| Some(mv) != self.tt_move) {
            let score = if position.is_tactical(mv) {
                EVASION_CAPTURE + position.move_gain(mv)
            } else {
                let moved = position.moved_piece(mv).map_or(0, |piece| piece_to(piece, mv.to()));
                histories.main(context.color, mv) + histories.continuation(context.rows[0], moved)
            };
            self.scored.push(Scored::new(mv, score));
        }
    }
}

/// In check, captures come first.
const EVASION_CAPTURE: i32 = 1 << 20;

/// The kind that a tactical move captures; a pawn promotion counts as capturing a pawn.
#[inline]
pub(super) fn captured_kind(position: &Position, mv: Move) -> PieceKind {
    position.piece_at(mv.to()).map_or(PieceKind::Pawn, |piece| piece.kind())
}

/// MVV plus capture history.
#[inline]
pub(super) fn capture_score(position: &Position, histories: &Histories, mv: Move, moved: PieceTo) -> i32 {
    6 * position.move_gain(mv) + histories.capture(moved, captured_kind(position, mv))
}

#[cfg(test)]
mod tests {
    use super::super::history::{NO_ROW, QuietContext};
    use super::*;
    use std::collections::BTreeSet;

    const MIDDLE: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";

    fn pick_all(position: &Position, purpose: Purpose, tt_move: Option<Move>) -> Vec<Move> {
        let histories = Histories::new().unwrap();
        let info = position.check_info();
        let context = QuietContext {
            color: position.side_to_move(),
            in_check: position.in_check(),
            ply: 0,
            pawn_slot: Histories::pawn_slot(position),
            rows: [NO_ROW; 6],
        };
        let mut picker = Picker::new(position, purpose, tt_move, Promotions::All);
        std::iter::from_fn(|| picker.next(position, &histories, &context, &info)).collect()
    }

    #[test]
    fn every_legal_move_once() {
        for sfen in [crate::position::STARTPOS_SFEN, MIDDLE] {
            let position = Position::from_sfen(sfen).unwrap();
            let legal: BTreeSet<Move> = movegen::legal_moves(&position).iter().copied().collect();
            for tt_move in legal.iter().copied().step_by(3).map(Some).chain([None]) {
                let picked = pick_all(&position, Purpose::Search, tt_move);
                assert_eq!(picked.len(), legal.len());
                assert!(tt_move.is_none() || picked.first().copied() == tt_move);
                assert_eq!(picked.into_iter().collect::<BTreeSet<_>>(), legal);
            }
        }
    }

    #[test]
    fn quiescence_picks_captures() {
        let position = Position::from_sfen(MIDDLE).unwrap();
        let picked: BTreeSet<Move> = pick_all(&position, Purpose::Quiescence, None).into_iter().collect();
        let expected: BTreeSet<Move> =
            movegen::legal_moves(&position).iter().copied().filter(|&mv| position.is_tactical(mv)).collect();
        assert_eq!(picked, expected);
    }
}

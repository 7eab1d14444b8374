//! Staged move picker.

use super::captures::{ScoredCaptures, mvv_and_history};
use super::history::{Histories, QuietContext};
use super::history_entry::{PieceTo, piece_to};
use super::quiets::ScoredQuiets;
use super::scored::{Scored, ScoredMoves};
use super::threats::{Targets, Threats};
use arrayvec::ArrayVec;
use sabi_shogi::{CheckInfo, MAX_MOVES, Move, MoveList, NonPromotions, PieceKind, Position};

/// Where the moves come from.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Stage {
    Start,
    TtMove,
    GoodCaptures,
    GoodQuiets,
    BadCaptures,
    BadQuiets,
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
    non_promotions: NonPromotions,
    scored: ScoredMoves,
    bad_captures: ArrayVec<Move, MAX_MOVES>,
    next_bad: usize,
    skip_quiets: bool,
}

impl Picker {
    /// A picker for `purpose`. The tt move must be legal.
    pub(super) fn new(
        position: &Position,
        purpose: Purpose,
        tt_move: Option<Move>,
        non_promotions: NonPromotions,
    ) -> Self {
        let tt_move = tt_move.filter(|&mv| match purpose {
            Purpose::Search => true,
            _ if position.in_check() => true,
            Purpose::Quiescence => position.is_tactical(mv),
            Purpose::ProbCut(threshold) => position.is_tactical(mv) && position.see_ge(mv, threshold),
        });
        Self {
            stage: Stage::Start,
            purpose,
            tt_move,
            non_promotions,
            scored: ScoredMoves::default(),
            bad_captures: ArrayVec::new(),
            next_bad: 0,
            skip_quiets: false,
        }
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
            if let Some(mv) = self.next_of_stage(position) {
                return Some(mv);
            }
            self.stage = self.next_stage(position);
            match self.stage {
                Stage::GoodCaptures => self.generate_captures(position, histories),
                Stage::GoodQuiets => self.generate_quiets(position, histories, context, info),
                Stage::Evasions => self.generate_evasions(position, histories, context),
                Stage::Start | Stage::TtMove | Stage::BadCaptures | Stage::BadQuiets => {}
                Stage::Done => return None,
            }
        }
    }

    /// The stage after the current one.
    fn next_stage(&self, position: &Position) -> Stage {
        match self.stage {
            Stage::Start | Stage::TtMove if position.in_check() => Stage::Evasions,
            Stage::Start | Stage::TtMove => Stage::GoodCaptures,
            Stage::GoodCaptures if self.purpose == Purpose::Search => Stage::GoodQuiets,
            Stage::GoodQuiets => Stage::BadCaptures,
            Stage::BadCaptures => Stage::BadQuiets,
            Stage::GoodCaptures | Stage::BadQuiets | Stage::Evasions | Stage::Done => Stage::Done,
        }
    }

    /// The next move of the current stage.
    fn next_of_stage(&mut self, position: &Position) -> Option<Move> {
        match self.stage {
            Stage::Start => {
                self.stage = Stage::TtMove;
                self.tt_move
            }
            Stage::TtMove => None,
            Stage::GoodCaptures => self.next_good_capture(position),
            Stage::GoodQuiets => self.next_quiet(GOOD_QUIET),
            Stage::BadCaptures => {
                let mv = self.bad_captures.get(self.next_bad).copied();
                self.next_bad += 1;
                mv
            }
            Stage::BadQuiets => self.next_quiet(i32::MIN),
            Stage::Evasions => self.scored.take_best().and_then(Scored::mv),
            Stage::Done => None,
        }
    }

    // Generators are not inlined: what they need would be computed for every move returned.

    #[inline(never)]
    fn generate_captures(&mut self, position: &Position, histories: &Histories) {
        let (tt_move, moves) = (self.tt_move, &mut self.scored);
        sabi_shogi::tactical_moves_to(
            position,
            self.non_promotions,
            &mut ScoredCaptures { position, histories, tt_move, moves },
        );
        self.scored.finish();
    }

    fn next_good_capture(&mut self, position: &Position) -> Option<Move> {
        loop {
            let best = self.scored.take_best()?;
            let mv = best.mv()?;
            let threshold = match self.purpose {
                Purpose::ProbCut(threshold) => threshold,
                // A good capture history lowers the SEE threshold.
                Purpose::Search => -best.score() / 19,
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

    #[inline(never)]
    fn generate_quiets(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &QuietContext,
        info: &CheckInfo,
    ) {
        self.scored.clear();
        if self.skip_quiets {
            return;
        }
        let order = histories.quiet_order(context);
        let (tt_move, moves) = (self.tt_move, &mut self.scored);
        let (threats, targets) = (Threats::new(position), Targets::new(position));
        let mut quiets = ScoredQuiets { position, info, order, threats, targets, tt_move, moves };
        sabi_shogi::quiet_moves_to(position, self.non_promotions, &mut quiets);
        self.scored.finish();
    }

    /// The next quiet move if it scores at least `threshold`.
    #[inline]
    fn next_quiet(&mut self, threshold: i32) -> Option<Move> {
        let best = self.scored.best().filter(|best| !self.skip_quiets && best.score() >= threshold)?;
        self.scored.take(best);
        best.mv()
    }

    #[inline(never)]
    fn generate_evasions(&mut self, position: &Position, histories: &Histories, context: &QuietContext) {
        let mut list = MoveList::new();
        sabi_shogi::moves(position, self.non_promotions, &mut list);
        for &mv in list.iter().filter(|&&mv| Some(mv) != self.tt_move) {
            let score = if position.is_tactical(mv) {
                EVASION_CAPTURE + position.move_gain(mv)
            } else {
                let moved = position.moved_piece_after(mv).map_or(0, |piece| piece_to(piece, mv.to()));
                histories.main(context.color, mv) + histories.continuation(context.cont_hist[0], moved)
            };
            self.scored.push(mv, score);
        }
        self.scored.finish();
    }
}

/// Quiet moves with at least this score come before bad captures.
const GOOD_QUIET: i32 = -13_420;
/// In check, captures come first.
const EVASION_CAPTURE: i32 = 1 << 20;

/// The kind that a tactical move captures; a pawn promotion counts as capturing a pawn.
#[inline]
pub(super) fn captured_kind(position: &Position, mv: Move) -> PieceKind {
    position.piece_at(mv.to()).map_or(PieceKind::Pawn, |piece| piece.kind())
}

/// Score of a capture.
#[inline]
pub(super) fn capture_score(position: &Position, histories: &Histories, mv: Move, moved: PieceTo) -> i32 {
    mvv_and_history(position.move_gain(mv), histories.capture(moved, captured_kind(position, mv)))
}

#[cfg(test)]
mod tests {
    use super::super::history::{NO_CONT_HIST, QuietContext};
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
            cont_hist: [NO_CONT_HIST; 6],
        };
        let mut picker = Picker::new(position, purpose, tt_move, NonPromotions::All);
        std::iter::from_fn(|| picker.next(position, &histories, &context, &info)).collect()
    }

    #[test]
    fn every_legal_move_once() {
        for sfen in [sabi_shogi::STARTPOS_SFEN, MIDDLE] {
            let position = Position::from_sfen(sfen).unwrap();
            let legal: BTreeSet<Move> = sabi_shogi::legal_moves(&position).iter().copied().collect();
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
            sabi_shogi::legal_moves(&position).iter().copied().filter(|&mv| position.is_tactical(mv)).collect();
        assert_eq!(picked, expected);
    }
}

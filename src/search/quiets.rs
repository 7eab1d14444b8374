//! Quiet moves, scored as they are generated.

use super::gravity::piece_to;
use super::history::{Quiet, QuietOrder};
use super::params as p;
use super::scored::{Scored, ScoredMoves};
use super::threats::{Targets, Threats};
use crate::bitboard::Bitboard;
use crate::movegen::Sink;
use crate::position::{CheckInfo, Position};
use crate::types::{Color, HandKind, Move, Piece, PieceKind, Square};

/// Quiet moves with a lower score come after bad captures.
const BAD: i32 = -14_000;
/// Quiet checks get the bonus unless they lose more than this by SEE.
const CHECK_PRICE: i32 = 80;

/// Collects quiet moves with their scores, good ones first.
pub(super) struct ScoredQuiets<'a> {
    pub position: &'a Position,
    pub info: &'a CheckInfo,
    pub order: QuietOrder<'a>,
    pub threats: Threats,
    pub targets: Targets,
    pub tt_move: Option<Move>,
    pub moves: &'a mut ScoredMoves,
    /// Number of good ones.
    pub good: usize,
}

impl ScoredQuiets<'_> {
    #[inline]
    fn push(&mut self, mv: Move, kind: PieceKind, mut score: i32) {
        if Some(mv) == self.tt_move {
            return;
        }
        if self.info.squares(kind).has(mv.to()) && self.position.see_ge(mv, -CHECK_PRICE) {
            score += p::check_order_bonus();
        }
        score += self.threat_bonus(mv, kind);
        self.moves.push(Scored::new(mv, score));
        if score > BAD {
            let last = self.moves.len() - 1;
            self.moves.swap(self.good, last);
            self.good += 1;
        }
    }

    /// Bonus for leaving a square attacked by a cheaper piece and for attacking a more valuable
    /// piece, malus for going to a square attacked by a cheaper one.
    #[inline]
    fn threat_bonus(&self, mv: Move, kind: PieceKind) -> i32 {
        let threatened = self.threats.on(kind);
        let before = if mv.is_promotion() { kind.unpromoted() } else { kind };
        let escapes = mv.from().is_some_and(|from| self.threats.on(before).has(from));
        let escape = i32::from(escapes) * p::threat_escape() * before.exchange_value() / 64;
        if threatened.has(mv.to()) {
            escape - p::threat_into() * kind.exchange_value() / 64
        } else {
            escape + i32::from(self.targets.of(kind).has(mv.to())) * p::threat_attack()
        }
    }

    #[inline]
    fn step(&mut self, piece: Piece, mv: Move) {
        let score = self.order.score(Quiet { mv, moved: piece_to(piece, mv.to()) });
        self.push(mv, piece.kind(), score);
    }
}

impl Sink for ScoredQuiets<'_> {
    #[inline]
    fn board(&mut self, from: Square, targets: Bitboard, promote: bool) {
        let Some(piece) = self.position.piece_at(from) else {
            return;
        };
        let piece = if promote { piece.promoted() } else { piece };
        targets.for_each(|to| self.step(piece, Move::step(from, to, promote)));
    }

    #[inline]
    fn pawns(&mut self, color: Color, targets: Bitboard, promote: bool) {
        let pawn = Piece::new(color, PieceKind::Pawn);
        let piece = if promote { pawn.promoted() } else { pawn };
        targets.for_each(|to| {
            if let Some(from) = to.behind(color) {
                self.step(piece, Move::step(from, to, promote));
            }
        });
    }

    #[inline]
    fn drops(&mut self, kind: HandKind, targets: Bitboard) {
        let scores = self.order.drop_scores(self.position.side_to_move(), kind);
        targets.for_each(|to| self.push(Move::drop(kind, to), kind.on_board(), scores[to.index()]));
    }
}

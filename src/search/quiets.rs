//! Quiet moves, scored as they are generated.

use super::history::{Quiet, QuietOrder};
use super::history_entry::piece_to;
use super::params as p;
use super::scored::ScoredMoves;
use super::threats::{Targets, Threats};
use sabi_shogi::{Bitboard, CheckInfo, Color, HandKind, Move, Piece, PieceKind, Position, Sink, Square};

/// Quiet checks get the bonus with an SEE of at least this.
const CHECK_SEE_THRESHOLD: i32 = -80;

/// Collects quiet moves with their scores.
pub(super) struct ScoredQuiets<'a> {
    pub position: &'a Position,
    pub info: &'a CheckInfo,
    pub order: QuietOrder<'a>,
    pub threats: Threats,
    pub targets: Targets,
    pub tt_move: Option<Move>,
    pub moves: &'a mut ScoredMoves,
}

/// What the moves of a group have in common: a piece, and the square it leaves.
struct Group {
    /// Targets of the sets below.
    special: Bitboard,
    checks: Bitboard,
    /// Targets attacked by a cheaper piece.
    threatened: Bitboard,
    /// Targets from which it attacks a more valuable piece.
    attacking: Bitboard,
    /// Bonus for leaving a square attacked by a cheaper piece.
    escape: i32,
    kind: PieceKind,
}

impl ScoredQuiets<'_> {
    /// The group of a piece that becomes `after` by moving from a square or the hand.
    #[inline]
    fn group(&self, from: Option<(Square, PieceKind)>, after: PieceKind) -> Group {
        let escapes = |(from, before): (Square, PieceKind)| {
            if self.threats.on(before).has(from) { p::threat_escape() * before.exchange_value() / 64 } else { 0 }
        };
        let (checks, threatened, attacking) =
            (self.info.check_squares(after), self.threats.on(after), self.targets.of(after));
        Group {
            special: checks | threatened | attacking,
            checks,
            threatened,
            attacking,
            escape: from.map_or(0, escapes),
            kind: after,
        }
    }

    #[inline(always)]
    fn push(&mut self, mv: Move, group: &Group, mut score: i32) {
        if Some(mv) == self.tt_move {
            return;
        }
        score += group.escape;
        if group.special.has(mv.to()) {
            score += self.bonus(mv, group);
        }
        self.moves.push(mv, score);
    }

    /// Bonus of a move to a special target.
    #[inline]
    fn bonus(&self, mv: Move, group: &Group) -> i32 {
        let gives_check = group.checks.has(mv.to()) && self.position.see_ge(mv, CHECK_SEE_THRESHOLD);
        let check = i32::from(gives_check) * p::check_order_bonus();
        if group.threatened.has(mv.to()) {
            check - p::threat_into() * group.kind.exchange_value() / 64
        } else {
            check + i32::from(group.attacking.has(mv.to())) * p::threat_attack()
        }
    }

    #[inline(always)]
    fn step(&mut self, piece: Piece, group: &Group, mv: Move) {
        let score = self.order.score(Quiet { mv, moved: piece_to(piece, mv.to()) });
        self.push(mv, group, score);
    }
}

impl Sink for ScoredQuiets<'_> {
    #[inline]
    fn board(&mut self, from: Square, targets: Bitboard, promote: bool) {
        let Some(before) = self.position.piece_at(from) else {
            return;
        };
        let piece = if promote { before.promoted() } else { before };
        let group = self.group(Some((from, before.kind())), piece.kind());
        targets.for_each(|to| self.step(piece, &group, Move::step(from, to, promote)));
    }

    #[inline]
    fn pawns(&mut self, color: Color, targets: Bitboard, promote: bool) {
        if targets.is_empty() {
            return;
        }
        let pawn = Piece::new(color, PieceKind::Pawn);
        let piece = if promote { pawn.promoted() } else { pawn };
        // Nothing is cheaper than a pawn.
        let group = self.group(None, piece.kind());
        targets.for_each(|to| {
            if let Some(from) = to.behind(color) {
                self.step(piece, &group, Move::step(from, to, promote));
            }
        });
    }

    #[inline]
    fn drops(&mut self, kind: HandKind, targets: Bitboard) {
        if targets.is_empty() {
            return;
        }
        let scores = self.order.drop_scores(self.position.side_to_move(), kind);
        let group = self.group(None, kind.on_board());
        let special = targets & group.special;
        special.for_each(|to| self.push(Move::drop(kind, to), &group, scores[to.index()]));
        let tt_target =
            self.tt_move.filter(|mv| mv.drop_kind() == Some(kind)).map_or(Bitboard::EMPTY, |mv| Bitboard::of(mv.to()));
        targets.and_not(special | tt_target).for_each(|to| self.moves.push(Move::drop(kind, to), scores[to.index()]));
    }
}

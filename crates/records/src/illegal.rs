//! Why a move is illegal: an illegal move that was really played loses the game, nonsense
//! invalidates the record.

use sabi_shogi::{Bitboard, HandKind, Move, PieceKind, Position, attacks};

/// Why a move is illegal.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum IllegalReason {
    #[error("no piece of the side to move is there")]
    NoPiece,
    /// The target square is occupied by an own piece, or, for a drop, by any.
    #[error("the square is taken")]
    Taken,
    #[error("the piece does not move like that")]
    NoSuchStep,
    #[error("the piece cannot promote there")]
    NoPromotion,
    #[error("the piece is not in hand")]
    NotHeld,
    #[error("the piece could never move again")]
    DeadEnd,
    #[error("it is the second pawn on the file")]
    DoubledPawn,
    #[error("a pawn drop must not mate")]
    PawnDropMate,
    #[error("the king is left in check")]
    KingInCheck,
}

impl IllegalReason {
    /// Whether it can be played on a real board, as opposed to a nonsense move.
    pub const fn can_be_played(self) -> bool {
        matches!(self, Self::DeadEnd | Self::DoubledPawn | Self::PawnDropMate | Self::KingInCheck)
    }

    /// Why a move is illegal; `None` if it is legal.
    pub fn of(position: &Position, mv: Move) -> Option<Self> {
        if position.is_legal(mv) {
            return None;
        }
        Some(match (mv.from(), mv.drop_kind()) {
            (_, Some(kind)) => of_drop(position, kind, mv),
            (_, None) => of_board_move(position, mv),
        })
    }
}

fn of_drop(position: &Position, kind: HandKind, mv: Move) -> IllegalReason {
    let us = position.side_to_move();
    let file = Bitboard::file(mv.to().file());
    if !position.hand(us).has(kind) {
        IllegalReason::NotHeld
    } else if position.piece_at(mv.to()).is_some() {
        IllegalReason::Taken
    } else if mv.to().relative_rank(us) < kind.on_board().dead_ranks() {
        IllegalReason::DeadEnd
    } else if kind == HandKind::Pawn && position.pieces(us, PieceKind::Pawn).intersects(file) {
        IllegalReason::DoubledPawn
    } else if position.in_check() {
        IllegalReason::KingInCheck
    } else {
        IllegalReason::PawnDropMate
    }
}

fn of_board_move(position: &Position, mv: Move) -> IllegalReason {
    let us = position.side_to_move();
    let Some((from, piece)) = mv.from().and_then(|from| Some((from, position.piece_at(from)?))) else {
        return IllegalReason::NoPiece;
    };
    let (kind, to) = (piece.kind(), mv.to());
    if piece.color() != us {
        IllegalReason::NoPiece
    } else if position.color(us).has(to) || position.kind(PieceKind::King).has(to) {
        IllegalReason::Taken
    } else if !attacks(us, kind, from, position.occupied()).has(to) {
        IllegalReason::NoSuchStep
    } else if mv.is_promotion() && !(kind.can_promote() && (from.in_promotion_zone(us) || to.in_promotion_zone(us))) {
        IllegalReason::NoPromotion
    } else if !mv.is_promotion() && to.relative_rank(us) < kind.dead_ranks() {
        IllegalReason::DeadEnd
    } else {
        IllegalReason::KingInCheck
    }
}

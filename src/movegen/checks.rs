//! Legal moves that give check.

use super::generate::{Promotions, pawn_drops, split_by_promotion};
use super::sink::{MoveList, Sink};
use crate::bitboard::{self as bb, Bitboard};
use crate::position::{CheckInfo, Position};
use crate::types::{HandKind, PieceKind as K, Square};

/// Adds every legal checking move, captures included, to `list`.
pub fn checking_moves(position: &Position, info: &CheckInfo, promotions: Promotions, list: &mut MoveList) {
    let us = position.side_to_move();
    let Some(enemy_king) = position.king(!us) else {
        return;
    };
    let own_king = position.king(us);
    let answer = match (own_king, position.checkers().first()) {
        (Some(_), Some(_)) if position.checkers().several() => Bitboard::EMPTY,
        (Some(king), Some(checker)) => bb::between(king, checker) | Bitboard::of(checker),
        _ => Bitboard::ALL,
    };
    let all = promotions == Promotions::All;
    candidates(position, info, enemy_king).for_each(|from| {
        let Some(piece) = position.piece_at(from) else {
            return;
        };
        let kind = piece.kind();
        let mut targets = bb::attacks(us, kind, from, position.occupied()).without(position.color(us));
        match own_king {
            Some(king) if king == from => targets = safe_squares(position, king, targets),
            Some(king) if position.pinned().has(from) => targets &= answer & bb::line_from(king, from),
            _ => targets &= answer,
        }
        let (promoting, staying) = split_by_promotion(us, kind, from, targets, all);
        let uncovering = if info.dischargers().has(from) { !bb::line_from(enemy_king, from) } else { Bitboard::EMPTY };
        list.board(from, promoting & (info.squares(kind.promoted()) | uncovering), true);
        list.board(from, staying & (info.squares(kind) | uncovering), false);
    });
    drops(position, info, answer.without(position.occupied()), list);
}

/// Own pieces that might reach a square from which they give check: sliders, what may uncover one, and what stands near.
fn candidates(position: &Position, info: &CheckInfo, enemy_king: Square) -> Bitboard {
    let us = position.side_to_move();
    let sliders = position.bishops_and_horses() | position.rooks_and_dragons() | position.kind(K::Lance);
    let near = NEAR[enemy_king] | (FAR[enemy_king] & position.kind(K::Knight));
    ((sliders | near) & position.color(us)).without(position.kind(K::King)) | info.dischargers()
}

fn safe_squares(position: &Position, king: Square, targets: Bitboard) -> Bitboard {
    let them = !position.side_to_move();
    let without_king = position.occupied() ^ Bitboard::of(king);
    targets.into_iter().filter(|&to| !position.is_attacked(them, to, without_king)).collect()
}

fn drops(position: &Position, info: &CheckInfo, empty: Bitboard, list: &mut MoveList) {
    let us = position.side_to_move();
    for (kind, _) in position.hand(us).iter() {
        let targets = empty & info.squares(kind.on_board());
        let targets = match kind {
            HandKind::Pawn => pawn_drops(position, us, targets),
            _ => targets.without(Bitboard::far_ranks(us, usize::from(kind.on_board().dead_ranks()))),
        };
        list.drops(kind, targets);
    }
}

/// The squares within two steps of a king: from farther away no short-range piece but a knight comes next to it.
static NEAR: [Bitboard; Square::COUNT] = bb::neighbourhoods(2);
/// The squares within four steps, which is as far as a knight comes from.
static FAR: [Bitboard; Square::COUNT] = bb::neighbourhoods(4);

//! Legal moves that give check.

use super::generate::{Promotions, pawn_drops, split_by_promotion};
use super::sink::Sink;
use crate::bitboard::{self as bb, Bitboard};
use crate::position::{CheckInfo, Position};
use crate::types::{Color, HandKind, PieceKind as K, Square};

/// Generates all legal checking moves, captures included, into `sink`.
pub(crate) fn checking_moves_to<O: Sink>(position: &Position, info: &CheckInfo, promotions: Promotions, sink: &mut O) {
    let us = position.side_to_move();
    let Some(enemy_king) = position.king(!us) else {
        return;
    };
    let own_king = position.king(us);
    let answer = match (own_king, position.checkers().first()) {
        (Some(_), Some(_)) if position.checkers().more_than_one() => Bitboard::EMPTY,
        (Some(king), Some(checker)) => bb::between(king, checker) | Bitboard::of(checker),
        _ => Bitboard::ALL,
    };
    let all = promotions == Promotions::All;
    candidates(position, info, enemy_king).for_each(|from| {
        let Some(piece) = position.piece_at(from) else {
            return;
        };
        let kind = piece.kind();
        let uncovering = if info.discovered_check_candidates().has(from) {
            !bb::line_from(enemy_king, from)
        } else {
            Bitboard::EMPTY
        };
        let checks = info.squares(kind) | info.squares(kind.promoted()) | uncovering;
        if !slider_reach(us, kind, from).intersects(checks) {
            return;
        }
        let mut targets = bb::attacks(us, kind, from, position.occupied()).and_not(position.color(us));
        match own_king {
            Some(king) if king == from => targets = safe_squares(position, king, targets),
            Some(king) if position.pinned().has(from) => targets &= answer & bb::line_from(king, from),
            _ => targets &= answer,
        }
        let (promoting, staying) = split_by_promotion(us, kind, from, targets, all);
        let sets = [(promoting, kind.promoted(), true), (staying, kind, false)];
        for (targets, kind, promote) in sets {
            let checking = targets & (info.squares(kind) | uncovering);
            if checking.any() {
                sink.board(from, checking, promote);
            }
        }
    });
    drops(position, info, answer.and_not(position.occupied()), sink);
}

/// Own pieces that may give check: sliders, discovered-check candidates, and short-range pieces
/// near enough.
fn candidates(position: &Position, info: &CheckInfo, enemy_king: Square) -> Bitboard {
    let us = position.side_to_move();
    let sliders = position.bishops_and_horses() | position.rooks_and_dragons() | position.kind(K::Lance);
    let near = |kind| bb::check_origins(us, kind, enemy_king);
    let steppers = near(HandKind::Pawn) & position.kind(K::Pawn)
        | near(HandKind::Knight) & position.kind(K::Knight)
        | near(HandKind::Silver) & position.kind(K::Silver)
        | near(HandKind::Gold) & position.golds();
    (sliders | steppers) & position.color(us) | info.discovered_check_candidates()
}

/// Squares that a slider may reach on an empty board; all of them for other pieces.
#[inline]
fn slider_reach(us: Color, kind: K, from: Square) -> Bitboard {
    match kind {
        K::Lance => bb::lance_rays(us, from),
        K::Bishop => bb::bishop_rays(from),
        K::Rook => bb::rook_rays(from),
        K::Horse => bb::bishop_rays(from) | bb::king_attacks(from),
        K::Dragon => bb::rook_rays(from) | bb::king_attacks(from),
        _ => Bitboard::ALL,
    }
}

fn safe_squares(position: &Position, king: Square, targets: Bitboard) -> Bitboard {
    let them = !position.side_to_move();
    let without_king = position.occupied() ^ Bitboard::of(king);
    targets.into_iter().filter(|&to| !position.is_attacked(them, to, without_king)).collect()
}

fn drops(position: &Position, info: &CheckInfo, empty: Bitboard, sink: &mut impl Sink) {
    let us = position.side_to_move();
    for (kind, _) in position.hand(us).iter() {
        let targets = empty & info.squares(kind.on_board());
        let targets = match kind {
            HandKind::Pawn => pawn_drops(position, us, targets),
            _ => targets.and_not(Bitboard::far_ranks(us, usize::from(kind.on_board().dead_ranks()))),
        };
        sink.drops(kind, targets);
    }
}

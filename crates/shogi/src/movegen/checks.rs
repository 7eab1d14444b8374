//! Legal moves that give check.

use super::generate::Sink;
use super::generate::{NonPromotions, pawn_drops, split_by_promotion};
use crate::bitboard::{self as bb, Bitboard};
use crate::position::{CheckInfo, Position};
use crate::types::{HandKind, PieceKind as K, Square};

/// Generates all legal checking moves, captures included, into `sink`.
pub fn checking_moves<O: Sink>(position: &Position, info: &CheckInfo, non_promotions: NonPromotions, sink: &mut O) {
    let us = position.side_to_move();
    let Some(enemy_king) = position.king(!us) else { return };
    let own_king = position.king(us);
    let evasions = position.evasion_targets();
    let all = non_promotions == NonPromotions::All;
    candidates(position, info, enemy_king).for_each(|from| {
        let Some(piece) = position.piece_at(from) else { return };
        let kind = piece.kind();
        let uncovering =
            if info.discovered_check_candidates.has(from) { !bb::line_from(enemy_king, from) } else { Bitboard::EMPTY };
        let mut targets = bb::attacks(us, kind, from, position.occupied()).and_not(position.color(us));
        match own_king {
            Some(king) if king == from => {
                targets = position.unattacked(!us, targets, position.occupied() ^ Bitboard::of(king));
            }
            Some(king) if position.pinned().has(from) => targets &= evasions & bb::line_from(king, from),
            _ => targets &= evasions,
        }
        let (promoting, staying) = split_by_promotion(us, kind, from, targets, all);
        let sets = [(promoting, kind.promoted(), true), (staying, kind, false)];
        for (targets, kind, promote) in sets {
            let checking = targets & (info.check_squares(kind) | uncovering);
            if checking.any() {
                sink.board(from, checking, promote);
            }
        }
    });
    drops(position, info, evasions.and_not(position.occupied()), sink);
}

/// Own pieces that may give check: sliders that reach a check square on an empty board,
/// discovered-check candidates, and short-range pieces near enough.
fn candidates(position: &Position, info: &CheckInfo, enemy_king: Square) -> Bitboard {
    let us = position.side_to_move();
    let near = |kind| bb::check_candidates(us, kind, enemy_king);
    let steppers = near(HandKind::Pawn) & position.kind(K::Pawn)
        | near(HandKind::Knight) & position.kind(K::Knight)
        | near(HandKind::Silver) & position.kind(K::Silver)
        | near(HandKind::Gold) & position.golds();
    reaching_sliders(position, info) | steppers & position.color(us) | info.discovered_check_candidates
}

/// Own sliders that, promoted or not, reach a check square on an empty board.
fn reaching_sliders(position: &Position, info: &CheckInfo) -> Bitboard {
    let us = position.side_to_move();
    let own = position.color(us);
    let mut found = Bitboard::EMPTY;
    let mut add = |from: Square, reach: Bitboard, checks: Bitboard| {
        if reach.intersects(checks) {
            found |= Bitboard::of(from);
        }
    };
    let by_lance = info.check_squares(K::Lance) | info.check_squares(K::ProLance);
    (position.kind(K::Lance) & own).for_each(|from| add(from, bb::lance_rays(us, from), by_lance));
    let (by_horse, by_dragon) = (info.check_squares(K::Horse), info.check_squares(K::Dragon));
    (position.bishops_and_horses() & own)
        .for_each(|from| add(from, bb::bishop_rays(from) | bb::king_attacks(from), by_horse));
    (position.rooks_and_dragons() & own)
        .for_each(|from| add(from, bb::rook_rays(from) | bb::king_attacks(from), by_dragon));
    found
}

fn drops(position: &Position, info: &CheckInfo, empty: Bitboard, sink: &mut impl Sink) {
    let us = position.side_to_move();
    let hand = position.hand(us);
    if hand.has(HandKind::Pawn) {
        let targets = empty & info.check_squares(K::Pawn);
        if targets.any() {
            sink.drops(HandKind::Pawn, pawn_drops(position, us, targets));
        }
    }
    if !hand.has_more_than_pawns() {
        return;
    }
    for kind in HandKind::ALL.into_iter().filter(|&kind| kind != HandKind::Pawn && hand.has(kind)) {
        let dead = Bitboard::far_ranks(us, usize::from(kind.on_board().dead_ranks()));
        let targets = (empty & info.check_squares(kind.on_board())).and_not(dead);
        if targets.any() {
            sink.drops(kind, targets);
        }
    }
}

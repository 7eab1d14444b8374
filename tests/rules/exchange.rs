//! Static exchange evaluation against exchanges played out move by move.

use crate::fixtures::{position, random_games};
use sabi::movegen::legal_moves;
use sabi::position::Position;
use sabi::types::{Color, Move, PieceKind, Square};

/// What the side to move wins by taking on `target` with its cheapest piece, or by leaving it: on a plain board of pieces, with
/// nothing shared with the engine but the attacks of single pieces.
struct Board {
    pieces: Vec<(Square, Color, PieceKind)>,
}

impl Board {
    fn attackers(&self, target: Square, color: Color) -> Vec<usize> {
        let occupied = self.pieces.iter().map(|&(square, ..)| square).collect();
        let attacks = |&(square, color, kind): &(Square, Color, PieceKind)| {
            square != target && sabi::bitboard::attacks(color, kind, square, occupied).has(target)
        };
        (0..self.pieces.len()).filter(|&at| self.pieces[at].1 == color && attacks(&self.pieces[at])).collect()
    }

    fn best(&mut self, target: Square, color: Color, on_target: i32) -> i32 {
        let attackers = self.attackers(target, color);
        let order = |kind: PieceKind| (kind.exchange_value(), kind);
        let Some(&from) = attackers.iter().min_by_key(|&&at| order(self.pieces[at].2)) else {
            return 0;
        };
        let kind = self.pieces[from].2;
        if kind == PieceKind::King && !self.attackers(target, !color).is_empty() {
            return 0;
        }
        self.pieces.remove(from);
        0.max(on_target - self.best(target, !color, kind.exchange_value()))
    }
}

fn played_out(position: &Position, mv: Move) -> i32 {
    let us = position.side_to_move();
    let kind = position.moved_piece(mv).unwrap().kind();
    let pieces = Square::all()
        .filter(|&square| Some(square) != mv.from() && square != mv.to())
        .filter_map(|square| position.piece_at(square).map(|piece| (square, piece.color(), piece.kind())));
    let mut board = Board { pieces: pieces.collect() };
    board.pieces.push((mv.to(), us, kind));
    position.move_gain(mv) - board.best(mv.to(), !us, kind.exchange_value())
}

#[test]
fn every_threshold_agrees_with_playing_it_out() {
    random_games(40, 25, 250, |position, _| {
        for &mv in &legal_moves(position) {
            let value = played_out(position, mv);
            assert!(position.see_at_least(mv, value), "{position} {mv} {value}");
            assert!(!position.see_at_least(mv, value + 1), "{position} {mv} {value}");
        }
    });
}

#[test]
fn a_protected_pawn_is_not_worth_a_rook() {
    let position = position("4k4/9/4p4/4s4/9/9/9/4R4/4K4 b - 1");
    let takes = position.legal_from_usi("5h5d").unwrap();
    assert!(!position.see_at_least(takes, 0) && position.see_at_least(takes, -500));
}

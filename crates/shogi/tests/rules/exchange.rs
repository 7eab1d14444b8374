//! Static exchange evaluation against played-out exchanges.

use sabi_test_support::{position, random_games};
use sabi_shogi::{Color, Move, PieceKind, Position, Square, legal_moves};
use std::collections::BTreeSet;

/// Minimax of captures on `target` with the least valuable attacker; shares only attack tables with
/// the engine.
struct Board {
    pieces: Vec<(Square, Color, PieceKind)>,
}

impl Board {
    fn attackers(&self, target: Square, color: Color) -> Vec<usize> {
        let occupied = self.pieces.iter().map(|&(square, ..)| square).collect();
        let attacks = |&(square, color, kind): &(Square, Color, PieceKind)| {
            square != target && sabi_shogi::attacks(color, kind, square, occupied).has(target)
        };
        (0..self.pieces.len()).filter(|&at| self.pieces[at].1 == color && attacks(&self.pieces[at])).collect()
    }

    /// Enemy sliders that attack the king of `color` after a capture on `target`.
    fn attackers_of_king(&self, king: Square, target: Square, color: Color) -> BTreeSet<Square> {
        let pieces = self.pieces.iter().map(|&(square, ..)| square);
        let occupied = pieces.chain([target]).collect();
        let slides = |kind: PieceKind| "LBR".contains(kind.letter()) && kind != PieceKind::ProLance;
        let attacks = |&&(square, by, kind): &&(Square, Color, PieceKind)| {
            by != color && square != target && slides(kind) && sabi_shogi::attacks(by, kind, square, occupied).has(king)
        };
        self.pieces.iter().filter(attacks).map(|&(square, ..)| square).collect()
    }

    /// Whether a capture on `target` exposes the own king to a slider.
    fn is_pinned(&mut self, at: usize, target: Square) -> bool {
        let (from, color, kind) = self.pieces[at];
        let Some(&(king, ..)) = self.pieces.iter().find(|&&(_, of, kind)| of == color && kind == PieceKind::King)
        else {
            return false;
        };
        if kind == PieceKind::King {
            return false;
        }
        let before = self.attackers_of_king(king, target, color);
        self.pieces.remove(at);
        let after = self.attackers_of_king(king, target, color);
        self.pieces.insert(at, (from, color, kind));
        !after.is_subset(&before)
    }

    fn best(&mut self, target: Square, color: Color, on_target: i32) -> i32 {
        let mut attackers = self.attackers(target, color);
        attackers.retain(|&at| !self.is_pinned(at, target));
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
    let kind = position.moved_piece_after(mv).unwrap().kind();
    let pieces = Square::all()
        .filter(|&square| Some(square) != mv.from() && square != mv.to())
        .filter_map(|square| position.piece_at(square).map(|piece| (square, piece.color(), piece.kind())));
    let mut board = Board { pieces: pieces.collect() };
    board.pieces.push((mv.to(), us, kind));
    position.move_gain(mv) - board.best(mv.to(), !us, kind.exchange_value())
}

#[test]
fn see_ge_agrees_with_minimax() {
    random_games(40, 25, 250, |position, _| {
        for &mv in &legal_moves(position) {
            let value = played_out(position, mv);
            assert!(position.see_ge(mv, value), "{position} {mv} {value}");
            assert!(!position.see_ge(mv, value + 1), "{position} {mv} {value}");
        }
    });
}

#[test]
fn rook_takes_protected_pawn() {
    let position = position("4k4/9/4p4/4s4/9/9/9/4R4/4K4 b - 1");
    let takes = position.legal_from_usi("5h5d").unwrap();
    assert!(!position.see_ge(takes, 0) && position.see_ge(takes, -500));
}

#[test]
fn pinned_piece_captures_on_pin_line_only() {
    for (sfen, mv, holds) in [
        // The protecting gold is pinned by the rook.
        ("4k4/4g4/3p5/9/3R5/9/9/4R4/4K4 b - 1", "6e6c", true),
        // No pin.
        ("4k4/4g4/3p5/9/3R5/9/9/5R3/4K4 b - 1", "6e6c", false),
        // A second blocker.
        ("4k4/4g4/3p5/9/3R5/4p4/9/4R4/4K4 b - 1", "6e6c", false),
        // It may capture the pinner.
        ("4k4/4g4/4p4/9/9/9/9/4R4/4K4 b - 1", "5h5c", false),
    ] {
        let position = position(sfen);
        let mv = position.legal_from_usi(mv).unwrap_or_else(|| panic!("{sfen} {mv}"));
        assert_eq!(position.see_ge(mv, 0), holds, "{sfen}");
        assert_eq!(played_out(&position, mv) >= 0, holds, "{sfen}");
    }
}

/// The dragon pins the gold until it recaptures itself: then the gold captures it, so it does not
/// recapture.
#[test]
fn pin_ends_when_pinner_captures() {
    let position = position("3lk4/4g4/3p5/2S1+R4/9/9/9/9/4K4 b - 1");
    let takes = position.legal_from_usi("7d6c").expect("a silver move");
    assert_eq!(played_out(&position, takes), 100 - 450);
    assert!(position.see_ge(takes, -350) && !position.see_ge(takes, -349));
}

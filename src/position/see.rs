//! Static exchange evaluation: who comes out ahead on one square.

use super::Position;
use crate::bitboard::{self as bb, Bitboard};
use crate::types::{Color, Move, PieceKind, Square};

/// What a piece is worth in an exchange on the board, in centipawns. Rough values: search only asks for the sign of sums.
const VALUES: [i32; PieceKind::COUNT] = [100, 300, 320, 450, 700, 850, 480, 15_000, 420, 420, 430, 470, 950, 1150];

/// The order in which pieces join an exchange: the cheapest first.
const CHEAPEST_FIRST: [PieceKind; PieceKind::COUNT] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::ProPawn,
    PieceKind::ProLance,
    PieceKind::ProKnight,
    PieceKind::Silver,
    PieceKind::ProSilver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Horse,
    PieceKind::Dragon,
    PieceKind::King,
];

impl PieceKind {
    /// The value of the piece in an exchange, in centipawns.
    #[inline]
    pub const fn exchange_value(self) -> i32 {
        VALUES[self as usize]
    }
}

impl Position {
    /// What the move wins before the enemy answers: the taken piece (it changes sides, but its new owner must still spend a
    /// move on dropping it, so it counts once) and the gain by promotion.
    #[inline]
    pub fn move_gain(&self, mv: Move) -> i32 {
        let taken = self.piece_at(mv.to()).map_or(0, |piece| piece.kind().exchange_value());
        let promotion = match mv.from().and_then(|from| self.piece_at(from)) {
            Some(piece) if mv.is_promotion() => {
                piece.kind().promoted().exchange_value() - piece.kind().exchange_value()
            }
            _ => 0,
        };
        taken + promotion
    }

    /// What the move changes in the balance of material: a taken piece is lost to one side and won by the other.
    #[inline]
    pub fn material_swing(&self, mv: Move) -> i32 {
        let won = self.piece_at(mv.to()).map_or(0, |piece| piece.kind().unpromoted().exchange_value());
        self.move_gain(mv) + won
    }

    /// Whether the exchanges that a legal move starts on its target square leave the mover with at least `threshold`
    /// centipawns. Sliders behind sliders join in; pins are not looked at.
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        let to = mv.to();
        let Some(piece) = self.moved_piece(mv) else {
            return false;
        };
        let mut balance = self.move_gain(mv) - threshold;
        if balance < 0 {
            return false;
        }
        balance = piece.kind().exchange_value() - balance;
        if balance <= 0 {
            return true;
        }
        let mut occupied = self.occupied() | Bitboard::of(to);
        if let Some(from) = mv.from() {
            occupied ^= Bitboard::of(from);
        }
        let mut side = self.side;
        let mut attackers =
            (self.attackers(Color::Black, to, occupied) | self.attackers(Color::White, to, occupied)) & occupied;
        let mut winning = true;
        loop {
            side = !side;
            attackers &= occupied;
            let Some((from, kind)) = self.cheapest(attackers & self.colors[side]) else {
                break;
            };
            // A king may not take what is still protected.
            if kind == PieceKind::King {
                return if (attackers & self.colors[!side]).any() { winning } else { !winning };
            }
            winning = !winning;
            balance = kind.exchange_value() - balance;
            if balance < i32::from(winning) {
                break;
            }
            occupied ^= Bitboard::of(from);
            attackers |= self.uncovered(to, from, occupied);
        }
        winning
    }

    fn cheapest(&self, attackers: Bitboard) -> Option<(Square, PieceKind)> {
        if attackers.is_empty() {
            return None;
        }
        CHEAPEST_FIRST.into_iter().find_map(|kind| (attackers & self.kinds[kind]).first().map(|square| (square, kind)))
    }

    /// The slider, if any, that attacks `to` through the square that was just left.
    #[inline]
    fn uncovered(&self, to: Square, left: Square, occupied: Bitboard) -> Bitboard {
        let line = bb::line_from(to, left);
        let on_line = line & occupied;
        let straight = bb::rook_rays(to).has(left);
        let mut sliders = if straight { self.rooks_and_dragons() } else { self.bishops_and_horses() };
        if straight {
            for color in Color::ALL {
                sliders |= self.pieces(color, PieceKind::Lance) & bb::lance_rays(!color, to);
            }
        }
        let candidates = on_line & sliders;
        candidates.into_iter().filter(|&square| !bb::between(to, square).meets(occupied)).collect()
    }
}

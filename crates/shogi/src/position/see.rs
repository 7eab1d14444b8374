//! Static exchange evaluation.

use super::Position;
use crate::bitboard::{self as bb, Bitboard};
use crate::types::{Color, Move, PieceKind, Square};

/// Piece values for exchanges, in centipawns.
const VALUES: [i32; PieceKind::COUNT] = [100, 300, 320, 450, 700, 850, 480, 15_000, 420, 420, 430, 470, 950, 1150];

/// Order in which kinds join an exchange: the least valuable first.
const ORDER: [u8; PieceKind::COUNT] = [0, 1, 2, 6, 9, 10, 8, 13, 3, 4, 5, 7, 11, 12];

impl PieceKind {
    /// The value of the piece in an exchange, in centipawns.
    #[inline]
    pub const fn exchange_value(self) -> i32 {
        VALUES[self as usize]
    }
}

impl Position {
    /// Gain of the move before the reply: the captured piece (counted once: dropping it costs
    /// another move) and the promotion.
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

    /// Whether the exchange on the target square of a legal move gains at least `threshold`
    /// centipawns. X-ray sliders join in; a pinned piece joins only after its pinner.
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        let to = mv.to();
        let Some(piece) = self.moved_piece_after(mv) else { return false };
        let mut balance = self.move_gain(mv) - threshold;
        if balance < 0 {
            return false;
        }
        balance = piece.kind().exchange_value() - balance;
        if balance <= 0 {
            return true;
        }
        let left = mv.from().map_or(Bitboard::EMPTY, Bitboard::of);
        let mut occupied = self.occupied().and_not(left) | Bitboard::of(to);
        let (us, them) = (self.side, !self.side);
        let snipers = self.snipers_of_both(to);
        let mut attackers = Self::unblocked(snipers, to, occupied);
        attackers |= self.short_attackers(them, to) & self.colors[them];
        if !attackers.intersects(self.colors[them]) {
            return true;
        }
        let mut side = us;
        let mut winning = true;
        loop {
            side = !side;
            attackers &= occupied;
            let Some((from, kind)) = self.least_valuable_unpinned(attackers & self.colors[side], side, to, occupied)
            else {
                break;
            };
            // A king must not capture a protected piece.
            if kind == PieceKind::King {
                let all = attackers | self.short_attackers(!side, to) & occupied;
                return if all.intersects(self.colors[!side]) { winning } else { !winning };
            }
            winning = !winning;
            balance = kind.exchange_value() - balance;
            if balance < i32::from(winning) {
                break;
            }
            if side == them {
                // Most exchanges end with the first capture: not needed before.
                attackers |= self.short_attackers(us, to) & self.colors[us];
            }
            occupied ^= Bitboard::of(from);
            // A slider may attack through the vacated square.
            attackers |= Self::unblocked(bb::line_from(to, from) & snipers, to, occupied);
        }
        winning
    }

    /// The least valuable unpinned attacker of `to`.
    #[inline]
    fn least_valuable_unpinned(
        &self,
        mut attackers: Bitboard,
        side: Color,
        to: Square,
        occupied: Bitboard,
    ) -> Option<(Square, PieceKind)> {
        loop {
            let (from, kind) = self.least_valuable(attackers)?;
            if !self.exposes_king(side, from, to, occupied) {
                return Some((from, kind));
            }
            attackers ^= Bitboard::of(from);
        }
    }

    /// Whether capturing on `to` with the piece on `from` exposes its own king to a slider.
    #[inline]
    fn exposes_king(&self, side: Color, from: Square, to: Square, occupied: Bitboard) -> bool {
        let Some(king) = self.kings[side] else { return false };
        let snipers = self.snipers(king, !side);
        if snipers.is_empty() {
            return false;
        }
        // The piece on `to` is captured. The line leads away from the king, so it never contains
        // the king.
        let snipers = snipers & bb::line_from(king, from) & occupied.and_not(Bitboard::of(to));
        if snipers.is_empty() {
            return false;
        }
        let after = occupied.and_not(Bitboard::of(from)) | Bitboard::of(to);
        snipers.into_iter().any(|sniper| {
            let between = bb::between(king, sniper);
            between.has(from) && !between.intersects(after)
        })
    }

    #[inline]
    fn least_valuable(&self, attackers: Bitboard) -> Option<(Square, PieceKind)> {
        let mut least_valuable = None;
        let mut least = u8::MAX;
        attackers.for_each(|square| {
            if let Some(piece) = self.board[square] {
                let kind = piece.kind();
                if ORDER[kind] < least {
                    least = ORDER[kind];
                    least_valuable = Some((square, kind));
                }
            }
        });
        least_valuable
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_valuable_attacker_first() {
        let mut kinds = PieceKind::ALL;
        kinds.sort_by_key(|&kind| ORDER[kind]);
        assert!(kinds.is_sorted_by_key(|&kind| (kind.exchange_value(), kind)));
        assert!(kinds.iter().enumerate().all(|(place, &kind)| usize::from(ORDER[kind]) == place));
    }
}

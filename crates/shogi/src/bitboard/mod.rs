//! Bitboards and attacks.
//!
//! [`Bitboard`] is the set, `attacks` those of all pieces, `rays` the lines between squares. All
//! tables are constants.

mod attacks;
mod rays;
mod set;

pub use attacks::{
    bishop_attacks, check_candidates, gold_attacks, king_attacks, knight_attacks, lance_attacks, neighbourhoods,
    pawn_attacks, rook_attacks, silver_attacks,
};
pub use rays::{aligned, between, bishop_rays, lance_rays, line_from, rook_rays};
pub use set::Bitboard;

use crate::types::{Color, PieceKind, Square};

/// Attacks of a piece on `square` with blockers `occupied`.
#[inline]
pub fn attacks(color: Color, kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => pawn_attacks(color, square),
        PieceKind::Lance => lance_attacks(color, square, occupied),
        PieceKind::Knight => knight_attacks(color, square),
        PieceKind::Silver => silver_attacks(color, square),
        PieceKind::Bishop => bishop_attacks(square, occupied),
        PieceKind::Rook => rook_attacks(square, occupied),
        PieceKind::King => king_attacks(square),
        PieceKind::Horse => bishop_attacks(square, occupied) | king_attacks(square),
        PieceKind::Dragon => rook_attacks(square, occupied) | king_attacks(square),
        PieceKind::Gold | PieceKind::ProPawn | PieceKind::ProLance | PieceKind::ProKnight | PieceKind::ProSilver => {
            gold_attacks(color, square)
        }
    }
}

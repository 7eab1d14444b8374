//! The rules of shogi: positions, legal moves, repetition, declaration, perft.
#![warn(missing_docs)]

mod bitboard;
mod movegen;
mod position;
mod text;
mod types;

pub use bitboard::*;
pub use movegen::*;
pub use position::*;
pub use text::{excerpt, split_mix};
pub use types::*;

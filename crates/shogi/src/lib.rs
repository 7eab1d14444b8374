//! The rules of shogi: positions, legal moves, make and unmake, SFEN and USI, repetition,
//! declaration, static exchange evaluation, perft.
//!
//! ```
//! use sabi_shogi::{Position, legal_moves};
//!
//! let mut position = Position::startpos().with_moves(["7g7f", "3c3d"])?;
//! for &mv in &legal_moves(&position) {
//!     println!("{mv}");
//! }
//! position.play(position.legal_from_usi("8h2b+").ok_or("illegal")?);
//! assert!(!position.in_check());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Position`] owns squares, hands, side to move, keys and history; a move changes it through one
//! gate, which an [`Observer`] can follow. Moves are generated legal. Everything is a checked value:
//! a [`Move`], [`Square`] or [`Piece`] that exists is a possible one.
#![warn(missing_docs)]

mod bitboard;
mod movegen;
mod position;
mod types;

pub use bitboard::*;
pub use movegen::*;
pub use position::*;
pub use types::*;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

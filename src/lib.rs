//! Sabi, a shogi engine that speaks USI.
//!
//! The library is built in floors; a module uses only what stands below it (and `tests/floors.rs` checks that):
//!
//! | floor | modules | holds |
//! |--:|---|---|
//! | 0 | [`util`] | stack vector, prefetch, counters, huge pages |
//! | 1 | [`types`] | colour, square, piece, hand, move, score, bound |
//! | 2 | [`bitboard`] | the 81-bit set, steps and sliders |
pub mod bitboard;
pub mod engine;
pub mod eval;
pub mod mate;
pub mod movegen;
pub mod position;
pub mod search;
pub mod table;
pub mod types;
pub mod usi;
pub mod util;

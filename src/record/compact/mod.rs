//! Games with a score for each move, in little room: the files of self-play, `.sabg`.
//!
//! All numbers are little-endian. A file begins with a header: `SABIGAME`, the version (`u32`), the length of a text (`u32`), the text in
//! UTF-8, and the CRC-32 of all that (`u32`). The text says with which settings the games were made; it may be empty.
//!
//! Then come blocks, up to the end of the file, so that a file grows by whole blocks. A block begins with a head of 24 bytes: `BLCK`, the
//! number of its games, its length unpacked, its length packed, the CRC-32 of the packed bytes, and the CRC-32 of the head so far. The
//! packed bytes follow (LZ4, block format). Unpacked, they are columns, one after the other:
//!
//! | column | one element for each | as |
//! |---|---|---|
//! | numbers | game | difference from the number before, the first from 0; a varint with sign |
//! | outcomes | game | one byte: result (bits 0-1: draw, Black, White, unknown), reason of the end (bits 2-7) |
//! | lengths | game | moves; a varint |
//! | starts | game | 0 for an even game, or 1, the 32 bytes of [`PackedSfen`] and the move number as a varint |
//! | moves | move | 16 bits, [`Move::bits`] |
//! | scores | move | 0 for none, or 1 + the difference, as a varint with sign, from what the last score of the game lets expect |
//!
//! Scores are from the view of the side to move. After a score of 30 the opponent is expected to see -30, and after a move without a score
//! the same with the sign changed once more; a game begins at 0. A varint has seven bits in each byte, the lowest first, and bit 7 in all
//! but its last; a sign is kept in bit 0.
//!
//! A writer that was killed leaves a block that is cut short. Readers say so, and [`Archive`] cuts it off before it goes on.

mod append;
mod columns;
mod error;
mod frame;
mod games;
mod stored;
mod varint;
mod write;

pub use append::{Archive, ArchiveError};
pub use columns::Block;
pub use error::CompactError;
pub(super) use games::Stored;
pub use games::{Blocks, is_compact, read_blocks};
pub use stored::{Start, StoredGame};
pub use write::Writer;

#[cfg(doc)]
use crate::{position::PackedSfen, types::Move};

/// Games in a block of a file that is written in one go.
const BLOCK_GAMES: usize = 256;
/// More moves than these begin a new block.
const BLOCK_MOVES: usize = 1 << 18;
/// No game is longer: readers of records take no more.
const LONGEST_GAME: usize = 10_000;

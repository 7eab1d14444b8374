//! The book file format, version 1. Little-endian, unaligned.
//!
//! | bytes | header |
//! |---|---|
//! | 0–3 | `SHOB` |
//! | 4–5 | version, 1 |
//! | 6 | compression: 0 none, 1 LZ4 |
//! | 7 | flags: 1 positions are kept, 2 names are kept; others are 0 |
//! | 8–11, 12–15 | number of positions, number of moves |
//! | 16–47 | four `u64`: where index, moves, positions and names begin |
//! | 48–55 | length of the file |
//! | 56–59 | CRC-32 of everything after the header |
//! | 60–63 | CRC-32 of the 60 bytes before |
//!
//! The sections are contiguous; an omitted section has length 0.
//!
//! | section | without compression | with compression |
//! |---|---|---|
//! | keys | each position's [`book_key`](super::book_key), `u64`, ascending | the same |
//! | index | `u32` per key: first move; then the number of moves | slot per key, fewest bytes |
//! | moves | 24 bytes each | blocks of 64 slots |
//! | positions | 36 bytes each: [`PackedSfen`] and ply (`u32`) | blocks of 64 slots |
//! | names | their number (`u32`), the end of each (`u32`), UTF-8 text | the same |
//!
//! A move is: move (`u16`, [`Move::bits`](sabi_shogi::Move::bits)), answer (`u16`), weight
//! (`u32`), games (`u32`), win rate in 1/10000 (`u16`), score (`i16`), depth (`u16`), marks
//! (`u16`), number of the name (`u32`). Mark bits of known values: 1 games, 2 win rate, 4 score, 8
//! depth, 16 answer, 32 name; unknown values are 0.
//!
//! With compression positions are ordered in slots along lines: each is followed by the one after
//! its first move, unless that has a slot already, and so on; then come the lines of the second
//! move. So a game needs few blocks, and neighbours are similar. `header` documents the
//! blocks, `moves` and `positions` their contents: moves value by value as differences to
//! predictions, and positions by the moves that lead to them.
//!
//! The incompressible part: a key has 64 random bits, and its slot log2 of the number of positions,
//! together 11 bytes in a large book. In a book of 286,438 positions from 6,426 games (mostly one
//! move per position, with games and win rate) the rest of a position is 2.8 bytes for its moves
//! and 1.1 for the position itself: 14.9 bytes instead of 72.9, or 13.8 instead of 36.9 with keys
//! only. A third of that, 12.3, is out of reach: it would leave 1.3 bytes for the moves, and an
//! entropy coder needs 1.4 for the move alone.
//!
//! A small book is loaded on opening; of a large one the header is read, and then the parts needed
//! by a lookup ([`ByteSource`]).
//!
//! Opening checks the header: its checksum, section sizes against the counts, and the length of the
//! file. Everything else is checked on use, and completely by [`Shob::verify`]. Damage causes at
//! worst an error or a wrong value: blocks are only decompressed to a length bounded by the counts.
//!
//! [`PackedSfen`]: sabi_shogi::PackedSfen

mod encode;
mod header;
mod moves;
mod positions;
mod reader;

pub use encode::{ShobOptions, ShobWriteError, encode, write};
pub use header::ShobError;
pub use reader::{CacheCounts, Entries, Shob, ShobEntry};

//! SABG, the files of self-play games, `.sabg`: compact, with a score for each move.
//!
//! Little-endian. Header: `SABIGAME`, version (`u32`), length of the settings text (`u32`), the
//! text in UTF-8, and the CRC-32 of all that (`u32`). The text holds the settings of the games; it
//! may be empty.
//!
//! The header is followed by blocks, so that a file grows by whole blocks. A block has a head of 24
//! bytes: `BLCK`, number of games, decompressed length, compressed length, CRC-32 of the compressed
//! bytes, CRC-32 of the head so far; then the compressed bytes (LZ4, block format). Decompressed,
//! they are columns, one after the other:
//!
//! | column | one element for each | as |
//! |---|---|---|
//! | numbers | game | difference from the number before, the first from 0; a varint with sign |
//! | outcomes | game | bits 0-1: result (draw, Black, White, unknown), bits 2-7: end reason |
//! | lengths | game | moves; a varint |
//! | starts | game | 0 for the start position, or 1, [`PackedSfen`], and the ply as a varint |
//! | moves | move | 16 bits, [`Move::bits`] |
//! | scores | move | 0 for none, or 1 + the signed difference from the prediction; a varint |
//!
//! Scores are for the side to move. A score of 30 predicts -30 for the opponent, and a move without
//! a score negates the prediction once more; a game begins at 0. A varint has seven bits per byte,
//! low first, and bit 7 set in all but the last; the sign is in bit 0.
//!
//! A killed writer leaves a truncated block. Readers report it, and [`GameFile`] removes it before
//! appending.
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.sabg");
//! use sabi_records::sabg::{Writer, read_blocks};
//! use sabi_records::{Game, read_file};
//! use sabi_shogi::{Position, Score};
//!
//! let mut game = Game::new(Position::startpos());
//! game.push("7g7f".parse()?, None, Some(Score::cp(30)));
//! let mut writer = Writer::new(std::fs::File::create(&path)?, "nodes 5000")?;
//! writer.push(1, &game)?;
//! writer.finish()?;
//!
//! for block in read_blocks(&path)? {
//!     for game in block?.games() {
//!         assert_eq!(game.scores, [Some(Score::cp(30))]);
//!     }
//! }
//! // As any other record, at a lower speed:
//! assert_eq!(read_file(&path).count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block;
mod file;

pub use super::error::SabgError;
pub use block::{Block, Start, StoredGame};
pub(super) use file::StoredGames;
pub use file::{Blocks, GameFile, GameFileError, Writer, is_sabg, read_blocks};

#[cfg(doc)]
use sabi_shogi::{Move, PackedSfen};

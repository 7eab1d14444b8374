//! Encoder of book files.

use super::header::{BLOCK, HEADER, Header, block_section, slot_bytes};
use super::moves::{NameNumbers, encode_moves, put_row};
use super::positions::{MAX_GAME_PLY, Tree, encode_positions};
use crate::{BookMap, BookMove, BookPosition, WIN_RATE_ONE, book_key};
use sabi_files::{crc32, replace_with_bytes};
use sabi_shogi::{MAX_MOVES, PackedSfen};
use std::io;
use std::path::Path;

/// Options of a book file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ShobOptions {
    /// Whether moves and positions are compressed with LZ4.
    pub compress: bool,
    /// Whether positions are stored besides their keys, so that the book can be exported.
    pub positions: bool,
}

/// Why a book cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ShobWriteError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("the position '{0}' has a wrong key")]
    WrongKey(String),
    #[error("duplicate move {mv} at '{sfen}'")]
    SameMove { mv: String, sfen: String },
    #[error("the book has too many {0}")]
    TooMany(&'static str),
    /// A win rate above one.
    #[error("a win rate of {0}/10000")]
    WinRate(u16),
    /// A position without a king that does not fit into 32 bytes.
    #[error("the position '{0}' cannot be packed")]
    Unpackable(String),
}

/// Writes a book to a file, replaced atomically.
///
/// # Errors
/// When the book does not fit the format, or writing fails; the old file is unchanged.
pub fn write(book: &BookMap, options: ShobOptions, path: &Path) -> Result<(), ShobWriteError> {
    Ok(replace_with_bytes(path, &encode(book, options)?)?)
}

/// The bytes of a book file, deterministic.
///
/// # Errors
/// When the book does not fit the format.
pub fn encode(book: &BookMap, options: ShobOptions) -> Result<Vec<u8>, ShobWriteError> {
    let entries: Vec<(u64, &BookPosition)> = book.iter().map(|(&key, entry)| (key, entry)).collect();
    // The last number is reserved, so that end counts fit as well.
    let count = u32::try_from(entries.len()).ok().filter(|&count| count < u32::MAX);
    let count = count.ok_or(ShobWriteError::TooMany("positions"))?;
    for &(key, entry) in &entries {
        check(key, entry)?;
    }
    let moves: usize = entries.iter().map(|(_, entry)| entry.moves.len()).sum();
    let moves = u32::try_from(moves).map_err(|_| ShobWriteError::TooMany("moves"))?;
    let keys: Vec<u8> = entries.iter().flat_map(|(key, _)| key.to_le_bytes()).collect();
    let mut names = NameNumbers::default();
    let [index, rows, positions] = if options.compress {
        packed_sections(&entries, options.positions, &mut names)?
    } else {
        plain_sections(&entries, options.positions, &mut names)?
    };
    let names = names.section().ok_or(ShobWriteError::TooMany("names"))?;
    let (mut bytes, mut bounds) = (vec![0; HEADER], [HEADER as u64; 6]);
    for (section, end) in [&keys, &index, &rows, &positions, &names].into_iter().zip(&mut bounds[1..]) {
        bytes.extend(section);
        *end = bytes.len() as u64;
    }
    let header = Header {
        compressed: options.compress,
        has_positions: options.positions,
        has_names: !names.is_empty(),
        positions: count,
        moves,
        bounds,
        checksum: crc32(&bytes[HEADER..]),
    };
    bytes[..HEADER].copy_from_slice(&header.to_bytes());
    Ok(bytes)
}

/// Checks that a position can be written.
fn check(key: u64, entry: &BookPosition) -> Result<(), ShobWriteError> {
    if book_key(&entry.position) != key {
        return Err(ShobWriteError::WrongKey(entry.position.sfen()));
    }
    if entry.position.ply() > MAX_GAME_PLY {
        return Err(ShobWriteError::TooMany("plies"));
    }
    if entry.moves.len() > MAX_MOVES {
        return Err(ShobWriteError::TooMany("moves of one position"));
    }
    if let Some(rate) = entry.moves.iter().filter_map(|mv| mv.win_rate).find(|&rate| rate > WIN_RATE_ONE) {
        return Err(ShobWriteError::WinRate(rate));
    }
    match duplicate_move(&entry.moves) {
        Some(mv) => Err(ShobWriteError::SameMove { mv: mv.mv.to_string(), sfen: entry.position.sfen() }),
        None => Ok(()),
    }
}

/// A duplicate move of a position.
pub(super) fn duplicate_move(moves: &[BookMove]) -> Option<&BookMove> {
    moves.iter().enumerate().find(|(at, mv)| moves[..*at].iter().any(|other| other.mv == mv.mv)).map(|(_, mv)| mv)
}

/// Index, moves and positions in key order, uncompressed.
fn plain_sections(
    entries: &[(u64, &BookPosition)],
    with_positions: bool,
    names: &mut NameNumbers,
) -> Result<[Vec<u8>; 3], ShobWriteError> {
    let (mut index, mut rows, mut positions) = (0u32.to_le_bytes().to_vec(), Vec::new(), Vec::new());
    let mut end = 0u32;
    for (_, entry) in entries {
        end += entry.moves.len() as u32;
        index.extend(end.to_le_bytes());
        entry.moves.iter().for_each(|mv| put_row(&mut rows, mv, names));
        if with_positions {
            let packed = PackedSfen::of(&entry.position);
            positions.extend(packed.ok_or_else(|| ShobWriteError::Unpackable(entry.position.sfen()))?.0);
            positions.extend(entry.position.ply().to_le_bytes());
        }
    }
    Ok([index, rows, positions])
}

/// Index, moves and positions in the order of the lines, block by block.
fn packed_sections(
    entries: &[(u64, &BookPosition)],
    with_positions: bool,
    names: &mut NameNumbers,
) -> Result<[Vec<u8>; 3], ShobWriteError> {
    let tree = Tree::of(entries);
    let order = tree.order(entries);
    let mut slots = vec![0u32; order.len()];
    order.iter().enumerate().for_each(|(slot, &rank)| slots[rank as usize] = slot as u32);
    let width = slot_bytes(order.len() as u32);
    let index = slots.iter().flat_map(|slot| slot.to_le_bytes().into_iter().take(width)).collect();
    let (mut rows, mut packed) = (Vec::new(), Vec::new());
    for block in order.chunks(BLOCK) {
        let moves: Vec<&[BookMove]> = block.iter().map(|&rank| &*entries[rank as usize].1.moves).collect();
        rows.push(encode_moves(&moves, names));
        if with_positions {
            packed.push(encode_positions(block, entries, &tree).map_err(ShobWriteError::Unpackable)?);
        }
    }
    Ok([index, block_section(&rows), block_section(&packed)])
}

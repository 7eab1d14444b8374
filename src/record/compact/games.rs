//! The games of a file.

use super::columns::Block;
use super::frame::{Frames, MAGIC};
use crate::position::{PackedSfen, PackedSfenError, Position, STARTPOS_SFEN};
use crate::record::builder::{Builder, Outcome};
use crate::record::error::{Fault, Located, RecordError};
use crate::record::game::{EndReason, Game, GameResult};
use crate::record::illegal::IllegalReason;
use crate::record::packed::PackError;
use crate::types::{Color, Move, Score};
use crate::util::open_regular;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

/// How a game begins.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Start {
    /// As an even game.
    Even,
    /// In a position.
    Packed {
        /// The position.
        position: PackedSfen,
        /// The number of the first move.
        ply: u32,
    },
}

impl Start {
    /// No game begins later.
    pub(super) const LAST_PLY: u32 = 1 << 20;

    /// That of a position.
    ///
    /// # Errors
    /// When it does not fit into 32 bytes.
    pub fn of(position: &Position) -> Result<Self, PackError> {
        if position.sfen() == STARTPOS_SFEN {
            return Ok(Self::Even);
        }
        let ply = position.ply().clamp(1, Self::LAST_PLY);
        Ok(Self::Packed { position: PackedSfen::of(position).ok_or(PackError::DoesNotFit)?, ply })
    }

    /// The position.
    ///
    /// # Errors
    /// When the bytes are none.
    pub fn position(&self) -> Result<Position, PackedSfenError> {
        match self {
            Self::Even => Ok(Position::startpos()),
            Self::Packed { position, ply } => position.position(*ply),
        }
    }
}

/// A game as it stands in a block: neither its start nor its moves are checked against the rules.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct StoredGame<'a> {
    /// Its number; for games of self-play the seed.
    pub number: u64,
    /// How it begins.
    pub start: Start,
    /// Who won.
    pub result: GameResult,
    /// Why it ended.
    pub end: EndReason,
    /// The moves.
    pub moves: &'a [Move],
    /// What each move was thought to be worth, from the view of the side that played it; `None` where that is not known.
    pub scores: &'a [Option<Score>],
}

impl StoredGame<'_> {
    /// Shows every position in which a move was played, with the move and its score, and gives the last position. This is the fast way
    /// through many games.
    ///
    /// # Errors
    /// When the first position is none, or a move is illegal. What was before it has been shown then.
    pub fn replay(&self, mut show: impl FnMut(&Position, Move, Option<Score>)) -> Result<Position, Fault> {
        let mut position = self.start.position()?;
        for (at, (&mv, &score)) in self.moves.iter().zip(self.scores).enumerate() {
            if !position.is_legal(mv) {
                return Err(illegal(&position, mv, at + 1));
            }
            show(&position, mv, score);
            position.play(mv);
        }
        Ok(position)
    }

    /// The game as every reader gives it. Its number becomes its event.
    ///
    /// # Errors
    /// When the first position is none, or a move is illegal.
    pub fn game(&self) -> Result<Game, Fault> {
        let mut builder = Builder::new(self.start.position()?, 0);
        for (&mv, score) in self.moves.iter().zip(self.scores) {
            if IllegalReason::of(builder.position(), mv).is_some() {
                return Err(illegal(builder.position(), mv, builder.number()));
            }
            let black = builder.position().side_to_move() == Color::Black;
            let score = score.map(|score| if black { score } else { -score });
            builder.push(mv, score);
        }
        builder.game().event = Some(format!("game {}", self.number));
        let outcome = match self.result {
            GameResult::Draw => Outcome::Draw,
            result => result.winner().map_or(Outcome::Unknown, Outcome::Wins),
        };
        builder.end((self.end, outcome));
        Ok(builder.finish())
    }

    /// The same for games with the same start and the same moves, and for hardly any others. Not to be kept: it may change with the
    /// program.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.start.hash(&mut hasher);
        self.moves.hash(&mut hasher);
        hasher.finish()
    }
}

fn illegal(position: &Position, mv: Move, number: usize) -> Fault {
    match IllegalReason::of(position, mv) {
        Some(reason) => Fault::Illegal { number, text: mv.to_string(), reason },
        None => Fault::NotAMove(mv.to_string()),
    }
}

/// The blocks of a file, in order. A damaged one is one error, and those behind it are still read where it is known how long it is.
pub struct Blocks {
    file: PathBuf,
    frames: Frames,
}

impl Blocks {
    /// Reads the header of a stream; errors name it so.
    ///
    /// # Errors
    /// When it is something else, or damaged.
    pub fn new(name: impl AsRef<Path>, stream: impl Read + Send + 'static) -> Result<Self, RecordError> {
        let file = name.as_ref().to_owned();
        match Frames::new(Box::new(stream)) {
            Ok(frames) => Ok(Self { file, frames }),
            Err(fault) => Err(RecordError { file, line: 0, fault }),
        }
    }

    /// What the file says about the settings that its games were made with.
    pub fn settings(&self) -> &str {
        self.frames.settings()
    }

    /// How many games the blocks so far hold, the damaged ones included.
    pub const fn games(&self) -> usize {
        self.frames.games()
    }

    /// How many bytes belong to the header and to blocks that were written to their end, as far as they have been read.
    pub(super) const fn whole(&self) -> u64 {
        self.frames.whole()
    }
}

impl Iterator for Blocks {
    type Item = Result<Block, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let error = |Located { line, fault }| RecordError { file: self.file.clone(), line, fault };
        self.frames.next().map(|block| block.map_err(error))
    }
}

/// The blocks of a file.
///
/// # Errors
/// When the file cannot be read, is something else, or its header is damaged.
pub fn read_blocks(path: impl AsRef<Path>) -> Result<Blocks, RecordError> {
    let path = path.as_ref();
    match open_regular(path) {
        Ok(file) => Blocks::new(path, BufReader::with_capacity(1 << 16, file)),
        Err(error) => Err(RecordError { file: path.to_owned(), line: 0, fault: error.into() }),
    }
}

/// Whether a file that begins so is one of compact games.
pub fn is_compact(head: &[u8]) -> bool {
    head.starts_with(&MAGIC)
}

/// The games of a stream, one by one, each with its number in the file.
pub(in crate::record) struct Stored {
    frames: Frames,
    block: Block,
    /// The next game of the block.
    next: usize,
    /// Games before the block.
    before: usize,
}

impl Stored {
    pub(in crate::record) fn new(reader: Box<dyn Read + Send>) -> Result<Self, Fault> {
        Ok(Self { frames: Frames::new(reader)?, block: Block::default(), next: 0, before: 0 })
    }
}

impl Iterator for Stored {
    type Item = Result<Game, Located>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.block.game(self.next) {
                self.next += 1;
                let number = self.before + self.next;
                let game = game.game().map(|game| Game { line: number, ..game });
                return Some(game.map_err(|fault| fault.at(number)));
            }
            let before = self.frames.games();
            match self.frames.next()? {
                Ok(block) => (self.block, self.next, self.before) = (block, 0, before),
                Err(located) => return Some(Err(located)),
            }
        }
    }
}

//! A block of games as columns, and the games in it.

use crate::builder::{Builder, WordResult};
use crate::error::{Fault, SabgError};
use crate::game::{EndReason, Game, GameResult};
use crate::training::PackError;
use sabi_files::{Cursor, put_varint};
use sabi_shogi::{MAX_GAME_MOVES, Move, PackedSfen, PackedSfenError, Position, STARTPOS_SFEN, Score};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Start of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Start {
    /// The start position.
    Even,
    /// A packed position.
    Packed {
        /// The position.
        position: PackedSfen,
        /// Its move number.
        ply: u32,
    },
}

impl Start {
    /// Maximum move number of a start.
    const LAST_PLY: u32 = 1 << 20;

    /// The start of a position.
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
    /// When the bytes are invalid.
    pub fn position(&self) -> Result<Position, PackedSfenError> {
        match self {
            Self::Even => Ok(Position::startpos()),
            Self::Packed { position, ply } => position.position(*ply),
        }
    }
}

/// A game as stored in a block, not checked against the rules.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct StoredGame<'a> {
    /// Its number; the seed for self-play games.
    pub number: u64,
    /// How it begins.
    pub start: Start,
    /// Who won.
    pub result: GameResult,
    /// Why it ended.
    pub end: EndReason,
    /// The moves.
    pub moves: &'a [Move],
    /// Score of each move for the side that played it; `None` if unknown.
    pub scores: &'a [Option<Score>],
}

impl StoredGame<'_> {
    /// Calls `show` for every position with the move played and its score, and returns the last
    /// position: the fast way through many games.
    ///
    /// # Errors
    /// When the first position is invalid, or a move illegal. Earlier positions have been shown
    /// then.
    pub fn replay(&self, mut show: impl FnMut(&Position, Move, Option<Score>)) -> Result<Position, Fault> {
        let mut position = self.start.position()?;
        for (at, (&mv, &score)) in self.moves.iter().zip(self.scores).enumerate() {
            Fault::of_move(&position, mv, at + 1, mv)?;
            show(&position, mv, score);
            position.play(mv);
        }
        Ok(position)
    }

    /// The game as returned by every reader. Its number becomes its event.
    ///
    /// # Errors
    /// When the first position is invalid, or a move illegal.
    pub fn game(&self) -> Result<Game, Fault> {
        let mut builder = Builder::new(self.start.position()?, 0);
        for (&mv, score) in self.moves.iter().zip(self.scores) {
            Fault::of_move(builder.position(), mv, builder.number(), mv)?;
            let mover = builder.position().side_to_move();
            builder.push(mv, score.map(|score| score.for_black(mover)));
        }
        builder.game.headers.event = Some(format!("game {}", self.number));
        let outcome = match self.result {
            GameResult::Draw => WordResult::Draw,
            result => result.winner().map_or(WordResult::Unknown, WordResult::Wins),
        };
        builder.end((self.end, outcome));
        Ok(builder.finish())
    }

    /// A hash of start and moves. Not to be stored: it may change between versions.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.start.hash(&mut hasher);
        self.moves.hash(&mut hasher);
        hasher.finish()
    }
}

/// By their codes.
const RESULTS: [GameResult; 4] = [GameResult::Draw, GameResult::BlackWins, GameResult::WhiteWins, GameResult::Unknown];

/// A block of games.
#[derive(Clone, Debug, Default)]
pub struct Block {
    heads: Vec<Head>,
    moves: Vec<Move>,
    scores: Vec<Option<Score>>,
}

/// A game without its moves.
#[derive(Copy, Clone, Debug)]
struct Head {
    number: u64,
    start: Start,
    result: GameResult,
    end: EndReason,
    /// End index of its moves in the block.
    moves: usize,
}

impl Block {
    /// Number of games.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Number of moves of all games.
    pub fn moves(&self) -> usize {
        self.moves.len()
    }

    /// The games.
    pub fn games(&self) -> impl Iterator<Item = StoredGame<'_>> {
        (0..self.heads.len()).filter_map(|at| self.game(at))
    }

    /// One of the games.
    pub fn game(&self, at: usize) -> Option<StoredGame<'_>> {
        let &Head { number, start, result, end, moves } = self.heads.get(at)?;
        let range = at.checked_sub(1).map_or(0, |before| self.heads[before].moves)..moves;
        Some(StoredGame { number, start, result, end, moves: &self.moves[range.clone()], scores: &self.scores[range] })
    }

    /// Adds a game with its number.
    ///
    /// # Errors
    /// When its first position does not fit, or it is too long. Nothing is added then.
    pub fn push(&mut self, number: u64, game: &Game) -> Result<(), PackError> {
        let first = game.start.side_to_move();
        let score = |(at, score): (usize, &Option<Score>)| {
            let mover = if at % 2 == 0 { first } else { !first };
            score.map(|score| score.for_black(mover))
        };
        let scores: Vec<_> = game.scores.iter().enumerate().map(score).collect();
        let start = Start::of(&game.start)?;
        let (moves, scores) = (&game.moves[..], &scores[..]);
        self.push_stored(StoredGame { number, start, result: game.result, end: game.end, moves, scores })
    }

    /// Adds a game of another block.
    ///
    /// # Errors
    /// When it is too long.
    pub fn push_stored(&mut self, game: StoredGame<'_>) -> Result<(), PackError> {
        let StoredGame { number, start, result, end, moves, scores } = game;
        if moves.len() > MAX_GAME_MOVES {
            return Err(PackError::TooLong(MAX_GAME_MOVES));
        }
        self.moves.extend(moves);
        self.scores.extend(scores);
        self.heads.push(Head { number, start, result, end, moves: self.moves.len() });
        Ok(())
    }

    /// Removes all games.
    pub fn clear(&mut self) {
        self.heads.clear();
        self.moves.clear();
        self.scores.clear();
    }

    /// The columns as in an uncompressed block.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(4 * self.moves.len() + 8 * self.heads.len());
        let mut before = 0;
        for head in &self.heads {
            put_varint(&mut bytes, head.number.wrapping_sub(before).cast_signed());
            before = head.number;
        }
        for head in &self.heads {
            let result = RESULTS.iter().position(|&result| result == head.result).unwrap_or(3);
            let end = EndReason::ALL.iter().position(|&end| end == head.end).unwrap_or(0);
            bytes.push((end << 2 | result) as u8);
        }
        self.games().for_each(|game| put_varint(&mut bytes, game.moves.len()));
        for head in &self.heads {
            match head.start {
                Start::Even => bytes.push(0),
                Start::Packed { position, ply } => {
                    bytes.push(1);
                    bytes.extend(position.0);
                    put_varint(&mut bytes, ply);
                }
            }
        }
        bytes.extend(self.moves.iter().flat_map(|mv| mv.bits().to_le_bytes()));
        for game in self.games() {
            let mut expected = 0;
            for score in game.scores {
                put_varint(&mut bytes, score.map_or(0, |score| 1 + zigzag(score.get() - expected)));
                expected = -score.map_or(expected, Score::get);
            }
        }
        bytes
    }

    /// Inverse of [`Block::encode`], given the number of games. The moves may be illegal.
    ///
    /// # Errors
    /// When the bytes are not columns of this many games.
    pub fn decode(raw: &[u8], games: usize) -> Result<Self, SabgError> {
        let mut bytes = Cursor(raw);
        let heads = decode_heads(&mut bytes, games)?;
        let count = heads.last().map_or(0, |head| head.moves);
        let moves =
            bytes.bytes(2 * count)?.as_chunks::<2>().0.iter().map(|&bits| Move::from_bits(u16::from_le_bytes(bits)));
        let moves = moves.collect::<Option<Vec<_>>>().ok_or(SabgError::Content("invalid move"))?;
        let scores = decode_scores(&mut bytes, &heads)?;
        if !bytes.is_empty() {
            return Err(SabgError::Content("something follows its last score"));
        }
        Ok(Self { heads, moves, scores })
    }
}

fn decode_heads(bytes: &mut Cursor<'_>, games: usize) -> Result<Vec<Head>, SabgError> {
    // The length of a block bounds the number of its games.
    let mut heads = Vec::with_capacity(games.min(bytes.0.len()));
    let mut number = 0u64;
    for _ in 0..games {
        number = number.wrapping_add(bytes.varint::<i64>()?.cast_unsigned());
        let (result, end) = (GameResult::Unknown, EndReason::Unknown);
        heads.push(Head { number, start: Start::Even, result, end, moves: 0 });
    }
    for head in &mut heads {
        let outcome = bytes.array().map(|[outcome]: [u8; 1]| usize::from(outcome))?;
        head.result = RESULTS[outcome & 3];
        head.end = *EndReason::ALL.get(outcome >> 2).ok_or(SabgError::Content("unknown end of a game"))?;
    }
    let mut moves = 0;
    for head in &mut heads {
        let length = Some(bytes.varint::<usize>()?).filter(|&length| length <= MAX_GAME_MOVES);
        moves += length.ok_or(SabgError::Content("a game is too long"))?;
        head.moves = moves;
    }
    for head in &mut heads {
        head.start = match bytes.array()? {
            [0] => Start::Even,
            [1] => {
                let position = bytes.array()?;
                let ply =
                    u32::try_from(bytes.varint::<u64>()?).ok().filter(|&ply| (1..=Start::LAST_PLY).contains(&ply));
                let ply = ply.ok_or(SabgError::Content("the move number of a start position is out of range"))?;
                Start::Packed { position: PackedSfen(position), ply }
            }
            _ => return Err(SabgError::Content("unknown kind of start position")),
        };
    }
    Ok(heads)
}

fn decode_scores(bytes: &mut Cursor<'_>, heads: &[Head]) -> Result<Vec<Option<Score>>, SabgError> {
    let count = heads.last().map_or(0, |head| head.moves);
    let mut scores = Vec::with_capacity(count.min(bytes.0.len()));
    for head in heads {
        let mut expected = 0;
        while scores.len() < head.moves {
            let score = match bytes.varint::<u64>()?.checked_sub(1) {
                None => None,
                Some(code) => {
                    let score = unzigzag(code).checked_add(expected);
                    let score = score.filter(|score| score.unsigned_abs() <= Score::INFINITE.get() as u64);
                    let score = score.ok_or(SabgError::Content("a score is out of range"))?;
                    expected = score;
                    Some(Score::raw(score as i32))
                }
            };
            expected = -expected;
            scores.push(score);
        }
    }
    Ok(scores)
}

/// The sign in bit 0, as in a varint.
fn zigzag(value: i32) -> u64 {
    u64::from(((value << 1) ^ (value >> 31)).cast_unsigned())
}

/// The inverse of [`zigzag`].
const fn unzigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -((value & 1).cast_signed())
}

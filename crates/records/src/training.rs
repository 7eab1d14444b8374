//! Training data, `hcpe` and PSV: a packed record for each position, with score, move and result.
//! Read as positions, or joined into games.

use super::builder::{Builder, WordResult};
use super::error::{Fault, Located, RecordError};
use super::game::{EndReason, Game, GameResult};
use sabi_files::open_regular;
use sabi_shogi::{HuffmanCodedPos, Move, PackedSfen, Position, Score};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// A training position with its labels.
#[derive(Clone, Debug)]
pub struct TrainingPosition {
    /// The position. Its history may be empty, and its move number is 1 if the format has none.
    pub position: Position,
    /// Score for the side to move. Packed records always have a score; 0 if unknown.
    pub score: Option<Score>,
    /// The move played or found best; legal.
    pub mv: Move,
    /// Who won the game.
    pub result: GameResult,
}

impl Game {
    /// The positions of the game in order, each with its move, without the last.
    pub fn training_positions(&self) -> impl Iterator<Item = TrainingPosition> {
        let mut next = self.start.clone();
        self.moves.iter().zip(&self.scores).map(move |(&mv, &score)| {
            let position = next.clone();
            next.play(mv);
            let score = score.map(|score| score.for_black(position.side_to_move()));
            TrainingPosition { position, score, mv, result: self.result }
        })
    }
}

/// A format of packed training data.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PackedFormat {
    /// `HuffmanCodedPosAndEval` of Apery, dlshogi and cshogi: 38 bytes, without the move number.
    Hcpe,
    /// `PackedSfenValue` of YaneuraOu: 40 bytes.
    Psv,
}

/// Why a position cannot be packed.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum PackError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("packed records cannot store an unknown result")]
    UnknownResult,
    /// A king is missing, and the last bit is not 0.
    #[error("a king is missing, and the position does not fit into 32 bytes")]
    DoesNotFit,
    #[error("the game is longer than {0} moves")]
    TooLong(usize),
}

impl PackedFormat {
    const ALL: [Self; 2] = [Self::Hcpe, Self::Psv];
    /// Records examined to detect the format of a file.
    const SNIFFED: usize = 4;
    /// Bytes examined to detect the format of a file.
    pub(super) const SNIFFED_BYTES: u64 = (Self::SNIFFED * PSV_BYTES) as u64;

    /// The format of a file extension.
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "hcpe" => Some(Self::Hcpe),
            "psv" => Some(Self::Psv),
            _ => None,
        }
    }

    /// Bytes per record.
    pub const fn record_bytes(self) -> usize {
        match self {
            Self::Hcpe => HCPE_BYTES,
            Self::Psv => PSV_BYTES,
        }
    }

    /// Writes one record. An unknown score is written as 0, as by other programs.
    ///
    /// # Errors
    /// When the position cannot be packed (nothing is written then), or writing fails.
    pub fn write(self, out: &mut impl Write, position: &TrainingPosition) -> Result<(), PackError> {
        match self {
            Self::Hcpe => out.write_all(&pack_hcpe(position)?)?,
            Self::Psv => out.write_all(&pack_psv(position)?)?,
        }
        Ok(())
    }

    /// Reads one record, of exactly [`PackedFormat::record_bytes`].
    pub(super) fn read(self, record: &[u8]) -> Result<TrainingPosition, Fault> {
        let cut = || Fault::TruncatedRecord { length: record.len(), expected: self.record_bytes() };
        let read = match self {
            Self::Hcpe => unpack_hcpe(record.try_into().map_err(|_| cut())?),
            Self::Psv => unpack_psv(record.try_into().map_err(|_| cut())?),
        }?;
        Fault::of_move(&read.position, read.mv, read.position.ply() as usize, read.mv)?;
        Ok(read)
    }

    /// Move number of a record as written, for some programs count from 0; `None` if the format has
    /// none.
    fn move_number(self, record: &[u8]) -> Option<u16> {
        match self {
            Self::Hcpe => None,
            Self::Psv => record.get(36..38).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]])),
        }
    }

    /// The format of a file of this length and start: the length must be a multiple of the record
    /// size, and the first records must be valid. Text is never recognised.
    pub fn detect(head: &[u8], length: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|format| {
            let size = format.record_bytes();
            let mut records = head.chunks_exact(size).take(Self::SNIFFED).peekable();
            length.is_multiple_of(size as u64)
                && records.peek().is_some()
                && records.all(|record| format.read(record).is_ok())
        })
    }
}

/// A score field of both formats.
const fn score_of(bytes: [u8; 2]) -> Option<Score> {
    Some(Score::raw(i16::from_le_bytes(bytes) as i32))
}

fn bytes_of(score: Option<Score>) -> [u8; 2] {
    (score.unwrap_or_default().get() as i16).to_le_bytes()
}

/// `hcpe`: position, score (`i16`, from the side to move), move (`u16`), result (`i8`: 0 draw, 1
/// Black, 2 White), one byte unused.
const HCPE_BYTES: usize = 38;

fn unpack_hcpe(record: &[u8; HCPE_BYTES]) -> Result<TrainingPosition, Fault> {
    let [position @ .., s0, s1, m0, m1, result, _] = *record;
    let move_bits = u16::from_le_bytes([m0, m1]);
    Ok(TrainingPosition {
        position: HuffmanCodedPos(position).position(1)?,
        score: score_of([s0, s1]),
        mv: Move::from_bits(move_bits).ok_or(Fault::MoveBits(move_bits))?,
        result: match result {
            0 => GameResult::Draw,
            1 => GameResult::BlackWins,
            2 => GameResult::WhiteWins,
            other => return Err(Fault::ResultByte(other.cast_signed())),
        },
    })
}

fn pack_hcpe(sample: &TrainingPosition) -> Result<[u8; HCPE_BYTES], PackError> {
    let result = match sample.result {
        GameResult::Draw => 0,
        GameResult::BlackWins => 1,
        GameResult::WhiteWins => 2,
        GameResult::Unknown => return Err(PackError::UnknownResult),
    };
    let mut record = [0; HCPE_BYTES];
    record[..32].copy_from_slice(&HuffmanCodedPos::of(&sample.position).ok_or(PackError::DoesNotFit)?.0);
    record[32..34].copy_from_slice(&bytes_of(sample.score));
    record[34..36].copy_from_slice(&sample.mv.bits().to_le_bytes());
    record[36] = result;
    Ok(record)
}

/// PSV: position, score (`i16`, from the side to move), move (`u16`), move number (`u16`), result
/// (`i8`: 1 the side to move won, -1 it lost, 0 draw), one byte unused.
const PSV_BYTES: usize = 40;

fn unpack_psv(record: &[u8; PSV_BYTES]) -> Result<TrainingPosition, Fault> {
    let [position @ .., s0, s1, m0, m1, p0, p1, result, _] = *record;
    let move_bits = u16::from_le_bytes([m0, m1]);
    let ply = u16::from_le_bytes([p0, p1]);
    let position = PackedSfen(position).position(ply.into())?;
    let mover = position.side_to_move();
    Ok(TrainingPosition {
        position,
        score: score_of([s0, s1]),
        mv: Move::from_yaneuraou(move_bits).ok_or(Fault::MoveBits(move_bits))?,
        result: match result.cast_signed() {
            0 => GameResult::Draw,
            1 => GameResult::won_by(mover),
            -1 => GameResult::won_by(!mover),
            other => return Err(Fault::ResultByte(other)),
        },
    })
}

fn pack_psv(sample: &TrainingPosition) -> Result<[u8; PSV_BYTES], PackError> {
    let result = match sample.result {
        GameResult::Draw => 0i8,
        GameResult::Unknown => return Err(PackError::UnknownResult),
        won if won == GameResult::won_by(sample.position.side_to_move()) => 1,
        _ => -1,
    };
    // Saturated; no game has this many moves.
    let ply = u16::try_from(sample.position.ply()).unwrap_or(u16::MAX);
    let mut record = [0; PSV_BYTES];
    record[..32].copy_from_slice(&PackedSfen::of(&sample.position).ok_or(PackError::DoesNotFit)?.0);
    record[32..34].copy_from_slice(&bytes_of(sample.score));
    record[34..36].copy_from_slice(&sample.mv.to_yaneuraou().to_le_bytes());
    record[36..38].copy_from_slice(&ply.to_le_bytes());
    record[38] = result.cast_unsigned();
    Ok(record)
}

/// The records of a stream, each with its number from 1.
pub(super) struct Records {
    format: PackedFormat,
    /// `None` after the end.
    reader: Option<Box<dyn BufRead + Send>>,
    /// Number of the last record.
    pub number: usize,
    /// Move number of the last record as written; `None` if the format has none.
    pub move_number: Option<u16>,
}

impl Records {
    pub(super) fn new(format: PackedFormat, reader: Box<dyn BufRead + Send>) -> Self {
        Self { format, reader: Some(reader), number: 0, move_number: None }
    }
}

impl Iterator for Records {
    type Item = Result<TrainingPosition, Located>;

    fn next(&mut self) -> Option<Self::Item> {
        let size = self.format.record_bytes();
        let mut record = Vec::with_capacity(size);
        let found = self.reader.as_mut()?.take(size as u64).read_to_end(&mut record);
        self.number += 1;
        self.move_number = self.format.move_number(&record);
        if record.len() < size {
            // The end, or an error.
            self.reader = None;
        }
        let read = match found {
            Ok(0) => return None,
            Ok(_) => self.format.read(&record),
            Err(error) => Err(error.into()),
        };
        Some(read.map_err(|fault| fault.at(self.number)))
    }
}

/// The positions of a file of packed training data, in order. A bad record is one error, and later
/// ones are still read.
pub struct Positions {
    file: PathBuf,
    records: Records,
}

impl Positions {
    /// The positions of a stream; `name` is used in errors.
    pub fn new(name: impl AsRef<Path>, format: PackedFormat, stream: impl Read + Send + 'static) -> Self {
        let records = Records::new(format, Box::new(BufReader::new(stream)));
        Self { file: name.as_ref().to_owned(), records }
    }
}

impl Iterator for Positions {
    type Item = Result<TrainingPosition, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.records.next().map(|position| position.map_err(|located| located.of_file(&self.file)))
    }
}

/// The positions of a file of packed training data. The format is detected by content.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("data.psv");
/// use sabi_records::{PackedFormat, read_bytes, read_positions};
///
/// let game = read_bytes("a.usi", b"startpos moves 7g7f 3c3d resign".to_vec()).next().expect("a game")?;
/// let mut file = std::fs::File::create(&path)?;
/// for position in game.training_positions() {
///     PackedFormat::Psv.write(&mut file, &position)?;
/// }
/// let moves = read_positions(&path)?.map(|read| read.map(|read| read.mv.to_string()));
/// assert_eq!(moves.collect::<Result<Vec<_>, _>>()?, ["7g7f", "3c3d"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file cannot be read, or its first records are in neither format.
pub fn read_positions(path: impl AsRef<Path>) -> Result<Positions, RecordError> {
    let path = path.as_ref();
    let open = || -> Result<_, Fault> {
        let mut file = open_regular(path)?;
        let (head, length) = head(&mut file)?;
        let format = PackedFormat::detect(&head, length).ok_or(Fault::UnknownFormat)?;
        Ok(Positions::new(path, format, file))
    };
    open().map_err(|fault| fault.at(0).of_file(path))
}

/// What a binary format is recognised by: the start of a file, and its length; the file is rewound.
pub(super) fn head(file: &mut File) -> io::Result<(Vec<u8>, u64)> {
    let mut head = Vec::new();
    file.take(PackedFormat::SNIFFED_BYTES).read_to_end(&mut head)?;
    file.rewind()?;
    Ok((head, file.metadata()?.len()))
}

/// The games of a stream of records. A missing or bad record ends a game, and the next begins in
/// the middle.
pub(super) struct Chain {
    records: Records,
    /// The current game and its result.
    open: Option<(Builder, GameResult)>,
    /// Move number of its last record.
    last: Option<u16>,
    /// Fault of the record that ended the last game.
    fault: Option<Located>,
}

impl Chain {
    pub(super) const fn new(records: Records) -> Self {
        Self { records, open: None, last: None, fault: None }
    }

    /// Adds a record; returns the game that it ends.
    fn add(&mut self, sample: &TrainingPosition) -> Option<Game> {
        let ended = if self.belongs(sample) { None } else { self.close() };
        self.last = self.records.move_number;
        let number = self.records.number;
        let (builder, _) =
            self.open.get_or_insert_with(|| (Builder::new(sample.position.clone(), number), sample.result));
        let text = sample.mv.to_string();
        if let Err(located) = builder.read_move(&text, number, |_| Ok(sample.mv)) {
            self.fault = Some(located);
            return ended.or_else(|| self.close());
        }
        if let Some(score) = sample.score {
            builder.set_score(score.for_black(sample.position.side_to_move()));
        }
        ended
    }

    fn belongs(&self, sample: &TrainingPosition) -> bool {
        self.open.as_ref().is_some_and(|(builder, result)| {
            let (here, next) = (builder.position(), &sample.position);
            let numbered = self.records.move_number == self.last.map(|last| last.saturating_add(1));
            here.key() == next.key() && *result == sample.result && numbered
        })
    }

    /// Ends the current game.
    fn close(&mut self) -> Option<Game> {
        let (mut builder, result) = self.open.take()?;
        let outcome = result.winner().map_or(WordResult::Draw, WordResult::Wins);
        builder.end((EndReason::Unknown, outcome));
        Some(builder.finish())
    }
}

impl Iterator for Chain {
    type Item = Result<Game, Located>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(fault) = self.fault.take() {
                return Some(Err(fault));
            }
            let game = match self.records.next() {
                None => return self.close().map(Ok),
                Some(Ok(sample)) => self.add(&sample).map(Ok),
                Some(Err(fault)) => {
                    self.fault = Some(fault);
                    self.close().map(Ok)
                }
            };
            if game.is_some() {
                return game;
            }
        }
    }
}

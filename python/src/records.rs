//! Game records: read from files, bytes and text, and written.

use crate::board::Board;
use crate::moves::{any_move, move_list};
use crate::{Int, RecordError, value_error};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator, PyList};
use sabi_files::replace_file;
use sabi_records::sabg::Writer;
use sabi_records::{
    Clock, EndReason, Fault, Game as Record, GameResult, Games as RecordStream, IllegalReason, Notation, PackError,
    PackedFormat, RecordError as ReadError, file_content, japanese_move, read_bytes, read_file, record_files,
};
use sabi_shogi::{Color, MAX_GAME_MOVES, Position, Score};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The error of a record, with its file and line; of a file that cannot be read, an `OSError`.
fn record_error(py: Python<'_>, error: &ReadError) -> PyErr {
    if let Fault::Io(cause) = &error.fault {
        return io::Error::new(cause.kind(), error.to_string()).into();
    }
    let raised = RecordError::new_err(error.to_string());
    let value = raised.value(py);
    // The message has both; attributes are for programs.
    let _ = value.setattr("file", error.file.display().to_string());
    let _ = value.setattr("line", error.line);
    raised
}

/// One game: first position, moves, times, scores, comments, result, players. Every move is legal.
///
/// `Game()` is a game without moves from the start position, `Game(board)` the game that led to a
/// board.
#[pyclass(module = "sabi")]
pub(crate) struct Game {
    pub record: Record,
}

const RESULTS: [GameResult; 4] = [GameResult::BlackWins, GameResult::WhiteWins, GameResult::Draw, GameResult::Unknown];

fn names<T: Copy>(all: &[T], name: impl Fn(T) -> &'static str) -> String {
    all.iter().map(|&one| name(one)).collect::<Vec<_>>().join(", ")
}

fn duration(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let valid =
        |seconds| Duration::try_from_secs_f64(seconds).map_err(|_| value_error(format!("{seconds} s is no time")));
    seconds.map(valid).transpose()
}

impl Game {
    fn ply(&self, ply: Option<Int>) -> PyResult<usize> {
        let last = self.record.moves.len();
        let Some(Int(ply)) = ply else { return Ok(last) };
        let counted = if ply < 0 { ply.saturating_add(last as i64 + 1) } else { ply };
        let valid = usize::try_from(counted).ok().filter(|&ply| ply <= last);
        valid.ok_or_else(|| value_error(format!("there is no ply {ply}: the game has {last} moves")))
    }

    /// The game in KI2, whose headers are those of KIF.
    fn ki2(&self) -> String {
        let mut bare = Record::new(self.record.start.clone());
        bare.headers = self.record.headers.clone();
        let headers = Notation::Kif.write(&bare);
        let headers =
            headers.lines().take_while(|line| !line.starts_with("手数")).filter(|line| !line.starts_with('#'));
        let mut text = headers.collect::<Vec<_>>().join("\n") + "\n\n";
        let mut position = self.record.start.clone();
        let mut column = 0;
        for (ply, &mv) in (1..).zip(&self.record.moves) {
            text += if column == 0 { "" } else { " " };
            text += &japanese_move(&position, mv);
            position.play(mv);
            column = (column + 1) % 6;
            let comments = self.record.comments_at(ply);
            if column == 0 || !comments.is_empty() {
                text.push('\n');
                column = 0;
            }
            comments.iter().for_each(|line| text += &format!("*{line}\n"));
        }
        if column != 0 {
            text.push('\n');
        }
        // The sentence of the end is the last line of KIF, if there is one.
        let kif = Notation::Kif.write(&self.record);
        if let Some(end) = kif.lines().rev().find(|line| line.starts_with("まで")) {
            text += &format!("{end}\n");
        }
        text
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (board = None))]
    fn new(board: Option<&Bound<'_, Board>>) -> PyResult<Self> {
        let record = match board {
            Some(board) => Record::before(&board.try_borrow()?.position),
            None => Record::new(Position::startpos()),
        };
        Ok(Self { record })
    }

    /// The first position, a new board.
    #[getter]
    fn start(&self) -> Board {
        Board { position: self.record.start.clone() }
    }

    /// The moves, a new list.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        move_list(py, &self.record.moves)
    }

    /// Seconds spent for each move, `None` where unknown.
    #[getter]
    fn times(&self) -> Vec<Option<f64>> {
        self.record.times.iter().map(|time| time.map(|time| time.as_secs_f64())).collect()
    }

    /// The player's score of each move in centipawns for Black, `None` where unknown. ±(32000 - n) is
    /// mate in n.
    #[getter]
    fn scores(&self) -> Vec<Option<i32>> {
        self.record.scores.iter().map(|score| score.map(Score::get)).collect()
    }

    /// Comment lines of the start and of the position after each move: one list more than moves.
    #[getter]
    fn comments(&self) -> Vec<Vec<String>> {
        (0..=self.record.moves.len()).map(|ply| self.record.comments_at(ply).to_vec()).collect()
    }

    /// Who won: `"black"`, `"white"`, `"draw"` or `"unknown"`.
    #[getter]
    fn result(&self) -> &'static str {
        self.record.result.name()
    }

    #[setter]
    fn set_result(&mut self, result: &str) -> PyResult<()> {
        let known = RESULTS.into_iter().find(|known| known.name() == result);
        self.record.result = known.ok_or_else(|| {
            value_error(format!("{result:?} is no result: they are {}", names(&RESULTS, GameResult::name)))
        })?;
        Ok(())
    }

    /// `BLACK` or `WHITE`; `None` for a draw or an unknown result.
    #[getter]
    fn winner(&self) -> Option<usize> {
        self.record.result.winner().map(Color::index)
    }

    /// Why the game ended: `"resign"`, `"checkmate"`, `"timeout"`, `"illegal"`, `"sennichite"`,
    /// `"declaration"`, `"jishogi"`, `"max_moves"`, `"adjudication"`, `"aborted"` or `"unknown"`.
    #[getter]
    fn end(&self) -> &'static str {
        self.record.end.name()
    }

    #[setter]
    fn set_end(&mut self, end: &str) -> PyResult<()> {
        let known = EndReason::ALL.into_iter().find(|known| known.name() == end);
        self.record.end = known.ok_or_else(|| {
            value_error(format!("{end:?} is no end of a game: they are {}", names(&EndReason::ALL, EndReason::name)))
        })?;
        Ok(())
    }

    /// The players, Black first.
    #[getter]
    fn names(&self) -> (Option<String>, Option<String>) {
        let [black, white] = self.record.headers.names.clone();
        (black, white)
    }

    #[setter]
    fn set_names(&mut self, names: (Option<String>, Option<String>)) {
        self.record.headers.names = names.into();
    }

    /// The players' ratings, Black first.
    #[getter]
    fn ratings(&self) -> (Option<f64>, Option<f64>) {
        self.record.headers.ratings.into()
    }

    #[setter]
    fn set_ratings(&mut self, ratings: (Option<f64>, Option<f64>)) -> PyResult<()> {
        let ratings: [Option<f64>; 2] = ratings.into();
        if !ratings.iter().flatten().all(|rating| rating.is_finite()) {
            return Err(value_error("a rating must be finite"));
        }
        self.record.headers.ratings = ratings;
        Ok(())
    }

    /// Main time, byoyomi and increment of both players in seconds, Black first.
    #[getter]
    #[expect(clippy::type_complexity, reason = "as in the type stub")]
    fn clocks(&self) -> (Option<(f64, f64, f64)>, Option<(f64, f64, f64)>) {
        let seconds =
            |clock: Clock| (clock.main.as_secs_f64(), clock.byoyomi.as_secs_f64(), clock.increment.as_secs_f64());
        self.record.headers.clocks.map(|clock| clock.map(seconds)).into()
    }

    /// The tournament, match or source.
    #[getter]
    fn event(&self) -> Option<String> {
        self.record.headers.event.clone()
    }

    #[setter]
    fn set_event(&mut self, event: Option<String>) {
        self.record.headers.event = event;
    }

    /// The start date as in the record.
    #[getter]
    fn date(&self) -> Option<String> {
        self.record.headers.date.clone()
    }

    #[setter]
    fn set_date(&mut self, date: Option<String>) {
        self.record.headers.date = date;
    }

    /// Line of the file where the game begins, from 1.
    #[getter]
    fn line(&self) -> usize {
        self.record.line
    }

    /// What the reader did not understand and left out, a sentence; `None` if nothing.
    #[getter]
    fn warnings(&self) -> Option<String> {
        (!self.record.warnings.is_empty()).then(|| self.record.warnings.to_string())
    }

    /// Adds a legal move, with the seconds spent and the player's score for Black in centipawns.
    ///
    /// Raises `ValueError`, and changes nothing, if the move is illegal or the game has 10,000 moves.
    #[pyo3(signature = (r#move, time = None, score = None))]
    fn push(&mut self, r#move: &Bound<'_, PyAny>, time: Option<f64>, score: Option<Int>) -> PyResult<()> {
        let (mv, time) = (any_move(r#move)?, duration(time)?);
        if self.record.moves.len() >= MAX_GAME_MOVES {
            return Err(value_error(format!("the game is longer than {MAX_GAME_MOVES} moves")));
        }
        if let Some(reason) = IllegalReason::of(&self.record.last_position(), mv) {
            return Err(value_error(format!("the move {mv} is illegal: {reason}")));
        }
        self.record.push(mv, time, score.map(|Int(score)| Score::raw(score.clamp(-40_000, 40_000) as i32)));
        Ok(())
    }

    /// Adds a comment to the position after the last move.
    fn comment(&mut self, text: &str) {
        text.lines().for_each(|line| self.record.comment(line.to_owned()));
    }

    /// The board after `ply` moves, by default all, with these as its history. Negative plies count
    /// from the end.
    ///
    /// Raises `ValueError` if the game has fewer moves.
    #[pyo3(signature = (ply = None))]
    fn board(&self, ply: Option<Int>) -> PyResult<Board> {
        Ok(Board { position: self.record.position_at(self.ply(ply)?) })
    }

    /// The boards before each move and after the last, a new list.
    fn boards(&self) -> Vec<Board> {
        let mut position = self.record.start.clone();
        let mut boards = vec![Board { position: position.clone() }];
        for &mv in &self.record.moves {
            position.play(mv);
            boards.push(Board { position: position.clone() });
        }
        boards
    }

    /// The game in CSA.
    fn to_csa(&self) -> String {
        Notation::Csa.write(&self.record)
    }

    /// The game in KIF.
    fn to_kif(&self) -> String {
        Notation::Kif.write(&self.record)
    }

    /// The game in KI2.
    fn to_ki2(&self) -> String {
        self.ki2()
    }

    /// First position and moves as after `position` in USI: `startpos moves 7g7f`.
    fn to_usi(&self) -> String {
        self.record.usi()
    }

    /// A line of a tab-separated list: result, both ratings, event, end, and the game in USI.
    fn to_line(&self) -> String {
        self.record.list_line()
    }

    /// The positions with their moves as packed records: `uint8 [moves × 38 or 40]`.
    fn packed<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let format = packed_format(format)?;
        let mut bytes = Vec::with_capacity(format.record_bytes() * self.record.moves.len());
        for position in self.record.training_positions() {
            format.write(&mut bytes, &position).map_err(value_error)?;
        }
        Ok(PyArray1::from_vec(py, bytes))
    }

    /// Writes the game to a file by its extension: see `write_games`.
    fn write(slf: &Bound<'_, Self>, path: PathBuf) -> PyResult<()> {
        write_games(path, PyList::new(slf.py(), [slf])?.as_any()).map(drop)
    }

    fn __len__(&self) -> usize {
        self.record.moves.len()
    }

    fn __copy__(&self) -> Self {
        Self { record: self.record.clone() }
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    fn __repr__(&self) -> String {
        let [black, white] = self.record.headers.names.each_ref().map(|name| name.as_deref().unwrap_or("?"));
        format!("<Game {black} - {white}, {} moves, {}>", self.record.moves.len(), self.record.result.name())
    }

    /// All of a game in CSA but what that cannot hold.
    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (String, PickledGame))> {
        let restore = py.import("sabi._sabi")?.getattr("_restore_game")?.unbind();
        let record = &self.record;
        let state = (
            (self.times(), self.scores(), self.comments()),
            (record.result.name().to_owned(), record.end.name().to_owned()),
            (self.names(), self.ratings(), self.clocks()),
            (self.event(), self.date(), record.line),
        );
        Ok((restore, (record.usi(), state)))
    }
}

type Pair<T> = (Option<T>, Option<T>);
type PickledGame = (
    (Vec<Option<f64>>, Vec<Option<i32>>, Vec<Vec<String>>),
    (String, String),
    (Pair<String>, Pair<f64>, Pair<(f64, f64, f64)>),
    (Option<String>, Option<String>, usize),
);

/// The game of a pickle.
#[pyfunction]
pub(crate) fn _restore_game(usi: &str, state: PickledGame) -> PyResult<Game> {
    let ((times, scores, comments), (result, end), (names, ratings, clocks), (event, date, line)) = state;
    let mut game = Game { record: Record::before(&crate::board::read_position(usi)?) };
    if times.len() != game.record.moves.len() || scores.len() != times.len() {
        return Err(value_error("the pickle of a game is damaged"));
    }
    game.record.times = times.into_iter().map(duration).collect::<PyResult<_>>()?;
    game.record.scores = scores.into_iter().map(|score| score.map(Score::raw)).collect();
    game.record.comments = comments;
    game.set_result(&result)?;
    game.set_end(&end)?;
    game.set_names(names);
    game.set_ratings(ratings)?;
    let clock = |given: Option<(f64, f64, f64)>| -> PyResult<Option<Clock>> {
        let Some((main, byoyomi, increment)) = given else { return Ok(None) };
        let time = |seconds| duration(Some(seconds)).map(Option::unwrap_or_default);
        Ok(Some(Clock { main: time(main)?, byoyomi: time(byoyomi)?, increment: time(increment)? }))
    };
    game.record.headers.clocks = [clock(clocks.0)?, clock(clocks.1)?];
    (game.record.headers.event, game.record.headers.date, game.record.line) = (event, date, line);
    Ok(game)
}

pub(crate) fn packed_format(name: &str) -> PyResult<PackedFormat> {
    match name {
        "hcpe" => Ok(PackedFormat::Hcpe),
        "psv" => Ok(PackedFormat::Psv),
        _ => Err(value_error(format!("{name:?} is no packed format: they are hcpe, psv"))),
    }
}

/// The games of files, in order, read as they are asked for.
///
/// With `errors="raise"` a bad game raises `RecordError` (a `ValueError`) with `file` and `line`,
/// and `next` goes on after it; with `"skip"` it is only listed in `errors`.
#[pyclass(frozen, module = "sabi")]
pub(crate) struct Games {
    state: Mutex<Reading>,
    skip: bool,
}

struct Reading {
    files: VecDeque<Result<PathBuf, ReadError>>,
    current: Option<RecordStream>,
    errors: Vec<String>,
    warnings: Vec<String>,
}

impl Reading {
    fn close(&mut self) {
        if let Some(stream) = self.current.take()
            && !stream.warnings().is_empty()
        {
            self.warnings.push(stream.warnings().to_string());
        }
    }

    fn next(&mut self) -> Option<Result<Record, ReadError>> {
        loop {
            if let Some(game) = self.current.as_mut().and_then(Iterator::next) {
                return Some(game);
            }
            self.close();
            match self.files.pop_front()? {
                Ok(path) => self.current = Some(read_file(path)),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl Games {
    fn new(files: VecDeque<Result<PathBuf, ReadError>>, current: Option<RecordStream>, errors: &str) -> PyResult<Self> {
        let skip = match errors {
            "raise" => false,
            "skip" => true,
            other => return Err(value_error(format!("errors is \"raise\" or \"skip\", not {other:?}"))),
        };
        let state = Reading { files, current, errors: Vec::new(), warnings: Vec::new() };
        Ok(Self { state: Mutex::new(state), skip })
    }
}

#[pymethods]
impl Games {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        let next = py.detach(|| {
            let mut reading = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                match reading.next() {
                    Some(Err(error)) => {
                        let text = error.to_string();
                        reading.errors.push(text);
                        if !self.skip {
                            return Some(Err(error));
                        }
                    }
                    next => return next,
                }
            }
        });
        match next {
            None => Ok(None),
            Some(Ok(record)) => Ok(Some(Game { record })),
            Some(Err(error)) => Err(record_error(py, &error)),
        }
    }

    /// The messages of the bad games so far.
    #[getter]
    fn errors(&self) -> Vec<String> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).errors.clone()
    }

    /// What was left out of the files so far, a sentence for each.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        let reading = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let current = reading.current.as_ref().map(RecordStream::warnings).filter(|warnings| !warnings.is_empty());
        reading.warnings.iter().cloned().chain(current.map(ToString::to_string)).collect()
    }
}

/// Reads the games of a file one by one; its name or content gives the format.
///
/// Raises `OSError` if it cannot be read.
#[pyfunction(name = "read_file")]
#[pyo3(signature = (path, *, errors = "raise"))]
pub(crate) fn read_file_py(path: PathBuf, errors: &str) -> PyResult<Games> {
    Games::new(VecDeque::from([Ok(path)]), None, errors)
}

/// Reads the games of every record file of a folder and its folders, sorted by name.
#[pyfunction]
#[pyo3(signature = (folder, *, errors = "raise"))]
pub(crate) fn read_tree(py: Python<'_>, folder: PathBuf, errors: &str) -> PyResult<Games> {
    let files = py.detach(|| record_files(folder).collect());
    Games::new(files, None, errors)
}

/// Reads the games of bytes. The extension of `name`, or else the content, gives the format.
#[pyfunction(name = "read_bytes")]
#[pyo3(signature = (data, name = "", *, errors = "raise"))]
pub(crate) fn read_bytes_py(data: &Bound<'_, PyBytes>, name: &str, errors: &str) -> PyResult<Games> {
    Games::new(VecDeque::new(), Some(read_bytes(name, data.as_bytes().to_vec())), errors)
}

/// Reads the games of a text. The extension of `name`, or else the content, gives the format.
#[pyfunction]
#[pyo3(signature = (text, name = "", *, errors = "raise"))]
pub(crate) fn read_text(text: &str, name: &str, errors: &str) -> PyResult<Games> {
    Games::new(VecDeque::new(), Some(read_bytes(name, text.as_bytes().to_vec())), errors)
}

/// How games are written to a file.
enum Target {
    Text { notation: Option<Notation>, path: PathBuf, games: usize },
    Packed(PackedFormat),
    Sabg { writer: Option<Writer<Vec<u8>>>, games: u64 },
}

impl Target {
    fn of(path: &Path) -> PyResult<Self> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_lowercase();
        let notation = Notation::of_path(path);
        if notation.is_some() || matches!(extension.as_str(), "ki2" | "ki2u") {
            return Ok(Self::Text { notation, path: path.to_owned(), games: 0 });
        }
        match PackedFormat::of_path(path) {
            Some(format) => Ok(Self::Packed(format)),
            None if extension == "sabg" => Ok(Self::Sabg { writer: None, games: 0 }),
            None => Err(value_error(format!(
                "{}: the extension is none of csa, kif, kifu, ki2, ki2u, usi, sfen, hcpe, psv, sabg",
                path.display()
            ))),
        }
    }

    fn start(&mut self, _out: &mut impl Write) -> io::Result<()> {
        if let Self::Sabg { writer, .. } = self {
            *writer = Some(Writer::new(Vec::new(), "")?);
        }
        Ok(())
    }

    fn add(&mut self, out: &mut impl Write, game: &Game) -> Result<(), PackError> {
        match self {
            Self::Text { notation, path, games } => {
                let mut text =
                    if *games > 0 { notation.map_or("", Notation::separator).to_owned() } else { String::new() };
                text += &notation.map_or_else(|| game.ki2(), |notation| notation.write(&game.record));
                text.push('\n');
                *games += 1;
                // KI2 has the encodings of KIF.
                let name = if path.extension().is_some_and(|name| name.eq_ignore_ascii_case("ki2")) {
                    Path::new("game.kif")
                } else {
                    path.as_path()
                };
                out.write_all(&file_content(name, text))?;
            }
            Self::Packed(format) => {
                for position in game.record.training_positions() {
                    format.write(out, &position)?;
                }
            }
            Self::Sabg { writer, games } => {
                if let Some(writer) = writer {
                    writer.push(*games, &game.record)?;
                    *games += 1;
                }
            }
        }
        Ok(())
    }

    fn finish(self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Sabg { writer: Some(writer), .. } => out.write_all(&writer.finish()?),
            _ => Ok(()),
        }
    }
}

/// Writes games, any iterable of them, to a file by its extension: `csa`, `kif`, `kifu`, `ki2`,
/// `ki2u`, `usi` or `sfen` (a tab-separated list), `hcpe`, `psv` or `sabg`. Returns their number.
///
/// The file is replaced when it is complete. Raises `ValueError` for another extension or a game
/// that the format cannot hold, `OSError` if the file cannot be written.
#[pyfunction]
pub(crate) fn write_games(path: PathBuf, games: &Bound<'_, PyAny>) -> PyResult<u64> {
    let mut target = Target::of(&path)?;
    let games = PyIterator::from_object(games)?;
    let (mut raised, mut count) = (None, 0);
    let written = replace_file(&path, |file| {
        target.start(file)?;
        for game in games {
            let added = game.and_then(|game| {
                let game = game.cast::<Game>()?.try_borrow()?;
                target.add(file, &game).map_err(pack_error)
            });
            if let Err(error) = added {
                raised = Some(error);
                return Err(io::ErrorKind::InvalidData.into());
            }
            count += 1;
        }
        target.finish(file)
    });
    match (raised, written) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(io::Error::new(error.kind(), format!("{}: {error}", path.display())).into()),
        (None, Ok(())) => Ok(count),
    }
}

fn pack_error(error: PackError) -> PyErr {
    match error {
        PackError::Io(error) => error.into(),
        error => PyValueError::new_err(error.to_string()),
    }
}

//! Files and directory trees as streams of games.

use super::error::{Fault, Located, RecordError, Warnings};
use super::game::Game;
use super::sabg;
use super::training::{Chain, PackedFormat, Records, head};
use super::{csa, jkf, kif, pgn, text, usi};
use sabi_files::{open_regular, read_line};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::iter;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Maximum length of a line in a list of games.
pub(super) const MAX_LINE: usize = 1 << 20;
/// Lines examined when the file name does not give the format.
const SNIFFED_LINES: usize = 200;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Csa,
    /// KIF, KI2 or a position diagram alone (BOD).
    Kif,
    Jkf,
    UsiLines,
    Pgn,
    Packed(PackedFormat),
    Sabg,
}

fn format_of_name(path: &Path) -> Option<Format> {
    Some(match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "csa" => Format::Csa,
        "kif" | "kifu" | "ki2" | "ki2u" | "bod" => Format::Kif,
        "jkf" => Format::Jkf,
        "usi" | "sfen" => Format::UsiLines,
        "pgn" | "psn" => Format::Pgn,
        "sabg" => Format::Sabg,
        _ => Format::Packed(PackedFormat::of_path(path)?),
    })
}

pub(super) fn format_of_text(text: &str) -> Option<Format> {
    if jkf::detect(text) {
        return Some(Format::Jkf);
    }
    text.lines().map(str::trim_start).take(SNIFFED_LINES).find_map(|line| {
        if usi::detect(line) {
            Some(Format::UsiLines)
        } else if csa::detect(line) {
            Some(Format::Csa)
        } else if pgn::detect(line) {
            Some(Format::Pgn)
        } else {
            kif::detect(line).then_some(Format::Kif)
        }
    })
}

/// Whether a file has games of many lines, by its name or, without a known extension, its content.
pub(super) fn is_multiline_record(name: &Path, bytes: &[u8]) -> bool {
    let format = format_of_name(name).or_else(|| format_of_text(&text::decode_lossy(bytes)));
    matches!(format, Some(Format::Csa | Format::Kif | Format::Jkf))
}

/// The games of one file, in order. Lists are streamed by line, PGN by game, packed records by
/// record; other records are read as a whole file.
pub struct Games {
    file: PathBuf,
    stream: GameStream,
    warnings: Warnings,
}

type GameStream = Box<dyn Iterator<Item = Result<Game, Located>> + Send>;

impl Games {
    fn new(file: &Path, stream: Result<GameStream, Fault>) -> Self {
        let stream = stream.unwrap_or_else(|fault| Box::new(iter::once(Err(fault.at(0)))));
        Self { file: file.to_owned(), stream, warnings: Warnings::default() }
    }

    /// What was left out of the games so far, to be reported once they are read.
    ///
    /// ```
    /// # use sabi_records::read_bytes;
    /// let text = "手合割：平手\nhello\n   1 ７六歩(77)\n".as_bytes().to_vec();
    /// let mut games = read_bytes("game.kif", text);
    /// games.by_ref().for_each(drop);
    /// assert_eq!(games.warnings().to_string(), "1 line is not understood and was left out: 2 'hello'");
    /// ```
    pub const fn warnings(&self) -> &Warnings {
        &self.warnings
    }
}

impl Iterator for Games {
    type Item = Result<Game, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let game = self.stream.next()?.map_err(|located| located.of_file(&self.file));
        if let Ok(game) = &game {
            self.warnings.add(&game.warnings);
        }
        Some(game)
    }
}

/// The games of a file. Errors come out of the iterator, so that a long run reports them in one
/// place.
///
/// Packed training data are joined into games as far as consecutive positions match.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("game.csa");
/// # std::fs::write(&path, "PI\n+\n+7776FU\n-3334FU\n+7775FU\n%TORYO\n/\nPI\n+\n+2726FU\n%CHUDAN\n")?;
/// let mut count = 0;
/// for game in sabi_records::read_file(&path) {
///     match game {
///         Ok(game) => count += game.moves.len(),
///         // With file and line: `…/game.csa:5: '+7775FU' is not a move`.
///         Err(error) => eprintln!("{error}"),
///     }
/// }
/// # assert_eq!(count, 1);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read_file(path: impl AsRef<Path>) -> Games {
    let path = path.as_ref();
    let stream = open_regular(path).map_err(Fault::from).and_then(|file| games_of_file(file, format_of_name(path)));
    Games::new(path, stream)
}

fn games_of_file(mut file: File, format: Option<Format>) -> Result<GameStream, Fault> {
    let format = match format {
        None => {
            let (head, length) = head(&mut file)?;
            binary_format(&head, length)
        }
        format => format,
    };
    if let Some(format @ (Format::UsiLines | Format::Pgn | Format::Packed(_) | Format::Sabg)) = format {
        return games_of_stream(Box::new(BufReader::new(file)), format);
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    games_of_bytes(bytes, format)
}

/// The binary format of a file of this length and start.
fn binary_format(head: &[u8], length: u64) -> Option<Format> {
    if sabg::is_sabg(head) {
        return Some(Format::Sabg);
    }
    PackedFormat::detect(head, length).map(Format::Packed)
}

/// The games of a format that is read as a stream.
fn games_of_stream(reader: Box<dyn BufRead + Send>, format: Format) -> Result<GameStream, Fault> {
    let stream: GameStream = match format {
        Format::Sabg => Box::new(sabg::stored_games(reader)?),
        Format::Pgn => {
            let texts = pgn::GameSplitter::new(text::utf8_reader(reader)?);
            Box::new(texts.map(|text| text.and_then(|(text, line)| pgn::read(&text, line))))
        }
        Format::Packed(format) => Box::new(Chain::new(Records::new(format, reader))),
        _ => games_of_lines(text::utf8_reader(reader)?),
    };
    Ok(stream)
}

/// The games of a stream, which is read to its end first; the content gives the format, `name` is
/// used in errors.
pub fn read_stream(name: impl AsRef<Path>, mut stream: impl Read) -> Games {
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Ok(_) => read_bytes(name, bytes),
        Err(error) => Games::new(name.as_ref(), Err(error.into())),
    }
}

/// The games of a list with one game per line; `name` is used in errors.
pub fn read_list(name: impl AsRef<Path>, list: impl Read + Send + 'static) -> Games {
    Games::new(name.as_ref(), Ok(games_of_lines(Box::new(BufReader::new(list)))))
}

/// The games of a file in memory; its name gives the format or, without a known extension, its
/// content.
pub fn read_bytes(name: impl AsRef<Path>, bytes: Vec<u8>) -> Games {
    let name = name.as_ref();
    let format = format_of_name(name).or_else(|| binary_format(&bytes, bytes.len() as u64));
    Games::new(name, games_of_bytes(bytes, format))
}

fn games_of_bytes(bytes: Vec<u8>, format: Option<Format>) -> Result<GameStream, Fault> {
    let (format, text) = match format {
        Some(format @ (Format::Csa | Format::Kif | Format::Jkf)) => (format, text::decode_lossy(&bytes).into_owned()),
        Some(format) => return games_of_stream(Box::new(Cursor::new(bytes)), format),
        None if bytes.trim_ascii().is_empty() => return Err(Fault::Empty),
        None => {
            let text = text::decode_lossy(&bytes);
            // Of binary data the encoding is the fault, not the format.
            let unknown = || text::decode(&bytes).err().unwrap_or(Fault::UnknownFormat);
            (format_of_text(&text).ok_or_else(unknown)?, text.into_owned())
        }
    };
    Ok(match format {
        Format::Csa | Format::Kif | Format::Jkf => games_of_text(text, format),
        // Lists are decoded line by line.
        _ => games_of_stream(Box::new(Cursor::new(bytes)), format)?,
    })
}

/// The games of a text of independent games; it is an error if there is none.
fn games_of_text(text: String, format: Format) -> GameStream {
    let (mut at, mut line, mut has_games) = (0, 1, false);
    Box::new(iter::from_fn(move || {
        while at < text.len() {
            let rest = &text[at..];
            let (part, length) = match format {
                Format::Csa => csa_game(rest),
                Format::Jkf => (rest, rest.len()),
                _ => {
                    let part = kif::first_game(rest);
                    (part, part.len())
                }
            };
            let game = match format {
                Format::Csa => csa::read(part, line),
                Format::Jkf => jkf::read(part),
                _ => kif::read(part, line),
            };
            line += rest[..length].bytes().filter(|&byte| byte == b'\n').count();
            at += length;
            // A part of blanks and comments, as after the last separator, is not an error.
            let is_comment = |line: &str| line.trim().is_empty() || line.starts_with(['\'', '*', '#', '&']);
            if matches!(&game, Err(Located { fault: Fault::NoGame, .. }))
                && (has_games || at < text.len())
                && part.lines().all(is_comment)
            {
                continue;
            }
            has_games = true;
            return Some(game);
        }
        let is_empty = !std::mem::replace(&mut has_games, true);
        is_empty.then(|| Err(Fault::NoGame.at(0)))
    }))
}

/// The first game of a CSA text, and its length with the separator line `/`.
fn csa_game(text: &str) -> (&str, usize) {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        let start = length;
        length += line.len();
        if line.trim_end() == "/" {
            return (&text[..start], length);
        }
    }
    (text, length)
}

/// The games of a list with one game per line.
fn games_of_lines(reader: Box<dyn BufRead + Send>) -> GameStream {
    // No reader after the end.
    let (mut reader, mut line) = (Some(reader), 0);
    Box::new(iter::from_fn(move || {
        let mut bytes = Vec::new();
        loop {
            line += 1;
            match read_line(reader.as_mut()?, MAX_LINE + 1, &mut bytes) {
                Err(error) => {
                    reader = None;
                    return Some(Err(Fault::from(error).at(line)));
                }
                Ok(false) => reader = None,
                Ok(true) if bytes.len() > MAX_LINE => return Some(Err(Fault::LongLine(MAX_LINE).at(line))),
                Ok(true) => {
                    let game = text::decode(&bytes).and_then(|text| usi::read_line(&text, line));
                    if let Some(game) = game.transpose() {
                        return Some(game.map_err(|fault| fault.at(line)));
                    }
                }
            }
        }
    }))
}

/// The record files of a tree, directories and files sorted by name. A path to a file is that file,
/// whatever its extension. Links to directories are not followed.
pub fn record_files(root: impl AsRef<Path>) -> impl Iterator<Item = Result<PathBuf, RecordError>> {
    let root = root.as_ref().to_owned();
    WalkDir::new(&root).sort_by_file_name().into_iter().filter_map(move |entry| match entry {
        Ok(entry) => {
            let is_root = entry.depth() == 0;
            let is_folder = if is_root { entry.path().is_dir() } else { entry.file_type().is_dir() };
            let is_record = !is_folder && (is_root || format_of_name(entry.path()).is_some());
            is_record.then(|| Ok(entry.into_path()))
        }
        Err(error) => {
            let file = error.path().unwrap_or(&root).to_owned();
            let fault = error.into_io_error().unwrap_or_else(|| io::ErrorKind::Other.into()).into();
            Some(Err(RecordError { file, line: 0, fault }))
        }
    })
}

/// The games of every record file of a tree.
pub fn read_tree(root: impl AsRef<Path>) -> impl Iterator<Item = Result<Game, RecordError>> {
    record_files(root).flat_map(|file| match file {
        Ok(path) => read_file(path),
        Err(error) => Games::new(&error.file, Err(error.fault)),
    })
}

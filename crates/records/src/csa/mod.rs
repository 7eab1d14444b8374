//! CSA, versions 1 to 3.

mod board;
mod headers;
mod keywords;
mod moves;
mod write;

use super::builder::{Builder, EarlyComments};
use super::error::{Fault, Located};
use super::game::Game;
use board::Board;
use headers::HeaderReader;
use keywords::signed;
use sabi_shogi::{Color, excerpt};
use std::time::Duration;

pub(super) use keywords::{ending, kind, name};
pub use moves::read_csa_move;
pub(super) use moves::resolve_move;
pub use write::csa_move;
pub(super) use write::write;

/// Whether a line starts a record, for files of unknown format.
pub(super) fn detect(line: &str) -> bool {
    let starts = ["V1", "V2", "V3", "N+", "N-", "PI", "P1", "P+", "P-", "$EVENT", "$START_TIME", "'CSA"];
    starts.iter().any(|start| line.starts_with(start)) || is_move(line)
}

/// Whether a statement has the shape of a move.
fn is_move(statement: &str) -> bool {
    matches!(statement.as_bytes(), [b'+' | b'-', squares @ .., a, b]
        if squares.len() == 4 && squares.iter().all(u8::is_ascii_digit)
            && a.is_ascii_uppercase() && b.is_ascii_uppercase())
}

/// Reads one game; `first` is the number of its first line in the file.
pub(super) fn read(text: &str, first: usize) -> Result<Game, Located> {
    let mut reader = Reader::new(first);
    for (at, line) in text.lines().enumerate() {
        reader.line = first + at;
        reader.read_line(line.trim_end())?;
    }
    reader.finish()
}

struct Reader {
    first: usize,
    line: usize,
    board: Board,
    header_reader: HeaderReader,
    /// The game, once the side to move is known.
    builder: Option<Builder>,
    comments: EarlyComments,
}

impl Reader {
    fn new(first: usize) -> Self {
        Self {
            first,
            line: first,
            board: Board::new(),
            header_reader: HeaderReader::default(),
            builder: None,
            comments: EarlyComments::default(),
        }
    }

    fn read_line(&mut self, line: &str) -> Result<(), Located> {
        if let Some(comment) = line.strip_prefix('\'') {
            self.read_comment(comment);
        } else if let Some((color, name)) = line.strip_prefix('N').and_then(signed) {
            self.header_reader.read_name(color, name);
        } else if let Some(header) = line.strip_prefix('$') {
            self.header_reader.read_header(header);
        } else {
            let (statements, comment) = match line.split_once('\'') {
                Some((statements, comment)) => (statements, Some(comment)),
                None => (line, None),
            };
            statements.split(',').try_for_each(|statement| self.read_statement(statement.trim()))?;
            comment.into_iter().for_each(|comment| self.read_comment(comment));
        }
        Ok(())
    }

    fn read_statement(&mut self, statement: &str) -> Result<(), Located> {
        match signed(statement) {
            Some((side, "")) => self.begin(side).map_err(|fault| fault.at(self.line)),
            Some((color, _)) => self.read_move(color, statement),
            None => self.read_other(statement).map_err(|fault| fault.at(self.line)),
        }
    }

    fn read_other(&mut self, statement: &str) -> Result<(), Fault> {
        match statement.as_bytes() {
            [] => Ok(()),
            [b'P', ..] if self.builder.is_none() => self.board.read(statement),
            [b'T', time @ ..] if self.builder.is_some() && time.iter().all(|b| b.is_ascii_digit() || *b == b'.') => {
                self.read_time(&statement[1..]);
                Ok(())
            }
            [b'%', ..] => self.read_end(&statement[1..]),
            _ if self.read_bare_end(statement) => Ok(()),
            // Headers of later versions and of careless programs.
            _ if self.builder.is_none() => Ok(()),
            _ => Err(Fault::NotAStatement(excerpt(statement))),
        }
    }

    fn begin(&mut self, side: Color) -> Result<(), Fault> {
        if self.builder.is_some() {
            return Err(Fault::NotAStatement((if side == Color::Black { "+" } else { "-" }).to_owned()));
        }
        let mut builder = Builder::new(self.board.position(side)?, self.first);
        self.comments.give(&mut builder);
        self.builder = Some(builder);
        Ok(())
    }

    fn read_move(&mut self, color: Color, text: &str) -> Result<(), Located> {
        let line = self.line;
        if self.builder.is_none() {
            self.begin(color).map_err(|fault| fault.at(line))?;
        }
        let Some(builder) = &mut self.builder else {
            return Ok(());
        };
        builder.expect_move(text, line)?;
        let mv = resolve_move(builder, color, text).map_err(|fault| fault.at(line))?;
        builder.play(mv, text, line)
    }

    /// A comment for programs begins with a star; others are for readers of the file.
    fn read_comment(&mut self, text: &str) {
        match text.strip_prefix('*') {
            Some(comment) => self.comments.add(&mut self.builder, comment),
            None => self.header_reader.read_comment(text),
        }
    }

    fn read_time(&mut self, seconds: &str) {
        let time = seconds.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        if let Some(builder) = &mut self.builder {
            builder.set_time(time);
        }
    }

    fn read_end(&mut self, word: &str) -> Result<(), Fault> {
        if self.builder.is_none() {
            self.begin(Color::Black)?;
        }
        if let Some(builder) = &mut self.builder {
            builder.end(ending(word));
        }
        Ok(())
    }

    /// Whether a statement is an end without `%`.
    fn read_bare_end(&mut self, word: &str) -> bool {
        match (keywords::bare_ending(word), &mut self.builder) {
            (Some(ending), Some(builder)) => {
                builder.end(ending);
                true
            }
            _ => false,
        }
    }

    fn finish(mut self) -> Result<Game, Located> {
        if self.builder.is_none() && self.board.is_given() {
            // A position without moves and side to move.
            self.begin(Color::Black).map_err(|fault| fault.at(self.line))?;
        }
        let mut builder = self.builder.ok_or_else(|| Fault::NoGame.at(self.first))?;
        if let Some(ending) = self.header_reader.ending() {
            builder.summarise(ending);
        }
        if self.header_reader.has_unknown_reason() {
            builder.forget_reason();
        }
        builder.game().headers = self.header_reader.headers;
        Ok(builder.finish())
    }
}

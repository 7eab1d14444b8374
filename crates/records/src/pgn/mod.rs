//! PGN for shogi: tags as in chess, White first (the side that begins), files `a` to `i` and ranks
//! `9` to `1` from Black's far left corner, moves as piece, source and target.

mod moves;
mod split;

pub(super) use split::GameSplitter;

use super::builder::{Builder, EarlyComments, Ending, Outcome};
use super::error::{Fault, Located};
use super::game::{EndReason, Game, Headers};
use sabi_shogi::{Color, Position, excerpt};

/// Whether a line is a tag: `[White "name"]`.
pub(super) fn detect(line: &str) -> bool {
    tag(line).is_some()
}

/// Whether a line belongs to the header, even with a malformed tag.
fn is_header(line: &str) -> bool {
    line.trim_start().starts_with('[') && line.trim_end().ends_with(']')
}

/// Key and value of a tag.
fn tag(line: &str) -> Option<(&str, String)> {
    let (key, rest) = line.trim().strip_prefix('[')?.split_once(char::is_whitespace)?;
    let value = rest.trim().strip_suffix(']')?.trim_end().strip_prefix('"')?.strip_suffix('"')?;
    let is_key = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_key.then(|| (key, value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

/// Reads one game; `first` is the number of its first line in the file.
pub(super) fn read(text: &str, first: usize) -> Result<Game, Located> {
    let mut reader = Reader::new(first);
    for (at, line) in text.lines().enumerate() {
        reader.line = first + at;
        if reader.builder.is_none() && is_header(line) {
            if let Some((key, value)) = tag(line) {
                reader.header_reader.read_tag(key, value, reader.line);
            }
        } else if !line.starts_with('%') {
            reader.read_moves(line)?;
        }
    }
    reader.finish()
}

/// Data of the tags.
#[derive(Default)]
struct HeaderReader {
    headers: Headers,
    /// Line and text of a start position.
    start: Option<(usize, String)>,
    ending: Option<Ending>,
}

impl HeaderReader {
    fn read_tag(&mut self, key: &str, value: String, line: usize) {
        let rating = || value.trim().parse().ok().filter(|rating: &f64| rating.is_finite());
        match key {
            "WhiteElo" => self.headers.ratings[Color::Black] = rating(),
            "BlackElo" => self.headers.ratings[Color::White] = rating(),
            "Result" => self.ending = ending(&value),
            // A question mark means unknown.
            _ if value.trim_matches(['?', '.', '-']).is_empty() => {}
            "White" => self.headers.names[Color::Black] = Some(value),
            "Black" => self.headers.names[Color::White] = Some(value),
            "Event" => self.headers.event = Some(value),
            "Date" => self.headers.date = Some(value),
            "FEN" | "SFEN" => self.start = Some((line, value)),
            _ => {}
        }
    }
}

/// Result words, at the end of a game and in the result tag.
fn ending(word: &str) -> Option<Ending> {
    let outcome = match word {
        "1-0" => Outcome::Wins(Color::Black),
        "0-1" => Outcome::Wins(Color::White),
        "1/2-1/2" => Outcome::Draw,
        "*" => Outcome::Unknown,
        _ => return None,
    };
    Some((EndReason::Unknown, outcome))
}

struct Reader {
    line: usize,
    first: usize,
    header_reader: HeaderReader,
    builder: Option<Builder>,
    comments: EarlyComments,
    /// Whether inside a comment.
    in_comment: bool,
    /// Depth of variations.
    variations: usize,
}

impl Reader {
    fn new(first: usize) -> Self {
        Self {
            line: first,
            first,
            header_reader: HeaderReader::default(),
            builder: None,
            comments: EarlyComments::default(),
            in_comment: false,
            variations: 0,
        }
    }

    /// The moves and comments of a line, without variations.
    fn read_moves(&mut self, line: &str) -> Result<(), Located> {
        let mut rest = line;
        while let Some(at) = rest.find(|c: char| !c.is_whitespace()) {
            rest = &rest[at..];
            if self.in_comment {
                let (comment, tail) = rest.split_once('}').unwrap_or((rest, ""));
                self.in_comment = comment.len() == rest.len();
                self.read_comment(comment);
                rest = tail;
                continue;
            }
            let end = rest.find(|c: char| c.is_whitespace() || "{}();".contains(c)).unwrap_or(rest.len());
            let (word, tail) = rest.split_at(end.max(1).min(rest.len()));
            rest = tail;
            match word {
                "{" => self.in_comment = true,
                ";" => {
                    self.read_comment(rest);
                    return Ok(());
                }
                "(" => self.variations += 1,
                ")" => self.variations = self.variations.saturating_sub(1),
                _ if self.variations > 0 => {}
                _ => self.read_word(word)?,
            }
        }
        Ok(())
    }

    /// A line of a comment.
    fn read_comment(&mut self, text: &str) {
        let text = text.trim();
        if !text.is_empty() && self.variations == 0 {
            self.comments.add(&mut self.builder, text);
        }
    }

    fn read_word(&mut self, word: &str) -> Result<(), Located> {
        let line = self.line;
        let builder = self.builder()?;
        if let Some(ending) = ending(word) {
            builder.end(ending);
            return Ok(());
        }
        // The move number may be attached to the move or not; `$1` is an annotation.
        let text = word.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.');
        if text.is_empty() || word.starts_with('$') {
            return Ok(());
        }
        builder.expect_move(text, line)?;
        let mv = moves::resolve_move(builder, text).map_err(|fault| fault.at(line))?;
        builder.play(mv, text, line)
    }

    /// The game builder; created by the first call.
    fn builder(&mut self) -> Result<&mut Builder, Located> {
        if self.builder.is_none() {
            let start = match &self.header_reader.start {
                Some((line, sfen)) => Position::from_sfen(sfen).map_err(|error| Fault::from(error).at(*line))?,
                None => Position::startpos(),
            };
            let builder = self.builder.insert(Builder::new(start, self.first));
            self.comments.give(builder);
        }
        self.builder.as_mut().ok_or_else(|| Fault::NoGame.at(self.first))
    }

    fn finish(mut self) -> Result<Game, Located> {
        let has_headers =
            self.header_reader.ending.is_some() || self.header_reader.headers.names.iter().any(Option::is_some);
        if self.builder.is_none() && !has_headers {
            return Err(Fault::NoGame.at(self.first));
        }
        if self.in_comment || self.variations > 0 {
            return Err(Fault::NotAStatement(excerpt(if self.in_comment { "{" } else { "(" })).at(self.line));
        }
        self.builder()?;
        let mut builder = self.builder.ok_or_else(|| Fault::NoGame.at(self.first))?;
        if let Some(ending) = self.header_reader.ending {
            builder.summarise(ending);
        }
        builder.game().headers = self.header_reader.headers;
        Ok(builder.finish())
    }
}

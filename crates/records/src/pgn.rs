//! PGN for shogi: tags as in chess, White first (the side that begins), files `a` to `i` and ranks
//! `9` to `1` from Black's far left corner, moves as piece, source and target. And PSN as Shogidokoro
//! writes it: tags `Sente` and `Gote`, one move a line with its time, `3.B8hx2b+ (00:03 / 00:00:06)`,
//! squares as in USI, a word in place of the last move, and `Variation:6` before each branch; MyShogi's
//! PSN2 has moves in USI, and the tags `Black` and `White` of the sides.

use super::builder::{Builder, Draft, Ending, WordResult};
use super::error::{Fault, Located};
use super::game::{EndReason, Game, Headers, spent_by_clock};
use super::text;
use sabi_files::{read_line, without_bom};
use sabi_shogi::{Color, Move, PieceKind, Position, Square, excerpt};
use std::io::BufRead;
use std::mem;
use std::time::Duration;

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
    let mut reader = Reader { draft: Draft::new(first), ..Reader::default() };
    for (number, line) in (first..).zip(text.lines()) {
        reader.line = number;
        if reader.in_branches || line.starts_with('%') {
            continue;
        }
        if reader.draft.builder.is_none() && is_header(line) {
            let is_read = tag(line).is_some_and(|(key, value)| reader.header_reader.read_tag(key, value, reader.line));
            if !is_read {
                reader.draft.warnings.note(number, line);
            }
        } else if !reader.in_comment && line.trim_start().starts_with("Variation:") {
            reader.in_branches = true;
        } else {
            reader.read_moves(line)?;
        }
    }
    reader.finish()
}

/// Data of the tags.
#[derive(Default)]
struct HeaderReader {
    headers: Headers,
    /// Whether the tags `White` and `Black` name the sides so, as in PSN2.
    is_psn2: bool,
    /// Line and text of a start position.
    start: Option<(usize, String)>,
    ending: Option<Ending>,
}

impl HeaderReader {
    /// Reads a tag; returns whether it is understood, or ignored by design.
    fn read_tag(&mut self, key: &str, value: String, line: usize) -> bool {
        let rating = || value.trim().parse().ok().filter(|rating: &f64| rating.is_finite());
        match key {
            "SenteElo" => self.headers.ratings[Color::Black] = rating(),
            "GoteElo" => self.headers.ratings[Color::White] = rating(),
            "WhiteElo" => self.headers.ratings[Color::Black] = rating(),
            "BlackElo" => self.headers.ratings[Color::White] = rating(),
            "Result" => {
                self.ending = ending(&value);
                return self.ending.is_some();
            }
            // A question mark means unknown.
            _ if value.trim_matches(['?', '.', '-']).is_empty() => {}
            "White" | "WHITE" | "Sente" => self.headers.names[Color::Black] = Some(value),
            "Black" | "BLACK" | "Gote" => self.headers.names[Color::White] = Some(value),
            "Event" => self.headers.event = Some(value),
            "Date" => self.headers.date = Some(value),
            "FEN" | "SFEN" => self.start = Some((line, value)),
            _ => {}
        }
        true
    }
}

/// Words of PSN in place of a move.
const ENDINGS: [(&str, Ending); 10] = [
    ("Resigns", (EndReason::Resign, WordResult::MoverLoses)),
    ("Mate", (EndReason::Checkmate, WordResult::MoverLoses)),
    ("Timeup", (EndReason::Timeout, WordResult::MoverLoses)),
    ("Interrupt", (EndReason::Aborted, WordResult::Unknown)),
    ("Sennichite", (EndReason::Repetition, WordResult::Draw)),
    // A declaration too, which a comment then says.
    ("Jishogi", (EndReason::Impasse, WordResult::Draw)),
    ("RepetitionDraw", (EndReason::Repetition, WordResult::Draw)),
    ("RepetitionWin", (EndReason::Repetition, WordResult::MoverWins)),
    ("MaxMovesDraw", (EndReason::MaxMoves, WordResult::Draw)),
    ("DeclarationWin", (EndReason::Declaration, WordResult::MoverWins)),
];

/// Result words, at the end of a game and in the result tag.
fn ending(word: &str) -> Option<Ending> {
    let outcome = match word {
        "1-0" => WordResult::Wins(Color::Black),
        "0-1" => WordResult::Wins(Color::White),
        "1/2-1/2" => WordResult::Draw,
        "*" => WordResult::Unknown,
        _ => return None,
    };
    Some((EndReason::Unknown, outcome))
}

#[derive(Default)]
struct Reader {
    line: usize,
    header_reader: HeaderReader,
    draft: Draft,
    /// Whether inside a comment.
    in_comment: bool,
    /// Depth of variations.
    variations: usize,
    /// Whether the branches of PSN have begun; the game is the main line.
    in_branches: bool,
    /// Whether the word for an impasse, which stands for a declaration too, has ended the game.
    is_impasse: bool,
}

impl Reader {
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
                "(" if self.variations == 0 && psn_time(tail).is_some() => {
                    let (time, behind) = psn_time(tail).unwrap_or_default();
                    rest = behind;
                    if let Some(builder) = &mut self.draft.builder {
                        builder.set_time(Some(time));
                    }
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
        if self.is_impasse && text.contains("宣言") && text.contains('勝') {
            self.header_reader.ending = Some((EndReason::Declaration, WordResult::MoverWins));
        }
        if !text.is_empty() && self.variations == 0 {
            self.draft.comment(text);
        }
    }

    fn read_word(&mut self, word: &str) -> Result<(), Located> {
        let line = self.line;
        self.builder()?;
        if let Some(ending) = ending(word) {
            self.builder()?.end(ending);
            return Ok(());
        }
        // The move number may be attached to the move or not; `$1` is an annotation.
        let behind = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_number = behind.len() < word.len() && (behind.is_empty() || behind.starts_with('.'));
        let text = if is_number { behind.trim_start_matches('.') } else { word };
        if text.is_empty() || word.starts_with('$') {
            return Ok(());
        }
        if let Some(&(_, ending)) = ENDINGS.iter().find(|(word, _)| *word == text) {
            self.is_impasse = text == "Jishogi";
            self.builder()?.end(ending);
            return Ok(());
        }
        self.header_reader.is_psn2 |= text.starts_with(|c: char| c.is_ascii_digit());
        self.builder()?.read_move(text, line, |builder| resolve_move(builder, text))
    }

    /// The game, which the first call begins.
    fn builder(&mut self) -> Result<&mut Builder, Located> {
        self.draft.begin(|| match &self.header_reader.start {
            Some((line, sfen)) => Position::from_sfen(sfen).map_err(|error| Fault::from(error).at(*line)),
            None => Ok(Position::startpos()),
        })
    }

    fn finish(mut self) -> Result<Game, Located> {
        let has_headers =
            self.header_reader.ending.is_some() || self.header_reader.headers.names.iter().any(Option::is_some);
        if self.draft.builder.is_none() && !has_headers {
            return Err(Fault::NoGame.at(self.draft.first));
        }
        if self.in_comment || self.variations > 0 {
            return Err(Fault::NotAStatement(excerpt(if self.in_comment { "{" } else { "(" })).at(self.line));
        }
        let ending = self.header_reader.ending;
        let builder = self.builder()?;
        ending.into_iter().for_each(|ending| builder.summarise(ending));
        if self.header_reader.is_psn2 {
            self.header_reader.headers.names.swap(0, 1);
        }
        self.draft.finish(self.header_reader.headers)
    }
}

/// The time of a move of PSN behind its bracket, `00:03 / 00:00:06)`, and the text after it.
fn psn_time(text: &str) -> Option<(Duration, &str)> {
    let (times, behind) = text.split_once(')')?;
    let spent = spent_by_clock(times.split_once('/')?.0)?;
    times.contains(':').then_some((spent, behind))
}

/// The move of a text in the current position: `Pc3c4`, `+Bd5e4`, `Bb2h8+`, `P@e5`; in PSN `P7g-7f`,
/// `B8hx2b+`, `P*5e`, in PSN2 `7g7f`.
fn resolve_move(builder: &Builder, text: &str) -> Result<Move, Fault> {
    let not_a_move = || Fault::NotAMove(excerpt(text));
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return text.parse().map_err(|_| not_a_move());
    }
    let (promoted, rest) = text.strip_prefix('+').map_or((false, text), |rest| (true, rest));
    let mut letters = rest.chars();
    let kind = letters.next().and_then(PieceKind::from_letter).ok_or_else(not_a_move)?;
    let rest = letters.as_str();
    if let Some(target) = rest.strip_prefix(['@', '*', '\'']) {
        let held = kind.in_hand().filter(|_| !promoted).ok_or_else(not_a_move)?;
        return match square(target) {
            Some((to, "")) => Ok(Move::drop(held, to)),
            _ => Err(not_a_move()),
        };
    }
    let (from, rest) = square(rest).ok_or_else(not_a_move)?;
    let (to, flag) = square(rest.strip_prefix(['-', 'x']).unwrap_or(rest)).ok_or_else(not_a_move)?;
    let promotes = match flag {
        "" | "=" => false,
        "+" => true,
        _ => return Err(not_a_move()),
    };
    // An empty source square is reported when the move is played.
    if let Some(actual) = builder.position().piece_at(from).map(|piece| piece.kind())
        && !is_called(actual, promoted, kind)
    {
        let sign = if actual.is_promoted() { "+" } else { "" };
        let (number, actual) = (builder.number(), format!("{sign}{}", actual.letter()));
        return Err(Fault::WrongPiece { number, text: excerpt(text), actual });
    }
    Move::board(from, to, promotes).ok_or_else(not_a_move)
}

/// Whether a piece is written like this. The program that writes this format calls a promoted
/// knight `+K`.
fn is_called(actual: PieceKind, promoted: bool, letter: PieceKind) -> bool {
    match (promoted, letter) {
        (true, PieceKind::King) => actual == PieceKind::ProKnight,
        (true, bare) => bare.can_promote() && actual == bare.promoted(),
        (false, bare) => actual == bare,
    }
}

/// The square at the start of a text, and the rest: `a9` is Black's far left corner, `9a` in PSN.
fn square(text: &str) -> Option<(Square, &str)> {
    if let [file @ b'1'..=b'9', rank @ b'a'..=b'i', ..] = *text.as_bytes() {
        return Some((Square::at(file - b'1', rank - b'a')?, &text[2..]));
    }
    let [file @ b'a'..=b'i', rank @ b'1'..=b'9', ..] = *text.as_bytes() else { return None };
    Some((Square::at(b'i' - file, b'9' - rank)?, &text[2..]))
}

/// Maximum length of a game and of a line.
const MAX_TEXT: usize = 1 << 20;

/// The texts of the games of a stream. A game begins with the first tag after moves.
pub(super) struct GameSplitter {
    /// `None` after the end.
    reader: Option<Box<dyn BufRead + Send>>,
    /// Number of lines read.
    lines: usize,
    /// Text of the next game so far, and the number of its first line.
    text: Vec<u8>,
    first: usize,
    /// Whether it contains moves.
    has_moves: bool,
}

/// The text of one game, and the number of its first line.
type Text = Result<(String, usize), Located>;

impl GameSplitter {
    pub(super) fn new(reader: Box<dyn BufRead + Send>) -> Self {
        Self { reader: Some(reader), lines: 0, text: Vec::new(), first: 1, has_moves: false }
    }

    /// Adds a line; returns the game that it ends.
    fn add(&mut self, line: &[u8]) -> Option<Text> {
        let line = if self.lines == 0 { without_bom(line) } else { line };
        let decoded = String::from_utf8_lossy(line);
        let header = is_header(&decoded);
        let ended = (header && self.has_moves).then(|| self.take());
        if self.text.is_empty() {
            self.first = self.lines + 1;
        }
        self.has_moves |= !header && !decoded.trim().is_empty() && !decoded.starts_with('%');
        // A text that is too long is cut.
        if self.text.len() <= MAX_TEXT {
            self.text.extend_from_slice(line);
        }
        self.lines += 1;
        ended
    }

    fn take(&mut self) -> Text {
        self.has_moves = false;
        let bytes = mem::take(&mut self.text);
        let fault = |fault: Fault| fault.at(self.first);
        if bytes.len() > MAX_TEXT {
            return Err(fault(Fault::LongText(MAX_TEXT)));
        }
        Ok((text::decode(&bytes).map_err(fault)?.into_owned(), self.first))
    }
}

impl Iterator for GameSplitter {
    type Item = Text;

    fn next(&mut self) -> Option<Self::Item> {
        let mut line = Vec::new();
        loop {
            match read_line(self.reader.as_mut()?, MAX_TEXT + 1, &mut line) {
                Err(error) => {
                    self.reader = None;
                    return Some(Err(Fault::from(error).at(self.lines)));
                }
                Ok(false) => {
                    self.reader = None;
                    return (!self.text.trim_ascii().is_empty()).then(|| self.take());
                }
                Ok(true) => {
                    if let Some(ended) = self.add(&line) {
                        return Some(ended);
                    }
                }
            }
        }
    }
}

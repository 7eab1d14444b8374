//! KIF and KI2 headers: keys, handicap, board diagram.

use super::{MOVES_HEADING, japanese};
use crate::builder::Builder;
use crate::clock::{self, Clock};
use crate::error::{Fault, Located};
use crate::game::Headers;
use crate::setup::Setup;
use crate::text::kanji_number;
use sabi_shogi::{Color, HandKind, Piece, Square, excerpt};
use std::time::Duration;

/// Headers before the moves.
pub(super) struct HeaderReader {
    /// Whether anything was recognised.
    seen: bool,
    headers: Headers,
    /// Byoyomi, if separate from the clock.
    byoyomi: Option<Duration>,
    /// Line and name of the handicap.
    handicap: Option<(usize, String)>,
    /// Whether the sides are called 上手 and 下手.
    is_handicap: bool,
    side: Option<Color>,
    diagram: Setup,
    /// Number of diagram rows read.
    rows: u8,
}

impl HeaderReader {
    pub(super) fn new() -> Self {
        Self {
            seen: false,
            headers: Headers::default(),
            byoyomi: None,
            handicap: None,
            is_handicap: false,
            side: None,
            diagram: Setup::empty(),
            rows: 0,
        }
    }

    pub(super) const fn has_any(&self) -> bool {
        self.seen
    }

    pub(super) fn read_line(&mut self, line: &str, number: usize) -> Result<(), Fault> {
        if let Some(row) = line.strip_prefix('|') {
            return self.read_row(row);
        }
        if let Some((color, "番")) = japanese::side(line) {
            self.side = Some(color);
            return Ok(());
        }
        if line.starts_with(MOVES_HEADING) {
            self.seen = true;
        }
        let Some((key, value)) = line.split_once(['：', ':']) else {
            return Ok(());
        };
        let value = value.trim();
        let filled = (!value.is_empty()).then(|| value.to_owned());
        match (key, japanese::side(key)) {
            (_, Some((color, ""))) => {
                self.is_handicap |= key.starts_with(['上', '下']);
                self.headers.names[color] = filled;
            }
            (_, Some((color, "の持駒"))) => {
                self.is_handicap |= key.starts_with(['上', '下']);
                self.read_hand(color, value)?;
            }
            (_, Some((color, "持ち時間" | "の持ち時間"))) => {
                self.headers.clocks[color] = Clock::read_kif(value)
            }
            ("持ち時間", _) => self.headers.clocks = [Clock::read_kif(value); 2],
            ("秒読み", _) => self.byoyomi = clock::amount(value),
            ("手合割", _) => {
                let name = value.split('#').next().unwrap_or_default().trim();
                self.handicap = Some((number, name.to_owned()));
            }
            ("棋戦", _) => self.headers.event = filled,
            ("開始日時", _) => self.headers.date = filled,
            _ => return Ok(()),
        }
        self.seen = true;
        Ok(())
    }

    /// A row of the diagram without its first bar: ` ・v飛 ・ … |二`.
    fn read_row(&mut self, row: &str) -> Result<(), Fault> {
        let error = || Fault::Board(excerpt(row));
        let cells = row.split('|').next().unwrap_or_default();
        let (mut file, mut rest) = (9, cells);
        while !rest.is_empty() {
            let body = rest.trim_start_matches(['v', 'V', 'ｖ', '+', '^', ' ']);
            let is_white = rest[..rest.len() - body.len()].contains(['v', 'V', 'ｖ']);
            let color = if is_white { Color::White } else { Color::Black };
            let (piece, tail) = match japanese::piece(body) {
                // In a diagram a promoted piece is one character.
                Some((kind, tail)) => (Some(Piece::new(color, kind)), tail),
                None if body.is_empty() => break,
                None => (None, body.strip_prefix(['・', '.', '．', '　', '･']).ok_or_else(error)?),
            };
            file = u8::checked_sub(file, 1).ok_or_else(error)?;
            let square = Square::at(file, self.rows).ok_or_else(error)?;
            self.diagram.put(square, piece);
            rest = tail;
        }
        if file > 0 {
            return Err(error());
        }
        self.rows += 1;
        self.seen = true;
        Ok(())
    }

    /// `飛二　角　歩十八`, also without the spaces, or なし.
    fn read_hand(&mut self, color: Color, text: &str) -> Result<(), Fault> {
        for word in text.split([' ', '　']).filter(|word| !word.is_empty() && *word != "なし") {
            let error = || Fault::Board(excerpt(word));
            let mut rest = word;
            while !rest.is_empty() {
                let (kind, tail) = japanese::piece(rest).ok_or_else(error)?;
                let kind: HandKind = kind.in_hand().filter(|_| !kind.is_promoted()).ok_or_else(error)?;
                let next = tail.char_indices().find(|&(at, _)| japanese::piece(&tail[at..]).is_some());
                let (number, tail) = tail.split_at(next.map_or(tail.len(), |(at, _)| at));
                let count = if number.is_empty() { 1 } else { kanji_number(number).ok_or_else(error)? };
                (0..count).try_for_each(|_| self.diagram.add_to_hand(color, kind))?;
                rest = tail;
            }
        }
        Ok(())
    }

    /// The first position: the diagram if there is one, else the handicap, else the start position.
    pub(super) fn begin(&self, first: usize) -> Result<Builder, Located> {
        let (line, name) = self.handicap.as_ref().map_or((first, "平手"), |(line, name)| (*line, name.as_str()));
        let name = if name.is_empty() { "平手" } else { name };
        let position = if self.rows == 9 {
            let side = if self.is_handicap { Color::White } else { Color::Black };
            self.diagram.position(self.side.unwrap_or(side))
        } else if self.rows > 0 {
            return Err(Fault::Board(format!("{} rows", self.rows)).at(line));
        } else {
            super::start(name).ok_or_else(|| Fault::Handicap(excerpt(name)).at(line))?
        };
        Ok(Builder::new(position.map_err(|error| Fault::from(error).at(line))?, first))
    }

    /// The headers of the game, ratings taken from the names.
    pub(super) fn into_headers(mut self) -> Headers {
        self.headers.ratings = self.headers.names.each_ref().map(|name| name.as_deref().and_then(rating_in_name));
        for clock in self.headers.clocks.iter_mut().flatten() {
            clock.byoyomi = self.byoyomi.unwrap_or(clock.byoyomi);
        }
        self.headers
    }
}

/// Whether a line is a row of a diagram. Rows of tables in other texts begin with a bar too, so all
/// nine squares are checked.
pub(super) fn is_row(line: &str) -> bool {
    line.strip_prefix('|').is_some_and(|row| !row.is_ascii() && HeaderReader::new().read_row(row).is_ok())
}

/// The rating after a name: `name(1729)`, `name(R990)`.
fn rating_in_name(name: &str) -> Option<f64> {
    let (_, rating) = name.strip_suffix(')')?.rsplit_once('(')?;
    let digits = rating.trim_start_matches('R');
    let plain = (1..=5).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if plain { digits.parse().ok() } else { None }
}

//! KIF and KI2: common headers and board diagram, numbered move lines in one, marked moves in the
//! other. Both are recognised whatever the file name.

use super::builder::{Builder, Draft, Setup, UNKNOWN_END};
use super::error::{Fault, Located};
use super::game::{Clock, Game, Headers, kif_duration, spent_by_clock};
use super::japanese;
use super::ki2::{self, Disambiguation};
use super::text::{piece_count, plain};
use sabi_shogi::{Color, HandKind, Move, Piece, Position, Square, excerpt};
use std::time::Duration;

/// Marks before a move: three of Black, three of White.
const MARKS: [char; 6] = ['▲', '☗', '▼', '△', '☖', '▽'];

/// How the line before the moves begins.
const MOVES_HEADING: &str = "手数----";

/// The bar at either end of a row of a diagram.
const BARS: [char; 4] = ['|', '｜', '│', '┃'];

/// Words for a hand.
const HANDS: [&str; 7] = ["持駒", "持ち駒", "もち駒", "持ちごま", "もちごま", "駒台", "手駒"];

/// Words for no pieces, and for all that are on neither board nor the other hand.
const NOTHING: [&str; 7] = ["なし", "無し", "無", "ナシ", "ない", "-", "ー"];
const THE_REST: [&str; 6] = ["残り全部", "残り全て", "残り駒全部", "残り駒", "残り", "残駒全部"];

/// Parts of keys that may say something about position or result, and keys that do not.
const KEYS_THAT_MATTER: [&str; 9] = ["駒", "持", "手番", "手合", "局面", "盤", "結果", "勝", "負"];
const OTHER_KEYS: [&str; 5] = ["駒使用", "振り駒", "振駒", "持ち時間", "持時間"];

/// Headers of most records, none of which follows the moves.
const HEADERS: [&str; 7] = ["開始日時", "手合割", "先手", "後手", "上手", "下手", "棋戦"];

/// Whether a line starts a record, for files of unknown format.
pub(super) fn detect(line: &str) -> bool {
    begins_game(line)
        || is_position_number(line)
        || is_move_with_source(line)
        || mark(line).is_some_and(|(_, rest)| japanese::square(rest.trim_start()).is_some())
}

/// Whether a line precedes the moves of its game.
fn begins_game(line: &str) -> bool {
    line.starts_with("#KIF")
        || line.starts_with(MOVES_HEADING)
        || HEADERS.iter().any(|key| has_key(line, key))
        || hand(line).is_some() && line.contains(['：', ':'])
        || is_row(line)
}

/// Side, its name and the pieces of a hand: `後手の持駒：飛二`, `攻方 持ち駒 金`, `▲持駒：金`.
fn hand(line: &str) -> Option<(Color, &str, &str)> {
    let marked = mark(line);
    let line = marked.map_or(line, |(_, rest)| rest.trim_start());
    let (color, rest) = japanese::side(line).or(marked.map(|(color, _)| (color, line)))?;
    let name = &line[..line.len() - rest.len()];
    let rest = rest.trim_start().trim_start_matches('の').trim_start();
    let pieces = HANDS.iter().find_map(|word| rest.strip_prefix(word))?.trim_start();
    let pieces = pieces.strip_prefix(['：', ':', '＝', '=', 'は']).unwrap_or(pieces);
    marked.is_none_or(|(marked, _)| marked == color).then_some((color, name, pieces.trim()))
}

/// The pieces of a hand: `飛二　角　歩十八`, also `飛2、歩17` or without anything between them.
fn held_pieces(text: &str) -> Option<Vec<(HandKind, u8)>> {
    let is_between = |c: char| c.is_whitespace() || "、，,・･".contains(c);
    let mut rest = text.trim_matches(is_between);
    let mut held = Vec::new();
    while !rest.is_empty() {
        let (kind, tail) = japanese::piece(rest)?;
        let kind = kind.in_hand().filter(|_| !kind.is_promoted())?;
        let next = tail.char_indices().find(|&(at, _)| japanese::piece(&tail[at..]).is_some());
        let (number, tail) = tail.split_at(next.map_or(tail.len(), |(at, _)| at));
        let number = number.trim_matches(is_between);
        let number = number.trim_start_matches(['×', 'x']).trim_end_matches('枚');
        held.push((kind, if number.is_empty() { 1 } else { piece_count(number)? }));
        rest = tail;
    }
    Some(held)
}

/// Whether a text is a list of pieces; a single one may be a name.
fn names_pieces(text: &str) -> bool {
    text.chars().count() > 1 && held_pieces(text).is_some_and(|held| !held.is_empty())
}

/// Whether a line that is not understood may say something about hands or side to move.
fn may_concern_hands(line: &str) -> bool {
    let value = line.rsplit(['：', ':']).next().unwrap_or_default();
    ["駒", "持", "手番"].iter().any(|word| line.contains(word)) && !OTHER_KEYS.iter().any(|key| line.contains(key))
        || names_pieces(value.trim())
}

/// Whether a line belongs to every diagram: its edges and the numbers of the files.
fn is_frame(line: &str) -> bool {
    line.chars().all(|c| "+-－―─━┌┐└┘├┤┬┴┼┏┓┗┛ 　".contains(c) || ('1'..='9').contains(&plain(c)))
}

/// Whether a line says after which move a diagram is: `手数＝2 △３四歩(33) まで`.
fn is_position_number(line: &str) -> bool {
    line.strip_prefix("手数＝").is_some_and(|rest| rest.starts_with(|c| plain(c).is_ascii_digit()))
}

/// Whether a line is a numbered move with its source square, `1 ７六歩(77)`. Without the square it
/// may be any numbered list of moves.
fn is_move_with_source(line: &str) -> bool {
    let source_square = || {
        let (_, text) = numbered(line)?;
        let (_, text) = japanese::square(text)?;
        let (_, text) = japanese::piece(text.trim_start())?;
        let (_, text) = Disambiguation::read(text.trim_start());
        source(text)
    };
    source_square().is_some()
}

/// Whether a line is a header with this key. Some programs write a half-width colon.
fn has_key(line: &str, key: &str) -> bool {
    line.strip_prefix(key).is_some_and(|rest| rest.starts_with(['：', ':']))
}

/// The first game of a text, up to the headers of the next.
pub(super) fn first_game(text: &str) -> &str {
    let mut length = 0;
    let mut has_moves = false;
    // Where headers after the moves begin: if another game follows, they are its headers.
    let mut next_headers = None;
    for raw in text.split_inclusive('\n') {
        let line = raw.trim();
        if has_moves && begins_game(line) {
            return &text[..next_headers.unwrap_or(length)];
        }
        if is_of_moves(line) {
            has_moves = true;
            next_headers = None;
        } else if has_moves && is_header(line) {
            next_headers.get_or_insert(length);
        }
        length += raw.len();
    }
    text
}

/// Whether a line belongs to the moves. Their heading is also that of a game without any.
fn is_of_moves(line: &str) -> bool {
    line.starts_with(MOVES_HEADING)
        || mark(line).is_some() && hand(line).is_none()
        || numbered(line).is_some_and(|(_, text)| is_statement(text))
        || line.starts_with("まで")
}

/// Whether a line has a key and a value, such as `表題：`. A numbered line has the time of a move.
fn is_header(line: &str) -> bool {
    line.contains(['：', ':'])
        && !line.starts_with(['*', '#', '&'])
        && !has_key(line, "変化")
        && numbered(line).is_none()
}

/// Whether a line is a header that says nothing about position or result.
fn is_other_header(line: &str) -> bool {
    let key = line.split(['：', ':']).next().unwrap_or_default();
    let matters = KEYS_THAT_MATTER.iter().any(|word| key.contains(word));
    key.len() < line.len() && (!matters || OTHER_KEYS.iter().any(|other| key.contains(other)))
}

/// Headers from keys and values.
pub(super) fn read_headers<'a>(headers: impl Iterator<Item = (&'a str, &'a str)>) -> Result<Headers, Fault> {
    let mut reader = HeaderReader::default();
    for (key, value) in headers {
        reader.read_line(&format!("{key}：{value}"), 0)?;
    }
    Ok(reader.into_headers())
}

/// Reads one game; `first` is the number of its first line in the file.
pub(super) fn read(text: &str, first: usize) -> Result<Game, Located> {
    let mut reader = Reader { draft: Draft::new(first), ..Reader::default() };
    for (number, line) in (first..).zip(text.lines()) {
        reader.line = number;
        let line = line.trim();
        if has_key(line, "変化") && reader.draft.builder.is_some() {
            // Branches follow; the game is the main line. ShogiHome has written such headers, too.
            break;
        }
        reader.read_line(line)?;
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    line: usize,
    header_reader: HeaderReader,
    draft: Draft,
    /// The recorded number of the last move.
    numbered: Option<u32>,
}

impl Reader {
    fn read_line(&mut self, line: &str) -> Result<(), Located> {
        let here = self.line;
        if line.is_empty() || line.starts_with(['#', '&']) {
            return Ok(());
        }
        if let Some(text) = line.strip_prefix('*') {
            self.draft.comment(text);
            return Ok(());
        }
        if let Some(ending) = japanese::summary(line) {
            self.builder()?.summarise(ending);
            return Ok(());
        }
        if mark(line).is_some() && (self.draft.builder.is_some() || hand(line).is_none()) {
            return self.read_marked(line);
        }
        if let Some((number, text)) = numbered(line)
            && (is_statement(text) || self.is_next(number))
        {
            return self.read_numbered(number, text);
        }
        if is_move_with_source(&format!("1 {line}")) {
            return Err(Fault::NotAStatement(excerpt(line)).at(here));
        }
        let is_read = match &self.draft.builder {
            None => self.header_reader.read_line(line, here).map_err(|fault| fault.at(here))?,
            Some(_) => is_other_header(line),
        };
        if !is_read {
            self.draft.warnings.note(here, line);
        }
        Ok(())
    }

    /// The game, which the first call begins.
    fn builder(&mut self) -> Result<&mut Builder, Located> {
        let first = self.draft.first;
        self.draft.begin(|| self.header_reader.start(first))
    }

    /// A line of KIF: `1 ７六歩(77) ( 0:16/00:00:16)`.
    fn read_numbered(&mut self, number: &str, text: &str) -> Result<(), Located> {
        let line = self.line;
        self.check_number(number).map_err(|fault| fault.at(line))?;
        let builder = self.builder()?;
        if let Some(ending) = japanese::ending(text) {
            builder.end(ending);
            return Ok(());
        }
        if !is_move(text) {
            builder.end(UNKNOWN_END);
            self.draft.warnings.note(line, text);
            return Ok(());
        }
        self.read_move(None, text)
    }

    /// A move of KIF, or of KI2 with its side. What follows is a time or nothing; a word such as 成 would
    /// change the move.
    fn read_move(&mut self, side: Option<Color>, text: &str) -> Result<(), Located> {
        let (line, mut rest) = (self.line, "");
        let builder = self.builder()?;
        builder.read_move(text, line, |builder| {
            let (mv, behind) = move_of(builder, side, text)?;
            rest = behind;
            Ok(mv)
        })?;
        if side.is_none() {
            builder.set_time(spent_time(rest));
        }
        if is_after_move(rest) {
            return Ok(());
        }
        if Disambiguation::read(rest.trim_start()).0 != Disambiguation::default() {
            return Err(Fault::NotAMove(excerpt(text)).at(self.line));
        }
        self.draft.warnings.note(self.line, text);
        Ok(())
    }

    /// Whether a number is that of the next move. An unknown text after it ends the game, since no
    /// program knows every word of the others; a move behind it is reported.
    fn is_next(&self, number: &str) -> bool {
        self.numbered.is_some_and(|last| move_number(number) == Some(last.saturating_add(1)))
    }

    /// Moves are numbered without gaps, from any number on.
    fn check_number(&mut self, text: &str) -> Result<(), Fault> {
        let found = move_number(text);
        let expected = self.numbered.map_or(found.unwrap_or(1), |last| last.saturating_add(1));
        if found != Some(expected) {
            return Err(Fault::Numbering { expected, found: excerpt(text) });
        }
        self.numbered = found;
        Ok(())
    }

    /// A line of KI2: `▲７六歩 △３四歩`.
    fn read_marked(&mut self, line: &str) -> Result<(), Located> {
        let mut next = mark(line);
        while let Some((color, rest)) = next {
            let (text, tail) = rest.split_at(rest.find(MARKS).unwrap_or(rest.len()));
            let text = text.trim();
            next = mark(tail);
            match japanese::ending(text) {
                Some(ending) => self.builder()?.end(ending),
                None => self.read_move(Some(color), text)?,
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Game, Located> {
        if self.draft.builder.is_none() && !self.header_reader.seen {
            return Err(Fault::NoGame.at(self.draft.first));
        }
        self.builder()?;
        self.draft.finish(self.header_reader.into_headers())
    }
}

/// The side of the mark at the start of a text, and the rest.
fn mark(text: &str) -> Option<(Color, &str)> {
    let rest = text.strip_prefix(MARKS)?;
    let color = if MARKS[..3].iter().any(|&mark| text.starts_with(mark)) { Color::Black } else { Color::White };
    Some((color, rest))
}

/// The number at the start of a line, and the text after it.
fn numbered(line: &str) -> Option<(&str, &str)> {
    let end = line.find(|c| !plain(c).is_ascii_digit()).filter(|&end| end > 0)?;
    let (number, rest) = line.split_at(end);
    let text = rest.trim_start();
    // Some programs write the mark of the side too.
    let text = mark(text).map_or(text, |(_, unmarked)| unmarked);
    // They are separate.
    (text.len() < rest.len()).then_some((number, text))
}

fn move_number(text: &str) -> Option<u32> {
    text.chars().map(plain).collect::<String>().parse().ok()
}

/// Whether the text after a number is a move or an end; `９ ８ ７ ６` is the edge of a diagram.
fn is_statement(text: &str) -> bool {
    is_move(text) || japanese::ending(text).is_some()
}

fn is_move(text: &str) -> bool {
    text.starts_with('同') || japanese::square(text).is_some()
}

/// The target square: given, or 同, the previous target.
fn target<'a>(builder: &Builder, text: &'a str) -> Result<(Square, &'a str), Fault> {
    if let Some(rest) = text.strip_prefix('同') {
        let number = builder.number();
        let square = builder.last_target().ok_or_else(|| Fault::NoMoveBefore { number, text: excerpt(text) })?;
        return Ok((square, rest.trim_start()));
    }
    let (square, rest) = japanese::square(text).ok_or_else(|| Fault::NotAMove(excerpt(text)))?;
    Ok((square, rest.trim_start()))
}

/// A move of KIF, or of KI2 with its side, and the rest.
fn move_of<'a>(builder: &Builder, side: Option<Color>, text: &'a str) -> Result<(Move, &'a str), Fault> {
    let (position, number) = (builder.position(), builder.number());
    let not_a_move = || Fault::NotAMove(excerpt(text));
    if let Some(color) = side.filter(|&color| position.side_to_move() != color) {
        return Err(Fault::WrongSide { number, text: excerpt(text), color });
    }
    let (to, rest) = target(builder, text)?;
    let (kind, rest) = japanese::piece(rest).ok_or_else(not_a_move)?;
    let (disambiguation, rest) = Disambiguation::read(rest.trim_start());
    // Written in KI2 where no word is sufficient.
    if let Some((from, rest)) = source(rest) {
        let promotes = match position.piece_at(from).map(Piece::kind) {
            Some(before) if before == kind => disambiguation.promotes(),
            // Some programs write the piece after the move, and no 成.
            Some(before) if before.can_promote() && before.promoted() == kind => true,
            Some(before) => {
                let actual = japanese::piece_name(before).to_owned();
                return Err(Fault::WrongPiece { number, text: excerpt(text), actual });
            }
            None => false,
        };
        return Ok((Move::board(from, to, promotes).ok_or_else(not_a_move)?, rest));
    }
    if side.is_none() {
        // 打 is sometimes omitted. Anything else behind the piece is a source square that is cut off.
        let is_drop = (disambiguation.drop || is_after_move(rest)) && !disambiguation.promotes();
        let held = kind.in_hand().filter(|_| is_drop && !kind.is_promoted()).ok_or_else(not_a_move)?;
        return Ok((Move::drop(held, to), rest));
    }
    let mv = ki2::resolve(position, kind, to, disambiguation).map_err(|candidates| match candidates {
        0 => not_a_move(),
        _ => Fault::Ambiguous { number, text: excerpt(text), candidates },
    })?;
    Ok((mv, rest))
}

/// Whether a move is complete before this text: nothing, the mark of a branch, or a time, which has
/// a colon in its brackets.
fn is_after_move(text: &str) -> bool {
    let text = text.trim_start();
    let in_brackets = text.strip_prefix(['(', '（']).and_then(|inner| inner.split(['(', '（', ')', '）']).next());
    text.is_empty() || text.starts_with('+') || in_brackets.is_some_and(|inner| inner.contains([':', '：']))
}

/// The source square in brackets.
fn source(text: &str) -> Option<(Square, &str)> {
    let inner = text.trim_start().strip_prefix(['(', '（'])?;
    let (square, rest) = japanese::square(inner)?;
    Some((square, rest.strip_prefix([')', '）'])?))
}

/// The time of one move: `( 0:16/00:00:16)`, minutes and seconds, or with hours before them.
fn spent_time(text: &str) -> Option<Duration> {
    let inner = text.trim_start().strip_prefix(['(', '（'])?;
    spent_by_clock(inner.split_once('/')?.0)
}

/// Headers before the moves.
#[derive(Default)]
struct HeaderReader {
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
    diagram: Option<Setup>,
    /// Number of diagram rows read.
    rows: u8,
    /// The side whose hand is all the other pieces.
    rest: Option<Color>,
    /// The first line that may concern hands or side to move, but is not understood. With a diagram
    /// it is an error.
    unread: Option<(usize, String)>,
}

impl HeaderReader {
    /// Reads a line; returns whether it is understood, or ignored by design.
    fn read_line(&mut self, line: &str, number: usize) -> Result<bool, Fault> {
        let is_read = self.read_known(line, number)?;
        if !is_read && self.unread.is_none() && may_concern_hands(line) {
            self.unread = Some((number, excerpt(line)));
        }
        Ok(is_read)
    }

    fn read_known(&mut self, line: &str, number: usize) -> Result<bool, Fault> {
        if let Some(row) = line.strip_prefix(BARS) {
            self.read_row(row)?;
            return Ok(true);
        }
        if let Some((color, name, pieces)) = hand(line) {
            self.is_handicap |= name.starts_with(['上', '下']);
            self.seen = true;
            return self.read_hand(color, pieces);
        }
        let turn = line.strip_prefix("手番").map(|side| side.trim_start_matches(['：', ':', '＝']).trim());
        if let Some((color, "" | "番")) = japanese::side(turn.unwrap_or(line))
            && (turn.is_some() || line.ends_with('番'))
        {
            self.side = Some(color);
            return Ok(true);
        }
        if line.starts_with(MOVES_HEADING) {
            self.seen = true;
            return Ok(true);
        }
        let Some((key, value)) = line.split_once(['：', ':']) else {
            return Ok(is_frame(line) || is_position_number(line) || line.starts_with("手数＝"));
        };
        let value = value.trim();
        let filled = (!value.is_empty()).then(|| value.to_owned());
        match (key, japanese::side(key)) {
            (_, Some((color, ""))) => {
                if names_pieces(value) {
                    // With a diagram it is rather a hand than a name.
                    self.unread.get_or_insert((number, excerpt(line)));
                }
                self.is_handicap |= key.starts_with(['上', '下']);
                self.headers.names[color] = filled;
            }
            (_, Some((color, "持ち時間" | "の持ち時間"))) => {
                self.headers.clocks[color] = Clock::read_kif(value)
            }
            ("持ち時間", _) => self.headers.clocks = [Clock::read_kif(value); 2],
            ("秒読み", _) => self.byoyomi = kif_duration(value),
            ("手合割" | "手合" | "手合い" | "手合い割", _) => {
                let name = value.split('#').next().unwrap_or_default().trim();
                self.handicap = Some((number, name.to_owned()));
            }
            ("棋戦", _) => self.headers.event = filled,
            ("開始日時", _) => self.headers.date = filled,
            _ => return Ok(is_other_header(line) && !names_pieces(value)),
        }
        self.seen = true;
        Ok(true)
    }

    /// A row of the diagram without its first bar: ` ・v飛 ・ … |二`.
    fn read_row(&mut self, row: &str) -> Result<(), Fault> {
        let error = || Fault::Board(excerpt(row));
        let cells = row.split(BARS).next().unwrap_or_default();
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
            self.diagram.get_or_insert_with(Setup::empty).put(square, piece);
            rest = tail;
        }
        if file > 0 {
            return Err(error());
        }
        self.rows += 1;
        self.seen = true;
        Ok(())
    }

    /// The pieces of a hand, none, or all that are left.
    fn read_hand(&mut self, color: Color, text: &str) -> Result<bool, Fault> {
        if NOTHING.contains(&text) {
            return Ok(true);
        }
        if THE_REST.contains(&text) {
            return Ok(self.rest.replace(color).is_none());
        }
        let held = held_pieces(text).ok_or_else(|| Fault::Board(excerpt(text)))?;
        for (kind, count) in held {
            let diagram = self.diagram.get_or_insert_with(Setup::empty);
            (0..count).try_for_each(|_| diagram.add_to_hand(color, kind))?;
        }
        Ok(true)
    }

    /// The first position: the diagram if there is one, else the handicap, else the start position.
    fn start(&self, first: usize) -> Result<Position, Located> {
        let (line, name) = self.handicap.as_ref().map_or((first, "平手"), |(line, name)| (*line, name.as_str()));
        let name = if name.is_empty() { "平手" } else { name };
        let position = match (self.rows, &self.diagram) {
            (9, Some(diagram)) => {
                if let Some((line, text)) = &self.unread {
                    return Err(Fault::Hand(text.clone()).at(*line));
                }
                let mut diagram = diagram.clone();
                if let Some(color) = self.rest {
                    diagram.add_rest_to_hand(color).map_err(|fault| fault.at(first))?;
                }
                let side = if self.is_handicap { Color::White } else { Color::Black };
                diagram.position(self.side.unwrap_or(side))
            }
            (1.., _) => return Err(Fault::Board(format!("{} rows", self.rows)).at(line)),
            (0, Some(_)) => return Err(Fault::Board("hands without a board".to_owned()).at(first)),
            (0, None) => japanese::start(name).ok_or_else(|| Fault::Handicap(excerpt(name)).at(line))?,
        };
        position.map_err(|error| Fault::from(error).at(line))
    }

    /// The headers of the game, ratings taken from the names.
    fn into_headers(mut self) -> Headers {
        self.headers.ratings = self.headers.names.each_ref().map(|name| name.as_deref().and_then(rating_in_name));
        for clock in self.headers.clocks.iter_mut().flatten() {
            clock.byoyomi = self.byoyomi.unwrap_or(clock.byoyomi);
        }
        self.headers
    }
}

/// Whether a line is a row of a diagram. Rows of tables in other texts begin with a bar too, so all
/// nine squares are checked.
fn is_row(line: &str) -> bool {
    line.strip_prefix(BARS).is_some_and(|row| !row.is_ascii() && HeaderReader::default().read_row(row).is_ok())
}

/// The rating after a name: `name(1729)`, `name(R990)`.
fn rating_in_name(name: &str) -> Option<f64> {
    let (_, rating) = name.strip_suffix(')')?.rsplit_once('(')?;
    let digits = rating.trim_start_matches('R');
    let plain = (1..=5).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if plain { digits.parse().ok() } else { None }
}

//! JKF, the JSON Kifu Format of na2hiro (<https://github.com/na2hiro/Kifu-for-JS>): headers as in
//! KIF, words as in CSA. The main line is read, branches (`forks`) are left out.

use super::builder::{Builder, Setup, UNKNOWN_END};
use super::error::{Fault, Located};
use super::game::Game;
use super::{csa, japanese, kif};
use sabi_files::JsonError;
use sabi_shogi::{Color, Piece, Position, Square, excerpt};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// Whether a text looks like JKF, for files of unknown format.
pub(super) fn detect(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains("\"moves\"")
}

/// Reads the game of a file.
pub(super) fn read(text: &str) -> Result<Game, Located> {
    let file: File = serde_json::from_str(text).map_err(|error| {
        let error = JsonError::from(error);
        let line = error.line;
        Fault::Json(error).at(line)
    })?;
    let nowhere = |fault: Fault| fault.at(0);
    let start = file.initial.as_ref().map_or_else(|| Ok(Position::startpos()), Initial::position);
    let mut builder = Builder::new(start.map_err(nowhere)?, 1);
    for entry in &file.moves {
        read_entry(entry, &mut builder)?;
    }
    let headers = file.header.iter().filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)));
    builder.game.headers = kif::read_headers(headers).map_err(nowhere)?;
    Ok(builder.finish())
}

fn read_entry(entry: &Entry, builder: &mut Builder) -> Result<(), Located> {
    if let Some(moved) = &entry.moved {
        let color = moved.color.map_or(builder.position().side_to_move(), |Side(color)| color);
        let text = csa_text(moved, builder);
        builder.read_move(&text, 0, |builder| csa::resolve_move(builder, color, &text))?;
        builder.set_time(entry.time.as_ref().map(|Time { now: Spent { h, m, s } }| {
            let [h, m, s] = [h.unwrap_or(0), *m, *s].map(u64::from);
            Duration::from_secs(3600 * h + 60 * m + s)
        }));
    }
    if let Some(word) = &entry.special {
        let ending = csa::known_ending(word);
        if ending.is_none() {
            builder.game.warnings.note(0, word);
        }
        builder.end(ending.unwrap_or(UNKNOWN_END));
    }
    entry.comments.iter().flatten().flat_map(|comment| comment.lines()).for_each(|line| builder.comment(line));
    Ok(())
}

/// A move in CSA, which names the piece after the move.
fn csa_text(moved: &Moved, builder: &Builder) -> String {
    let square = |place: Option<Place>| place.map_or_else(|| "00".to_owned(), |Place { x, y }| format!("{x}{y}"));
    let last = builder.last_target().filter(|_| moved.same == Some(true));
    let to = moved.to.or(last.map(|square| Place { x: square.file() + 1, y: square.rank() + 1 }));
    let from = moved.from.and_then(|Place { x, y }| Square::at(x.checked_sub(1)?, y.checked_sub(1)?));
    let standing = from.and_then(|from| builder.position().piece_at(from)).map(|piece| csa::name(piece.kind()));
    let piece = moved.piece.as_deref().or(standing).unwrap_or_default();
    let promoted = csa::kind(piece).filter(|_| moved.promote == Some(true)).map(|kind| csa::name(kind.promoted()));
    format!(" {}{}{}", square(moved.from), square(to), promoted.unwrap_or(piece))
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    header: BTreeMap<String, Value>,
    initial: Option<Initial>,
    moves: Vec<Entry>,
}

/// The first position.
#[derive(Deserialize)]
struct Initial {
    preset: String,
    data: Option<State>,
}

/// A custom position. The outer lists of the board are the files from 1 to 9.
#[derive(Deserialize)]
struct State {
    color: Side,
    board: [[Cell; 9]; 9],
    hands: [BTreeMap<String, Option<u8>>; 2],
}

#[derive(Deserialize)]
struct Cell {
    color: Option<Side>,
    kind: Option<String>,
}

#[derive(Copy, Clone, Deserialize)]
#[serde(try_from = "u8")]
struct Side(Color);

/// One move, or the end. The first entry usually only has comments.
#[derive(Deserialize)]
struct Entry {
    #[serde(rename = "move")]
    moved: Option<Moved>,
    time: Option<Time>,
    comments: Option<Vec<String>>,
    special: Option<String>,
}

/// A move; the piece is named as before the move.
#[derive(Deserialize)]
struct Moved {
    color: Option<Side>,
    from: Option<Place>,
    to: Option<Place>,
    /// `None` in the minimal form, for a move on the board.
    piece: Option<String>,
    same: Option<bool>,
    promote: Option<bool>,
}

/// A square: file and rank from 1.
#[derive(Copy, Clone, Deserialize)]
struct Place {
    x: u8,
    y: u8,
}

#[derive(Deserialize)]
struct Time {
    now: Spent,
}

/// Hours, minutes and seconds.
#[derive(Deserialize)]
struct Spent {
    /// `null` from some programs.
    h: Option<u32>,
    m: u32,
    s: u32,
}

/// Preset start positions with their KIF names.
const PRESETS: [(&str, &str); 16] = [
    ("HIRATE", "平手"),
    ("KY", "香落ち"),
    ("KY_R", "右香落ち"),
    ("KA", "角落ち"),
    ("HI", "飛車落ち"),
    ("HIKY", "飛香落ち"),
    ("2", "二枚落ち"),
    ("3", "三枚落ち"),
    ("4", "四枚落ち"),
    ("5", "五枚落ち"),
    ("5_L", "左五枚落ち"),
    ("6", "六枚落ち"),
    ("7_L", "左七枚落ち"),
    ("7_R", "右七枚落ち"),
    ("8", "八枚落ち"),
    ("10", "十枚落ち"),
];

impl TryFrom<u8> for Side {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        match number {
            0 => Ok(Self(Color::Black)),
            1 => Ok(Self(Color::White)),
            _ => Err(format!("there is no side {number}")),
        }
    }
}

impl Initial {
    fn position(&self) -> Result<Position, Fault> {
        if let (Some(state), "OTHER") = (&self.data, self.preset.as_str()) {
            return state.position();
        }
        let name = PRESETS.iter().find(|(preset, _)| *preset == self.preset).map(|&(_, name)| name);
        let start = name.and_then(japanese::start).ok_or_else(|| Fault::Handicap(excerpt(&self.preset)))?;
        Ok(start?)
    }
}

impl State {
    fn position(&self) -> Result<Position, Fault> {
        let error = |text: &str| Fault::Board(excerpt(text));
        let mut setup = Setup::empty();
        for (file, cells) in (0..).zip(&self.board) {
            for (rank, cell) in (0..).zip(cells) {
                let Some(name) = &cell.kind else { continue };
                let piece = csa::kind(name).zip(cell.color).map(|(kind, Side(color))| Piece::new(color, kind));
                let (square, piece) = Square::at(file, rank).zip(piece).ok_or_else(|| error(name))?;
                setup.put(square, Some(piece));
            }
        }
        for (color, hand) in Color::ALL.into_iter().zip(&self.hands) {
            let held = hand.iter().filter_map(|(name, count)| Some((name, count.filter(|&count| count > 0)?)));
            for (name, count) in held {
                let held = csa::kind(name).filter(|kind| !kind.is_promoted()).and_then(|kind| kind.in_hand());
                let held = held.ok_or_else(|| error(name))?;
                (0..count).try_for_each(|_| setup.add_to_hand(color, held))?;
            }
        }
        Ok(setup.position(self.color.0)?)
    }
}

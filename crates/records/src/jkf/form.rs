//! JSON structure of JKF.

use crate::error::Fault;
use crate::setup::Setup;
use crate::{csa, kakinoki};
use sabi_shogi::{Color, Piece, Position, Square, excerpt};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

#[derive(Deserialize)]
pub(super) struct File {
    #[serde(default)]
    pub(super) header: BTreeMap<String, Value>,
    pub(super) initial: Option<Initial>,
    pub(super) moves: Vec<Entry>,
}

/// The first position.
#[derive(Deserialize)]
pub(super) struct Initial {
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
pub(super) struct Side(Color);

/// One move, or the end. The first entry usually only has comments.
#[derive(Deserialize)]
pub(super) struct Entry {
    #[serde(rename = "move")]
    pub(super) moved: Option<Moved>,
    pub(super) time: Option<Time>,
    pub(super) comments: Option<Vec<String>>,
    pub(super) special: Option<String>,
}

/// A move; the piece is named as before the move.
#[derive(Deserialize)]
pub(super) struct Moved {
    pub(super) color: Option<Side>,
    pub(super) from: Option<Place>,
    pub(super) to: Option<Place>,
    /// `None` in the minimal form, for a move on the board.
    pub(super) piece: Option<String>,
    pub(super) same: Option<bool>,
    pub(super) promote: Option<bool>,
}

/// A square: file and rank from 1.
#[derive(Copy, Clone, Deserialize)]
pub(super) struct Place {
    pub(super) x: u8,
    pub(super) y: u8,
}

#[derive(Deserialize)]
pub(super) struct Time {
    pub(super) now: Spent,
}

/// Hours, minutes and seconds.
#[derive(Deserialize)]
pub(super) struct Spent {
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

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        side.0
    }
}

impl Spent {
    pub(super) fn duration(&self) -> Duration {
        let [h, m, s] = [self.h.unwrap_or(0), self.m, self.s].map(u64::from);
        Duration::from_secs(3600 * h + 60 * m + s)
    }
}

impl Initial {
    pub(super) fn position(&self) -> Result<Position, Fault> {
        if let (Some(state), "OTHER") = (&self.data, self.preset.as_str()) {
            return state.position();
        }
        let name = PRESETS.iter().find(|(preset, _)| *preset == self.preset).map(|&(_, name)| name);
        let start = name.and_then(kakinoki::start).ok_or_else(|| Fault::Handicap(excerpt(&self.preset)))?;
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

//! Heat maps of squares and of distances.

use super::super::loss::Table;
use crate::page::collapsed;
use crate::tune::kind_name;
use sabi::eval::Weights;
use sabi_shogi::{PieceKind, Square};
use std::ops::Range;

/// Style sheet of the boards.
pub(super) const STYLE: &str = include_str!("boards.css");

/// Shades on each side of zero.
const SHADES: f64 = 6.0;

/// Range of rank differences and of file distances.
const RANKS: usize = 17;
const FILES: usize = 9;

/// Game phases, in the order of the two values of a weight.
const PHASES: [&str; 2] = ["middlegame", "endgame"];

/// Values of one term for one piece kind and their changes, for both phases.
struct Maps {
    after: [Vec<f64>; 2],
    change: [Vec<f64>; 2],
}

/// Heat maps of all piece kinds.
pub(super) fn boards(before: &Table, after: &Table) -> String {
    PieceKind::ALL.into_iter().map(|kind| of_kind(kind, before, after)).collect()
}

fn of_kind(kind: PieceKind, before: &Table, after: &Table) -> String {
    let maps = |term: &str, len: usize| Maps::new(row(term, kind, len)?, before, after);
    let squares = maps("square", Square::COUNT).map_or_else(String::new, |maps| maps.html(board));
    // The king has no distance to itself.
    let terms = if kind == PieceKind::King { [].as_slice() } else { &["own_king", "enemy_king"] };
    let far: String = terms
        .iter()
        .filter_map(|&term| {
            let title = format!("By distance to the {} king", if term == "own_king" { "own" } else { "enemy's" });
            Some(collapsed(&title, &maps(term, FILES * RANKS)?.html(distances)))
        })
        .collect();
    format!("<h3>{}</h3>\n{squares}{far}", kind_name(kind))
}

/// Weight indices of a term for a piece kind.
fn row(term: &str, kind: PieceKind, len: usize) -> Option<Range<usize>> {
    let start = Weights::index_of(&format!("{term}.{}.0", kind.index()))?;
    Some(start..start + len)
}

impl Maps {
    /// `None` when a table has no such weights.
    fn new(weights: Range<usize>, before: &Table, after: &Table) -> Option<Self> {
        let (before, after) = (before.get(weights.clone())?, after.get(weights)?);
        let change =
            |phase: usize| before.iter().zip(after).map(|(before, after)| after[phase] - before[phase]).collect();
        let value = |phase: usize| after.iter().map(|after| after[phase]).collect();
        Some(Self { after: [0, 1].map(value), change: [0, 1].map(change) })
    }

    /// The four maps, rendered by `draw` from caption, values and the maximum of the colour scale.
    fn html(&self, draw: fn(&str, &[f64], f64) -> String) -> String {
        let maps: String = [("after", &self.after), ("change", &self.change)]
            .into_iter()
            .map(|(what, maps)| {
                // One scale for both phases, for comparison.
                let top = maps.iter().flatten().fold(0.0, |top: f64, value| top.max(value.abs()));
                let drawn =
                    |(phase, map): (&str, &Vec<f64>)| draw(&format!("{phase}, {what} (full colour: ±{top})"), map, top);
                PHASES.into_iter().zip(maps).map(drawn).collect::<String>()
            })
            .collect();
        format!("<div class=\"boards\">\n{maps}</div>\n")
    }
}

/// The board from Black's side: files 9 to 1 from the left, ranks a to i from the top.
fn board(caption: &str, values: &[f64], top: f64) -> String {
    let heads: String = (1..=FILES).rev().map(|file| format!("<th scope=\"col\">{file}</th>")).collect();
    let line = |rank: usize| {
        let cells: String = (0..FILES).rev().map(|file| cell(values[file * 9 + rank], top)).collect();
        format!("<tr>{cells}<th scope=\"row\">{}</th></tr>\n", (b'a' + rank as u8) as char)
    };
    let lines: String = (0..9).map(line).collect();
    format!("<table class=\"board\"><caption>{caption}</caption>\n<tr>{heads}<th></th></tr>\n{lines}</table>\n")
}

/// File distance to the king from the left, rank difference from the top.
fn distances(caption: &str, values: &[f64], top: f64) -> String {
    let heads: String = (0..FILES).map(|files| format!("<th scope=\"col\">{files}</th>")).collect();
    let line = |rank: usize| {
        let cells: String = (0..FILES).map(|files| cell(values[files * RANKS + rank], top)).collect();
        format!("<tr>{cells}<th scope=\"row\">{:+}</th></tr>\n", (RANKS / 2) as i32 - rank as i32)
    };
    let lines: String = (0..RANKS).map(line).collect();
    format!("<table class=\"board far\"><caption>{caption}</caption>\n<tr>{heads}<th></th></tr>\n{lines}</table>\n")
}

/// A coloured value; zero is empty.
fn cell(value: f64, top: f64) -> String {
    match shade(value, top) {
        _ if value == 0.0 => "<td></td>".to_owned(),
        0 => format!("<td>{value}</td>"),
        shade => format!("<td class=\"{}{}\">{value}</td>", if shade < 0 { 'm' } else { 'p' }, shade.abs()),
    }
}

/// Shade from -6 to 6. `top` is the maximum absolute value.
fn shade(value: f64, top: f64) -> i32 {
    if top == 0.0 { 0 } else { (SHADES * value / top).round() as i32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_are_symmetric_around_zero() {
        for (value, expected) in [(0.0, 0), (4.0, 0), (5.0, 1), (30.0, 3), (60.0, 6)] {
            assert_eq!((shade(value, 60.0), shade(-value, 60.0)), (expected, -expected), "{value}");
        }
        assert_eq!(shade(0.0, 0.0), 0);
        assert_eq!(cell(-60.0, 60.0), "<td class=\"m6\">-60</td>");
        assert_eq!((cell(0.0, 60.0), cell(2.0, 60.0)), ("<td></td>".to_owned(), "<td>2</td>".to_owned()));
    }

    /// Cell texts by row, without headers.
    fn lines(html: &str) -> Vec<Vec<String>> {
        let text =
            |cell: &str| cell.split('>').nth(1).unwrap_or_default().split('<').next().unwrap_or_default().to_owned();
        let line = |line: &str| line.split("<td").skip(1).map(text).collect::<Vec<String>>();
        html.lines().map(line).filter(|cells| !cells.is_empty()).collect()
    }

    #[test]
    fn square_layout() {
        let mut values = vec![0.0; 81];
        for (name, value) in [("9a", 91.0), ("1a", 11.0), ("7g", 77.0), ("1i", 19.0)] {
            values[Square::from_usi(name).unwrap().index()] = value;
        }
        let lines = lines(&board("", &values, 100.0));
        assert_eq!((lines.len(), lines[0].len()), (9, 9));
        assert_eq!((&*lines[0][0], &*lines[0][8], &*lines[6][2], &*lines[8][8]), ("91", "11", "77", "19"));
        assert_eq!(lines.iter().flatten().filter(|cell| !cell.is_empty()).count(), 4);
    }

    #[test]
    fn distance_layout() {
        let mut values = vec![0.0; FILES * RANKS];
        // Two files aside, three ranks ahead: ranks ahead are smaller.
        values[2 * 17 + 8 - 3] = 5.0;
        let html = distances("", &values, 5.0);
        assert_eq!(lines(&html)[5][2], "5");
        assert!(html.lines().any(|line| line.contains(">5<") && line.contains(">+3<")), "{html}");
    }

    #[test]
    fn change_is_after_minus_before() {
        let (mut before, mut after) = (vec![[0.0; 2]; Weights::COUNT], vec![[0.0; 2]; Weights::COUNT]);
        let range = row("square", PieceKind::Gold, 81).unwrap();
        (before[range.start + 4], after[range.start + 4]) = ([3.0, 4.0], [1.0, 9.0]);
        let maps = Maps::new(range, &before, &after).unwrap();
        assert_eq!([maps.after[0][4], maps.after[1][4], maps.change[0][4], maps.change[1][4]], [1.0, 9.0, -2.0, 5.0]);
        assert!(Maps::new(0..81, &before[..80], &after).is_none());
    }
}

//! Report of a fit as a self-contained HTML page: settings and losses, tables of weights, heat maps of
//! squares and of distances. Equal fit and samples give equal bytes.

use super::fit::{Fit, FitSettings, Saved, Step, StopReason, rounded_weights, weight_values};
use super::loss::{LossFunction, SampleSet, Table, Target};
use super::samples::{Samples, Split};
use super::weights::{group_changes, kind_name, largest_changes, weight_label};
use crate::page::{Bins, calibration, calibration_figure, collapsed, curves, figure, key_values, page, section, table};
use anyhow::ensure;
use sabi::eval::{Group, Weights};
use sabi_shogi::{PieceKind, Square};
use std::ops::Range;

/// Report of a fit as HTML. The weights "after" are the rounded ones that are written. `threads`
/// affects the time only.
///
/// # Errors
/// When the fit belongs to other samples or to another evaluation.
pub fn report(title: &str, saved: &Saved, samples: &Samples, threads: usize) -> anyhow::Result<String> {
    let fit = &saved.fit;
    ensure!(fit.start().len() == Weights::COUNT, "it was fitted to an evaluation with other terms");
    ensure!(saved.samples == samples.fingerprint(), "it was fitted to other samples");
    ensure!((0.0..=0.5).contains(&saved.test_split), "it is damaged");
    let split = Split::new(samples, saved.test_split, fit.settings().seed);
    let (before, after) = (fit.start(), weight_values(&rounded_weights(&fit.table())));
    let [bins_before, bins_after] =
        [before, &after].map(|table| calibrated(samples, &split.test, table, &fit.target()));
    let body = [
        section("Fit", &(settings(saved, samples) + &losses(saved, samples, &split, threads, &after))),
        section("Loss by step", &loss_curves(fit)?),
        section(
            "Calibration on the test games",
            &calibration_figure(["before", "after"], [&bins_before, &bins_after])?,
        ),
        section("Changes by group", &groups(before, &after)),
        section("Largest changes", &changes(before, &after)),
        section("Small groups", &small_groups(before, &after)),
        section("Squares", &boards(before, &after)),
    ];
    Ok(page(title, BOARD_STYLE, &body.concat()))
}

/// Predictions of a table against results, on some games.
fn calibrated(samples: &Samples, games: &[usize], table: &Table, target: &Target) -> Bins {
    let chosen = games.iter().flat_map(|&game| samples.of_game(game));
    calibration(chosen.map(|at| (target.expected(samples.value(at, table)), samples.result(at))))
}

/// Settings, samples and end of the fit.
fn settings(saved: &Saved, samples: &Samples) -> String {
    let fit = &saved.fit;
    let FitSettings { method, learning_rate, iterations, patience, tolerance, .. } = fit.settings();
    let FitSettings { regularization, score_share, seed, .. } = fit.settings();
    let loss_function = match fit.settings().loss_function {
        LossFunction::Squares => "mean square",
        LossFunction::CrossEntropy => "mean cross-entropy",
    };
    let groups: Vec<String> = fit.settings().groups.iter().map(Group::to_string).collect();
    let target = fit.target();
    let rows = [
        ("method", format!("{method:?}, rate {learning_rate}")),
        ("loss", format!("{loss_function}, score share {score_share}, regularization {regularization}")),
        ("limits", format!("{iterations} steps, patience {patience}, tolerance {tolerance}")),
        ("groups", groups.join(", ")),
        ("seed", seed.to_string()),
        ("samples", format!("{} of {} games, {} with a score", samples.len(), samples.game_count(), samples.scored())),
        (
            "parts",
            format!("{} at random for the test set, as large a part of the rest for validation", saved.test_split),
        ),
        ("k", format!("{:.6} (a pawn of 100 scores {:.3})", target.k, target.expected(100.0))),
        ("end", format!("{} after {} steps", fit.end.map_or("not ended", StopReason::describe), fit.steps().len())),
        ("best", format!("after {} steps, validation loss {:.6}", fit.best().0, fit.best().1)),
    ];
    key_values(&rows)
}

/// Games and samples of each set, and losses before and after.
fn losses(saved: &Saved, samples: &Samples, split: &Split, threads: usize, after: &Table) -> String {
    let (mut counts, mut losses) = (Vec::new(), Vec::new());
    for (name, games) in [("train", &split.train), ("validation", &split.validation), ("test", &split.test)] {
        let sample_set = SampleSet::new(samples, games, threads);
        counts.push(vec![name.to_owned(), games.len().to_string(), sample_set.len().to_string()]);
        for (unit, loss_function) in
            [("mean square", LossFunction::Squares), ("cross-entropy", LossFunction::CrossEntropy)]
        {
            let target = Target::result(saved.fit.target().k, loss_function);
            let [before, after] =
                [saved.fit.start(), after].map(|table| format!("{:.6}", sample_set.loss(table, &target)));
            losses.push(vec![format!("{name}, {unit}"), before, after]);
        }
    }
    table(&["part", "games", "samples"], counts) + &table(&["loss", "before", "after"], losses)
}

/// Training cost and validation loss by step, with the best step.
fn loss_curves(fit: &Fit) -> anyhow::Result<String> {
    let curve = |value: fn(&Step) -> f64| -> Vec<(f64, f64)> {
        fit.steps().iter().enumerate().map(|(at, step)| ((at + 1) as f64, value(step))).collect()
    };
    let best = (fit.best().0 as f64, fit.best().1);
    let chart = curves(["steps", "loss"], &curve(|step| step.cost), &curve(|step| step.validation_loss), Some(best))?;
    Ok(figure(
        &chart,
        "<span class=\"after\">──</span> cost on the training games, regularization included; \
         <span class=\"before\">╌╌</span> loss on the validation games; <span class=\"best\">●</span> best step",
    ))
}

/// Number of largest changes listed.
const LISTED: usize = 40;

/// Groups listed completely.
const SMALL: [Group; 4] = [Group::Material, Group::Hands, Group::Threats, Group::Tempo];

/// Changes by group.
fn groups(before: &Table, after: &Table) -> String {
    let rows = group_changes(before, after).map(|change| {
        vec![
            change.group.to_string(),
            change.weights.to_string(),
            change.changed.to_string(),
            format!("{:.2}", change.mean),
            change.largest.to_string(),
        ]
    });
    table(&["group", "weights", "changed", "mean change", "largest change"], rows)
}

/// The largest changes.
fn changes(before: &Table, after: &Table) -> String {
    let order = largest_changes(before, after, LISTED);
    if order.is_empty() {
        return "<p>No weight changed.</p>\n".to_owned();
    }
    listed(&order, before, after)
}

/// All weights of the small groups that are not zero before and after.
fn small_groups(before: &Table, after: &Table) -> String {
    let of_group = |group: Group| {
        let is_shown = |&index: &usize| {
            Weights::group(index) == Some(group) && (before[index] != [0.0; 2] || after[index] != [0.0; 2])
        };
        let indices: Vec<usize> = (0..Weights::COUNT).filter(is_shown).collect();
        let title = format!("All weights of {group} that are not zero: {}", indices.len());
        collapsed(&title, &listed(&indices, before, after))
    };
    SMALL.into_iter().map(of_group).collect()
}

/// Weights with values before and after.
fn listed(indices: &[usize], before: &Table, after: &Table) -> String {
    let rows = indices.iter().map(|&index| {
        let phase = |part: usize| format!("{} → {}", before[index][part], after[index][part]);
        vec![weight_label(index), phase(0), phase(1)]
    });
    table(&["weight", "middlegame", "endgame"], rows)
}

/// Legend of the boards.
const SQUARES: &str = "<p>Centipawns for the side of the piece, which plays up the board; its king stands on the left wing. \
     Orange is good for it, blue is bad. By distance: files between piece and king from left to right, and how many ranks the \
     piece is ahead of the king from top to bottom.</p>\n";

/// Style sheet of the boards.
const BOARD_STYLE: &str = include_str!("boards.css");

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
fn boards(before: &Table, after: &Table) -> String {
    let maps: String = PieceKind::ALL.into_iter().map(|kind| of_kind(kind, before, after)).collect();
    format!("{SQUARES}{maps}")
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
    fn lists_values_before_and_after() {
        let before = vec![[0.0; 2]; Weights::COUNT];
        let mut after = before.clone();
        after[Weights::index_of("hand.0.2").unwrap()] = [-3.0, 7.0];
        let html = small_groups(&before, &after);
        assert!(html.contains("<th scope=\"row\">Pawn × 2</th><td>0 → -3</td><td>0 → 7</td>"), "{html}");
        assert_eq!(html.matches(" → ").count(), 2);
        assert!(changes(&before, &after).contains("Pawn × 2"));
        assert!(changes(&before, &before).contains("No weight changed"));
    }

    #[test]
    fn lists_largest_changes_only() {
        let html = changes(&vec![[0.0; 2]; Weights::COUNT], &vec![[1.0; 2]; Weights::COUNT]);
        assert_eq!(html.matches("<tr>").count(), LISTED + 1);
    }

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

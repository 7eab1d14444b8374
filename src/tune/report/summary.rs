//! What was fitted, and how well it predicts.

use super::super::calibration::{BINS, Bin, calibration_error};
use super::super::checkpoint::Saved;
use super::super::fit::{End, Plan};
use super::super::loss::{Aim, Batch, Measure, Table};
use super::super::samples::Samples;
use super::super::split::Split;
use super::page::{escape, folded, table};
use crate::eval::Group;

/// How to read the boards.
pub(super) const SQUARES: &str = "<p>Centipawns for the side of the piece, which plays up the board; its king stands on the left wing. \
     Orange is good for it, blue is bad. By distance: files between piece and king from left to right, and how many ranks the \
     piece is ahead of the king from top to bottom.</p>\n";

/// The plan, the games, and the end.
pub(super) fn fit(saved: &Saved, samples: &Samples) -> String {
    let fit = &saved.fit;
    let Plan { method, rate, iterations, patience, tolerance, regularization, score_share, seed, .. } = fit.plan();
    let measure = match fit.plan().measure() {
        Measure::Squares => "mean square",
        Measure::CrossEntropy => "mean cross-entropy",
    };
    let groups = &fit.plan().groups;
    let groups: Vec<String> = groups.iter().filter_map(|&at| Group::ALL.get(at)).map(Group::to_string).collect();
    let aim = fit.aim();
    let rows = [
        ("method", format!("{method:?}, rate {rate}")),
        ("loss", format!("{measure}, score share {score_share}, regularization {regularization}")),
        ("limits", format!("{iterations} steps, patience {patience}, tolerance {tolerance}")),
        ("groups", groups.join(", ")),
        ("seed", seed.to_string()),
        ("samples", format!("{} of {} games, {} with a score", samples.len(), samples.game_count(), samples.scored())),
        ("parts", format!("{} by chance for test, and as many of the rest for validation", saved.test_split)),
        ("k", format!("{:.6} (a pawn of 100 scores {:.3})", aim.k, aim.expected(100.0))),
        ("end", format!("{} after {} steps", fit.end().map_or("not ended", End::describe), fit.steps().len())),
        ("best", format!("after {} steps, validation loss {:.6}", fit.best().0, fit.best().1)),
    ];
    let rows = rows.map(|(name, value)| format!("<dt>{name}</dt><dd>{}</dd>\n", escape(&value)));
    format!("<dl>\n{}</dl>\n", rows.concat())
}

/// How many games and samples each part has, and the losses of both tables on it.
pub(super) fn losses(saved: &Saved, samples: &Samples, split: &Split, threads: usize, after: &Table) -> String {
    let (mut counts, mut losses) = (Vec::new(), Vec::new());
    for (name, games) in [("train", &split.train), ("validation", &split.validation), ("test", &split.test)] {
        let batch = Batch::new(samples, games, threads);
        counts.push(vec![name.to_owned(), games.len().to_string(), batch.len().to_string()]);
        for (unit, measure) in [("mean square", Measure::Squares), ("cross-entropy", Measure::CrossEntropy)] {
            let aim = Aim { score_share: 0.0, measure, ..saved.fit.aim() };
            let [before, after] = [saved.fit.start(), after].map(|table| format!("{:.6}", batch.loss(table, &aim)));
            losses.push(vec![format!("{name}, {unit}"), before, after]);
        }
    }
    table(&["part", "games", "samples"], counts) + &table(&["loss", "before", "after"], losses)
}

/// The calibration in numbers.
pub(super) fn calibration(before: &[Bin; BINS], after: &[Bin; BINS]) -> String {
    let rows = before.iter().zip(after).enumerate().map(|(at, (before, after))| {
        let edge = |at: usize| 100 * at / BINS;
        let share =
            |bin: &Bin, share: f64| if bin.count == 0 { "–".to_owned() } else { format!("{:.1} %", 100.0 * share) };
        let numbers = |bin: &Bin| [bin.count.to_string(), share(bin, bin.predicted), share(bin, bin.real)];
        let name = format!("{}–{} %", edge(at), edge(at + 1));
        [&[name], &numbers(before)[..], &numbers(after)[..]].concat()
    });
    let heads = ["predicted", "samples before", "predicted", "real", "samples after", "predicted", "real"];
    format!(
        "<p>Mean distance between predicted and real share: {:.2} % before, {:.2} % after.</p>\n{}",
        100.0 * calibration_error(before),
        100.0 * calibration_error(after),
        folded("In numbers", &table(&heads, rows))
    )
}

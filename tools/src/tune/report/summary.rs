//! Settings, samples and losses.

use super::super::checkpoint::Saved;
use super::super::fit::{Fit, FitSettings, Step, StopReason};
use super::super::loss::{LossFunction, SampleSet, Table, Target};
use super::super::samples::Samples;
use super::super::split::Split;
use crate::page::{ChartError, curves, figure, key_values, table};
use sabi::eval::Group;

/// Legend of the boards.
pub(super) const SQUARES: &str = "<p>Centipawns for the side of the piece, which plays up the board; its king stands on the left wing. \
     Orange is good for it, blue is bad. By distance: files between piece and king from left to right, and how many ranks the \
     piece is ahead of the king from top to bottom.</p>\n";

/// Settings, samples and end of the fit.
pub(super) fn fit(saved: &Saved, samples: &Samples) -> String {
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
        ("end", format!("{} after {} steps", fit.end().map_or("not ended", StopReason::describe), fit.steps().len())),
        ("best", format!("after {} steps, validation loss {:.6}", fit.best().0, fit.best().1)),
    ];
    key_values(&rows)
}

/// Games and samples of each set, and losses before and after.
pub(super) fn losses(saved: &Saved, samples: &Samples, split: &Split, threads: usize, after: &Table) -> String {
    let (mut counts, mut losses) = (Vec::new(), Vec::new());
    for (name, games) in [("train", &split.train), ("validation", &split.validation), ("test", &split.test)] {
        let sample_set = SampleSet::new(samples, games, threads);
        counts.push(vec![name.to_owned(), games.len().to_string(), sample_set.len().to_string()]);
        for (unit, loss_function) in
            [("mean square", LossFunction::Squares), ("cross-entropy", LossFunction::CrossEntropy)]
        {
            let target = Target { score_share: 0.0, loss_function, ..saved.fit.target() };
            let [before, after] =
                [saved.fit.start(), after].map(|table| format!("{:.6}", sample_set.loss(table, &target)));
            losses.push(vec![format!("{name}, {unit}"), before, after]);
        }
    }
    table(&["part", "games", "samples"], counts) + &table(&["loss", "before", "after"], losses)
}

/// Training cost and validation loss by step, with the best step.
pub(super) fn loss_curves(fit: &Fit) -> Result<String, ChartError> {
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

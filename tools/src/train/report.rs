//! Report of a training run as a self-contained HTML page. Equal state and games give equal bytes.

use super::gradient::{activity, predictions};
use super::model::Model;
use super::samples::{Samples, TrainingSettings};
use super::training::{Epoch, Training, TrainingData};
use crate::page::{calibration, calibration_figure, collapsed, curves, figure, key_values, page, section, table};
use sabi::eval::nnue::Parameters;

/// Report as HTML. Without games the validation parts are omitted. `threads` affects the time only.
///
/// # Errors
/// When the training used other games, or the network is damaged.
pub fn report(
    title: &str,
    training: &Training,
    data: Option<&TrainingData<'_>>,
    threads: usize,
) -> anyhow::Result<String> {
    let mut body = vec![section("Plan", &settings(training)), section("Loss by epoch", &losses(training.epochs())?)];
    if let Some(data) = data {
        training.check(data)?;
        let (model, samples) = (training.model()?.quantised(training.settings().scale), &data.validation);
        body.push(section("Calibration on the validation set", &calibrated(&model, samples, threads)?));
        body.push(section("First layer on the validation set", &first_layer(&model, samples, threads)));
        let (mean, most) = training.quantisation_error(data)?;
        let error = format!(
            "<p>Integer against floating-point arithmetic with the same rounded weights: mean {mean:.2} cp, maximum \
             {most:.1} cp over the first validation positions.</p>\n"
        );
        body.push(section("Quantisation error", &error));
    }
    body.push(section("Weights", &weights(&training.parameters()?)));
    Ok(page(title, "", &body.concat()))
}

fn settings(training: &Training) -> String {
    let TrainingSettings { score_share, lambda, scale, epochs, batch_size, seed, .. } = training.settings();
    let TrainingSettings { learning_rate, weight_decay, validation_share, .. } = training.settings();
    key_values(&[
        ("network", training.settings().shape().short_name()),
        ("epochs", format!("{} of {epochs}", training.epochs().len())),
        ("positions", format!("{} in the training set, {batch_size} a step", training.samples)),
        ("validation", format!("{validation_share} of the games, by their numbers")),
        ("rate", format!("{learning_rate}, decay {weight_decay}")),
        ("target", format!("score share {score_share}, λ {lambda}, expected score 1 / (1 + exp(-cp / {scale}))")),
        ("seed", seed.to_string()),
    ])
}

/// Losses and learning rate by epoch, as charts and table.
fn losses(epochs: &[Epoch]) -> anyhow::Result<String> {
    let curve = |value: fn(&Epoch) -> f64| -> Vec<(f64, f64)> {
        epochs.iter().enumerate().map(|(at, epoch)| ((at + 1) as f64, value(epoch))).collect()
    };
    let (training, validation) = (curve(|epoch| epoch.training_loss), curve(|epoch| epoch.validation_loss));
    let rows = epochs.iter().enumerate().map(|(at, epoch)| {
        let numbers = [epoch.training_loss, epoch.validation_loss, epoch.learning_rate];
        [&[(at + 1).to_string()], &numbers.map(|number| format!("{number:.6}"))[..]].concat()
    });
    Ok([
        figure(
            &curves(["epochs", "loss"], &training, &validation, None)?,
            "Mean squared error: <span class=\"after\">──</span> training loss; \
             <span class=\"before\">╌╌</span> validation loss",
        ),
        figure(
            &curves(["epochs", "rate"], &curve(|epoch| epoch.learning_rate), &[], None)?,
            "Learning rate at the end of the epoch",
        ),
        collapsed("In numbers", &table(&["epoch", "training", "validation", "rate"], rows)),
    ]
    .concat())
}

/// Calibration against targets and against results.
fn calibrated(model: &Model, samples: &Samples, threads: usize) -> anyhow::Result<String> {
    let predicted = predictions(model, samples, threads);
    let targets = calibration(predicted.iter().copied().zip(samples.targets.iter().map(|&target| target.into())));
    let results = predicted.iter().zip(&samples.results);
    let results = calibration(results.filter_map(|(&share, result)| Some((share, f64::from((*result)?) / 2.0))));
    Ok(format!(
        "<p>{} positions. Expected score of the side to move: prediction against target, and prediction against game \
         result.</p>\n{}",
        samples.len(),
        calibration_figure(["target", "result"], [&targets, &results])?
    ))
}

/// First-layer activations.
fn first_layer(model: &Model, samples: &Samples, threads: usize) -> String {
    let activity = activity(model, samples, threads);
    let units = activity.len();
    let dead = activity.iter().filter(|&&part| part == 0.0).count();
    let share = |part: f64| format!("{:.1} %", 100.0 * part);
    let rows = (0..10).map(|tenth| {
        let units = activity.iter().filter(|&&part| part > 0.0 && ((part * 10.0) as usize).min(9) == tenth);
        vec![format!("{}–{} %", 10 * tenth, 10 * tenth + 10), units.count().to_string()]
    });
    let rows = [vec!["never".to_owned(), dead.to_string()]].into_iter().chain(rows);
    let key_values = key_values(&[
        ("dead units", format!("{dead} of {units}, {}: 0 in every position", share(dead as f64 / units as f64))),
        ("in use", format!("{} of the units on average", share(activity.iter().sum::<f64>() / units as f64))),
    ]);
    key_values + &collapsed("Units by activation rate", &table(&["positions", "units"], rows))
}

/// Quantised weights by layer.
fn weights(network: &Parameters) -> String {
    let (short, byte) = (Some(i16::MAX.into()), Some(i8::MAX.into()));
    let mut rows = vec![
        row("first layer, weights", &network.feature_weights, short),
        row("first layer, biases", &network.bias, short),
    ];
    for (at, name) in ["second layer", "third layer", "output"].into_iter().enumerate() {
        let of_stacks = || network.stacks.iter().map(move |stack| &stack[at]);
        let weights: Vec<i8> = of_stacks().flat_map(|dense| &dense.weights).copied().collect();
        let biases: Vec<i32> = of_stacks().flat_map(|dense| &dense.bias).copied().collect();
        rows.push(row(&format!("{name}, weights"), &weights, byte));
        rows.push(row(&format!("{name}, biases"), &biases, None));
    }
    let heads = ["part", "parameters", "min", "max", "mean magnitude", "zero", "limit", "clipped"];
    format!("<p>Quantised, as in the file.</p>\n{}", table(&heads, rows))
}

/// Statistics of a part of the network; `limit` is the maximum absolute value.
fn row<T: Copy + Into<i32>>(name: &str, numbers: &[T], limit: Option<i32>) -> Vec<String> {
    // One pass, because there may be very many.
    let (mut least, mut largest) = (i32::MAX, i32::MIN);
    let (mut sizes, mut zeros, mut at_limit) = (0_u64, 0_usize, 0_usize);
    for number in numbers.iter().map(|&number| number.into()) {
        (least, largest) = (least.min(number), largest.max(number));
        sizes += u64::from(number.unsigned_abs());
        zeros += usize::from(number == 0);
        at_limit += usize::from(limit.is_some_and(|limit| number.abs() >= limit));
    }
    let count = numbers.len().max(1) as f64;
    let share = |part: usize| format!("{:.2} %", 100.0 * part as f64 / count);
    let bound = |number: i32| if numbers.is_empty() { "–".to_owned() } else { number.to_string() };
    vec![
        name.to_owned(),
        numbers.len().to_string(),
        bound(least),
        bound(largest),
        format!("{:.1}", sizes as f64 / count),
        share(zeros),
        limit.map_or_else(|| "–".to_owned(), |limit| format!("±{limit}")),
        limit.map_or_else(|| "–".to_owned(), |_| share(at_limit)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weight_statistics() {
        let numbers = [-127, 0, 3, 127, 1, -2];
        let known = ["x", "6", "-127", "127", "43.3", "16.67 %", "±127", "33.33 %"];
        assert_eq!(row("x", &numbers, Some(127)), known);
        assert_eq!(row("x", &numbers, None)[6..], ["–", "–"]);
        assert_eq!(row::<i32>("x", &[], None)[1..4], ["0", "–", "–"]);
    }
}

//! Losses of weights: `tuner validate` and `tuner compare`.

use crate::extract::{self, SplitArguments, SplitSamples};
use anyhow::Context;
use sabi::eval::Weights;
use sabi_tools::tune::{
    GroupChange, LossFunction, SampleSet, Split, Table, Target, fit_k, group_changes, largest_changes, weight_label,
    weight_values,
};
use std::io::Write;
use std::path::Path;

/// Name of the untuned weights in place of a file.
const BY_HAND: &str = "hand";

/// Weights of a file; the untuned ones without a file or for `hand`.
pub fn load_weights(path: Option<&Path>) -> anyhow::Result<Weights> {
    match path.filter(|path| *path != Path::new(BY_HAND)) {
        Some(path) => Weights::read(path).with_context(|| format!("cannot read the weights '{}'", path.display())),
        None => Ok(Weights::untuned()),
    }
}

/// Number of largest differences listed.
const LISTED: usize = 20;

/// Prints the losses of some weights.
pub fn validate(data: &SplitSamples<'_>, weights: &Weights, out: &mut impl Write) -> anyhow::Result<()> {
    let table = weight_values(weights);
    let target = fitted_target(data, &table);
    writeln!(out, "k          {:.6} (a pawn of 100 scores {:.3})", target.k, target.expected(100.0))?;
    data.print_losses(&target, &[("weights", &table)], out)
}

/// Prints the differences of weights and, with samples, the losses.
pub fn compare(
    paths: [&Path; 2],
    samples: Option<&Path>,
    splitting: &SplitArguments,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let [a, b] = [weight_values(&load_weights(Some(paths[0]))?), weight_values(&load_weights(Some(paths[1]))?)];
    writeln!(out, "{:<10} {:>8} {:>8} {:>12}", "group", "weights", "changed", "mean change")?;
    for GroupChange { group, weights, changed, mean, .. } in group_changes(&a, &b) {
        writeln!(out, "{:<10} {weights:>8} {changed:>8} {mean:>12.2}", group.to_string())?;
    }
    for index in largest_changes(&a, &b, LISTED) {
        let name = weight_label(index);
        writeln!(out, "{name:<22} {:>6} {:>6}  ->  {:>6} {:>6}", a[index][0], a[index][1], b[index][0], b[index][1])?;
    }
    let Some(samples) = samples else { return Ok(()) };
    let samples = extract::load(samples)?;
    let data = splitting.split(&samples)?;
    data.print_losses(&fitted_target(&data, &a), &[("first", &a), ("second", &b)], out)
}

/// The results as target, with the `k` of these weights on the training set.
fn fitted_target(data: &SplitSamples<'_>, table: &Table) -> Target {
    let train = SampleSet::new(data.samples, &data.split.train, data.threads);
    Target::result(fit_k(&train, table, LossFunction::Squares), LossFunction::Squares)
}

impl SplitSamples<'_> {
    /// Prints the losses of several tables on each set. With more than one, also the loss with each
    /// table's own `k`: otherwise a larger scale alone could win.
    pub fn print_losses(&self, target: &Target, tables: &[(&str, &Table)], out: &mut impl Write) -> anyhow::Result<()> {
        let Split { train, validation, test } = &self.split;
        writeln!(out, "loss       {:>10} {:>12} {:>12} {:>12}", "", "mean square", "cross-entr.", "own k")?;
        for (name, games) in [("train", train), ("validation", validation), ("test", test)] {
            let sample_set = SampleSet::new(self.samples, games, self.threads);
            let mut first = None;
            for (which, table) in tables {
                let loss = |k, loss_function| sample_set.loss(table, &Target::result(k, loss_function));
                let square = loss(target.k, LossFunction::Squares);
                let entropy = loss(target.k, LossFunction::CrossEntropy);
                let own = loss(fit_k(&sample_set, table, LossFunction::Squares), LossFunction::Squares);
                let gain = |first: f64| format!("  {:+.2} %", 100.0 * (own / first - 1.0));
                let gain = first.map_or_else(String::new, gain);
                first.get_or_insert(own);
                writeln!(out, "{name:<10} {which:>10} {square:>12.6} {entropy:>12.6} {own:>12.6}{gain}")?;
            }
        }
        Ok(())
    }
}

//! `tuner compare`.

use crate::arguments::SplitArguments;
use crate::{extract, validate, weights};
use sabi_tools::tune::{
    GroupChange, LossFunction, SampleSet, Split, Target, fit_k, group_changes, largest_changes, weight_label,
    weight_values,
};
use std::io::Write;
use std::path::Path;

/// Number of largest differences listed.
const LISTED: usize = 20;

/// Prints the differences and, with samples, the losses.
pub fn run(
    paths: [&Path; 2],
    samples: Option<&Path>,
    splitting: &SplitArguments,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let [first, second] = [weights::load(Some(paths[0]))?, weights::load(Some(paths[1]))?];
    let [a, b] = [weight_values(&first), weight_values(&second)];
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
    let split = Split::new(&samples, splitting.test_split, splitting.seed);
    validate::check(&samples, &split)?;
    let train = SampleSet::new(&samples, &split.train, splitting.working.threads());
    let target =
        Target { k: fit_k(&train, &a, LossFunction::Squares), score_share: 0.0, loss_function: LossFunction::Squares };
    validate::table(&samples, &split, splitting.working.threads(), &target, [("first", &a), ("second", &b)], out)
}

//! `tuner validate`.

use crate::arguments::SplitArguments;
use crate::weights;
use anyhow::ensure;
use sabi_tools::tune::{LossFunction, SampleSet, Samples, Split, Table, Target, fit_k, weight_values};
use std::io::Write;
use std::path::Path;

/// Prints the losses of some weights.
pub fn run(
    samples: &Samples,
    path: Option<&Path>,
    splitting: &SplitArguments,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let split = Split::new(samples, splitting.test_split, splitting.seed);
    let numbers = weight_values(&weights::load(path)?);
    check(samples, &split)?;
    let train = SampleSet::new(samples, &split.train, splitting.working.threads());
    let k = fit_k(&train, &numbers, LossFunction::Squares);
    let target = Target { k, score_share: 0.0, loss_function: LossFunction::Squares };
    writeln!(out, "k          {k:.6} (a pawn of 100 scores {:.3})", target.expected(100.0))?;
    table(samples, &split, splitting.working.threads(), &target, [("weights", &numbers)], out)
}

/// Fails when a set is empty.
pub fn check(samples: &Samples, split: &Split) -> anyhow::Result<()> {
    let games = samples.game_count();
    ensure!(split.is_possible(), "{games} games are too few for training, validation and test set");
    Ok(())
}

/// Prints the losses of several tables on each set. With more than one, also the loss with each
/// table's own `k`: otherwise a larger scale alone could win.
pub fn table<const N: usize>(
    samples: &Samples,
    split: &Split,
    threads: usize,
    target: &Target,
    tables: [(&str, &Table); N],
    out: &mut impl Write,
) -> anyhow::Result<()> {
    writeln!(out, "loss       {:>10} {:>12} {:>12} {:>12}", "", "mean square", "cross-entr.", "own k")?;
    for (name, games) in [("train", &split.train), ("validation", &split.validation), ("test", &split.test)] {
        let sample_set = SampleSet::new(samples, games, threads);
        let mut first = None;
        for (which, numbers) in tables {
            let plain = Target { score_share: 0.0, loss_function: LossFunction::Squares, ..*target };
            let square = sample_set.loss(numbers, &plain);
            let entropy = sample_set.loss(numbers, &Target { loss_function: LossFunction::CrossEntropy, ..plain });
            let own =
                sample_set.loss(numbers, &Target { k: fit_k(&sample_set, numbers, LossFunction::Squares), ..plain });
            let gain = first.map_or_else(String::new, |first: f64| format!("  {:+.2} %", 100.0 * (own / first - 1.0)));
            first.get_or_insert(own);
            writeln!(out, "{name:<10} {which:>10} {square:>12.6} {entropy:>12.6} {own:>12.6}{gain}")?;
        }
    }
    Ok(())
}

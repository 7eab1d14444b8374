//! Samples: `tuner extract`, and arguments on samples.

use anyhow::{Context, ensure};
use clap::Args;
use sabi::cli::{check_not_an_input, check_output};
use sabi::eval::Weights;
use sabi_tools::checkpoint::Checkpoint;
use sabi_tools::cli::{ReadCounts, ThreadArguments, each_game, finite, report_bad};
use sabi_tools::tune::{Extraction, Filter, FilterCounts, Samples, Split};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Args)]
pub struct ExtractArguments {
    /// Game records: files and folders, or - for standard input
    #[arg(long, value_name = "PATH", num_args = 1.., required = true)]
    pub dataset: Vec<PathBuf>,
    /// Plies without a capture before a quiet position
    #[arg(long, value_name = "PLIES", default_value_t = 2)]
    quiet_threshold: usize,
    /// Maximum difference between quiescence search and evaluation of a quiet position, in
    /// centipawns
    #[arg(long, value_name = "CP", default_value_t = 60, value_parser = clap::value_parser!(i32).range(0..))]
    quiet_margin: i32,
    /// Minimum rating of both players; games without ratings pass
    #[arg(long, value_name = "RATING", value_parser = finite)]
    min_rating: Option<f64>,
    /// Plies skipped at the start of each game
    #[arg(long, value_name = "PLIES", default_value_t = 8)]
    skip_opening: usize,
    /// Plies skipped at the end of each game
    #[arg(long, value_name = "PLIES", default_value_t = 6)]
    skip_end: usize,
    /// Maximum positions of a game
    #[arg(long, value_name = "N", default_value_t = 40)]
    max_per_game: usize,
}

#[derive(Args)]
pub struct SplitArguments {
    /// Share of games in the test set; the same share of the rest is the validation set
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = share)]
    pub test_split: f64,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub working: ThreadArguments,
}

fn share(text: &str) -> Result<f64, String> {
    let inside = |&number: &f64| number > 0.0 && number < 0.5;
    finite(text).ok().filter(inside).ok_or_else(|| "expected a share between 0 and 0.5".to_owned())
}

impl ExtractArguments {
    pub fn filter(&self, seed: u64) -> Filter {
        Filter {
            min_rating: self.min_rating,
            skip_opening: self.skip_opening,
            skip_end: self.skip_end,
            max_per_game: self.max_per_game,
            quiet_plies: self.quiet_threshold,
            quiet_margin: self.quiet_margin,
            seed,
        }
    }
}

/// Samples in training, validation and test set.
pub struct SplitSamples<'a> {
    pub samples: &'a Samples,
    pub split: Split,
    pub threads: usize,
}

impl SplitArguments {
    /// Splits samples; fails when a set is empty.
    pub fn split<'a>(&self, samples: &'a Samples) -> anyhow::Result<SplitSamples<'a>> {
        let split = Split::new(samples, self.test_split, self.seed);
        let games = samples.game_count();
        ensure!(split.is_possible(), "{games} games are too few for training, validation and test set");
        Ok(SplitSamples { samples, split, threads: self.working.threads() })
    }
}

/// Extracts samples from games to a file.
pub fn run(
    extraction: &ExtractArguments,
    splitting: &SplitArguments,
    output: &Path,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    check_output(output, "the samples", |head, _| Samples::detect(head))?;
    check_not_an_input(output, &extraction.dataset)?;
    let samples = extract_samples(extraction, splitting, out)?;
    samples.write(output).with_context(|| format!("cannot write the samples '{}'", output.display()))?;
    let bytes = std::fs::metadata(output)?.len();
    let (path, count, games) = (output.display(), samples.len(), samples.game_count());
    Ok(writeln!(out, "{path}: {count} samples of {games} games, {bytes} bytes")?)
}

/// Reads a sample file.
pub fn load(path: &Path) -> anyhow::Result<Samples> {
    let samples = Samples::read(path).with_context(|| format!("cannot read the samples '{}'", path.display()))?;
    ensure!(!samples.is_empty(), "'{}' has no samples", path.display());
    Ok(samples)
}

/// Reads games, extracts samples and prints the counts.
pub fn extract_samples(
    extraction: &ExtractArguments,
    splitting: &SplitArguments,
    out: &mut impl Write,
) -> anyhow::Result<Samples> {
    let start = Instant::now();
    let filter = extraction.filter(splitting.seed);
    let mut samples = Extraction::new(filter, splitting.working.threads(), Weights::embedded());
    let ReadCounts { files, bad } = each_game(&extraction.dataset, |game| Ok(samples.add(game)?))?;
    let (samples, counts) = samples.finish()?;
    let seconds = start.elapsed().as_secs_f64();
    report_bad(&bad);
    let FilterCounts { games, games_used, no_result, unfinished, rating, .. } = counts;
    let FilterCounts { positions, positions_used, in_check, after_capture, noisy, duplicates, over_cap, .. } = counts;
    let speed = positions as f64 / seconds.max(1e-9);
    let mebibytes = samples.bytes() as f64 / f64::from(1 << 20);
    writeln!(
        out,
        "files      {files}\n\
         games      {games}, used {games_used}; left out: {no_result} without result, {unfinished} unfinished, \
         {rating} by rating\n\
         positions  {positions}, used {positions_used}; left out: {in_check} in check, {after_capture} after a capture,\n\
         \x20          {noisy} not quiet, {duplicates} duplicates, {over_cap} over the limit per game\n\
         time       {seconds:.1} s, {speed:.0} positions a second; {mebibytes:.0} MiB of samples"
    )?;
    ensure!(!samples.is_empty(), "no position is left: see the counts above");
    Ok(samples)
}

//! `tuner extract`.

use crate::arguments::{ExtractArguments, SplitArguments};
use anyhow::{Context, ensure};
use sabi::cli::{check_not_an_input, check_output};
use sabi::eval::Weights;
use sabi_tools::checkpoint::Checkpoint;
use sabi_tools::cli::{ReadCounts, each_game, report_bad};
use sabi_tools::tune::{Extraction, FilterCounts, Samples};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// Extracts samples from games to a file.
pub fn run(
    extraction_arguments: &ExtractArguments,
    splitting: &SplitArguments,
    output: &Path,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    check_output(output, "the samples", |head, _| Samples::detect(head))?;
    check_not_an_input(output, &extraction_arguments.dataset)?;
    let samples = extract_samples(extraction_arguments, splitting, out)?;
    samples.write(output).with_context(|| format!("cannot write the samples '{}'", output.display()))?;
    let bytes = std::fs::metadata(output)?.len();
    Ok(writeln!(
        out,
        "{}: {} samples of {} games, {bytes} bytes",
        output.display(),
        samples.len(),
        samples.game_count()
    )?)
}

/// Reads a sample file.
pub fn load(path: &Path) -> anyhow::Result<Samples> {
    let samples = Samples::read(path).with_context(|| format!("cannot read the samples '{}'", path.display()))?;
    ensure!(!samples.is_empty(), "'{}' has no samples", path.display());
    Ok(samples)
}

/// Reads games and extracts samples.
pub fn extract_samples(
    extraction_arguments: &ExtractArguments,
    splitting: &SplitArguments,
    out: &mut impl Write,
) -> anyhow::Result<Samples> {
    let start = Instant::now();
    let filter = extraction_arguments.filter(splitting.seed);
    let mut extraction = Extraction::new(filter, splitting.working.threads(), Weights::embedded());
    let ReadCounts { files, bad } = each_game(&extraction_arguments.dataset, |game| Ok(extraction.add(game)?))?;
    let (samples, counts) = extraction.finish()?;
    let seconds = start.elapsed().as_secs_f64();
    report_bad(&bad);
    writeln!(out, "files      {files}")?;
    print(&counts, &samples, seconds, out)?;
    ensure!(!samples.is_empty(), "no position is left: see the counts above");
    Ok(samples)
}

fn print(counts: &FilterCounts, samples: &Samples, seconds: f64, out: &mut impl Write) -> anyhow::Result<()> {
    let FilterCounts { games, games_used, no_result, unfinished, rating, .. } = counts;
    writeln!(
        out,
        "games      {games}, used {games_used}; left out: {no_result} without result, {unfinished} unfinished, {rating} by rating"
    )?;
    let FilterCounts { positions, positions_used, in_check, after_capture, noisy, duplicates, over_cap, .. } = counts;
    writeln!(
        out,
        "positions  {positions}, used {positions_used}; left out: {in_check} in check, {after_capture} after a capture,"
    )?;
    writeln!(out, "           {noisy} not quiet, {duplicates} duplicates, {over_cap} over the limit per game")?;
    let speed = *positions as f64 / seconds.max(1e-9);
    let mebibytes = samples.bytes() as f64 / f64::from(1 << 20);
    Ok(writeln!(out, "time       {seconds:.1} s, {speed:.0} positions a second; {mebibytes:.0} MiB of samples")?)
}

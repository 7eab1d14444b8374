//! `tuner report`.

use crate::extract;
use anyhow::Context;
use sabi_tools::checkpoint::Checkpoint;
use sabi_tools::cli::{check_page, write_page};
use sabi_tools::tune::{Samples, Saved, report};
use std::path::Path;

/// Writes the report of a saved fit.
pub fn run(state: &Path, samples: &Path, threads: usize, output: &Path) -> anyhow::Result<()> {
    check_page(output)?;
    let saved = Saved::read(state).with_context(|| format!("cannot read the fit '{}'", state.display()))?;
    write(&saved, state, &extract::load(samples)?, threads, output)
}

/// Writes the report of a fit with the state file `state`.
pub fn write(saved: &Saved, state: &Path, samples: &Samples, threads: usize, output: &Path) -> anyhow::Result<()> {
    let name = state.file_name().unwrap_or_default().to_string_lossy();
    let html = report(&format!("Tuner report: {name}"), saved, samples, threads)
        .with_context(|| format!("no report of the fit '{}'", state.display()))?;
    write_page(output, &html)
}

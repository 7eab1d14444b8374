//! `trainer report`.

use anyhow::Context;
use clap::Args;
use sabi_tools::checkpoint::Checkpoint;
use sabi_tools::cli::{ThreadArguments, check_page, write_page};
use sabi_tools::train::{Fit, TrainingData, report};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct ReportArguments {
    /// State of the training run (.training)
    state: PathBuf,
    /// Training games (.sabg) in the order of the training; without them the validation parts are
    /// omitted
    #[arg(value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Report to write (.html)
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    working: ThreadArguments,
}

impl ReportArguments {
    /// Writes the report of a saved state.
    pub fn run(&self) -> anyhow::Result<()> {
        check_page(&self.output)?;
        let fit =
            Fit::read(&self.state).with_context(|| format!("cannot read the training '{}'", self.state.display()))?;
        let data = (!self.games.is_empty()).then(|| TrainingData::new(&self.games, fit.settings())).transpose()?;
        write(&fit, &self.state, data.as_ref(), self.working.threads(), &self.output)
    }
}

/// Writes the report of a training run with the state file `state`.
pub fn write(
    fit: &Fit,
    state: &Path,
    data: Option<&TrainingData<'_>>,
    threads: usize,
    output: &Path,
) -> anyhow::Result<()> {
    let name = state.file_name().unwrap_or_default().to_string_lossy();
    let html = report(&format!("Training report: {name}"), fit, data, threads)
        .with_context(|| format!("no report of the training '{}'", state.display()))?;
    write_page(output, &html)
}

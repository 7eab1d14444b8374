//! `trainer report`.

use crate::ThreadArguments;
use anyhow::Context;
use clap::Args;
use sabi::util::replace_with_bytes;
use sabi_tools::cli::check_page;
use sabi_tools::train::{Fit, TrainingData, report};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct ReportArguments {
    /// State of the training run (.training)
    state: PathBuf,
    /// Training games (.sabg); without them the validation parts are omitted
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
        let data = (!self.games.is_empty()).then(|| TrainingData::new(&self.games, fit.plan())).transpose()?;
        write(&fit, &self.state, data.as_ref(), self.working.threads()?, &self.output)
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
    replace_with_bytes(output, html.as_bytes())
        .with_context(|| format!("cannot write the report '{}'", output.display()))
}

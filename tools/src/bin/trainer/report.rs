//! From the state of a training to a page that shows what became of it.

use crate::Working;
use anyhow::Context;
use clap::Args;
use sabi::util::replace_with_bytes;
use sabi_tools::cli::check_page;
use sabi_tools::train::{Fit, Material, report};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct ReportArguments {
    /// The state of the training (.training)
    state: PathBuf,
    /// The games it learnt from (.sabg); what they tell is left out without them
    #[arg(value_name = "FILE")]
    games: Vec<PathBuf>,
    /// The page to write (.html)
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    working: Working,
}

impl ReportArguments {
    /// Writes the report of a training that was kept.
    pub fn run(&self) -> anyhow::Result<()> {
        check_page(&self.output)?;
        let fit =
            Fit::read(&self.state).with_context(|| format!("cannot read the training '{}'", self.state.display()))?;
        let material = (!self.games.is_empty()).then(|| Material::new(&self.games, fit.plan())).transpose()?;
        write(&fit, &self.state, material.as_ref(), self.working.threads()?, &self.output)
    }
}

/// Writes the report of a training whose state goes to the file `state`.
pub fn write(
    fit: &Fit,
    state: &Path,
    material: Option<&Material<'_>>,
    threads: usize,
    output: &Path,
) -> anyhow::Result<()> {
    let name = state.file_name().unwrap_or_default().to_string_lossy();
    let html = report(&format!("Training report: {name}"), fit, material, threads)
        .with_context(|| format!("no report of the training '{}'", state.display()))?;
    replace_with_bytes(output, html.as_bytes())
        .with_context(|| format!("cannot write the report '{}'", output.display()))
}

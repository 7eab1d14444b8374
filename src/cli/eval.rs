//! `sabi eval`: explains a static evaluation.

use super::settings::{PositionArguments, Settings};
use crate::engine::Options;
use clap::Args;
use std::io::Write;

#[derive(Args)]
pub struct EvalArguments {
    #[command(flatten)]
    root: PositionArguments,
    #[command(flatten)]
    settings: Settings,
}

impl EvalArguments {
    /// Explains a position.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let position = self.root.position()?;
        let evaluation = self.settings.apply(Options::default())?.eval.evaluation()?;
        Ok(writeln!(out, "{}", evaluation.explain(&position))?)
    }
}

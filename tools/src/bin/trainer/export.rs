//! `trainer export`.

use crate::fit::read_network;
use anyhow::{Context, ensure};
use clap::Args;
use sabi::cli::{check_not_an_input, check_output};
use sabi::eval::nnue::{Buckets, Features, Parameters};
use sabi::util::replace_file;
use std::path::PathBuf;

#[derive(Args)]
pub struct ExportArguments {
    /// Network (.bin)
    network: PathBuf,
    /// Network to write (.bin)
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

impl ExportArguments {
    /// Writes the network with feature weights for each own king square.
    pub fn run(&self) -> anyhow::Result<()> {
        check_output(&self.output, "the network", |head, _| Parameters::detect(head))?;
        check_not_an_input(&self.output, [&self.network])?;
        let network = read_network(&self.network)?;
        let shape = network.shape;
        ensure!(shape.features == Features::HalfKaZ15, "{} has no king zones: nothing to convert", shape.short_name());
        ensure!(shape.buckets == Buckets::NONE, "layer stacks of king zones are read by this engine only");
        let network = network.expand_zones();
        replace_file(&self.output, |file| network.write(file))
            .with_context(|| format!("cannot write the network '{}'", self.output.display()))
    }
}

//! `trainer export`.

use crate::fit::{read_network, write_network};
use anyhow::ensure;
use clap::Args;
use sabi::cli::{check_not_an_input, check_output};
use sabi::eval::nnue::{Buckets, Features, Parameters};
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
        write_network(&network.expand_zones(), &self.output)
    }
}

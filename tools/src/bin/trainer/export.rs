//! `trainer export`.

use crate::fit::read_network;
use anyhow::Context;
use clap::Args;
use sabi::cli::{check_not_an_input, check_output};
use sabi::eval::nnue::Parameters;
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
        let network = read_network(&self.network)?.expand_zones();
        replace_file(&self.output, |file| network.write(file))
            .with_context(|| format!("cannot write the network '{}'", self.output.display()))
    }
}

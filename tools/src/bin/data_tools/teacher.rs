//! Inputs, network and output of the commands that write static evals of a network as scores.

use super::files::lock_output;
use anyhow::Context;
use clap::Args;
use sabi::cli::check_not_an_input;
use sabi::eval::nnue::{Network, Parameters};
use sabi_files::{WriteLock, crc32, read_regular};
use sabi_records::sabg::is_sabg;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct TeacherArguments {
    /// Inputs (.sabg); damaged parts and games with illegal moves are reported and skipped
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Network (.bin)
    #[arg(long, value_name = "FILE")]
    network: PathBuf,
    /// Output (.sabg)
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
}

impl TeacherArguments {
    /// Locks the output, and reads the network, with the scale that the engine plays with, and the
    /// CRC of its file.
    pub fn open(&self) -> anyhow::Result<(WriteLock, Network, u32)> {
        let lock = lock_output(&self.output, "the games", |head, _| is_sabg(head))?;
        check_not_an_input(&self.output, &self.files)?;
        let (network, crc) =
            read(&self.network).with_context(|| format!("cannot read the network '{}'", self.network.display()))?;
        Ok((lock, network, crc))
    }
}

fn read(path: &Path) -> anyhow::Result<(Network, u32)> {
    let bytes = read_regular(path)?;
    let network = Network::new(&Parameters::from_bytes(&bytes)?)?.with_measured_scale();
    Ok((network, crc32(&bytes)))
}

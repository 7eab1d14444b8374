//! `trainer compare`.

use crate::fit::read_network;
use anyhow::ensure;
use clap::Args;
use sabi::eval::nnue::Network;
use sabi_tools::cli::{each_game, report_bad};
use sabi_tools::train::{ResultPrediction, ResultSamples};
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub struct CompareArguments {
    /// Networks (.bin); the others are compared with the first
    #[arg(required = true, value_name = "NETWORK")]
    networks: Vec<PathBuf>,
    /// Games with results, in any format: file or folder; best ones that none of the networks was
    /// trained on
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    games: Vec<PathBuf>,
    /// First move number
    #[arg(long, value_name = "N", default_value_t = 1)]
    from: usize,
    /// Last move number
    #[arg(long, value_name = "N", default_value_t = 160)]
    to: usize,
}

impl CompareArguments {
    /// Prints how well the static evals of the networks predict the results.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let read = |path: &PathBuf| Ok(Network::new(&read_network(path)?)?);
        let networks: Vec<Network> = self.networks.iter().map(read).collect::<anyhow::Result<_>>()?;
        let mut samples = ResultSamples::new(networks.len());
        let plies = self.from..=self.to;
        let read = each_game(&self.games, |game| {
            samples.add(&game, &networks, &plies);
            Ok(())
        })?;
        report_bad(&read.bad);
        let [games, positions] = samples.counts();
        ensure!(games > 0, "the files hold no decided game with quiet positions at these moves");
        writeln!(out, "{games} games, {positions} quiet positions")?;
        writeln!(out, "{:>8}  {:>19}  {:>5}  {:>5}  network", "loss", "difference", "bias", "scale")?;
        for (ResultPrediction { loss, difference: [mean, error], bias, scale }, path) in
            samples.predictions().iter().zip(&self.networks)
        {
            let path = path.display();
            writeln!(out, "{loss:>8.5}  {mean:>+8.5} +- {error:.5}  {bias:>5.0}  {scale:>5.0}  {path}")?;
        }
        Ok(())
    }
}

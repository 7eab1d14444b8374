//! What can be asked for.

use anyhow::ensure;
use clap::Parser;
use sabi_tools::arena::Match;
use sabi_tools::arena::statistics::Sprt;
use sabi_tools::cli::{Playing, engine_option};
use std::path::PathBuf;

/// Plays USI engines against each other: engine A against engine B, or against each of several. Every opening is played twice
/// with colours swapped.
#[derive(Parser)]
#[command(version)]
pub struct Arguments {
    /// The engine that is looked at
    #[arg(long, value_name = "PROGRAM")]
    engine_a: PathBuf,
    /// Its opponent; given several times, A plays against each
    #[arg(long, value_name = "PROGRAM", required = true)]
    engine_b: Vec<PathBuf>,
    /// An option of engine A; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = engine_option)]
    option_a: Vec<(String, String)>,
    /// An option of every engine B; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = engine_option)]
    option_b: Vec<(String, String)>,
    #[command(flatten)]
    playing: Playing,
    /// Games against each opponent, an even number; a match can be made longer later
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub games: usize,
    /// Stop as soon as it is known whether A is stronger by elo1 rather than by elo0 points: elo0=0,elo1=5, and if wanted
    /// alpha=0.05,beta=0.05,model=logistic or model=normalized
    #[arg(long, value_name = "TEST")]
    pub sprt: Option<Sprt>,
    /// Save every game as it ends (.csa, .kif or .usi); the games that are there already are not played again
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

impl Arguments {
    /// The match, checked as far as it can be without starting an engine.
    pub fn setup(&self) -> anyhow::Result<Match> {
        ensure!(self.games.is_multiple_of(2) && self.games > 0, "--games must be even: games are played in pairs");
        let in_range = self.games.checked_mul(self.engine_b.len()).is_some_and(|games| games <= 100_000_000);
        ensure!(in_range, "--games is too much");
        ensure!(self.sprt.is_none() || self.engine_b.len() == 1, "--sprt tests against one engine B");
        let opponents = self.engine_b.iter().map(|program| self.playing.engine(program, &self.option_b));
        let engines = std::iter::once(self.playing.engine(&self.engine_a, &self.option_a))
            .chain(opponents)
            .collect::<Result<_, _>>()?;
        self.playing.setup(engines)
    }
}

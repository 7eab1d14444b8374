//! Command line of `match_runner`.

use anyhow::ensure;
use clap::Parser;
use sabi_tools::arena::Match;
use sabi_tools::arena::statistics::Sprt;
use sabi_tools::cli::{MatchArguments, check_games, engine_option};
use std::path::PathBuf;

/// Plays matches between USI engines: engine A against engine B, or against each of several. Every
/// opening is played twice with colours swapped.
#[derive(Parser)]
#[command(version)]
pub struct Arguments {
    /// Engine A
    #[arg(long, value_name = "PROGRAM")]
    engine_a: PathBuf,
    /// Opponent of A; may be repeated for several opponents
    #[arg(long, value_name = "PROGRAM", required = true)]
    engine_b: Vec<PathBuf>,
    /// Option of engine A; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = engine_option)]
    option_a: Vec<(String, String)>,
    /// Option of every engine B; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = engine_option)]
    option_b: Vec<(String, String)>,
    #[command(flatten)]
    playing: MatchArguments,
    /// Games against each opponent, even; can be raised later
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub games: usize,
    /// Stop by SPRT of elo0 against elo1: elo0=0,elo1=5, optionally
    /// alpha=0.05,beta=0.05,model=logistic or model=normalized
    #[arg(long, value_name = "TEST")]
    pub sprt: Option<Sprt>,
    /// Game file (.csa, .kif or .usi); games already in it are not replayed
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

impl Arguments {
    /// The match, checked as far as possible without starting engines.
    pub fn setup(&self) -> anyhow::Result<Match> {
        check_games(self.games, self.engine_b.len())?;
        ensure!(self.sprt.is_none() || self.engine_b.len() == 1, "--sprt tests against one engine B");
        let opponents = self.engine_b.iter().map(|program| self.playing.engine(program, &self.option_b));
        let engines = std::iter::once(self.playing.engine(&self.engine_a, &self.option_a))
            .chain(opponents)
            .collect::<Result<_, _>>()?;
        self.playing.setup(engines)
    }
}

//! Command line of `spsa`.

use clap::{Args, Parser, Subcommand};
use sabi_tools::arena::Match;
use sabi_tools::arena::spsa::{Parameter, ParameterSelection, SpsaPlan};
use sabi_tools::cli::{MatchArguments, check_games, engine_option, match_key, positive_up_to};
use std::path::PathBuf;

/// Tunes options of a USI engine by SPSA: games of the engine against itself with other values.
/// Every opening is played twice with colours swapped.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub tuning: Option<TuneArguments>,
    #[command(flatten)]
    pub playing: Option<MatchArguments>,
}

#[derive(Subcommand)]
pub enum Command {
    /// Show the state of a tuning run, also while it runs
    Show {
        /// State file given by --out
        file: PathBuf,
    },
}

#[derive(Args)]
pub struct TuneArguments {
    /// The engine
    #[arg(long, value_name = "PROGRAM")]
    engine: PathBuf,
    /// Spin options to tune, separated by commas: NAME, or NAME:step=NUMBER with the perturbation
    /// at the end (default: range / 20, at least 0.5). Or 'all': all with lower-case names
    #[arg(long, value_name = "LIST")]
    pub params: ParameterSelection,
    /// Option of the engine that is not tuned; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = engine_option)]
    option: Vec<(String, String)>,
    /// Number of games, even. It determines the gain sequence and cannot be changed later
    #[arg(long, value_name = "N")]
    games: usize,
    /// Gain at the end: change of a value after a won game, in steps
    #[arg(long, value_name = "NUMBER", default_value_t = 0.002, value_parser = positive_up_to(SpsaPlan::MAX_GAIN))]
    gain: f64,
    /// State file; an existing one is resumed
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

impl TuneArguments {
    /// The engine twice, checked as far as possible without starting it.
    pub fn setup(&self, playing: &MatchArguments) -> anyhow::Result<Match> {
        check_games(self.games, 1)?;
        let engine = playing.engine(&self.engine, &self.option)?;
        playing.setup(vec![engine.clone(), engine])
    }

    /// Plan of the tuning run.
    pub fn plan(&self, setup: &Match, parameters: Vec<Parameter>, seed: u64) -> SpsaPlan {
        SpsaPlan { parameters, pairs: self.games / 2, gain: self.gain, seed, games: match_key(setup) }
    }
}

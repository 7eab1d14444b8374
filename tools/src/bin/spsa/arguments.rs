//! What can be asked for.

use anyhow::ensure;
use clap::{Args, Parser, Subcommand};
use sabi_tools::arena::Match;
use sabi_tools::arena::spsa::{Parameter, Plan, Selection};
use sabi_tools::cli::{Playing, engine_option, match_key};
use std::path::PathBuf;

/// Tunes options of a USI engine by games of the engine against itself with other values, by SPSA. Every opening is played twice with
/// colours swapped.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub tuning: Option<Tuned>,
    #[command(flatten)]
    pub playing: Option<Playing>,
}

#[derive(Subcommand)]
pub enum Command {
    /// Show how a tuning stands, also while it runs
    Show {
        /// The file that was given with --out
        file: PathBuf,
    },
}

#[derive(Args)]
pub struct Tuned {
    /// The engine
    #[arg(long, value_name = "PROGRAM")]
    engine: PathBuf,
    /// The options to tune, of type 'spin', with commas between them: NAME, or NAME:step=NUMBER with how far both sides are from the
    /// value at the end (else a twentieth of the range, but at least 0.5). Or 'all': all whose names are in lower case
    #[arg(long, value_name = "LIST")]
    pub params: Selection,
    /// An option of the engine that is not tuned; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = engine_option)]
    option: Vec<(String, String)>,
    /// All games of the tuning, an even number. The first are more daring than the last, so it cannot be changed later
    #[arg(long, value_name = "N")]
    games: usize,
    /// The gain at the end: how far a game that is won moves a value, in steps
    #[arg(long, value_name = "NUMBER", default_value_t = 0.002, value_parser = gain)]
    gain: f64,
    /// Where the tuning is saved while it runs; if it is there already, it goes on
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

fn gain(text: &str) -> Result<f64, String> {
    let gain = text.parse().ok().filter(|&gain: &f64| gain > 0.0 && gain.is_finite());
    gain.ok_or_else(|| "a number above 0 is wanted".to_owned())
}

impl Tuned {
    /// The engine twice, checked as far as it can be without starting it.
    pub fn setup(&self, playing: &Playing) -> anyhow::Result<Match> {
        ensure!(self.games.is_multiple_of(2) && self.games > 0, "--games must be even: games are played in pairs");
        ensure!(self.games <= 100_000_000, "--games is too much");
        let engine = playing.engine(&self.engine, &self.option)?;
        playing.setup(vec![engine.clone(), engine])
    }

    /// What is tuned, and how.
    pub fn plan(&self, setup: &Match, parameters: Vec<Parameter>, seed: u64) -> Plan {
        Plan { parameters, pairs: self.games / 2, gain: self.gain, seed, games: match_key(setup) }
    }
}

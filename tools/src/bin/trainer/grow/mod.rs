//! Generations of networks, one after the other, until it is stopped.

mod child;
mod inputs;
mod steps;
mod supervisor;

use crate::Working;
use anyhow::{Context, ensure};
use clap::{Args, value_parser};
use sabi_tools::arena::statistics::Sprt;
use std::io::Write;
use std::path::PathBuf;
use supervisor::Supervisor;

#[derive(Args)]
pub struct GrowArguments {
    /// The folder of all that comes of it: log, page, games, networks; made if there is none
    #[arg(long, value_name = "FOLDER")]
    dir: PathBuf,
    /// The network to begin with (.bin); only the first run needs it
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// End after this generation [default: never]
    #[arg(long, value_name = "N")]
    generations: Option<u32>,
    /// Games of a generation, those from FOLDER/incoming included
    #[arg(long, value_name = "N", default_value_t = 150_000, value_parser = value_parser!(u64).range(1..))]
    games: u64,
    /// The seed of the very first game; later games have those that follow
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = value_parser!(u64).range(..=1 << 62))]
    first_seed: u64,
    /// Train on the games of this number of networks, the best one and those it came from
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = value_parser!(u16).range(1..))]
    window: u16,
    /// GB that games may take; the oldest are removed
    #[arg(long, value_name = "GB", default_value_t = 10.0, value_parser = crate::fit::positive)]
    max_disk: f64,
    /// The test that a network has to pass against the best one, as match_runner knows it
    #[arg(long, value_name = "TEST", default_value = "elo0=0,elo1=20", value_parser = test)]
    sprt: String,
    /// Openings of the games: records, or lines with a SFEN or 'startpos moves ...' [default: random moves]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Openings of the matches, other ones [default: random moves]
    #[arg(long, value_name = "FILE")]
    match_openings: Option<PathBuf>,
    /// The folder with the programs sabi, selfplay, trainer and match_runner; each generation takes those that are there when it begins
    /// [default: that of this program]
    #[arg(long, value_name = "FOLDER")]
    engine_dir: Option<PathBuf>,
    /// More arguments of 'selfplay'
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true)]
    #[arg(default_value = "--nodes 300 --random-plies 5 --option USI_Hash=2")]
    selfplay: String,
    /// More arguments of 'trainer fit'
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true)]
    #[arg(default_value = "--epochs 4 --batch 4096 --rate 0.0007 --score-share 0.85")]
    fit: String,
    /// More arguments of 'match_runner'
    #[arg(long = "match", value_name = "ARGUMENTS", allow_hyphen_values = true)]
    #[arg(default_value = "--nodes 5000 --games 600 --max-moves 320 --option-a USI_Hash=16 --option-a Threads=1 \
                           --option-b USI_Hash=16 --option-b Threads=1")]
    matches: String,
    /// By how much the priority is lowered: 19 leaves everything else its processors
    #[arg(long, value_name = "N", default_value_t = 19, value_parser = value_parser!(u8).range(..=19))]
    nice: u8,
    #[command(flatten)]
    working: Working,
}

fn test(text: &str) -> Result<String, String> {
    text.parse::<Sprt>().map(|_| text.to_owned()).map_err(|error| error.to_string())
}

impl GrowArguments {
    /// Goes on where the log of the folder ends. A program that is killed leaves nothing behind that another run does not take up.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        for (file, what) in [(&self.start, "network"), (&self.openings, "openings"), (&self.match_openings, "openings")]
        {
            if let Some(file) = file {
                ensure!(file.is_file(), "there is no file '{}' with {what}", file.display());
            }
        }
        let mut supervisor = Supervisor::open(self, out)?;
        sabi::util::lower_priority(self.nice).context("cannot lower the priority")?;
        let outcome = supervisor.grow();
        if let Err(error) = &outcome {
            supervisor.fail(error);
        }
        outcome
    }
}

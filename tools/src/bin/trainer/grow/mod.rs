//! `trainer grow`.

mod child;
mod child_process;
mod inputs;
mod steps;
mod supervisor;

use anyhow::{Context, ensure};
use clap::{Args, value_parser};
use sabi_tools::arena::statistics::Sprt;
use sabi_tools::cli::{ThreadArguments, positive};
use std::io::Write;
use std::path::PathBuf;
use supervisor::Supervisor;

#[derive(Args)]
pub struct GrowArguments {
    /// Folder of the run: log, page, games, networks; created if missing
    #[arg(long, value_name = "FOLDER")]
    dir: PathBuf,
    /// Start network (.bin); needed by the first run only
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// Last generation [default: unlimited]
    #[arg(long, value_name = "N")]
    generations: Option<u32>,
    /// Games per generation, those from FOLDER/incoming included
    #[arg(long, value_name = "N", default_value_t = 40_000, value_parser = value_parser!(u64).range(1..))]
    games: u64,
    /// Seed of the first game; later games use consecutive seeds
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = value_parser!(u64).range(..=1 << 62))]
    first_seed: u64,
    /// Train on games of this number of networks: the best one and its predecessors
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = value_parser!(u16).range(1..))]
    window: u16,
    /// Maximum GB of games; the oldest are removed
    #[arg(long, value_name = "GB", default_value_t = 10.0, value_parser = positive)]
    max_disk: f64,
    /// SPRT against the best network, as in match_runner
    #[arg(long, value_name = "TEST", default_value = "elo0=0,elo1=20", value_parser = test)]
    sprt: String,
    /// Openings of self-play: records, or lines with a SFEN or 'startpos moves ...' [default:
    /// random moves]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Openings of matches [default: random moves]
    #[arg(long, value_name = "FILE")]
    match_openings: Option<PathBuf>,
    /// Folder of the programs sabi, selfplay, data_tools, trainer and match_runner; each generation
    /// copies them when it starts [default: that of this program]
    #[arg(long, value_name = "FOLDER")]
    engine_dir: Option<PathBuf>,
    /// More arguments of 'selfplay'
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true)]
    #[arg(default_value = "--nodes 1500 --random-plies 4 --option USI_Hash=4")]
    selfplay: String,
    /// More arguments of 'data_tools search-tree'
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true, default_value = "--share 0.5")]
    search_tree: String,
    /// More arguments of 'trainer fit'
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true)]
    #[arg(default_value = "--epochs 1 --batch 8192 --rate 0.0004 --score-share 0.5 --lambda 0.97 --decay 0.1")]
    fit: String,
    /// More arguments of 'match_runner'
    #[arg(long = "match", value_name = "ARGUMENTS", allow_hyphen_values = true)]
    #[arg(default_value = "--nodes 20000 --games 400 --max-moves 320 --option-a USI_Hash=64 --option-a Threads=1 \
                           --option-b USI_Hash=64 --option-b Threads=1")]
    matches: String,
    /// Niceness added to the processes
    #[arg(long, value_name = "N", default_value_t = 19, value_parser = value_parser!(u8).range(..=19))]
    nice: u8,
    #[command(flatten)]
    working: ThreadArguments,
}

fn test(text: &str) -> Result<String, String> {
    text.parse::<Sprt>().map(|_| text.to_owned()).map_err(|error| error.to_string())
}

impl GrowArguments {
    /// Continues at the end of the log. A killed run leaves nothing that the next run does not
    /// resume or replace.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        for (file, what) in [(&self.start, "network"), (&self.openings, "openings"), (&self.match_openings, "openings")]
        {
            if let Some(file) = file {
                ensure!(file.is_file(), "missing file '{}' ({what})", file.display());
            }
        }
        if let Some(folder) = &self.engine_dir {
            ensure!(folder.is_dir(), "missing folder '{}' (programs)", folder.display());
        }
        let mut supervisor = Supervisor::open(self, out)?;
        child_process::lower_priority(self.nice).context("cannot lower the priority")?;
        let outcome = supervisor.grow();
        if let Err(error) = &outcome {
            supervisor.fail(error);
        }
        outcome
    }
}

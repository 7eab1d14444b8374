//! `sabi bench`: speed and signature of the search.

use super::settings::Settings;
use crate::engine::{BENCH_DEPTH, BENCH_HASH_MB, Options, bench};
use crate::search::{Resources, Signals};
use crate::usi::{bench_result_text, statistics_text};
use clap::{Args, ValueEnum};
use serde_json::json;
use std::io::Write;

#[derive(Args)]
pub struct BenchArguments {
    /// Depth of every search
    #[arg(long, default_value_t = BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Size of the transposition table in MB; 0: a single bucket
    #[arg(long, default_value_t = BENCH_HASH_MB)]
    hash: usize,
    /// Threads; with more than one the node count is not reproducible
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    #[command(flatten)]
    settings: Settings,
    /// Collect table statistics: as text, or everything as JSON
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    stats: Option<Format>,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

impl BenchArguments {
    /// The engine options of this bench.
    fn options(&self) -> anyhow::Result<Options> {
        let resources = Resources::new(self.hash, usize::from(self.threads));
        let mut options = self.settings.apply(Options { resources, ..Options::default() })?;
        options.search.statistics |= self.stats.is_some();
        Ok(options)
    }

    /// Runs the bench and prints each position.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut written = Ok(());
        let mut positions = Vec::new();
        let json = self.stats == Some(Format::Json);
        let (total, statistics) = bench(self.depth, &self.options()?, &Signals::default(), &mut |sfen, result| {
            positions.push(json!({ "sfen": sfen, "nodes": result.nodes, "nps": result.speed() }));
            if written.is_ok() && !json {
                let number = positions.len();
                written = writeln!(out, "{number:>2} nodes {:>9} nps {:>8}  {sfen}", result.nodes, result.speed());
            }
        })?;
        written?;
        if json {
            let report = json!({
                "depth": self.depth,
                "nodes": total.nodes,
                "milliseconds": total.time.as_millis() as u64,
                "nps": total.speed(),
                "positions": positions,
                "statistics": statistics,
            });
            return Ok(writeln!(out, "{report:#}")?);
        }
        if let Some(statistics) = statistics {
            writeln!(out, "{}", statistics_text(&statistics))?;
        }
        Ok(writeln!(out, "{}", bench_result_text(&total))?)
    }
}

//! Counting games of files and folders.

use crate::book::{GameFilter, OpeningStatistics};
use crate::cli::{ReadCounts, each_game, finite, report_bad};
use anyhow::ensure;
use clap::Args;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

/// Default maximum ply.
const MAX_PLY: u32 = 40;

#[derive(Args)]
#[expect(missing_docs, reason = "clap would take it for the description of the command")]
pub struct GameArguments {
    /// Last move of a game that counts [default: 40]
    #[arg(long, value_name = "PLY", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_ply: Option<u32>,
    /// Minimum rating of both players; games without ratings pass
    #[arg(long, value_name = "RATING", value_parser = finite)]
    pub min_rating: Option<f64>,
    /// Exclude games without ratings of both players
    #[arg(long)]
    pub rated_only: bool,
}

impl GameArguments {
    /// The filter with a default maximum ply.
    pub fn filter(&self, max_ply: u32, decided_only: bool) -> GameFilter {
        let max_ply = self.max_ply.unwrap_or(max_ply);
        GameFilter { max_ply, min_rating: self.min_rating, rated_only: self.rated_only, decided_only }
    }
}

/// Counts the games in `roots`, or only those with a known result.
pub fn count_games(
    roots: &[PathBuf],
    arguments: &GameArguments,
    decided_only: bool,
) -> anyhow::Result<OpeningStatistics> {
    let start = Instant::now();
    let mut statistics = OpeningStatistics::new(arguments.filter(MAX_PLY, decided_only));
    let ReadCounts { files, bad } = each_game(roots, |game| {
        statistics.add(&game);
        Ok(())
    })?;
    let counts = statistics.counts();
    let or_result = if decided_only { " or without a result" } else { "" };
    let games = counts.used + counts.filtered + counts.empty;
    // On stderr; errors there do not prevent the book from being written.
    let mut err = io::stderr().lock();
    let seconds = start.elapsed().as_secs_f64();
    let _ = writeln!(err, "{games} games from {files} files in {seconds:.1} s");
    let _ = writeln!(err, "used {}, of them with unknown result {}", counts.used, counts.unknown_result);
    let _ =
        writeln!(err, "left out: {} by rating{}, {} without a move in range", counts.filtered, or_result, counts.empty);
    if counts.unpackable > 0 {
        let _ = writeln!(err, "{} positions left out: not representable in a book (missing king)", counts.unpackable);
    }
    drop(err);
    report_bad(&bad);
    ensure!(counts.used > 0, "no usable games: {games} read, {} left out by rating{or_result}", counts.filtered);
    Ok(statistics)
}

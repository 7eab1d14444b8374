//! Statistics of game files.

use super::files::Inputs;
use sabi_records::{BadGames, sabg::StoredGame};
use sabi_shogi::Score;
use sabi_tools::cli::report_bad;
use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::PathBuf;

/// Upper bounds of the score histogram.
const BOUNDS: [i32; 8] = [50, 100, 200, 400, 800, 1600, 3000, Score::DECISIVE.get()];

/// Prints statistics of all files together.
pub fn run(paths: &[PathBuf], out: &mut impl Write) -> anyhow::Result<()> {
    let inputs = Inputs::open(paths)?;
    inputs.settings.iter().flat_map(|text| text.lines()).try_for_each(|line| writeln!(out, "{line}"))?;
    let (bytes, mut statistics, mut bad) = (inputs.bytes, DataSetStatistics::default(), BadGames::default());
    inputs.each_block(&mut bad, |_, block, _| {
        block.games().for_each(|game| statistics.add(&game));
        Ok(())
    })?;
    report_bad(&bad);
    statistics.print(out, bytes)
}

#[derive(Default)]
struct DataSetStatistics {
    games: u64,
    /// Game hashes.
    seen: HashSet<u64>,
    moves: u64,
    longest: usize,
    scored: u64,
    results: BTreeMap<&'static str, u64>,
    ends: BTreeMap<&'static str, u64>,
    /// Histogram of absolute scores; the last bin is unbounded.
    scores: [u64; BOUNDS.len() + 1],
}

impl DataSetStatistics {
    fn add(&mut self, game: &StoredGame<'_>) {
        self.games += 1;
        self.seen.insert(game.fingerprint());
        self.moves += game.moves.len() as u64;
        self.longest = self.longest.max(game.moves.len());
        *self.results.entry(game.result.name()).or_default() += 1;
        *self.ends.entry(game.end.name()).or_default() += 1;
        for score in game.scores.iter().flatten() {
            self.scored += 1;
            self.scores[BOUNDS.partition_point(|&bound| bound <= score.get().abs())] += 1;
        }
    }

    fn print(&self, out: &mut impl Write, bytes: u64) -> anyhow::Result<()> {
        let share = |count: u64, all: u64| format!("{count} ({:.1} %)", 100.0 * count as f64 / all.max(1) as f64);
        writeln!(out, "games       {}", self.games)?;
        writeln!(out, "duplicates  {}", self.games - self.seen.len() as u64)?;
        writeln!(
            out,
            "moves       {}, {:.1} a game, at most {}",
            self.moves,
            mean(self.moves, self.games),
            self.longest
        )?;
        writeln!(out, "positions   {} with a score, {:.2} bytes for each", self.scored, mean(bytes, self.scored))?;
        for (name, &count) in &self.results {
            writeln!(out, "result      {name}: {}", share(count, self.games))?;
        }
        for (name, &count) in &self.ends {
            writeln!(out, "end         {name}: {}", share(count, self.games))?;
        }
        for (at, &count) in self.scores.iter().enumerate() {
            let name = BOUNDS.get(at).map_or_else(|| "decided".to_owned(), |bound| format!("below {bound}"));
            writeln!(out, "score       {name}: {}", share(count, self.scored))?;
        }
        Ok(())
    }
}

fn mean(sum: u64, count: u64) -> f64 {
    sum as f64 / count.max(1) as f64
}

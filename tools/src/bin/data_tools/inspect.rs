//! Checking files of games, and their statistics.

use super::files::GameFiles;
use anyhow::ensure;
use sabi_records::{
    BadGames, EndReason, GameResult,
    sabg::{Start, StoredGame},
};
use sabi_shogi::{Position, Repetition, Score, has_legal_move};
use sabi_tools::cli::report_bad;
use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

/// Upper bounds of the score histogram.
const BOUNDS: [i32; 8] = [50, 100, 200, 400, 800, 1600, 3000, Score::DECISIVE.get()];
/// Maximum inconsistent games listed.
const EXAMPLES: u64 = 3;

/// Prints statistics of all files together.
pub fn count(paths: &[PathBuf], out: &mut impl Write) -> anyhow::Result<()> {
    let inputs = GameFiles::open(paths)?;
    inputs.settings.iter().flat_map(|text| text.lines()).try_for_each(|line| writeln!(out, "{line}"))?;
    let (mut statistics, mut bad) = (DataSetStatistics::default(), BadGames::default());
    inputs.each_game(&mut bad, |_, game| {
        statistics.add(&game);
        Ok(None)
    })?;
    report_bad(&bad);
    statistics.print(out, inputs.bytes)
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
        let (moves, length) = (self.moves, mean(self.moves, self.games));
        writeln!(out, "moves       {moves}, {length:.1} a game, at most {}", self.longest)?;
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

/// Checks every game; faults are reported on stderr.
pub fn check(paths: &[PathBuf], out: &mut impl Write) -> anyhow::Result<()> {
    let start = Instant::now();
    // Contradictions: games whose end contradicts their result.
    let (mut games, mut positions, mut contradictions, mut bad) = (0, 0_u64, 0, BadGames::default());
    GameFiles::open(paths)?.each_game(&mut bad, |location, game| {
        games += 1;
        let replayed = game.replay(|_, _, _| positions += 1);
        if replayed.as_ref().is_ok_and(|last| is_inconsistent(&game, last)) {
            contradictions += 1;
            if contradictions <= EXAMPLES {
                let (result, end) = (game.result.name(), game.end.name());
                let _ = writeln!(io::stderr(), "{location}: the final position contradicts {result} by {end}");
            }
        }
        Ok(replayed.err())
    })?;
    report_bad(&bad);
    let speed = positions as f64 / start.elapsed().as_secs_f64().max(1e-9) / 1e6;
    writeln!(out, "{games} games, {positions} positions, {speed:.1} million a second")?;
    out.flush()?;
    let faults = bad.total() + contradictions;
    ensure!(faults == 0, "{faults} faults");
    Ok(writeln!(out, "no faults")?)
}

/// Whether the last position contradicts result and end reason.
fn is_inconsistent(game: &StoredGame<'_>, last: &Position) -> bool {
    let mover = last.side_to_move();
    let (wins, loses) = (GameResult::won_by(mover), GameResult::won_by(!mover));
    let expected = match game.end {
        EndReason::Resign => Some(loses),
        EndReason::Checkmate => Some(loses).filter(|_| !has_legal_move(last)),
        EndReason::Declaration => Some(wins),
        EndReason::Impasse | EndReason::MaxMoves => Some(GameResult::Draw),
        EndReason::Repetition => match last.repetition() {
            Some(Repetition::Win) => Some(wins),
            Some(Repetition::Loss) => Some(loses),
            Some(_) => Some(GameResult::Draw),
            // The positions may have occurred before the start.
            None => Some(game.result).filter(|_| game.start != Start::Even),
        },
        EndReason::Timeout | EndReason::Illegal | EndReason::Adjudication | EndReason::Aborted | EndReason::Unknown => {
            Some(game.result)
        }
    };
    expected != Some(game.result)
}

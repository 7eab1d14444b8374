//! `selfplay`: self-play games for training data.

mod arguments;

use anyhow::Context;
use arguments::Arguments;
use sabi::cli::progress_bar;
use sabi_records::sabg::{Block, GameFile};
use sabi_tools::matches::selfplay::SelfPlayGame;
use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Games per block; an interruption loses at most one block.
const BLOCK_GAMES: usize = 64;

fn main() -> ExitCode {
    sabi::cli::run_program(|arguments: Arguments| run(&arguments, &mut io::stdout().lock()))
}

/// Plays the games missing from the file, and prints statistics at the end.
fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    let config = arguments.config()?;
    let (mut seeds, mut games) = (HashSet::new(), HashSet::new());
    let file = GameFile::open(&arguments.out, &config.settings()?, |game| {
        seeds.insert(game.number);
        games.insert(game.fingerprint());
    })?;
    let there = seeds.iter().filter(|seed| arguments.seed_range.contains(seed)).count() as u64;
    let left = arguments.seed_range.end - arguments.seed_range.start - there;
    if there > 0 {
        writeln!(out, "{there} games in the file, {left} to play or duplicates")?;
    }
    let bar = progress_bar(left, "games")?;
    let mut writer = GameWriter {
        path: arguments.out.clone(),
        file,
        block: Block::default(),
        games,
        statistics: SelfPlayStatistics::default(),
    };
    let new = arguments.seed_range.clone().filter(|seed| !seeds.contains(seed));
    let (start, before) = (Instant::now(), writer.file.bytes);
    let threads = arguments.working.threads().min(left.max(1) as usize);
    let played = config.play_all(new, threads, |played| {
        bar.inc(1);
        let taken = writer.take(&played);
        bar.set_message(format!("{:.0} positions/s", writer.statistics.speed(start.elapsed())));
        taken
    });
    bar.finish_and_clear();
    writer.save()?;
    played?;
    writer.statistics.print(out, start.elapsed(), writer.file.bytes - before)
}

/// Buffered writer of the game file.
struct GameWriter {
    path: PathBuf,
    file: GameFile,
    block: Block,
    /// Hashes of the games written or buffered.
    games: HashSet<u64>,
    statistics: SelfPlayStatistics,
}

impl GameWriter {
    fn take(&mut self, played: &SelfPlayGame) -> anyhow::Result<()> {
        let mut single = Block::default();
        single.push(played.seed, &played.game)?;
        for game in single.games() {
            if !self.games.insert(game.fingerprint()) {
                self.statistics.duplicates += 1;
                return Ok(());
            }
            self.block.push_stored(game)?;
        }
        self.statistics.add(played);
        if self.block.len() >= BLOCK_GAMES { self.save() } else { Ok(()) }
    }

    fn save(&mut self) -> anyhow::Result<()> {
        if !self.block.is_empty() {
            let saved = self.file.add(&self.block);
            saved.with_context(|| format!("cannot save games in '{}'", self.path.display()))?;
            self.block.clear();
        }
        Ok(())
    }
}

/// Statistics of the games.
#[derive(Default)]
struct SelfPlayStatistics {
    games: u64,
    duplicates: u64,
    /// Positions with a score.
    positions: u64,
    nodes: u64,
    /// Games by result, and by end reason.
    results: BTreeMap<&'static str, u64>,
    causes: BTreeMap<String, u64>,
}

impl SelfPlayStatistics {
    fn add(&mut self, played: &SelfPlayGame) {
        self.games += 1;
        self.positions += played.game.scores.iter().flatten().count() as u64;
        self.nodes += played.nodes;
        *self.results.entry(played.game.result.name()).or_default() += 1;
        *self.causes.entry(played.detail.to_string()).or_default() += 1;
    }

    fn speed(&self, time: Duration) -> f64 {
        self.positions as f64 / time.as_secs_f64().max(1e-9)
    }

    fn print(&self, out: &mut impl Write, time: Duration, bytes: u64) -> anyhow::Result<()> {
        let of = |count: u64| format!("{count} ({:.1} %)", 100.0 * count as f64 / self.games.max(1) as f64);
        writeln!(out, "games {}, duplicates left out {}", self.games, self.duplicates)?;
        writeln!(out, "positions {}, {:.1} a game", self.positions, self.positions as f64 / self.games.max(1) as f64)?;
        for (name, &count) in &self.results {
            writeln!(out, "result {name}: {}", of(count))?;
        }
        for (name, &count) in &self.causes {
            writeln!(out, "end by {name}: {}", of(count))?;
        }
        let nodes = self.nodes as f64 / time.as_secs_f64().max(1e-9);
        writeln!(out, "{:.1} s, {:.0} positions/s, {nodes:.0} nodes/s", time.as_secs_f64(), self.speed(time))?;
        Ok(writeln!(out, "{bytes} bytes, {:.2} a position", bytes as f64 / self.positions.max(1) as f64)?)
    }
}

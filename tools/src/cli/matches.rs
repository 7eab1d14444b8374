//! Settings of the games between engines: time control, openings, concurrency.

use crate::matches::{EngineConfig, Match, Openings, SearchLimit};
use anyhow::{Context, ensure};
use clap::{ArgGroup, Args, value_parser};
use sabi_files::{crc32, read_regular};
use sabi_records::Clock;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

// How games are played.
#[derive(Args)]
#[command(group = ArgGroup::new("time").required(true).multiple(true).args(["tc", "byoyomi", "movetime", "nodes", "depth"]))]
pub struct MatchArguments {
    /// Main time in seconds, with an optional increment
    #[arg(long, value_name = "SECONDS[+SECONDS]", value_parser = clock, conflicts_with_all = ["movetime", "nodes", "depth"])]
    tc: Option<(Duration, Duration)>,
    /// Byoyomi in milliseconds, after the main time of --tc if given
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(1..), conflicts_with_all = ["movetime", "nodes", "depth"])]
    byoyomi: Option<u64>,
    /// Milliseconds per move
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(1..), conflicts_with_all = ["nodes", "depth"])]
    movetime: Option<u64>,
    /// Nodes per move
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..), conflicts_with = "depth")]
    nodes: Option<u64>,
    /// Depth per move
    #[arg(long, value_name = "PLIES", value_parser = value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Time margin in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 300)]
    slack: u64,
    /// Timeout in seconds of an engine's start, and of its moves without a clock
    #[arg(long, alias = "patience", value_name = "SECONDS", default_value_t = 60)]
    #[arg(value_parser = value_parser!(u64).range(1..=86_400))]
    timeout: u64,
    /// Concurrent games
    #[arg(long, value_name = "N", default_value = "1")]
    concurrency: NonZeroUsize,
    /// Openings: records in any format, or lines with a SFEN or 'startpos moves ...'
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Opening moves to play [default: all]
    #[arg(long, value_name = "N", requires = "openings")]
    opening_plies: Option<usize>,
    /// Random opening moves without --openings [default: 8]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(..=100), conflicts_with = "openings")]
    random_plies: Option<u64>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Maximum moves, opening included; then the game is a draw
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = value_parser!(u64).range(1..=9_999))]
    max_moves: u64,
}

/// Checks `--games`, the number of games against each opponent.
pub fn check_games(games: usize, opponents: usize) -> anyhow::Result<()> {
    ensure!(games.is_multiple_of(2) && games > 0, "--games must be even: games are played in pairs");
    let in_range = games.checked_mul(opponents).is_some_and(|games| games <= 100_000_000);
    ensure!(in_range, "--games is too large");
    Ok(())
}

/// Parses NAME=VALUE.
pub fn engine_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    if name.trim().is_empty() || text.contains(|c: char| c.is_control()) {
        return Err("an option needs a name, and must be on one line".to_owned());
    }
    Ok((name.to_owned(), value.to_owned()))
}

/// Parses seconds with an optional increment: `10+0.1`.
fn clock(text: &str) -> Result<(Duration, Duration), String> {
    let seconds = |text: &str| {
        // No sum of such times overflows.
        let seconds = text.parse().ok().filter(|&seconds: &f64| (0.0..1e9).contains(&seconds))?;
        // The protocol counts milliseconds.
        Some(Duration::from_millis((seconds * 1000.0).round() as u64))
    };
    let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
    let clock = seconds(main).zip(seconds(increment)).filter(|&(main, increment)| !(main + increment).is_zero());
    clock.ok_or_else(|| "expected seconds: 10 or 10+0.1".to_owned())
}

impl MatchArguments {
    /// An engine with these options.
    ///
    /// # Errors
    /// When the program is not found.
    pub fn engine(&self, program: &Path, options: &[(String, String)]) -> anyhow::Result<EngineConfig> {
        EngineConfig::new(program, options.to_vec(), Duration::from_secs(self.timeout))
            .with_context(|| format!("cannot find the engine '{}'", program.display()))
    }

    /// A match of the first engine against the others, checked as far as possible without starting
    /// engines.
    ///
    /// # Errors
    /// When the time control is invalid, or the openings cannot be used.
    pub fn setup(&self, engines: Vec<EngineConfig>) -> anyhow::Result<Match> {
        let (limit, openings, max_moves) = (self.limit()?, self.openings()?, self.max_moves as usize);
        let longest = openings.longest();
        ensure!(longest < max_moves, "--max-moves {max_moves} leaves no move after an opening of {longest}");
        let (slack, timeout) = (Duration::from_millis(self.slack), Duration::from_secs(self.timeout));
        Ok(Match { engines, limit, slack, timeout, max_moves, openings, concurrency: self.concurrency })
    }

    fn limit(&self) -> anyhow::Result<SearchLimit> {
        let (main, increment) = self.tc.unwrap_or_default();
        let byoyomi = Duration::from_millis(self.byoyomi.unwrap_or(0));
        ensure!(increment.is_zero() || byoyomi.is_zero(), "USI has no increment with byoyomi");
        Ok(match (self.movetime, self.nodes, self.depth) {
            (Some(time), _, _) => SearchLimit::MoveTime(Duration::from_millis(time)),
            (_, Some(nodes), _) => SearchLimit::Nodes(nodes),
            (_, _, Some(depth)) => SearchLimit::Depth(depth),
            _ => SearchLimit::Clock(Clock { main, byoyomi, increment }),
        })
    }

    fn openings(&self) -> anyhow::Result<Openings> {
        let Some(path) = &self.openings else {
            return Ok(Openings::Random { plies: self.random_plies.unwrap_or(8) as usize, seed: self.seed });
        };
        Openings::read(path, self.opening_plies.unwrap_or(usize::MAX), self.seed)
    }
}

/// Key of all settings that affect the games, the bytes of the programs and of files in their
/// options included; not their number or concurrency. A file of an option with "log" in its name
/// is left out: the engine writes it.
pub fn match_key(setup: &Match) -> String {
    let checksum = |file: &Path| read_regular(file).map(|bytes| crc32(&bytes)).ok();
    let key = |engine: &EngineConfig| {
        // Engines run in the folder of their program.
        let folder = engine.program.parent().unwrap_or(Path::new("."));
        let read = engine.options.iter().filter(|(name, _)| !name.to_ascii_lowercase().contains("log"));
        let files: Vec<u32> = read.filter_map(|(_, value)| checksum(&folder.join(value))).collect();
        format!("{:?} {:?} {:?} {files:?}", engine.program, checksum(&engine.program), engine.options)
    };
    let engines: Vec<_> = setup.engines.iter().map(key).collect();
    let Match { limit, max_moves, .. } = setup;
    let text = format!("{engines:?} {limit:?} {max_moves} {}", setup.openings.fingerprint());
    format!("{:08x}", crc32(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_clock() {
        let ms = Duration::from_millis;
        assert_eq!(clock("10+0.1"), Ok((ms(10_000), ms(100))));
        assert_eq!(clock("0.5"), Ok((ms(500), ms(0))));
        for bad in ["", "+", "x", "10+", "-1", "1e400", "nan", "inf", "0", "0+0", "1+2+3", "1e19+1e19"] {
            assert!(clock(bad).is_err(), "{bad}");
        }
    }
}

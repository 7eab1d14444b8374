//! `selfplay`: self-play games for training data.

mod arguments;
mod game_writer;

use arguments::Arguments;
use game_writer::{GameWriter, SelfPlayStatistics};
use sabi::cli::progress_bar;
use sabi_records::sabg::{Block, GameFile};
use std::collections::HashSet;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

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
    let (start, before) = (Instant::now(), writer.file.bytes());
    let threads = arguments.working.threads().min(left.max(1) as usize);
    let played = config.play_all(new, threads, |played| -> anyhow::Result<()> {
        bar.inc(1);
        let taken = writer.take(&played);
        bar.set_message(format!("{:.0} positions/s", writer.statistics.speed(start.elapsed())));
        taken
    });
    bar.finish_and_clear();
    writer.save()?;
    played?;
    writer.statistics.print(out, start.elapsed(), writer.file.bytes() - before)
}

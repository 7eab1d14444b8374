//! `data_tools merge`.

use super::files::{Inputs, lock_output, write_file};
use clap::Args;
use sabi_records::{
    BadGames,
    sabg::{Writer, is_sabg},
};
use sabi_tools::cli::report_bad;
use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub struct Arguments {
    /// Inputs (.sabg); damaged parts are reported and skipped
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Output (.sabg)
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

/// Writes the games of all files in order, without duplicates (equal start and moves). Only hashes
/// of games are kept in memory.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    let _lock = lock_output(&arguments.output, "the games", |head, _| is_sabg(head))?;
    let inputs = Inputs::open(&arguments.files)?;
    let settings = inputs.common_settings();
    let (mut seen, mut bad, mut games) = (HashSet::new(), BadGames::default(), 0);
    let kept = write_file(&arguments.output, |file| {
        let mut writer = Writer::new(file, &settings)?;
        inputs.each_block(&mut bad, |_, block, _| {
            for game in block.games() {
                games += 1;
                if seen.insert(game.fingerprint()) {
                    writer.push_stored(game)?;
                }
            }
            Ok(())
        })?;
        writer.finish()?;
        Ok(seen.len() as u64)
    });
    report_bad(&bad);
    let kept = kept?;
    Ok(writeln!(out, "{games} games read, {kept} kept, {} left out as duplicates", games - kept)?)
}

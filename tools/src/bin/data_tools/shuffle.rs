//! `data_tools shuffle`.

use super::buckets::Buckets;
use super::files::{Inputs, bytes_of, is_compact_name, lock_output, write_file};
use anyhow::{Context, bail, ensure};
use clap::{Args, value_parser};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use sabi_files::open_regular;
use sabi_records::{
    BadGames, PackError, PackedFormat, TrainingPosition,
    sabg::{Block, Writer, is_sabg},
};
use sabi_tools::cli::report_bad;
use std::io::{BufReader, Read, Write};
use std::path::PathBuf;

/// Maximum memory of a bucket.
const BUCKET_BYTES: u64 = 256 << 20;
/// Size of positions relative to their compact games.
const POSITION_FACTOR: u64 = 11;
/// Maximum buckets: all are open at once.
const MAX_BUCKETS: u64 = 500;

#[derive(Args)]
pub struct Arguments {
    /// Inputs: .sabg, or for positions also files in the format of the output; damaged parts are
    /// reported and skipped
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Output: .sabg for games; .psv or .hcpe for the positions with a score and a result
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of parts, each of which must fit into memory; the order depends on it [default: parts
    /// of 256 MiB]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=MAX_BUCKETS))]
    buckets: Option<u64>,
}

/// Shuffles games or positions, by the extension of the output.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    let output = &arguments.output;
    let mut bad = BadGames::default();
    let (count, unit) = match PackedFormat::of_path(output) {
        Some(format) => {
            let is_kind = |head: &[u8], length| PackedFormat::detect(head, length) == Some(format);
            let _lock = lock_output(output, "the positions", is_kind)?;
            (arguments.shuffle_positions(format, &mut bad), "positions")
        }
        None if is_compact_name(output) => {
            let _lock = lock_output(output, "the games", |head, _| is_sabg(head))?;
            (arguments.shuffle_games(&mut bad), "games")
        }
        None => bail!("shuffled data is written as .sabg, .psv or .hcpe, not as '{}'", output.display()),
    };
    report_bad(&bad);
    let count = count?;
    Ok(writeln!(out, "{count} {unit} shuffled")?)
}

impl Arguments {
    /// Buckets for this many bytes in total.
    fn buckets(&self, bytes: u64) -> anyhow::Result<Buckets> {
        let count = self.buckets.unwrap_or(bytes.div_ceil(BUCKET_BYTES).clamp(1, MAX_BUCKETS));
        Buckets::new(&self.output, count, SmallRng::seed_from_u64(self.seed))
    }

    fn shuffle_games(&self, bad: &mut BadGames) -> anyhow::Result<u64> {
        let inputs = Inputs::open(&self.files)?;
        let settings = inputs.common_settings();
        let mut buckets = self.buckets(inputs.bytes)?;
        let mut single = Block::default();
        inputs.each_block(bad, |_, block, _| {
            for game in block.games() {
                single.clear();
                single.push_stored(game)?;
                buckets.distribute(&single.encode())?;
            }
            Ok(())
        })?;
        write_file(&self.output, |file| {
            let mut writer = Writer::new(file, &settings)?;
            let mut count = 0;
            buckets.drain(|bytes| {
                count += 1;
                Block::decode(bytes, 1)?.games().try_for_each(|game| Ok(writer.push_stored(game)?))
            })?;
            writer.finish()?;
            Ok(count)
        })
    }

    fn shuffle_positions(&self, format: PackedFormat, bad: &mut BadGames) -> anyhow::Result<u64> {
        let (games, records): (Vec<PathBuf>, Vec<PathBuf>) =
            self.files.iter().cloned().partition(|path| is_compact_name(path));
        records.iter().try_for_each(|path| check_records(path, format))?;
        let inputs = Inputs::open(&games)?;
        let mut buckets = self.buckets(inputs.bytes * POSITION_FACTOR + bytes_of(&records)?)?;
        distribute_positions(inputs, format, &mut buckets, bad)?;
        for path in &records {
            let context = || format!("cannot read '{}'", path.display());
            let mut reader = BufReader::new(open_regular(path).with_context(context)?);
            let mut record = vec![0; format.record_bytes()];
            for _ in 0..bytes_of(std::slice::from_ref(path))? / record.len() as u64 {
                reader.read_exact(&mut record).with_context(context)?;
                buckets.distribute(&record)?;
            }
        }
        write_file(&self.output, |file| {
            let mut count = 0;
            buckets.drain(|record| {
                count += 1;
                Ok(file.write_all(record)?)
            })?;
            Ok(count)
        })
    }
}

/// Rejects a file whose length is not a multiple of the record size.
fn check_records(path: &PathBuf, format: PackedFormat) -> anyhow::Result<()> {
    ensure!(PackedFormat::of_path(path) == Some(format), "'{}' is in another format than the output", path.display());
    let whole = bytes_of(std::slice::from_ref(path))?.is_multiple_of(format.record_bytes() as u64);
    ensure!(whole, "'{}' does not consist of whole records", path.display());
    Ok(())
}

/// Distributes the positions of games.
fn distribute_positions(
    inputs: Inputs<'_>,
    format: PackedFormat,
    buckets: &mut Buckets,
    bad: &mut BadGames,
) -> anyhow::Result<()> {
    let mut record = Vec::new();
    inputs.each_block(bad, |place, block, bad| {
        for (at, game) in block.games().enumerate() {
            let mut distributed = Ok(());
            let played = game.replay(|position, mv, score| {
                if score.is_some() && distributed.is_ok() {
                    let known = TrainingPosition { position: position.clone(), score, mv, result: game.result };
                    record.clear();
                    distributed = match format.write(&mut record, &known) {
                        Ok(()) => buckets.distribute(&record),
                        Err(PackError::Io(error)) => Err(error.into()),
                        // Not representable in the format.
                        Err(_) => Ok(()),
                    };
                }
            });
            distributed?;
            if let Err(fault) = played {
                bad.note(&place.error(at, fault));
            }
        }
        Ok(())
    })
}

//! Merging and shuffling files of games and positions.

use super::files::{GameFiles, bytes_of, is_compact_name, lock_output, write_file, write_games};
use anyhow::{Context, bail, ensure};
use clap::{Args, value_parser};
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use sabi_files::open_regular;
use sabi_records::{
    BadGames, PackError, PackedFormat, TrainingPosition,
    sabg::{Block, is_sabg},
};
use sabi_tools::cli::report_bad;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Maximum memory of a bucket.
const BUCKET_BYTES: u64 = 256 << 20;
/// Size of positions relative to their compact games.
const POSITION_FACTOR: u64 = 11;
/// Maximum buckets: all are open at once.
const MAX_BUCKETS: u64 = 500;

#[derive(Args)]
pub struct MergeArguments {
    /// Inputs (.sabg); damaged parts are reported and skipped
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Output (.sabg)
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

/// Writes the games of all files in order, without duplicates (equal start and moves). Only hashes
/// of games are kept in memory.
pub fn merge(arguments: &MergeArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let _lock = lock_output(&arguments.output, "the games", |head, _| is_sabg(head))?;
    let inputs = GameFiles::open(&arguments.files)?;
    let (mut seen, mut bad, mut games) = (HashSet::new(), BadGames::default(), 0);
    let kept = write_games(&arguments.output, &inputs.common_settings(), |writer| {
        inputs.each_game(&mut bad, |_, game| {
            games += 1;
            if seen.insert(game.fingerprint()) {
                writer.push_stored(game)?;
            }
            Ok(None)
        })?;
        Ok(seen.len() as u64)
    });
    report_bad(&bad);
    let kept = kept?;
    Ok(writeln!(out, "{games} games read, {kept} kept, {} left out as duplicates", games - kept)?)
}

#[derive(Args)]
pub struct ShuffleArguments {
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
pub fn shuffle(arguments: &ShuffleArguments, out: &mut impl Write) -> anyhow::Result<()> {
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

impl ShuffleArguments {
    /// Buckets for this many bytes in total.
    fn buckets(&self, bytes: u64) -> anyhow::Result<ShuffleBuckets> {
        let count = self.buckets.unwrap_or(bytes.div_ceil(BUCKET_BYTES).clamp(1, MAX_BUCKETS));
        ShuffleBuckets::new(&self.output, count, SmallRng::seed_from_u64(self.seed))
    }

    fn shuffle_games(&self, bad: &mut BadGames) -> anyhow::Result<u64> {
        let inputs = GameFiles::open(&self.files)?;
        let mut buckets = self.buckets(inputs.bytes)?;
        let mut single = Block::default();
        inputs.each_game(bad, |_, game| {
            single.clear();
            single.push_stored(game)?;
            buckets.distribute(&single.encode())?;
            Ok(None)
        })?;
        write_games(&self.output, &inputs.common_settings(), |writer| {
            let mut count = 0;
            buckets.drain(|bytes| {
                count += 1;
                Block::decode(bytes, 1)?.games().try_for_each(|game| Ok(writer.push_stored(game)?))
            })?;
            Ok(count)
        })
    }

    fn shuffle_positions(&self, format: PackedFormat, bad: &mut BadGames) -> anyhow::Result<u64> {
        let (games, records): (Vec<PathBuf>, Vec<PathBuf>) =
            self.files.iter().cloned().partition(|path| is_compact_name(path));
        records.iter().try_for_each(|path| check_records(path, format))?;
        let inputs = GameFiles::open(&games)?;
        let mut buckets = self.buckets(inputs.bytes * POSITION_FACTOR + bytes_of(&records)?)?;
        let mut record = Vec::new();
        inputs.each_game(bad, |_, game| {
            let mut distributed = Ok(());
            let replayed = game.replay(|position, mv, score| {
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
            Ok(replayed.err())
        })?;
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

/// Buckets of byte strings: an external shuffle. Items are distributed at random over buckets,
/// unnamed files beside the output; then each bucket is shuffled in memory. The order depends on the
/// seed and the number of buckets.
struct ShuffleBuckets {
    output: PathBuf,
    files: Vec<BufWriter<File>>,
    rng: SmallRng,
}

impl ShuffleBuckets {
    /// Creates empty buckets beside an output.
    fn new(output: &Path, count: u64, rng: SmallRng) -> anyhow::Result<Self> {
        let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let files = (0..count).map(|_| Ok(BufWriter::new(tempfile::tempfile_in(folder)?)));
        let files = files
            .collect::<io::Result<_>>()
            .with_context(|| format!("cannot create temporary files beside '{}'", output.display()))?;
        Ok(Self { output: output.to_owned(), files, rng })
    }

    /// Adds an item to a random bucket.
    fn distribute(&mut self, item: &[u8]) -> anyhow::Result<()> {
        let bucket = self.rng.random_range(0..self.files.len());
        let file = &mut self.files[bucket];
        let length = u32::try_from(item.len())?.to_le_bytes();
        let written = file.write_all(&length).and_then(|()| file.write_all(item));
        written.with_context(|| format!("cannot write temporary files beside '{}'", self.output.display()))
    }

    /// Passes all items to `take` in random order.
    fn drain(mut self, mut take: impl FnMut(&[u8]) -> anyhow::Result<()>) -> anyhow::Result<()> {
        for file in self.files.drain(..) {
            let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            let mut bytes = Vec::new();
            file.rewind()?;
            file.read_to_end(&mut bytes)?;
            // Frees its disk space for the output.
            drop(file);
            let mut items = split(&bytes);
            items.shuffle(&mut self.rng);
            items.into_iter().try_for_each(&mut take)?;
        }
        Ok(())
    }
}

/// Items of a bucket.
fn split(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut items = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let Some((item, rest)) = rest.split_at_checked(u32::from_le_bytes(*length) as usize) else { break };
        items.push(item);
        bytes = rest;
    }
    items
}

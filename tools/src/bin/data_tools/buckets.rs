//! External shuffle.
//!
//! Items are distributed at random over buckets, unnamed files beside the output; then each bucket
//! is shuffled in memory. The order depends on the seed and the number of buckets.

use anyhow::Context;
use rand::Rng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Buckets of byte strings.
pub struct Buckets {
    output: PathBuf,
    files: Vec<BufWriter<File>>,
    rng: SmallRng,
}

impl Buckets {
    /// Creates empty buckets beside an output.
    pub fn new(output: &Path, count: u64, rng: SmallRng) -> anyhow::Result<Self> {
        let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let files = (0..count).map(|_| Ok(BufWriter::new(tempfile::tempfile_in(folder)?)));
        let files = files
            .collect::<io::Result<_>>()
            .with_context(|| format!("cannot create temporary files beside '{}'", output.display()))?;
        Ok(Self { output: output.to_owned(), files, rng })
    }

    /// Adds an item to a random bucket.
    pub fn distribute(&mut self, item: &[u8]) -> anyhow::Result<()> {
        let bucket = self.rng.random_range(0..self.files.len());
        let file = &mut self.files[bucket];
        let length = u32::try_from(item.len())?.to_le_bytes();
        let written = file.write_all(&length).and_then(|()| file.write_all(item));
        written.with_context(|| format!("cannot write temporary files beside '{}'", self.output.display()))
    }

    /// Passes all items to `take` in random order.
    pub fn drain(mut self, mut take: impl FnMut(&[u8]) -> anyhow::Result<()>) -> anyhow::Result<()> {
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

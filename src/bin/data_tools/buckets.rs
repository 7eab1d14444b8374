//! More things than fit into memory, in an order of chance.
//!
//! Things are dealt out by chance to buckets, files in a folder beside the output; then each bucket is shuffled in memory. The random
//! numbers and the number of buckets decide the order.

use anyhow::Context;
use rand::Rng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Things as bytes, dealt out.
pub struct Buckets {
    folder: Folder,
    files: Vec<BufWriter<File>>,
    rng: SmallRng,
}

impl Buckets {
    /// So many empty buckets beside a file that is to be written.
    pub fn new(output: &Path, count: u64, rng: SmallRng) -> anyhow::Result<Self> {
        let folder = Folder::beside(output).with_context(|| format!("no room beside '{}'", output.display()))?;
        let files = (0..count).map(|number| Ok(BufWriter::new(File::create_new(folder.bucket(number))?)));
        let files = files.collect::<anyhow::Result<_>>()?;
        Ok(Self { folder, files, rng })
    }

    /// Puts a thing into one of the buckets.
    pub fn deal(&mut self, thing: &[u8]) -> anyhow::Result<()> {
        let bucket = self.rng.random_range(0..self.files.len());
        let file = &mut self.files[bucket];
        file.write_all(&u32::try_from(thing.len())?.to_le_bytes())?;
        Ok(file.write_all(thing)?)
    }

    /// Takes everything out in an order of chance.
    pub fn empty(mut self, mut take: impl FnMut(&[u8]) -> anyhow::Result<()>) -> anyhow::Result<()> {
        self.files.drain(..).try_for_each(|file| file.into_inner().map(drop))?;
        let mut number = 0;
        while let Some(bytes) = self.folder.read(number)? {
            let mut things = split(&bytes);
            things.shuffle(&mut self.rng);
            things.into_iter().try_for_each(&mut take)?;
            number += 1;
        }
        Ok(())
    }
}

/// The things of a bucket.
fn split(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut things = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let Some((thing, rest)) = rest.split_at_checked(u32::from_le_bytes(*length) as usize) else { break };
        things.push(thing);
        bytes = rest;
    }
    things
}

/// A folder that goes away with everything in it. Only a process that is killed leaves it there.
struct Folder(PathBuf);

impl Folder {
    fn beside(output: &Path) -> anyhow::Result<Self> {
        let name = output.file_name().context("this path names no file")?;
        let mut unique = std::ffi::OsString::from(".");
        unique.push(name);
        unique.push(format!(".{}.buckets", std::process::id()));
        let path = output.with_file_name(unique);
        fs::create_dir(&path)?;
        Ok(Self(path))
    }

    fn bucket(&self, number: u64) -> PathBuf {
        self.0.join(number.to_string())
    }

    /// The bytes of a bucket, which is then gone; `None` behind the last one.
    fn read(&self, number: u64) -> anyhow::Result<Option<Vec<u8>>> {
        let path = self.bucket(number);
        if !path.exists() {
            return Ok(None);
        }
        let bytes = fs::read(&path)?;
        fs::remove_file(path)?;
        Ok(Some(bytes))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // There is nobody to tell, and nothing else to be done.
        let _ = fs::remove_dir_all(&self.0);
    }
}

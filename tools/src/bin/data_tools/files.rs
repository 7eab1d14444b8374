//! Files of games: inputs with a progress bar, and atomic outputs.

use anyhow::{Context, ensure};
use sabi::cli::{check_output, progress_bar};
use sabi_files::{WriteLock, open_regular, replace_file};
use sabi_records::{
    BadGames, Fault, RecordError,
    sabg::{Block, Blocks, StoredGame, Writer},
};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read};
use std::path::{Path, PathBuf};

/// Settings text of files merged from different settings.
const MIXED: &str = "from several files with different settings\n";

/// Files of compact games, opened one after the other.
pub struct GameFiles<'a> {
    paths: &'a [PathBuf],
    /// Settings of the files, each text once.
    pub settings: Vec<String>,
    /// Total length in bytes.
    pub bytes: u64,
}

impl<'a> GameFiles<'a> {
    /// Reads the headers of all files, so that errors show before any work.
    pub fn open(paths: &'a [PathBuf]) -> anyhow::Result<Self> {
        let bytes = bytes_of(paths)?;
        let mut settings: Vec<String> = Vec::new();
        for path in paths {
            let blocks = open_blocks(path, |file| file)?;
            if settings.iter().all(|text| *text != blocks.settings) {
                settings.push(blocks.settings);
            }
        }
        Ok(Self { paths, settings, bytes })
    }

    /// Settings text of a file with the games of all inputs.
    pub fn common_settings(&self) -> String {
        match &self.settings[..] {
            [text] => text.clone(),
            _ => MIXED.to_owned(),
        }
    }

    /// Passes blocks with the location of their first game to `each`, and counts damaged ones.
    pub fn each_block(
        &self,
        bad: &mut BadGames,
        mut each: impl FnMut(GameLocation<'a>, &Block, &mut BadGames) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let bar = progress_bar(self.bytes, "bytes")?;
        for file in self.paths {
            let mut blocks = open_blocks(file, |file| bar.wrap_read(file))?;
            loop {
                let first = GameLocation { file, number: blocks.games + 1 };
                match blocks.next() {
                    None => break,
                    Some(Ok(block)) => each(first, &block, bad)?,
                    Some(Err(error)) => bad.note(&error),
                }
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// Passes games to `each`, which returns the fault of a bad one.
    pub fn each_game(
        &self,
        bad: &mut BadGames,
        mut each: impl FnMut(GameLocation<'a>, StoredGame<'_>) -> anyhow::Result<Option<Fault>>,
    ) -> anyhow::Result<()> {
        self.each_block(bad, |first, block, bad| {
            for (at, game) in block.games().enumerate() {
                let location = first.plus(at);
                if let Some(fault) = each(location, game)? {
                    bad.note(&location.error(fault));
                }
            }
            Ok(())
        })
    }
}

/// Opens a file of compact games, read through `wrap`.
fn open_blocks<R: Read + Send + 'static>(path: &Path, wrap: impl FnOnce(File) -> R) -> anyhow::Result<Blocks> {
    let file = open_regular(path).with_context(|| format!("cannot read '{}'", path.display()))?;
    Ok(Blocks::new(path, BufReader::with_capacity(1 << 16, wrap(file)))?)
}

/// A file and the number of a game in it, from 1.
#[derive(Copy, Clone)]
pub struct GameLocation<'a> {
    file: &'a Path,
    number: usize,
}

impl GameLocation<'_> {
    /// The location of a later game.
    pub fn plus(self, games: usize) -> Self {
        Self { number: self.number + games, ..self }
    }

    pub fn error(self, fault: Fault) -> RecordError {
        RecordError { file: self.file.to_owned(), line: self.number, fault }
    }
}

impl fmt::Display for GameLocation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.number)
    }
}

/// Total length of files in bytes.
pub fn bytes_of(paths: &[PathBuf]) -> anyhow::Result<u64> {
    let length =
        |path: &PathBuf| Ok(fs::metadata(path).with_context(|| format!("cannot read '{}'", path.display()))?.len());
    paths.iter().map(length).sum()
}

/// [`check_output`], and a lock on the output: games that another program adds to it meanwhile would
/// be lost.
pub fn lock_output(path: &Path, what: &str, is_kind: impl FnOnce(&[u8], u64) -> bool) -> anyhow::Result<WriteLock> {
    check_output(path, what, is_kind)?;
    WriteLock::of(path).with_context(|| format!("cannot write {what} '{}'", path.display()))
}

/// Writes a file atomically. `write` returns the number of items; 0 is an error. On errors the old
/// file stays.
pub fn write_file(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> anyhow::Result<u64>) -> anyhow::Result<u64> {
    let mut outcome = Ok(0);
    let written = replace_file(path, |file| {
        outcome = write(file).and_then(|count| {
            ensure!(count > 0, "nothing to write");
            Ok(count)
        });
        if outcome.is_ok() { Ok(()) } else { Err(io::Error::other("nothing to write")) }
    });
    let count = outcome.and_then(|count| written.map(|()| count).map_err(anyhow::Error::from));
    count.with_context(|| format!("cannot write '{}'", path.display()))
}

/// [`write_file`] for a file of games made with `settings`.
pub fn write_games(
    path: &Path,
    settings: &str,
    write: impl FnOnce(&mut Writer<&mut BufWriter<File>>) -> anyhow::Result<u64>,
) -> anyhow::Result<u64> {
    write_file(path, |file| {
        let mut writer = Writer::new(file, settings)?;
        let count = write(&mut writer)?;
        writer.finish()?;
        Ok(count)
    })
}

/// Whether a path has the extension of compact games.
pub fn is_compact_name(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sabg"))
}

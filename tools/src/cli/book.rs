//! Books: counting games for them, reading and writing them.

use super::arguments::{ReadCounts, each_game, finite, report_bad};
use crate::book::{
    BookStats, GameFilter, Loaded, MergeStrategy, OpeningStatistics, TrimLimits, has_games, in_text_order, load, merge,
    trim,
};
use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use sabi::cli::check_output;
use sabi_books::{
    BookMap, Shob, ShobOptions, encode,
    formats::{Format, Omitted, ReadReport, detect, is_own_json, write_json, write_yaneuraou, write_ybb},
    learning::LearningFile,
};
use sabi_files::{WriteLock, read_regular, replace_with_bytes};
use sabi_shogi::PackedSfen;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Default maximum ply of games that are counted.
const MAX_PLY: u32 = 40;

#[derive(Args)]
pub struct GameArguments {
    /// Last move of a game that counts [default: 40]
    #[arg(long, value_name = "PLY", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_ply: Option<u32>,
    /// Minimum rating of both players; games without ratings pass
    #[arg(long, value_name = "RATING", value_parser = finite)]
    pub min_rating: Option<f64>,
    /// Exclude games without ratings of both players
    #[arg(long)]
    pub rated_only: bool,
}

impl GameArguments {
    /// The filter with a default maximum ply.
    pub fn filter(&self, max_ply: u32, decided_only: bool) -> GameFilter {
        let max_ply = self.max_ply.unwrap_or(max_ply);
        GameFilter { max_ply, min_rating: self.min_rating, rated_only: self.rated_only, decided_only }
    }
}

/// Counts the games in `roots`, or only those with a known result.
pub fn count_games(
    roots: &[PathBuf],
    arguments: &GameArguments,
    decided_only: bool,
) -> anyhow::Result<OpeningStatistics> {
    let start = Instant::now();
    let mut statistics = OpeningStatistics::new(arguments.filter(MAX_PLY, decided_only));
    let ReadCounts { files, bad } = each_game(roots, |game| {
        statistics.add(&game);
        Ok(())
    })?;
    let counts = statistics.counts;
    let or_result = if decided_only { " or without a result" } else { "" };
    let games = counts.used + counts.filtered + counts.empty;
    // On stderr; errors there do not prevent the book from being written.
    let mut err = io::stderr().lock();
    let seconds = start.elapsed().as_secs_f64();
    let _ = writeln!(err, "{games} games from {files} files in {seconds:.1} s");
    let _ = writeln!(err, "used {}, of them with unknown result {}", counts.used, counts.unknown_result);
    let _ =
        writeln!(err, "left out: {} by rating{}, {} without a move in range", counts.filtered, or_result, counts.empty);
    if counts.unpackable > 0 {
        let _ = writeln!(err, "{} positions left out: not representable in a book (missing king)", counts.unpackable);
    }
    drop(err);
    report_bad(&bad);
    ensure!(counts.used > 0, "no usable games: {games} read, {} left out by rating{or_result}", counts.filtered);
    Ok(statistics)
}

/// Block compression of a .shob book.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum Compression {
    /// LZ4 blocks
    Lz4,
    /// Uncompressed
    None,
}

/// Loads a book; dropped entries are reported on stderr. An empty book is an error.
pub fn load_book(path: &Path) -> anyhow::Result<Loaded> {
    let loaded = load(path).with_context(|| format!("cannot read the book '{}'", path.display()))?;
    if !loaded.report.dropped().is_empty() {
        let _ = writeln!(io::stderr(), "{}: {}", path.display(), report_text(&loaded.report));
    }
    ensure!(!loaded.book.is_empty(), "the book '{}' has no positions", path.display());
    Ok(loaded)
}

/// Counts, and examples of every drop reason.
fn report_text(report: &ReadReport) -> String {
    let mut text = format!("{} positions, {} moves", report.positions, report.moves);
    for (reason, dropped) in report.dropped() {
        text += &format!("\n  {} {reason}", dropped.count);
        for example in &dropped.examples {
            text += &format!("\n    {}: {}", example.location, example.text);
        }
    }
    text
}

/// Merges books.
pub fn merge_books(paths: &[PathBuf], strategy: MergeStrategy) -> anyhow::Result<BookMap> {
    let books = paths.iter().map(|path| Ok(load_book(path)?.book)).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(merge(books, strategy))
}

/// Drops moves outside the limits; a minimum of games without any number of games is reported on
/// stderr.
pub fn trim_book(book: &mut BookMap, limits: &TrimLimits) {
    if limits.min_games > Some(0) && !has_games(book) {
        let advice = "for counts of .db and Apery books, which are weights, see book_tools trim --min-weight";
        let _ = writeln!(io::stderr(), "no move has a number of games, so that --min-games drops none; {advice}");
    }
    trim(book, limits);
}

// A book to write.
#[derive(Args)]
pub struct BookOutput {
    /// Book to write
    #[arg(long, value_name = "BOOK")]
    pub output: PathBuf,
    /// Compression of a .shob book [default: lz4]
    #[arg(long, value_enum)]
    pub compress: Option<Compression>,
}

impl BookOutput {
    fn extension(&self) -> &str {
        self.output.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
    }

    /// Whether the format holds all that a book has; the others hold neither results of games nor
    /// moves without a score beside others.
    pub fn holds_all(&self) -> bool {
        matches!(self.extension(), "shob" | "json")
    }

    /// Checks that a book can be written to this path with this compression, and locks it: another
    /// program that reads the book, changes it and writes it back meanwhile would lose these
    /// changes.
    pub fn lock(&self) -> anyhow::Result<WriteLock> {
        let name = self.output.display();
        let is_kind: fn(&[u8]) -> bool = match self.extension() {
            "shob" => Shob::detect,
            "json" => is_own_json,
            "db" => |head| detect(head) == Some(Format::YaneuraOu),
            "ybb" => |head| detect(head) == Some(Format::Ybb),
            _ => bail!("a book is written as .shob, .json, .db or .ybb, not as '{name}'"),
        };
        let packs = self.compress.is_none() || self.extension() == "shob";
        ensure!(packs, "--compress is for .shob books, not for '{name}'");
        check_output(&self.output, "the book", |head, _| is_kind(head))?;
        WriteLock::of(&self.output).with_context(|| format!("cannot use '{name}'"))
    }

    /// Writes a book in the format of the extension; see [`Self::announce_and_save`].
    pub fn save(&self, book: &BookMap, out: &mut impl Write) -> anyhow::Result<()> {
        self.announce_and_save(book, |_| LearningFile::finish(&self.output), out)
    }

    /// Writes a book to the locked path. An empty book is an error. `announce` is called with the
    /// bytes before an old book is replaced: [`LearningFile::record_merge`] where the games of a
    /// list are added, else [`LearningFile::finish`].
    pub fn announce_and_save(
        &self,
        book: &BookMap,
        announce: impl FnOnce(&[u8]) -> io::Result<()>,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let nothing = "no position is left: nothing is written";
        ensure!(!book.is_empty(), nothing);
        let name = self.output.display();
        let context = || format!("cannot write the book '{name}'");
        let (mut omitted, mut bytes) = (Omitted::default(), Vec::new());
        match self.extension() {
            "shob" => {
                let options = ShobOptions { compress: self.compress != Some(Compression::None), positions: true };
                let mut packable = Cow::Borrowed(book);
                for (key, entry) in book.iter().filter(|(_, entry)| PackedSfen::of(&entry.position).is_none()) {
                    packable.to_mut().remove(key);
                    omitted.add(entry);
                }
                bytes = encode(&packable, options).with_context(context)?;
            }
            "json" => write_json(&mut bytes, in_text_order(book)).with_context(context)?,
            "ybb" => omitted = write_ybb(&mut bytes, book.values()).with_context(context)?,
            _ => omitted = write_yaneuraou(&mut bytes, book.values()).with_context(context)?,
        }
        ensure!(omitted.positions < book.len(), nothing);
        announce(&bytes).with_context(context)?;
        replace_with_bytes(&self.output, &bytes).with_context(context)?;
        let positions = book.len() - omitted.positions;
        let moves = book.values().map(|entry| entry.moves.len()).sum::<usize>() - omitted.moves;
        writeln!(out, "{name}: {positions} positions, {moves} moves, {} bytes", bytes.len())?;
        if omitted != Omitted::default() {
            let Omitted { positions, moves } = omitted;
            writeln!(out, "left out: {positions} positions, {moves} moves not representable in the format")?;
        }
        Ok(())
    }
}

/// Statistics of any book, also of one with keys only.
pub fn stats_of(path: &Path) -> anyhow::Result<BookStats> {
    let context = || format!("cannot read the book '{}'", path.display());
    let file = read_regular(path).with_context(context)?;
    let mut stats = BookStats::default();
    stats.file_bytes = file.len() as u64;
    if Shob::detect(&file) {
        let shob = Shob::new(file).with_context(context)?;
        for entry in shob.entries().with_context(context)? {
            let entry = entry.with_context(context)?;
            stats.add(entry.position.as_ref(), &entry.moves);
        }
    } else {
        let book = load_book(path)?.book;
        book.values().for_each(|entry| stats.add(Some(&entry.position), &entry.moves));
    }
    Ok(stats)
}

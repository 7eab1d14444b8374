//! Reading and writing books.

use crate::book::{Loaded, MergeStrategy, Stats, TrimLimits, has_games, in_text_order, load, merge, trim};
use anyhow::{Context, bail, ensure};
use clap::ValueEnum;
use sabi::cli::check_output;
use sabi_books::{
    BookMap, Shob, ShobOptions, encode,
    formats::{Format, Omitted, ReadReport, detect, is_own_json, write_json, write_yaneuraou, write_ybb},
};
use sabi_files::{WriteLock, read_regular, replace_with_bytes};
use sabi_shogi::PackedSfen;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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

/// Checks that a book can be written to this path with this compression, and locks it: another
/// program that reads the book, changes it and writes it back meanwhile would lose these changes.
pub fn lock_book_output(path: &Path, compression: Option<Compression>) -> anyhow::Result<WriteLock> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let is_kind: fn(&[u8]) -> bool = match extension {
        "shob" => Shob::detect,
        "json" => is_own_json,
        "db" => |head| detect(head) == Some(Format::YaneuraOu),
        "ybb" => |head| detect(head) == Some(Format::Ybb),
        _ => bail!("a book is written as .shob, .json, .db or .ybb, not as '{}'", path.display()),
    };
    let packs = compression.is_none() || extension == "shob";
    ensure!(packs, "--compress is for .shob books, not for '{}'", path.display());
    check_output(path, "the book", |head, _| is_kind(head))?;
    WriteLock::of(path).with_context(|| format!("cannot use '{}'", path.display()))
}

/// Writes a book in the format of the extension to a path locked by [`lock_book_output`]. An empty
/// book is an error. `announce` is called with the bytes before an old book is replaced:
/// `LearningFile::record_merge` where the games of a list are added, else `LearningFile::finish`.
pub fn save(
    book: &BookMap,
    compression: Option<Compression>,
    path: &Path,
    announce: impl FnOnce(&[u8]) -> io::Result<()>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let nothing = "no position is left: nothing is written";
    ensure!(!book.is_empty(), nothing);
    let context = || format!("cannot write the book '{}'", path.display());
    let (mut omitted, mut bytes) = (Omitted::default(), Vec::new());
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("shob") => {
            let options = ShobOptions { compress: compression != Some(Compression::None), positions: true };
            let mut packable = Cow::Borrowed(book);
            for (key, entry) in book.iter().filter(|(_, entry)| PackedSfen::of(&entry.position).is_none()) {
                packable.to_mut().remove(key);
                omitted.add(entry);
            }
            bytes = encode(&packable, options).with_context(context)?;
        }
        Some("json") => write_json(&mut bytes, in_text_order(book)).with_context(context)?,
        Some("ybb") => omitted = write_ybb(&mut bytes, book.values()).with_context(context)?,
        _ => omitted = write_yaneuraou(&mut bytes, book.values()).with_context(context)?,
    }
    ensure!(omitted.positions < book.len(), nothing);
    announce(&bytes).with_context(context)?;
    replace_with_bytes(path, &bytes).with_context(context)?;
    let positions = book.len() - omitted.positions;
    let moves = book.values().map(|entry| entry.moves.len()).sum::<usize>() - omitted.moves;
    let bytes = bytes.len();
    writeln!(out, "{}: {positions} positions, {moves} moves, {bytes} bytes", path.display())?;
    if omitted != Omitted::default() {
        let Omitted { positions, moves } = omitted;
        writeln!(out, "left out: {positions} positions, {moves} moves not representable in the format")?;
    }
    Ok(())
}

/// Statistics of any book, also of one with keys only.
pub fn stats_of(path: &Path) -> anyhow::Result<Stats> {
    let context = || format!("cannot read the book '{}'", path.display());
    let file = read_regular(path).with_context(context)?;
    let (mut stats, bytes) = (Stats::default(), file.len() as u64);
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
    stats.finish(bytes);
    Ok(stats)
}

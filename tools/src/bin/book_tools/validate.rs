//! Validating books.

use anyhow::{Context, ensure};
use sabi_books::{
    OpenBook, Shob,
    formats::{DropReason, ReadReport},
};
use sabi_files::read_regular;
use sabi_shogi::Position;
use sabi_tools::book::{Check, check};
use sabi_tools::cli::book::load_book;
use std::io::Write;
use std::path::Path;

/// Validates the file, each position, and every line from the start position.
pub fn run(path: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    let context = || format!("the book '{}' is not valid", path.display());
    let file = read_regular(path).with_context(|| format!("cannot read the book '{}'", path.display()))?;
    let each = if Shob::detect(&file) { shob(file).with_context(context)? } else { other_format(path)? };
    let lines = OpenBook::open(path, false, &mut ReadReport::default()).map_err(anyhow::Error::from);
    let lines = lines.and_then(|book| Ok(check(&book, &Position::startpos())?)).with_context(context)?;
    // The lines meet the same faults again, except in a book of keys only.
    let Check { faults, examples, .. } = if each.positions > 0 { &each } else { &lines };
    for example in examples {
        writeln!(out, "{example}")?;
    }
    writeln!(out, "positions           {} with {} moves", each.positions, each.moves)?;
    writeln!(out, "from the start      {} with {} moves", lines.positions, lines.moves)?;
    writeln!(out, "longest line        {} plies", lines.longest)?;
    out.flush()?;
    ensure!(*faults == 0, "the book '{}' has {faults} faults", path.display());
    Ok(writeln!(out, "the book is valid")?)
}

/// A .shob book: first the file, then its positions. Positions known by key only are checked by the
/// lines.
fn shob(file: Vec<u8>) -> anyhow::Result<Check> {
    let book = Shob::new(file)?;
    book.verify()?;
    let mut found = Check::default();
    for entry in book.entries()? {
        let entry = entry?;
        if let Some(position) = &entry.position {
            found.add(position, &entry.moves);
        }
    }
    Ok(found)
}

/// Another format: every entry that the reader drops is a fault.
fn other_format(path: &Path) -> anyhow::Result<Check> {
    let loaded = load_book(path)?;
    let mut found = Check::default();
    loaded.book.values().for_each(|entry| found.add(&entry.position, &entry.moves));
    // Duplicate positions are merged; unreachable positions may still be reached in a game.
    let harmless = [DropReason::DuplicatePosition, DropReason::Unreached];
    let dropped = loaded.report.dropped().iter().filter(|(reason, _)| !harmless.contains(reason));
    found.faults += dropped.map(|(_, dropped)| dropped.count).sum::<u64>();
    Ok(found)
}

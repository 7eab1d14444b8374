//! Book contents as text.

use anyhow::Context;
use sabi_books::{
    BookMap, BookMove, BookPosition, OpenBook, Shob,
    formats::{PlyRule, ReadReport},
};
use sabi_files::read_regular;
use sabi_shogi::Position;
use sabi_tools::book::{diff, in_text_order};
use sabi_tools::cli::book::load_book;
use std::io::Write;
use std::path::Path;

/// Prints positions sorted by SFEN; of a book with keys only, the keys in file order.
pub fn dump(path: &Path, limit: Option<usize>, out: &mut impl Write) -> anyhow::Result<()> {
    let limit = limit.unwrap_or(usize::MAX);
    let bytes = read_regular(path).with_context(|| format!("cannot read the book '{}'", path.display()))?;
    if let Some(shob) = Shob::new(bytes).ok().filter(|shob| !shob.options().positions) {
        for entry in shob.entries()?.take(limit) {
            let entry = entry?;
            writeln!(out, "key {:016x}", entry.key)?;
            show_moves(&entry.moves, out)?;
        }
        return Ok(());
    }
    let book = load_book(path)?.book;
    for entry in in_text_order(&book).into_iter().take(limit) {
        writeln!(out, "sfen {}", entry.position.sfen())?;
        show_moves(&entry.moves, out)?;
    }
    Ok(())
}

/// Prints the book moves of a position, or those of the rotated position with the sides exchanged,
/// as the engine plays them with `FlippedBook`.
pub fn lookup(path: &Path, position: &Position, out: &mut impl Write) -> anyhow::Result<()> {
    let context = || format!("cannot read the book '{}'", path.display());
    let book = OpenBook::open(path, false, &mut ReadReport::default()).with_context(context)?;
    let mut report = ReadReport::default();
    let moves = book.lookup_either_way(position, PlyRule::Any, &mut report).with_context(context)?;
    writeln!(out, "sfen {}", position.sfen())?;
    if moves.is_empty() {
        writeln!(out, "  not in the book")?;
    } else if book.lookup(position, PlyRule::Any, &mut ReadReport::default()).with_context(context)?.is_empty() {
        writeln!(out, "  rotated position")?;
    }
    for (reason, dropped) in report.dropped() {
        writeln!(out, "  without {} {reason}", dropped.count)?;
    }
    show_moves(&moves, out)
}

fn show_moves(moves: &[BookMove], out: &mut impl Write) -> anyhow::Result<()> {
    for entry in moves {
        write!(out, "  {:<5} weight {:>7}", entry.mv.to_string(), entry.weight)?;
        if let Some(games) = entry.games {
            write!(out, "  games {games:>6}")?;
        }
        if let Some(rate) = entry.win_rate {
            write!(out, "  wins {:>5.1} %", f64::from(rate) / 100.0)?;
        }
        if let Some(score) = entry.score {
            match score.mate_plies() {
                Some(plies) if plies < 0 => write!(out, "  mated in {}", -plies)?,
                Some(plies) => write!(out, "  mate in {plies}")?,
                None => write!(out, "  score {:>5}", score.get())?,
            }
        }
        if let Some(depth) = entry.depth {
            write!(out, "  depth {depth:>3}")?;
        }
        if let Some(answer) = entry.answer {
            write!(out, "  answer {answer}")?;
        }
        if let Some(name) = &entry.name {
            // Control characters in foreign text could control the terminal.
            write!(out, "  {}", name.replace(|c: char| c.is_control(), "?"))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Prints the differences between two books.
pub fn differences(first: &BookMap, second: &BookMap, limit: usize, out: &mut impl Write) -> anyhow::Result<()> {
    let found = diff(first, second);
    writeln!(out, "same positions      {}", found.same)?;
    let mut only = |title: &str, sign: char, entries: &[&BookPosition]| -> anyhow::Result<()> {
        writeln!(out, "{title:<19} {}", entries.len())?;
        for entry in entries.iter().take(limit) {
            writeln!(out, "{sign} sfen {}", entry.position.sfen())?;
        }
        Ok(())
    };
    only("only in the first", '-', &found.only_first)?;
    only("only in the second", '+', &found.only_second)?;
    writeln!(out, "with other moves    {}", found.changed.len())?;
    for (one, other) in found.changed.iter().take(limit) {
        writeln!(out, "- sfen {}", one.position.sfen())?;
        show_moves(&one.moves, out)?;
        writeln!(out, "+ sfen {}", other.position.sfen())?;
        show_moves(&other.moves, out)?;
    }
    Ok(())
}

//! Printing, comparing and validating books.

use anyhow::{Context, ensure};
use sabi_books::{
    BookMap, BookMove, BookPosition, OpenBook, Shob, book_key,
    formats::{DropReason, PlyRule, ReadReport},
};
use sabi_files::read_regular;
use sabi_records::{Game, Notation, read_bytes};
use sabi_shogi::{Move, Position, excerpt};
use sabi_tools::book::{BookCheck, check_lines, in_text_order};
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

/// The marks of the sides in Japanese moves.
const MARKS: [char; 6] = ['▲', '△', '☗', '☖', '▼', '▽'];

/// The position after moves in USI or Japanese: `7g7f`, `７六歩`, `▲7六歩(77)`, `同銀`.
pub fn play(mut position: Position, moves: &str) -> anyhow::Result<Position> {
    let marked = moves.replace(MARKS, " ");
    let mut words = marked.split_whitespace().peekable();
    let mut last: Option<Move> = None;
    for number in 1.. {
        let Some(word) = words.next() else { break };
        // The piece may stand apart from 同.
        let piece = words.next_if(|_| word == "同").unwrap_or_default();
        let text = match (word.strip_prefix('同'), last.map(Move::to)) {
            (Some(rest), Some(to)) => format!("{}{}{rest}{piece}", to.file() + 1, to.rank() + 1),
            _ => word.to_owned(),
        };
        let mv = text.parse().ok().or_else(|| japanese(&position, &text)).filter(|&mv| position.is_legal(mv));
        let mv = mv.with_context(|| format!("move {number} '{}' is no legal move here", excerpt(word)))?;
        position.play(mv);
        last = Some(mv);
    }
    Ok(position)
}

/// A move in Japanese, read as the record of a game that begins here.
fn japanese(position: &Position, text: &str) -> Option<Move> {
    let start = Notation::Kif.write(&Game::new(position.clone()));
    let mark = MARKS[position.side_to_move() as usize];
    let game = read_bytes("moves.kif", format!("{start}\n{mark}{text}\n").into_bytes()).next()?.ok()?;
    game.moves.first().copied()
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
                // The length is not known, or the score was beyond the range.
                Some(0) => write!(out, "  {}", if score.is_loss() { "mated" } else { "mate" })?,
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

/// Prints the differences between two books, sorted by SFEN. Move numbers are ignored.
pub fn differences(first: &BookMap, second: &BookMap, limit: usize, out: &mut impl Write) -> anyhow::Result<()> {
    let (mut same, mut only_first, mut changed) = (0, Vec::new(), Vec::new());
    for entry in in_text_order(first) {
        match second.get(&book_key(&entry.position)) {
            None => only_first.push(entry),
            Some(other) if other.moves == entry.moves => same += 1,
            Some(other) => changed.push((entry, other)),
        }
    }
    let mut only_second = in_text_order(second);
    only_second.retain(|entry| !first.contains_key(&book_key(&entry.position)));
    writeln!(out, "same positions      {same}")?;
    let mut only = |title: &str, sign: char, entries: &[&BookPosition]| -> anyhow::Result<()> {
        writeln!(out, "{title:<19} {}", entries.len())?;
        for entry in entries.iter().take(limit) {
            writeln!(out, "{sign} sfen {}", entry.position.sfen())?;
        }
        Ok(())
    };
    only("only in the first", '-', &only_first)?;
    only("only in the second", '+', &only_second)?;
    writeln!(out, "with other moves    {}", changed.len())?;
    for (one, other) in changed.iter().take(limit) {
        writeln!(out, "- sfen {}", one.position.sfen())?;
        show_moves(&one.moves, out)?;
        writeln!(out, "+ sfen {}", other.position.sfen())?;
        show_moves(&other.moves, out)?;
    }
    Ok(())
}

/// Validates the file, each position, and every line from the start position.
pub fn validate(path: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    let context = || format!("the book '{}' is not valid", path.display());
    let file = read_regular(path).with_context(|| format!("cannot read the book '{}'", path.display()))?;
    let each = if Shob::detect(&file) { shob(file).with_context(context)? } else { other_format(path)? };
    let lines = OpenBook::open(path, false, &mut ReadReport::default()).map_err(anyhow::Error::from);
    let lines = lines.and_then(|book| Ok(check_lines(&book)?)).with_context(context)?;
    // The lines meet the same faults again, except in a book of keys only.
    let BookCheck { faults, examples, .. } = if each.positions > 0 { &each } else { &lines };
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
fn shob(file: Vec<u8>) -> anyhow::Result<BookCheck> {
    let book = Shob::new(file)?;
    book.verify()?;
    let mut found = BookCheck::default();
    for entry in book.entries()? {
        let entry = entry?;
        if let Some(position) = &entry.position {
            found.add(position, &entry.moves);
        }
    }
    Ok(found)
}

/// Another format: every entry that the reader drops is a fault.
fn other_format(path: &Path) -> anyhow::Result<BookCheck> {
    let loaded = load_book(path)?;
    let mut found = BookCheck::default();
    loaded.book.values().for_each(|entry| found.add(&entry.position, &entry.moves));
    // Duplicate positions are merged; unreachable positions may still be reached in a game.
    let harmless = [DropReason::DuplicatePosition, DropReason::Unreached];
    let dropped = loaded.report.dropped().iter().filter(|(reason, _)| !harmless.contains(reason));
    found.faults += dropped.map(|(_, dropped)| dropped.count).sum::<u64>();
    Ok(found)
}

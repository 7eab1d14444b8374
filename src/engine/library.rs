//! The opening book as the options want it.

use super::{BookOptions, Note};
use crate::book::foreign::{Cause, PlyRule, Report};
use crate::book::{BookMove, Choice, OpenBook, OpenError, choose, line, weigh};
use crate::position::Position;
use crate::types::Move;
use crate::util::places;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// How users of other engines say that they want no book.
const NO_BOOK: &str = "no_book";
/// The longest line shown behind a move of the book.
const LINE: usize = 8;

/// Where a book comes from, and how it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Source {
    path: PathBuf,
    in_place: bool,
}

/// A book that is open, or was tried.
#[derive(Default)]
pub(super) struct Library {
    source: Option<Source>,
    book: Option<OpenBook>,
    /// Length and time of the file that was opened.
    stamp: Option<Stamp>,
    /// The seed it was made from, and the generator.
    random: Option<(Option<u64>, SmallRng)>,
}

/// A move that the book gives, and what it expects.
pub(super) struct Found {
    /// The candidates with the lines behind them; the move to play is the first.
    pub candidates: Vec<(BookMove, Vec<Move>)>,
}

impl Library {
    /// Opens the book that is wanted, if it is not open, and tells once what is wrong with it. With `again` it is tried anew,
    /// and so is one that was replaced.
    pub(super) fn set_up(&mut self, options: &BookOptions, again: bool) -> Option<Note> {
        let source = source(options);
        // A `go` that changes nothing does not touch the file system.
        if source == self.source && !again {
            return None;
        }
        let stamp = source.as_ref().and_then(stamp_of);
        let is_current = self.book.is_some() && (stamp.is_none() || stamp == self.stamp);
        if source == self.source && is_current {
            return None;
        }
        (self.book, self.source, self.stamp) = (None, source, stamp);
        let source = self.source.as_ref()?;
        let mut report = Report::default();
        match open(source, &mut report) {
            Ok(book) => {
                self.book = Some(book);
                let losses = losses(&report);
                (!losses.is_empty()).then(|| Note::BookLosses { name: source.path.display().to_string(), losses })
            }
            Err(error) => {
                let name = source.path.display().to_string();
                Some(Note::BookUnusable { name, reason: error.to_string() })
            }
        }
    }

    /// What the book has for a position: a move, or a word why not, or nothing.
    pub(super) fn consult(&mut self, position: &Position, options: &BookOptions) -> Result<Option<Found>, Note> {
        let Some(book) = self.book.as_ref().filter(|_| options.own_book) else {
            return Ok(None);
        };
        let ply = if options.ignore_ply { PlyRule::Any } else { PlyRule::Same };
        let lookup = |position: &Position| {
            if options.flipped { book.lookup_either_way(position, ply) } else { book.lookup(position, ply) }
        };
        let damaged = |error: OpenError| {
            let name = self.source.as_ref().map(|source| source.path.display().to_string()).unwrap_or_default();
            Note::BookUnusable { name, reason: error.to_string() }
        };
        let moves = lookup(position).map_err(damaged)?;
        let Choice { mut candidates, refused } = weigh(position, moves, &options.criteria);
        let random = generator(&mut self.random, options.seed);
        let Some(chosen) = choose(&candidates, options.criteria.selection, random) else {
            return if refused.is_empty() { Ok(None) } else { Err(Note::BookRefused(refused)) };
        };
        candidates[..=chosen].rotate_right(1);
        let with_line = |found: BookMove| {
            let line = line(position, &found, LINE, |next| lookup(next).unwrap_or_default());
            (found, line)
        };
        Ok(Some(Found { candidates: candidates.into_iter().map(with_line).collect() }))
    }
}

fn source(options: &BookOptions) -> Option<Source> {
    let named = options.own_book && !options.file.is_empty() && options.file != NO_BOOK;
    named.then(|| Source { path: Path::new(&options.folder).join(&options.file), in_place: options.in_place })
}

/// What of a book is not what its author meant; nothing where only the same was said twice.
fn losses(report: &Report) -> String {
    let harmless = [Cause::DuplicateMove, Cause::DuplicatePosition, Cause::NoMove, Cause::Unreached];
    let told = report.dropped().iter().filter(|(cause, _)| !harmless.contains(cause));
    let words: Vec<String> = told.map(|(cause, dropped)| format!("{} {}", dropped.count, cause.describe())).collect();
    words.join(", ")
}

/// Length of a file, and when it was last written.
type Stamp = (u64, SystemTime);

/// The stamp of the first file of that name there is.
fn stamp_of(source: &Source) -> Option<Stamp> {
    let kept = places(&source.path).iter().find_map(|path| path.metadata().ok())?;
    Some((kept.len(), kept.modified().ok()?))
}

/// Opens the first file of that name there is.
fn open(source: &Source, report: &mut Report) -> Result<OpenBook, OpenError> {
    let mut result = Err(std::io::Error::from(std::io::ErrorKind::NotFound).into());
    for path in places(&source.path) {
        result = OpenBook::open(&path, source.in_place, report);
        if !matches!(&result, Err(OpenError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound) {
            break;
        }
    }
    result
}

/// The generator of this seed, begun anew when the seed is another.
fn generator(random: &mut Option<(Option<u64>, SmallRng)>, seed: Option<u64>) -> &mut SmallRng {
    if random.as_ref().is_none_or(|(known, _)| *known != seed) {
        *random = None;
    }
    let fresh = || (seed, seed.map_or_else(SmallRng::from_os_rng, SmallRng::seed_from_u64));
    &mut random.get_or_insert_with(fresh).1
}

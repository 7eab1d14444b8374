//! The opening book as the options want it.

use super::source::{Source, Stamp};
use super::{BookOptions, Note};
use crate::book::foreign::{Cause, PlyRule, Report};
use crate::book::{BookMove, Choice, Criteria, OpenBook, OpenError, choose, filter_moves, line};
use crate::position::Position;
use crate::types::Move;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::path::{Path, PathBuf};

/// A book that is open, or was tried.
#[derive(Default)]
pub(super) struct BookSlot {
    source: Option<Source>,
    book: Option<OpenBook>,
    /// Where it was found.
    path: PathBuf,
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

impl BookSlot {
    /// Opens the book that is wanted, if it is not open, and tells once what is wrong with it. With `again` it is tried anew,
    /// and so is one that was replaced.
    pub(super) fn set_up(&mut self, options: &BookOptions, again: bool) -> Option<Note> {
        let source = Source::of(options);
        // A `go` that changes nothing does not touch the file system.
        if source == self.source && !again {
            return None;
        }
        let stamp = source.as_ref().and_then(Source::stamp);
        let is_current = self.book.is_some() && (stamp.is_none() || stamp == self.stamp);
        if source == self.source && is_current {
            return None;
        }
        (self.book, self.source, self.stamp) = (None, source, stamp);
        let source = self.source.as_ref()?;
        let mut report = Report::default();
        match source.open(&mut report) {
            Ok((path, book)) => {
                (self.book, self.path) = (Some(book), path);
                losses(source, &report)
            }
            Err(error) => Some(unusable(source, &error)),
        }
    }

    /// The file of the book that was opened last, or the one that the book of the engine would be.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Where chance comes from, begun anew with another seed.
    pub(super) fn random(&mut self, seed: Option<u64>) -> &mut SmallRng {
        generator(&mut self.random, seed)
    }

    /// What the book has for a position, if it has a move to play. Why not, and what is wrong there with the book, goes to `tell`.
    pub(super) fn consult(
        &mut self,
        position: &Position,
        options: &BookOptions,
        tell: &mut dyn FnMut(&Note),
    ) -> Option<Found> {
        let (source, book) = (self.source.as_ref()?, self.book.as_ref()?);
        let mut report = Report::default();
        let moves = lookup(book, position, options, &mut report);
        if let Some(note) = losses(source, &report) {
            tell(&note);
        }
        let moves = moves.inspect_err(|error| tell(&unusable(source, error))).ok()?;
        let Choice { mut candidates, refused } = filter_moves(position, moves, &options.criteria);
        let random = generator(&mut self.random, options.seed);
        if options.ignored > 0 && !candidates.is_empty() && random.random_range(0..100) < options.ignored {
            tell(&Note::BookIgnored);
            return None;
        }
        let Some(chosen) = choose(&candidates, options.selection(), random) else {
            if !refused.is_empty() {
                tell(&Note::BookRefused(refused));
            }
            return None;
        };
        candidates[..=chosen].rotate_right(1);
        let with_line = |found: BookMove| {
            let line = line(position, &found, options.line_plies.max(2), |next| {
                lookup(book, next, options, &mut Report::default()).unwrap_or_default()
            });
            (found, line)
        };
        Some(Found { candidates: candidates.into_iter().map(with_line).collect() })
    }

    /// What the book has for a position, the best first, as far as the options allow it: all but `BookMoves`, which says how long the
    /// book is played, not how long it is right. What is wrong with the book was told when it was asked for a move.
    pub(super) fn known_moves(&self, position: &Position, options: &BookOptions) -> Vec<BookMove> {
        let Some(book) = &self.book else { return Vec::new() };
        let moves = lookup(book, position, options, &mut Report::default()).unwrap_or_default();
        filter_moves(position, moves, &Criteria { last_ply: u32::MAX, ..options.criteria.clone() }).candidates
    }
}

/// Looks a position up as the options want it.
fn lookup(
    book: &OpenBook,
    position: &Position,
    options: &BookOptions,
    report: &mut Report,
) -> Result<Vec<BookMove>, OpenError> {
    let ply = if options.ignore_ply { PlyRule::Any } else { PlyRule::Same };
    if options.flipped { book.lookup_either_way(position, ply, report) } else { book.lookup(position, ply, report) }
}

fn unusable(source: &Source, error: &OpenError) -> Note {
    Note::BookUnusable { name: source.name(), reason: error.to_string() }
}

/// What of a book is not what its author meant; nothing where only the same was said twice.
fn losses(source: &Source, report: &Report) -> Option<Note> {
    let harmless = [Cause::DuplicateMove, Cause::DuplicatePosition, Cause::NoMove, Cause::Unreached];
    let told = report.dropped().iter().filter(|(cause, _)| !harmless.contains(cause));
    let words: Vec<String> = told.map(|(cause, dropped)| format!("{} {}", dropped.count, cause.describe())).collect();
    let name = source.name();
    (!words.is_empty()).then(|| Note::BookLosses { name, losses: words.join(", ") })
}

/// The generator of this seed, begun anew when the seed is another.
fn generator(random: &mut Option<(Option<u64>, SmallRng)>, seed: Option<u64>) -> &mut SmallRng {
    if random.as_ref().is_none_or(|(known, _)| *known != seed) {
        *random = None;
    }
    let fresh = || (seed, seed.map_or_else(SmallRng::from_os_rng, SmallRng::seed_from_u64));
    &mut random.get_or_insert_with(fresh).1
}

//! The opening book selected by the options.

use super::book_source::{BookSource, Stamp};
use super::{BookOptions, InfoMessage};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sabi_books::{
    BookMove, Choice, Criteria, OpenBook, OpenError, choose, filter_moves,
    formats::{DropReason, PlyRule, ReadReport},
    line,
};
use sabi_shogi::{Move, Position};
use std::path::{Path, PathBuf};

/// The open book, or the last one tried.
#[derive(Default)]
pub(super) struct CurrentBook {
    source: Option<BookSource>,
    book: Option<OpenBook>,
    /// Its path.
    path: PathBuf,
    /// Length and modification time of the opened file.
    stamp: Option<Stamp>,
    /// The seed and its generator.
    random: Option<(Option<u64>, SmallRng)>,
}

impl CurrentBook {
    /// Opens the selected book if it is not open; reports an error once. With `reload` it is
    /// reopened after an error or if the file was replaced.
    pub(super) fn set_up(&mut self, options: &BookOptions, reload: bool) -> Option<InfoMessage> {
        let source = BookSource::of(options);
        // An unchanged `go` does not touch the file system.
        if source == self.source && !reload {
            return None;
        }
        let stamp = source.as_ref().and_then(BookSource::stamp);
        let is_current = self.book.is_some() && (stamp.is_none() || stamp == self.stamp);
        if source == self.source && is_current {
            return None;
        }
        (self.book, self.source, self.stamp) = (None, source, stamp);
        let source = self.source.as_ref()?;
        let mut report = ReadReport::default();
        match source.open(&mut report) {
            Ok((path, book)) => {
                (self.book, self.path) = (Some(book), path);
                dropped(source, &report)
            }
            Err(error) => Some(unusable(source, &error, &report)),
        }
    }

    /// The file of the open book, or the path the embedded book would have.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The random generator, restarted for a new seed.
    pub(super) fn random(&mut self, seed: Option<u64>) -> &mut SmallRng {
        generator(&mut self.random, seed)
    }

    /// The book's candidates for a position with their lines, the move to play first; `None` if
    /// there is none. Lines are extended while `go_on` holds: a book that is read from its file may
    /// be slow. Reject reasons and errors go to `note`.
    pub(super) fn probe(
        &mut self,
        position: &Position,
        options: &BookOptions,
        go_on: impl Fn() -> bool,
        note: &mut dyn FnMut(&InfoMessage),
    ) -> Option<Vec<(BookMove, Vec<Move>)>> {
        let (source, book) = (self.source.as_ref()?, self.book.as_ref()?);
        let mut report = ReadReport::default();
        let moves = lookup(book, position, options, &mut report);
        if let Some(dropped) = dropped(source, &report) {
            note(&dropped);
        }
        let moves = moves.inspect_err(|error| note(&unusable(source, error, &report))).ok()?;
        let Choice { mut candidates, rejected } = filter_moves(position, moves, &options.criteria);
        let random = generator(&mut self.random, options.seed);
        if options.ignore_rate > 0 && !candidates.is_empty() && random.random_range(0..100) < options.ignore_rate {
            note(&InfoMessage::BookIgnored);
            return None;
        }
        let Some(chosen) = choose(&candidates, options.selection(), random) else {
            if !rejected.is_empty() {
                note(&InfoMessage::BookMovesRejected(rejected));
            }
            return None;
        };
        candidates[..=chosen].rotate_right(1);
        let with_line = |candidate: BookMove| {
            let line = line(position, &candidate, options.line_plies.max(2), |next| {
                let found = go_on().then(|| lookup(book, next, options, &mut ReadReport::default()));
                found.and_then(Result::ok).unwrap_or_default()
            });
            (candidate, line)
        };
        Some(candidates.into_iter().map(with_line).collect())
    }

    /// The candidates for a position, best first, without the limit `BookMoves`. Errors are not
    /// reported again.
    pub(super) fn all_candidates(&self, position: &Position, options: &BookOptions) -> Vec<BookMove> {
        let Some(book) = &self.book else { return Vec::new() };
        let moves = lookup(book, position, options, &mut ReadReport::default()).unwrap_or_default();
        filter_moves(position, moves, &Criteria { last_ply: u32::MAX, ..options.criteria.clone() }).candidates
    }
}

/// Looks a position up with these options.
fn lookup(
    book: &OpenBook,
    position: &Position,
    options: &BookOptions,
    report: &mut ReadReport,
) -> Result<Vec<BookMove>, OpenError> {
    let ply = if options.ignore_ply { PlyRule::Any } else { PlyRule::Same };
    if options.flipped { book.lookup_either_way(position, ply, report) } else { book.lookup(position, ply, report) }
}

fn unusable(source: &BookSource, error: &OpenError, report: &ReadReport) -> InfoMessage {
    let mut reason = error.to_string();
    if let (OpenError::Empty, Some(losses)) = (error, losses(report)) {
        reason += &format!("; dropped: {losses}");
    }
    InfoMessage::BookUnusable { name: source.name(), reason }
}

fn dropped(source: &BookSource, report: &ReadReport) -> Option<InfoMessage> {
    losses(report).map(|losses| InfoMessage::BookEntriesDropped { name: source.name(), losses })
}

/// Summary of dropped entries; `None` if there are only duplicates.
fn losses(report: &ReadReport) -> Option<String> {
    let harmless =
        [DropReason::DuplicateMove, DropReason::DuplicatePosition, DropReason::NoMove, DropReason::Unreached];
    let reported = report.dropped().iter().filter(|(reason, _)| !harmless.contains(reason));
    let words: Vec<String> = reported.map(|(reason, dropped)| format!("{} {reason}", dropped.count)).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// The generator of this seed, restarted if the seed differs.
fn generator(random: &mut Option<(Option<u64>, SmallRng)>, seed: Option<u64>) -> &mut SmallRng {
    if random.as_ref().is_none_or(|(known, _)| *known != seed) {
        *random = None;
    }
    let fresh = || (seed, seed.map_or_else(SmallRng::from_os_rng, SmallRng::seed_from_u64));
    &mut random.get_or_insert_with(fresh).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EMBEDDED_BOOK;
    use sabi_books::{RejectReason, Shob};

    /// The limits that compare the moves of a position never reject all of them.
    #[test]
    fn embedded_book_keeps_a_move() {
        let criteria = BookOptions::default().criteria;
        let book = Shob::new(EMBEDDED_BOOK).unwrap();
        for entry in book.entries().unwrap() {
            let entry = entry.unwrap();
            let position = entry.position.unwrap();
            let Choice { candidates, rejected } = filter_moves(&position, entry.moves, &criteria);
            let is_compared = |reason: &RejectReason| matches!(reason, RejectReason::Rare | RejectReason::Worse);
            let compared = rejected.iter().any(|(_, reason)| is_compared(reason));
            assert!(!candidates.is_empty() || !compared, "{}: {rejected:?}", position.sfen());
        }
    }
}

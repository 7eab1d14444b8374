//! The book in use: the one that the options select, its answer to a search, its lines in the
//! transposition table (`BookPrefill`), and the record of its moves for book learning.

use super::job::Job;
use super::option_values::NO_BOOK;
use super::{Answer, BookOptions, EngineListener, GameOutcome, InfoMessage};
use crate::engine::EMBEDDED_BOOK;
use crate::mate::mate_in_one;
use crate::search::{Limits, Report, Searcher, Settings};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sabi_books::{
    BookMove, Choice, Criteria, OpenBook, OpenError, choose, filter_moves,
    formats::{DropReason, PlyRule, ReadReport},
    learning::{append_game, learning_file_of},
    line, shown_score,
};
use sabi_files::search_paths;
use sabi_records::{Game, GameResult};
use sabi_shogi::{Color, Move, Position, legal_moves};
use std::collections::{HashSet, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// File name of the embedded book, where one is needed.
const EMBEDDED_NAME: &str = "sabi.shob";
/// Where users of YaneuraOu have their books.
const BOOK_FOLDER: &str = "book";

/// Where a book comes from and how it is read.
#[derive(Debug, PartialEq, Eq)]
struct BookSource {
    /// A file; of the embedded book, the path it would have: its learning file is next to it.
    path: PathBuf,
    /// Whether the file may also be in the folder [`BOOK_FOLDER`].
    in_book_folder: bool,
    embedded: bool,
    /// Whether a sorted text book is searched on disk.
    on_the_fly: bool,
}

/// Length and modification time of a file.
type Stamp = (u64, SystemTime);

impl BookSource {
    /// The selected source.
    fn of(options: &BookOptions) -> Option<Self> {
        let embedded = options.file.is_empty();
        let name = if embedded { EMBEDDED_NAME } else { &options.file };
        (options.own_book && name != NO_BOOK).then(|| Self {
            path: Path::new(&options.folder).join(name),
            in_book_folder: options.folder.is_empty(),
            embedded,
            on_the_fly: options.on_the_fly && !embedded,
        })
    }

    /// Display name.
    fn name(&self) -> String {
        if self.embedded { EMBEDDED_NAME.to_owned() } else { self.path.display().to_string() }
    }

    /// Paths to try in order.
    fn paths(&self) -> Vec<PathBuf> {
        let mut paths = search_paths(&self.path);
        if self.in_book_folder && self.path.is_relative() {
            paths.extend(search_paths(&Path::new(BOOK_FOLDER).join(&self.path)));
        }
        paths
    }

    /// Stamp of the first existing file of this name.
    fn stamp(&self) -> Option<Stamp> {
        let paths = if self.embedded { Vec::new() } else { self.paths() };
        let metadata = paths.iter().find_map(|path| path.metadata().ok())?;
        Some((metadata.len(), metadata.modified().ok()?))
    }

    /// Opens the first existing file of this name, or the embedded book; returns its path, too.
    fn open(&self, report: &mut ReadReport) -> Result<(PathBuf, OpenBook), OpenError> {
        let mut result = Err(io::Error::from(io::ErrorKind::NotFound).into());
        for path in self.paths() {
            let book = match self.embedded {
                true => OpenBook::from_static(EMBEDDED_BOOK),
                false => OpenBook::open(&path, self.on_the_fly, report),
            };
            result = book.map(|book| (path, book));
            if !matches!(&result, Err(OpenError::Io(error)) if error.kind() == io::ErrorKind::NotFound) {
                break;
            }
        }
        result
    }
}

impl BookOptions {
    /// Opens the book selected by these options, if any.
    ///
    /// # Errors
    /// When the file does not exist or cannot be used.
    pub fn open(&self) -> Result<Option<OpenBook>, OpenError> {
        BookSource::of(self).map(|source| Ok(source.open(&mut ReadReport::default())?.1)).transpose()
    }

    /// Looks a position up.
    fn lookup(&self, book: &OpenBook, at: &Position, report: &mut ReadReport) -> Result<Vec<BookMove>, OpenError> {
        let ply = if self.ignore_ply { PlyRule::Any } else { PlyRule::Same };
        if self.flipped { book.lookup_either_way(at, ply, report) } else { book.lookup(at, ply, report) }
    }
}

/// The open book, or the last one tried, and its moves in this game.
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
    /// Book moves on the way to the last position searched, and the one played there, in order.
    played: Vec<PlayedMove>,
    /// The book whose learning file cannot be written; reported once.
    unwritable: Option<PathBuf>,
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

    /// The random generator, restarted for a new seed.
    pub(super) fn random(&mut self, seed: Option<u64>) -> &mut SmallRng {
        generator(&mut self.random, seed)
    }

    /// The book's answer to a search, if there is one, not before the search may answer: while
    /// pondering, it waits for the ponder hit. Not for analysis. The lines of all candidates are
    /// reported, independent of MultiPV, and the move is recorded for book learning.
    pub(super) fn answer(
        &mut self,
        job: &Job,
        limits: &Limits,
        settings: &Settings,
        listener: &dyn EngineListener,
    ) -> Option<Answer> {
        let (options, signals) = (&job.options.book, &job.control.signals);
        let is_for_book = !limits.infinite && limits.search_moves.is_empty();
        let candidates = is_for_book.then(|| self.probe(job, limits, settings, listener)).flatten().unwrap_or_default();
        if let Some((entry, _)) = candidates.first() {
            let total = candidates.iter().map(|(entry, _)| u64::from(entry.weight)).sum();
            let book = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            listener.note(&InfoMessage::BookMove { entry: entry.clone(), total, book });
        }
        for (entry, _) in &candidates {
            let candidate = InfoMessage::BookCandidate(entry.clone());
            if job.options.debug { listener.note(&candidate) } else { log::debug!("{candidate}") }
        }
        for ((entry, line), multi_pv) in candidates.iter().zip(1..) {
            let pv: Vec<_> = line.iter().copied().take(options.line_plies).collect();
            let (seldepth, time) = (pv.len() as u32, limits.start.elapsed());
            let score = shown_score(entry).unwrap_or_default();
            listener.report(&Report { seldepth, multi_pv, time, ..Report::without_search(score, pv) });
        }
        let line = candidates.first().map_or(&[][..], |(_, line)| line);
        let best = line.first().copied();
        if best.is_some() {
            signals.wait_for_release(limits);
        }
        // Analysis, and pondering without a ponder hit in the book, do not count.
        let pondered = limits.ponder && (best.is_none() || signals.received_ponder_hit().is_none());
        if options.learning && !limits.infinite && !pondered {
            self.record(&job.position, best);
        }
        Some(Answer::Best { best: best?, ponder: line.get(1).copied() })
    }

    /// The book's candidates with their lines, the move to play first; `None` if there is none.
    /// Lines are extended while there is time. Reject reasons and errors are noted.
    fn probe(
        &mut self,
        job: &Job,
        limits: &Limits,
        settings: &Settings,
        listener: &dyn EngineListener,
    ) -> Option<Vec<(BookMove, Vec<Move>)>> {
        let go_on = book_clock(job, limits, settings, 1);
        let (position, options) = (&job.position, &job.options.book);
        let (source, book) = (self.source.as_ref()?, self.book.as_ref()?);
        let mut report = ReadReport::default();
        let moves = options.lookup(book, position, &mut report);
        if let Some(dropped) = dropped(source, &report) {
            listener.note(&dropped);
        }
        let moves = moves.inspect_err(|error| listener.note(&unusable(source, error, &report))).ok()?;
        let rules = book.rules();
        let Choice { mut candidates, rejected } = filter_moves(position, moves, rules, &options.criteria);
        let random = generator(&mut self.random, options.seed);
        if options.ignore_rate > 0 && !candidates.is_empty() && random.random_range(0..100) < options.ignore_rate {
            listener.note(&InfoMessage::BookIgnored);
            return None;
        }
        let Some(chosen) = choose(&candidates, options.selection(rules), random) else {
            if !rejected.is_empty() {
                listener.note(&InfoMessage::BookMovesRejected(rejected));
            }
            return None;
        };
        candidates[..=chosen].rotate_right(1);
        let with_line = |candidate: BookMove| {
            let line = line(position, &candidate, options.line_plies.max(2), rules, |next| {
                let found = go_on().then(|| options.lookup(book, next, &mut ReadReport::default()));
                found.and_then(Result::ok).unwrap_or_default()
            });
            (candidate, line)
        };
        Some(candidates.into_iter().map(with_line).collect())
    }

    /// The candidates for a position, best first, without the limit `BookMoves`. Errors are not
    /// reported again.
    fn all_candidates(&self, position: &Position, options: &BookOptions) -> Vec<BookMove> {
        let Some(book) = &self.book else { return Vec::new() };
        let moves = options.lookup(book, position, &mut ReadReport::default()).unwrap_or_default();
        let criteria = Criteria { last_ply: u32::MAX, ..options.criteria.clone() };
        filter_moves(position, moves, book.rules(), &criteria).candidates
    }

    /// Stores the book positions near the root of a search, while there is time; returns their
    /// number. At the root every legal move is followed, because some may lead back to the book;
    /// elsewhere the book moves.
    pub(super) fn prefill(&self, job: &Job, limits: &Limits, settings: &Settings, searcher: &Searcher) -> usize {
        let go_on = book_clock(job, limits, settings, PREFILL_TIME_SHARE);
        // Every queued position would copy the moves of the game.
        let Some(root) = job.position.without_history() else { return 0 };
        let mut queue = VecDeque::from([root.clone()]);
        let mut seen = HashSet::from([root.key()]);
        let (mut probed, mut stored) = (0, 0);
        while let Some(position) = queue.pop_front().filter(|_| probed < MAX_PREFILLED && go_on()) {
            let moves = self.all_candidates(&position, &job.options.book);
            if let Some(best) = moves.first() {
                probed += 1;
                // A tt hit implies that mate in one was tried.
                if position.in_check() || mate_in_one(&position, &position.check_info()).is_none() {
                    stored += usize::from(searcher.prefill(position.key(), best.mv, best.score));
                }
            }
            if position.ply() >= root.ply() + PREFILL_PLIES {
                continue;
            }
            let is_root = position.ply() == root.ply();
            let next = if is_root { legal_moves(&position) } else { moves.iter().map(|entry| entry.mv).collect() };
            for &mv in &next {
                let after = position.after(mv);
                if seen.insert(after.key()) {
                    queue.push_back(after);
                }
            }
        }
        stored
    }

    /// Records the answer to a position: a move of this book, or `None`. Earlier moves that are not
    /// on the way to the position were not played.
    fn record(&mut self, position: &Position, book_move: Option<Move>) {
        let line = Game::before(position);
        self.played.retain(|played| played.is_on(&line));
        if let Some(mv) = book_move {
            let mut game = line;
            game.push(mv, None, None);
            self.played.push(PlayedMove { book: self.path.clone(), side: position.side_to_move(), game });
        }
    }

    /// Clears the record for a new game.
    pub(super) fn new_game(&mut self) {
        self.played.clear();
    }

    /// Appends the game up to its last book move to the learning file, if there is one. `last` is
    /// the last known position.
    pub(super) fn game_over(&mut self, outcome: GameOutcome, last: &Position) -> Option<InfoMessage> {
        let line = Game::before(last);
        let mut played = std::mem::take(&mut self.played);
        played.retain(|played| played.is_on(&line) || played.answers(&line));
        let PlayedMove { book, side, mut game } = played.pop()?;
        // If the engine played both sides, the outcome is ambiguous.
        if played.iter().any(|played| played.side != side) {
            return None;
        }
        game.result = match outcome {
            GameOutcome::Win => GameResult::won_by(side),
            GameOutcome::Lose => GameResult::won_by(!side),
            GameOutcome::Draw => GameResult::Draw,
        };
        let Err(error) = append_game(&book, &game) else {
            self.unwritable = None;
            return None;
        };
        let name = learning_file_of(&book).display().to_string();
        let is_known = self.unwritable.replace(book.clone()) == Some(book);
        (!is_known).then(|| InfoMessage::LearningFailed { name, reason: error.to_string() })
    }
}

/// A move played from the book.
struct PlayedMove {
    book: PathBuf,
    side: Color,
    /// The game up to and including that move.
    game: Game,
}

impl PlayedMove {
    /// Whether the move is part of `line`.
    fn is_on(&self, line: &Game) -> bool {
        line.moves.starts_with(&self.game.moves) && self.game.start.sfen() == line.start.sfen()
    }

    /// Whether the move was played in the last position of `line`.
    fn answers(&self, line: &Game) -> bool {
        self.game.moves.split_last().is_some_and(|(_, before)| before == line.moves)
            && self.game.start.sfen() == line.start.sfen()
    }
}

/// The generator of this seed, restarted if the seed differs.
fn generator(random: &mut Option<(Option<u64>, SmallRng)>, seed: Option<u64>) -> &mut SmallRng {
    if random.as_ref().is_none_or(|(known, _)| *known != seed) {
        *random = None;
    }
    let fresh = || (seed, seed.map_or_else(SmallRng::from_os_rng, SmallRng::seed_from_u64));
    &mut random.get_or_insert_with(fresh).1
}

/// Maximum time for the book before a move: one that is read from its file may be slow.
const MAX_TIME: Duration = Duration::from_millis(50);
/// Prefilling may take the optimum time of the move divided by this.
const PREFILL_TIME_SHARE: u32 = 20;
/// It goes this many plies from the root,
const PREFILL_PLIES: u32 = 8;
/// and to this many book positions: the nearest ones.
const MAX_PREFILLED: usize = 256;

/// Whether the book may take more time, from now on: not after a stop, nor, where the time is
/// limited, beyond one `share`-th of the optimum time.
fn book_clock<'a>(job: &'a Job, limits: &'a Limits, settings: &'a Settings, share: u32) -> impl Fn() -> bool + use<'a> {
    let (start, signals) = (Instant::now(), &job.control.signals);
    move || {
        let optimum = limits.optimum(&job.position, &settings.time, signals.received_ponder_hit());
        !signals.poll() && optimum.is_none_or(|optimum| start.elapsed() < (optimum / share).min(MAX_TIME))
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use sabi_books::{RejectReason, Rules, Shob};

    /// The limits that compare the moves of a position never reject all of them.
    #[test]
    fn embedded_book_keeps_a_move() {
        let criteria = Options::default().book.criteria;
        let book = Shob::new(EMBEDDED_BOOK).unwrap();
        for entry in book.entries().unwrap() {
            let entry = entry.unwrap();
            let position = entry.position.unwrap();
            let Choice { candidates, rejected } = filter_moves(&position, entry.moves, Rules::Sabi, &criteria);
            let is_compared = |reason: &RejectReason| matches!(reason, RejectReason::SmallShare | RejectReason::Worse);
            let compared = rejected.iter().any(|(_, reason)| is_compared(reason));
            assert!(!candidates.is_empty() || !compared, "{}: {rejected:?}", position.sfen());
        }
    }
}

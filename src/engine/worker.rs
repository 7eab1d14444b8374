//! The thread that owns the searcher and works off what is asked for, one job after the other.

use super::evaluation::{Holder, InUse};
use super::job::{Control, Job, SearchOrder, Setup, Work};
use super::learning::Learner;
use super::level::LastLines;
use super::library::{Found, Library};
use super::mates::Mates;
use super::{Answer, BENCH_DEPTH, Listener, Note, Options, bench, machine};
use crate::book::shown_score;
use crate::movegen::{PerftMode, divide, legal_moves};
use crate::position::Position;
use crate::search::{BestMove, Equipment, Limits, Part, Refusal, Report, Searcher, Signals};
use crate::types::Bound;
use crate::util::give_back_memory;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::thread::{self, JoinHandle};

/// Deep recursion with a move list on every ply needs more than the usual stack.
const STACK_BYTES: usize = 64 << 20;

/// Where a table cannot be had, no more than this is tried instead: the user did not ask for it.
const MODEST_HASH_MB: usize = 64;

/// Starts the thread. It ends when the other side of the channel is dropped.
pub(super) fn spawn(
    jobs: Receiver<Job>,
    listener: Arc<dyn Listener>,
    evaluation: Arc<InUse>,
) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name("engine".to_owned()).stack_size(STACK_BYTES).spawn(move || {
        let mut worker = Worker {
            seat: None,
            refused: None,
            library: Library::default(),
            evaluation: Holder::new(evaluation),
            learner: Learner::default(),
            mates: Mates::default(),
            listener,
        };
        jobs.iter().for_each(|job| worker.serve(&job));
    })
}

struct Worker {
    seat: Option<Seat>,
    /// The last equipment that could not be had. A `go` does not try it again, a preparation does.
    refused: Option<Equipment>,
    library: Library,
    evaluation: Holder,
    learner: Learner,
    mates: Mates,
    listener: Arc<dyn Listener>,
}

/// A searcher and what is known about it.
struct Seat {
    searcher: Box<Searcher>,
    /// Whether it has learnt nothing yet.
    fresh: bool,
}

impl Worker {
    /// Gives exactly one answer, also when something breaks on the way.
    fn serve(&mut self, job: &Job) {
        let answer = catch_unwind(AssertUnwindSafe(|| self.work(job)));
        let answer = answer.unwrap_or_else(|cause| {
            // Whatever state they are in, nobody has to know: the next job gets new ones.
            self.seat = None;
            self.mates = Mates::default();
            self.listener.note(&Note::crashed(cause.as_ref()));
            makeshift(job)
        });
        job.control.finish();
        self.listener.finished(&answer);
    }

    fn work(&mut self, job: &Job) -> Answer {
        let signals = &job.control.signals;
        match &job.work {
            Work::Prepare => {
                self.set_up(&job.setup, true);
                if let Some(note) = machine::note(job.setup.equipment.hash_mb) {
                    self.listener.note(&note);
                }
                Answer::Ready
            }
            Work::Forget => {
                self.forget();
                Answer::Forgotten
            }
            Work::Learn { outcome, .. } => {
                if let Some(note) = self.learner.game_over(*outcome, &job.position) {
                    self.listener.note(&note);
                }
                Answer::GameOver
            }
            Work::Search(order) => {
                self.set_up(&job.setup, false);
                let found = self.by_the_book(job, order);
                self.remember(job, order, found.as_ref());
                found.unwrap_or_else(|| self.think(job, order))
            }
            Work::Decline(answer, limits) => {
                signals.hold_back(limits);
                answer.clone()
            }
            Work::Mate(task) => self.mates.find(&job.position, task, signals, self.listener.as_ref()),
            Work::Perft(depth) => {
                let mut position = job.position.clone();
                let mut each = |mv, leaves| self.listener.counted(mv, leaves);
                Answer::Leaves(divide(&mut position, *depth, PerftMode::List, &|| signals.is_stopped(), &mut each))
            }
            Work::Bench(options) => self.bench(options, signals),
        }
    }

    fn bench(&self, options: &Options, signals: &Signals) -> Answer {
        let mut each = |sfen: &str, result| {
            // One that was stopped says nothing.
            if !signals.is_stopped() {
                self.listener.benched(sfen, result);
            }
        };
        match bench(BENCH_DEPTH, options, signals, &mut each) {
            _ if signals.is_stopped() => Answer::Bench(None),
            Ok((total, statistics)) => {
                if let Some(statistics) = statistics {
                    self.listener.statistics(&statistics);
                }
                Answer::Bench(Some(total))
            }
            Err(error) => {
                self.listener.note(&Note::NoBench(error.to_string()));
                Answer::Bench(None)
            }
        }
    }

    /// Brings book, evaluation, tables and threads to what is wanted, as far as files and memory allow.
    fn set_up(&mut self, wanted: &Setup, again: bool) {
        if let Some(note) = self.library.set_up(&wanted.book, again) {
            self.listener.note(&note);
        }
        if let Some(note) = self.evaluation.set_up(&wanted.eval, again) {
            self.listener.note(&note);
        }
        if let Some(seat) = &mut self.seat {
            seat.searcher.set_evaluation(self.evaluation.in_use());
        }
        if again || self.seat.is_none() || self.refused != Some(wanted.equipment) {
            self.equip(wanted.equipment);
        }
        if wanted.new_game {
            self.forget();
            self.learner.forget();
        }
    }

    fn forget(&mut self) {
        if let Some(seat) = self.seat.as_mut().filter(|seat| !seat.fresh) {
            seat.searcher.new_game();
            seat.fresh = true;
        }
    }

    /// Tries less of whatever is refused, and says so once for each part.
    fn equip(&mut self, wanted: Equipment) {
        let mut target = wanted;
        let mut refusals: Vec<Refusal> = Vec::new();
        while let Err(refusal) = self.try_equipment(&target) {
            let part = refusal.part;
            if refusals.iter().all(|earlier| earlier.part != part) {
                refusals.push(refusal);
            }
            let Some(amount) = self.instead_of(part, target.amount(part)) else {
                break;
            };
            target = target.with(part, amount);
        }
        self.refused = (!refusals.is_empty()).then_some(wanted);
        let had = self.seat.as_ref().map(|seat| *seat.searcher.equipment());
        for Refusal { part, reason } in refusals {
            let kept = had.map_or(0, |had| had.amount(part));
            self.listener.note(&Note::Refused { part, reason: reason.to_string(), kept });
        }
    }

    fn try_equipment(&mut self, equipment: &Equipment) -> Result<(), Refusal> {
        match &mut self.seat {
            Some(seat) => {
                let before = seat.searcher.equipment().amount(Part::Threads);
                seat.searcher.configure(equipment)?;
                if equipment.amount(Part::Threads) < before {
                    give_back_memory();
                }
            }
            None => {
                let searcher = Searcher::with_evaluation(equipment, self.evaluation.in_use())?;
                self.seat = Some(Seat { searcher: Box::new(searcher), fresh: true });
            }
        }
        log::debug!("equipped with {equipment:?}");
        Ok(())
    }

    /// What to try where an amount was refused: what there is, or else something modest; nothing when that was refused.
    fn instead_of(&self, part: Part, refused: usize) -> Option<usize> {
        let less = match (&self.seat, part) {
            (Some(seat), _) => seat.searcher.equipment().amount(part),
            (None, Part::Table) => (refused / 2).min(MODEST_HASH_MB),
            (None, Part::SecondLevel | Part::EvalCache) => 0,
            (None, Part::Threads) => 1,
        };
        (less != refused).then_some(less)
    }

    /// The answer of the book, if it has one. Who analyses or ponders wants thoughts, not a move. All candidates are shown as
    /// lines, however many lines a search is to find.
    fn by_the_book(&mut self, job: &Job, order: &SearchOrder) -> Option<Answer> {
        let limits = &order.limits;
        if limits.infinite || limits.ponder || !limits.search_moves.is_empty() {
            return None;
        }
        let mut tell = |note: &Note| self.listener.note(note);
        let Found { candidates } = self.library.consult(&job.position, &job.setup.book, &mut tell)?;
        for (place, (found, line)) in candidates.iter().enumerate() {
            self.listener.note(&Note::BookMove(found.clone()));
            self.listener.report(&Report {
                depth: 0,
                seldepth: line.len() as u32,
                multi_pv: place + 1,
                score: shown_score(found).unwrap_or_default(),
                proved: false,
                bound: Bound::Exact,
                nodes: 0,
                time: limits.start.elapsed(),
                hashfull: 0,
                pv: line.clone(),
            });
        }
        let line = candidates.first().map(|(_, line)| line)?;
        Some(Answer::Best { best: *line.first()?, ponder: line.get(1).copied() })
    }

    /// Remembers for the end of the game what the book gave here. Analysis and pondering are no part of a game.
    fn remember(&mut self, job: &Job, order: &SearchOrder, found: Option<&Answer>) {
        if !job.setup.book.learning || order.limits.infinite || order.limits.ponder {
            return;
        }
        let found = match found {
            Some(Answer::Best { best, .. }) => Some((self.library.path(), *best)),
            _ => None,
        };
        self.learner.hear(&job.position, found);
    }

    fn think(&mut self, job: &Job, order: &SearchOrder) -> Answer {
        let SearchOrder { limits, settings, level, resign, earlier } = order;
        let Control { signals, earlier: earlier_signals, .. } = job.control.as_ref();
        let Some(seat) = &mut self.seat else {
            return makeshift(job);
        };
        seat.fresh = false;
        if let Some(note) = Note::entering_king(&job.position, settings.entering_king) {
            self.listener.note(&note);
        }
        let mut lines = LastLines::default();
        let mut report = |report: &Report| match level {
            None => self.listener.report(report),
            Some(_) => lines.hear(report),
        };
        if let Some(earlier) = earlier {
            let open = Limits { infinite: true, ..Limits::unlimited(limits.start) };
            seat.searcher.search(earlier, &open, settings, earlier_signals, &mut report);
        }
        log::debug!("searching {} with {limits:?}", job.position.sfen());
        let outcome = seat.searcher.search(&job.position, limits, settings, signals, &mut report);
        log::debug!("found {outcome:?} after {:?}", limits.start.elapsed());
        if let Some(statistics) = &outcome.statistics {
            self.listener.statistics(statistics);
        }
        if let (Some(level), BestMove::Move(_)) = (*level, outcome.best)
            && let Some(line) = lines.chosen(level, self.library.random(job.setup.book.seed))
            && let Some(&best) = line.pv.first()
        {
            self.listener.note(&Note::Level(level.number()));
            self.listener.report(&line);
            let gives_up = resign.is_some_and(|cp| line.score.get() <= -cp);
            return if gives_up { Answer::Resign } else { Answer::Best { best, ponder: line.pv.get(1).copied() } };
        }
        match outcome.best {
            BestMove::Declare => Answer::Declare,
            BestMove::Mated => Answer::Resign,
            BestMove::Move(_) if resign.is_some_and(|cp| outcome.score.get() <= -cp) => Answer::Resign,
            BestMove::Move(best) => Answer::Best { best, ponder: outcome.ponder },
        }
    }
}

/// The answer of a job that failed, given no earlier than the order allows.
fn makeshift(job: &Job) -> Answer {
    match &job.work {
        Work::Prepare => Answer::Ready,
        Work::Forget => Answer::Forgotten,
        Work::Learn { .. } => Answer::GameOver,
        Work::Search(order) => {
            job.control.signals.hold_back(&order.limits);
            any_move(&job.position)
        }
        Work::Decline(answer, _) => answer.clone(),
        Work::Mate(_) => Answer::MateUnknown,
        Work::Perft(_) => Answer::Leaves(None),
        Work::Bench(_) => Answer::Bench(None),
    }
}

/// The best that can be said without a search.
fn any_move(position: &Position) -> Answer {
    match legal_moves(position).first() {
        Some(&best) => Answer::Best { best, ponder: None },
        None => Answer::Resign,
    }
}

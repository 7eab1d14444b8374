//! The thread that owns the searcher and works off what is asked for, one job after the other.

use super::job::{Control, Job, SearchOrder, Setup, Work};
use super::{Answer, Listener, Note};
use crate::mate::solver::{self, MateResult};
use crate::movegen::{PerftMode, divide, legal_moves};
use crate::position::Position;
use crate::search::{BestMove, Limits, Searcher};
use crate::util::MemoryError;
use std::any::Any;
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
pub(super) fn spawn(jobs: Receiver<Job>, listener: Arc<dyn Listener>) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name("engine".to_owned()).stack_size(STACK_BYTES).spawn(move || {
        let mut worker = Worker { seat: None, refused: None, listener };
        jobs.iter().for_each(|job| worker.serve(&job));
    })
}

struct Worker {
    seat: Option<Seat>,
    /// The last size of table that could not be had. A `go` does not try it again, a preparation does.
    refused: Option<usize>,
    listener: Arc<dyn Listener>,
}

/// A searcher and what is known about it.
struct Seat {
    searcher: Box<Searcher>,
    hash_mb: usize,
    threads: usize,
    /// Whether it has learnt nothing yet.
    fresh: bool,
}

impl Worker {
    /// Gives exactly one answer, also when something breaks on the way.
    fn serve(&mut self, job: &Job) {
        let answer = catch_unwind(AssertUnwindSafe(|| self.work(job)));
        let answer = answer.unwrap_or_else(|cause| {
            // Whatever state it is in, nobody has to know: the next job gets a new one.
            self.seat = None;
            self.listener.note(&Note::Crashed(cause_text(cause.as_ref())));
            makeshift(job)
        });
        job.control.finish();
        self.listener.finished(&answer);
    }

    fn work(&mut self, job: &Job) -> Answer {
        let signals = &job.control.signals;
        match &job.work {
            Work::Prepare => {
                self.set_up(job.setup, true);
                Answer::Ready
            }
            Work::Search(order) => {
                self.set_up(job.setup, false);
                self.think(job, order)
            }
            Work::Mate(limits) => match solver::solve(&job.position, limits, &|| signals.is_stopped()) {
                MateResult::Mate(line) => Answer::Mate(line),
                MateResult::NoMate => Answer::NoMate,
                MateResult::Unknown => Answer::MateUnknown,
            },
            Work::Perft(depth) => {
                let mut position = job.position.clone();
                let mut each = |mv, leaves| self.listener.counted(mv, leaves);
                Answer::Leaves(divide(&mut position, *depth, PerftMode::List, &|| signals.is_stopped(), &mut each))
            }
        }
    }

    /// Brings table and threads to the wanted size, as far as the memory allows.
    fn set_up(&mut self, wanted: Setup, again: bool) {
        let Some(seat) = &mut self.seat else {
            self.seat = self.first_seat(wanted);
            return;
        };
        let hopeless = !again && self.refused == Some(wanted.hash_mb);
        let hash_mb = if hopeless { seat.hash_mb } else { wanted.hash_mb };
        match seat.resize(hash_mb, wanted.threads) {
            Ok(()) if hopeless => {}
            Ok(()) => self.refused = None,
            Err(reason) => {
                self.refused = Some(hash_mb);
                self.listener.note(&Note::TableRefused { reason: reason.to_string(), kept: seat.hash_mb });
                // The threads may be had all the same.
                let _ = seat.resize(seat.hash_mb, wanted.threads);
            }
        }
        if wanted.new_game && !seat.fresh {
            seat.searcher.new_game();
            seat.fresh = true;
        }
    }

    /// A searcher with the wanted table, or with a modest one that can be had.
    fn first_seat(&mut self, wanted: Setup) -> Option<Seat> {
        let Setup { hash_mb: mut kept, threads, .. } = wanted;
        let mut refusal: Option<MemoryError> = None;
        let seat = loop {
            match Searcher::new(kept, threads) {
                Ok(searcher) => {
                    break Some(Seat { searcher: Box::new(searcher), hash_mb: kept, threads, fresh: true });
                }
                Err(error) => refusal = refusal.or(Some(error)),
            }
            kept = (kept / 2).min(MODEST_HASH_MB);
            if kept == 0 {
                break None;
            }
        };
        self.refused = refusal.is_some().then_some(wanted.hash_mb);
        if let Some(reason) = refusal {
            self.listener.note(&Note::TableRefused { reason: reason.to_string(), kept });
        }
        seat
    }

    fn think(&mut self, job: &Job, order: &SearchOrder) -> Answer {
        let SearchOrder { limits, settings, resign, earlier } = order;
        let Control { signals, earlier: earlier_signals, .. } = job.control.as_ref();
        let Some(seat) = &mut self.seat else {
            return makeshift(job);
        };
        seat.fresh = false;
        let mut report = |report: &_| self.listener.report(report);
        if let Some(earlier) = earlier {
            let open = Limits { infinite: true, ..Limits::unlimited(limits.start) };
            seat.searcher.search(earlier, &open, settings, earlier_signals, &mut report);
        }
        log::debug!("searching {} with {limits:?}", job.position.sfen());
        let outcome = seat.searcher.search(&job.position, limits, settings, signals, &mut report);
        log::debug!("found {outcome:?} after {:?}", limits.start.elapsed());
        match outcome.best {
            BestMove::Declare => Answer::Declare,
            BestMove::Mated => Answer::Resign,
            BestMove::Move(_) if resign.is_some_and(|cp| outcome.score.get() <= -cp) => Answer::Resign,
            BestMove::Move(best) => Answer::Best { best, ponder: outcome.ponder },
        }
    }
}

impl Seat {
    /// Nothing changes on error.
    fn resize(&mut self, hash_mb: usize, threads: usize) -> Result<(), MemoryError> {
        if (hash_mb, threads) != (self.hash_mb, self.threads) {
            self.searcher.configure(hash_mb, threads)?;
            log::info!("table of {hash_mb} MiB, {threads} threads");
            (self.hash_mb, self.threads) = (hash_mb, threads);
        }
        Ok(())
    }
}

/// The answer of a job that failed, given no earlier than the order allows.
fn makeshift(job: &Job) -> Answer {
    match &job.work {
        Work::Prepare => Answer::Ready,
        Work::Search(order) => {
            job.control.signals.hold_back(&order.limits);
            any_move(&job.position)
        }
        Work::Mate(_) => Answer::MateUnknown,
        Work::Perft(_) => Answer::Leaves(None),
    }
}

/// The best that can be said without a search.
fn any_move(position: &Position) -> Answer {
    match legal_moves(position).first() {
        Some(&best) => Answer::Best { best, ponder: None },
        None => Answer::Resign,
    }
}

/// The words of a panic.
fn cause_text(cause: &(dyn Any + Send)) -> String {
    let text = cause.downcast_ref::<&str>().copied();
    text.or_else(|| cause.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown cause").to_owned()
}

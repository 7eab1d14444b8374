//! The searcher: what outlives a search, and how its threads work together (Lazy SMP).

use super::history::Histories;
use super::limits::Limits;
use super::report::{BestMove, Outcome, Report};
use super::root::{self, RootMove};
use super::settings::Settings;
use super::signals::Signals;
use super::voice::{Listener, Voice};
use super::worker::{Shared, Worker};
use crate::eval::Weights;
use crate::position::{Declaration, Position};
use crate::table::Table;
use crate::types::{Bound, Move, Score};
use crate::util::{Counter, MemoryError, require_memory};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Stack of a search thread: deep lines need it, and untouched pages cost nothing.
const STACK_SIZE: usize = 64 << 20;

/// Everything a search needs that outlives it: the shared table, and each thread's histories.
pub struct Searcher {
    table: Table,
    histories: Vec<Histories>,
}

/// What one thread has to say at the end.
struct Opinion {
    best: RootMove,
    score: Score,
    depth: i32,
}

impl Searcher {
    /// Allocates a table of `hash_mb` MiB and prepares `threads` workers.
    ///
    /// # Errors
    /// When the memory is not there.
    pub fn new(hash_mb: usize, threads: usize) -> Result<Self, MemoryError> {
        let threads = threads.max(1);
        require_memory(threads * Histories::BYTES)?;
        let table = Table::new(hash_mb)?;
        Ok(Self { table, histories: (0..threads).map(|_| Histories::new()).collect() })
    }

    /// Changes table size and number of workers where they differ; nothing changes on error.
    ///
    /// # Errors
    /// When the memory is not there.
    pub fn configure(&mut self, hash_mb: usize, threads: usize) -> Result<(), MemoryError> {
        let threads = threads.max(1);
        require_memory(threads.saturating_sub(self.histories.len()) * Histories::BYTES)?;
        if hash_mb != self.table.megabytes() {
            self.table = Table::new(hash_mb)?;
        }
        self.histories.resize_with(threads, Histories::new);
        Ok(())
    }

    /// Forgets everything learnt: table and histories.
    pub fn new_game(&mut self) {
        self.table.clear();
        self.histories.iter_mut().for_each(|histories| histories.clear());
    }

    /// Searches; returns when a limit is reached or `signals` say so, never before stop or ponder hit when the order is to
    /// ponder or to go on without end. Every move of every reported line is legal.
    ///
    /// The first thread of the search is the caller's: its stack should have some megabytes left for deep lines.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        settings: &Settings,
        signals: &Signals,
        report: Listener<'_>,
    ) -> Outcome {
        let outcome = match decided(position, settings) {
            Some(decided) => {
                report(&decided.1);
                decided.0
            }
            None => {
                self.table.next_generation();
                self.think(position, limits, settings, signals, report)
            }
        };
        signals.hold_back(limits);
        outcome
    }

    fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        settings: &Settings,
        signals: &Signals,
        report: Listener<'_>,
    ) -> Outcome {
        let roots = root::root_moves(position, settings, &limits.search_moves);
        if roots.is_empty() {
            return Outcome { best: BestMove::Mated, ponder: None, score: Score::mated_in(0), depth: 0, nodes: 0 };
        }
        let counters: Vec<Counter> = self.histories.iter().map(|_| Counter::default()).collect();
        let shared = Shared {
            table: &self.table,
            settings,
            limits,
            signals,
            halt: AtomicBool::new(false),
            counters: &counters,
            weights: Weights::embedded(),
        };
        let mut workers = self
            .histories
            .iter_mut()
            .enumerate()
            .map(|(index, histories)| Worker::new(&shared, index, histories, position, roots.clone()))
            .collect::<Vec<_>>();
        let mut first = workers.swap_remove(0);
        first.voice = Some(Voice::new(report));
        let opinions = thread::scope(|scope| {
            // A helper that cannot be started is only missed.
            let helpers: Vec<_> = workers
                .into_iter()
                .filter_map(|mut worker| {
                    let builder = thread::Builder::new().stack_size(STACK_SIZE);
                    let run = move || {
                        worker.deepen();
                        opinion(&worker)
                    };
                    builder.spawn_scoped(scope, run).inspect_err(|error| log::warn!("one thread less: {error}")).ok()
                })
                .collect();
            // The helpers end with the first thread, also when it panics.
            let guard = HaltOnDrop(&shared.halt);
            first.deepen();
            drop(guard);
            let mut opinions = vec![opinion(&first)];
            opinions.extend(helpers.into_iter().filter_map(|helper| helper.join().ok()));
            opinions
        });
        let elected = if settings.multi_pv == 1 { elect(&opinions) } else { 0 };
        let Opinion { best, score, depth } = &opinions[elected];
        if elected > 0
            && let (Some(report), Some(voice)) = (first.report_on(best, 1), &mut first.voice)
        {
            // The line that decides is another thread's: nobody was told of it yet.
            voice.say(&report);
        }
        let ponder = best.pv.get(1).copied().or_else(|| self.table_answer(position, best.mv()));
        Outcome {
            best: BestMove::Move(best.mv()),
            ponder,
            score: *score,
            depth: *depth as u32,
            nodes: counters.iter().map(Counter::get).sum(),
        }
    }

    /// The answer that the table knows to a move, if it is legal.
    fn table_answer(&self, position: &Position, mv: Move) -> Option<Move> {
        let mut next = position.clone();
        next.play(mv);
        self.table.probe(next.key()).and_then(|entry| entry.mv).filter(|&answer| next.is_legal(answer))
    }
}

struct HaltOnDrop<'a>(&'a AtomicBool);

impl Drop for HaltOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn opinion(worker: &Worker<'_>) -> Opinion {
    let best = worker.root_moves[0].clone();
    Opinion { score: best.last_score().unwrap_or_default(), best, depth: worker.completed_depth }
}

/// Which opinion to follow: threads vote for their move with depth and score; a mate found by any thread decides.
fn elect(opinions: &[Opinion]) -> usize {
    let worst = opinions.iter().map(|opinion| opinion.score.get()).min().unwrap_or(0);
    let weight = |opinion: &Opinion| i64::from(opinion.score.get() - worst + 20) * i64::from(opinion.depth);
    let votes = |mv: Move| -> i64 { opinions.iter().filter(|opinion| opinion.best.mv() == mv).map(weight).sum() };
    let rank = |at: usize| {
        let opinion = &opinions[at];
        let mate = if opinion.score.is_win() { opinion.score.get() } else { 0 };
        // The first thread wins ties: its lines were the ones reported.
        (mate, votes(opinion.best.mv()), opinion.depth, std::cmp::Reverse(at))
    };
    (0..opinions.len()).max_by_key(|&at| rank(at)).unwrap_or(0)
}

/// What the rules decide before any thought, with the line that tells it.
fn decided(position: &Position, settings: &Settings) -> Option<(Outcome, Report)> {
    let (best, score) = match position.declaration(settings.entering_king) {
        Some(Declaration::Points) => (BestMove::Declare, Score::RULE_WIN),
        Some(Declaration::Try(mv)) => (BestMove::Move(mv), Score::RULE_WIN),
        None if !crate::movegen::has_legal_move(position) => (BestMove::Mated, Score::mated_in(0)),
        None => return None,
    };
    let report = Report {
        depth: 0,
        seldepth: 0,
        multi_pv: 1,
        score,
        bound: Bound::Exact,
        nodes: 0,
        time: std::time::Duration::ZERO,
        hashfull: 0,
        pv: if let BestMove::Move(mv) = best { vec![mv] } else { Vec::new() },
    };
    Some((Outcome { best, ponder: None, score, depth: 0, nodes: 0 }, report))
}

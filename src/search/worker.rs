//! A search thread: what it shares, what it owns, making moves, table accesses, root moves, and
//! when it stops and reports.

use super::history::{
    ContHistIndex, ContHistIndices, CorrectionIndices, Histories, NO_CONT_HIST, NO_MOVE, PieceTo, cont_hist_index,
    piece_to,
};
use super::limits::{Limits, Settings, Signals};
use super::params::{Reductions, entering_king_bonus};
use super::report::{InfoReporter, Listener, Report, TableCounts};
use super::root_move::RootMove;
use super::time::{TimeFactors, TimeManager};
use crate::eval::{Evaluation, Evaluator};
use crate::machine::{Counter, MemoryError, filled};
use crate::table::{Entry, EvalCache, Event, LocalEvalCache, TableStats, ThreadEvalCache, TranspositionTable};
use arrayvec::ArrayVec;
use sabi_shogi::{Bound, Color, Declaration, Keys, MAX_PLY, Move, Position, Repetition, Score};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// State shared by all threads of a search.
pub(super) struct Shared<'a> {
    pub table: &'a TranspositionTable,
    pub eval_cache: Option<&'a EvalCache>,
    pub settings: &'a Settings,
    pub limits: &'a Limits,
    pub signals: &'a Signals,
    /// Stops all threads: set by the first thread that sees a signal or a limit.
    pub halt: AtomicBool,
    /// Whether more than half of the time for this move was used after the last iteration.
    pub half_used: AtomicBool,
    /// Node counters of the threads.
    pub counters: Box<[Counter]>,
    /// Best move changes at the root of each thread.
    pub best_move_changes: Box<[Counter]>,
    pub evaluation: &'a Evaluation,
}

/// Maximum nodes of a short search.
const SHORT_SEARCH: u64 = 500;

impl<'a> Shared<'a> {
    /// The state before a search by this number of threads.
    pub(super) fn new(
        (table, eval_cache): (&'a TranspositionTable, Option<&'a EvalCache>),
        evaluation: &'a Evaluation,
        settings: &'a Settings,
        limits: &'a Limits,
        signals: &'a Signals,
        threads: usize,
    ) -> Self {
        let counters = || (0..threads).map(|_| Counter::default()).collect();
        Self {
            table,
            eval_cache,
            settings,
            limits,
            signals,
            halt: AtomicBool::new(false),
            half_used: AtomicBool::new(false),
            counters: counters(),
            best_move_changes: counters(),
            evaluation,
        }
    }

    /// Whether the first iteration is a large part of the search, as in self-play. With multi-PV it
    /// is needed: each line wants a move.
    pub(super) fn is_short(&self) -> bool {
        self.settings.multi_pv == 1 && self.limits.nodes.is_some_and(|nodes| nodes <= SHORT_SEARCH)
    }

    /// Prefetches the table buckets of a position.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        self.table.prefetch(key);
        if let Some(cache) = self.eval_cache {
            cache.prefetch(key);
        }
    }

    /// The tt move of a position, if legal: another position may have the same tag.
    pub(super) fn tt_move(&self, position: &Position) -> Option<Move> {
        self.table.probe(position.key(), &mut ()).and_then(|entry| entry.mv).filter(|&mv| position.is_legal(mv))
    }

    /// Nodes of all threads.
    pub(super) fn nodes(&self) -> u64 {
        self.counters.iter().map(Counter::get).sum()
    }
}

/// Search stack entry of one ply.
#[derive(Copy, Clone, Debug)]
pub(super) struct StackEntry {
    /// Piece and target of the move made here; [`NO_MOVE`] for none and for the null move.
    pub moved: PieceTo,
    /// Continuation history row of that move.
    pub cont_hist: ContHistIndex,
    /// Correction history indices of this position.
    pub correction_indices: CorrectionIndices,
    /// Corrected static eval; in check that of two plies before.
    pub static_eval: i32,
    /// Stat score of the move made here.
    pub stat_score: i32,
    /// Reduction of that move in plies.
    pub reduction: i32,
    /// Its number among the moves of the node, from 1.
    pub move_count: i32,
    /// Fail highs of this node and its siblings.
    pub cutoffs: i32,
    /// Excluded move of a singular search.
    pub excluded: Option<Move>,
    pub in_check: bool,
    pub tt_hit: bool,
    /// Whether the position is or was on a principal variation.
    pub tt_pv: bool,
    /// Whether all moves so far follow the PV of the last iteration.
    pub on_last_pv: bool,
}

impl StackEntry {
    const EMPTY: Self = Self {
        moved: NO_MOVE,
        cont_hist: NO_CONT_HIST,
        correction_indices: CorrectionIndices::NONE,
        static_eval: 0,
        stat_score: 0,
        reduction: 0,
        move_count: 0,
        cutoffs: 0,
        excluded: None,
        in_check: false,
        tt_hit: false,
        tt_pv: false,
        on_last_pv: false,
    };
}

/// Stack entries before the root, so that looking back needs no bounds check.
const STACK_OFFSET: usize = 7;
/// Stack size.
const STACK_SIZE: usize = MAX_PLY + 2 * STACK_OFFSET;

/// Number of PVs.
const PVS: usize = MAX_PLY + 2;

/// Data of a thread that persists between searches.
pub(super) struct ThreadData {
    histories: Histories,
    /// First level of the evaluation cache; unused without one.
    evaluations: LocalEvalCache,
    /// Allocation only: reset for every search.
    stack: Box<[StackEntry]>,
    /// Allocation of the PVs.
    pvs: Box<[ArrayVec<Move, MAX_PLY>]>,
}

impl ThreadData {
    /// Size in bytes of the large parts.
    pub(super) const BYTES: usize = Histories::BYTES
        + LocalEvalCache::BYTES
        + STACK_SIZE * size_of::<StackEntry>()
        + PVS * size_of::<ArrayVec<Move, MAX_PLY>>();

    pub(super) fn new() -> Result<Self, MemoryError> {
        Ok(Self {
            histories: Histories::new()?,
            evaluations: LocalEvalCache::new()?,
            stack: filled(StackEntry::EMPTY, STACK_SIZE)?,
            pvs: filled(ArrayVec::new(), PVS)?,
        })
    }

    pub(super) fn clear(&mut self) {
        self.histories.clear();
        self.evaluations.clear();
    }
}

/// What only the main thread has besides.
pub(super) struct MainThread<'a> {
    pub reporter: InfoReporter<'a>,
    pub factors: TimeFactors,
    /// Factor of the optimum time after the last iteration.
    pub time_factor: f64,
}

impl<'a> MainThread<'a> {
    /// The state before the first iteration; `previous` is the score of the last move of the game.
    pub(super) fn new(listener: Listener<'a>, previous: Option<Score>) -> Self {
        Self { reporter: InfoReporter::new(listener), factors: TimeFactors::new(previous), time_factor: 1.0 }
    }
}

/// Maximum nodes of the first iteration after a stop.
const FIRST_ITERATION: u64 = 10_000;
/// Nodes between checks of time, limits and signals.
const POLL_INTERVAL: u64 = 512;
/// With a single legal move and a clock, stop at this depth.
const FORCED_MOVE_DEPTH: i32 = 10;

/// A search thread.
pub(super) struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    /// Thread index; 0 is the main thread.
    pub index: usize,
    pub histories: &'a mut Histories,
    /// The position of `go`.
    pub root_position: &'a Position,
    pub position: Position,
    pub evaluator: Evaluator<'a>,
    /// The evaluation cache, if enabled.
    evaluations: Option<ThreadEvalCache<'a>>,
    /// Table counters, if enabled.
    pub counts: Option<Box<TableCounts>>,
    pub reductions: Reductions,
    pub time: TimeManager,
    /// Of the main thread.
    pub main: Option<MainThread<'a>>,
    stack: &'a mut [StackEntry],
    /// PV from each ply.
    pub pvs: &'a mut [ArrayVec<Move, MAX_PLY>],
    /// PV of the last iteration.
    pub last_pv: Vec<Move>,
    /// `beta - alpha` at the root.
    pub root_window: i32,
    /// Number of own nodes at which limits and signals are checked again.
    pub next_poll: u64,

    pub root_color: Color,
    pub root_moves: Vec<RootMove>,
    /// Index of the current multi-PV line.
    pub pv_index: usize,
    pub root_depth: i32,
    /// Iterations started with more than half of the time used: searched at reduced depth.
    pub search_again_counter: i32,
    /// Whether the last search of the root failed low.
    pub failing_low: bool,
    /// Last completed depth.
    pub completed_depth: i32,
    pub seldepth: usize,
    /// Null moves are disabled before this ply during a verification search.
    pub null_move_min_ply: usize,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        shared: &'a Shared<'a>,
        index: usize,
        data: &'a mut ThreadData,
        root_position: &'a Position,
        root_moves: Vec<RootMove>,
    ) -> Self {
        let ThreadData { histories, evaluations, stack, pvs } = data;
        stack.fill(StackEntry::EMPTY);
        let mut evaluator = Evaluator::new(shared.evaluation);
        evaluator.reset(root_position);
        histories.new_search();
        let root_color = root_position.side_to_move();
        Self {
            shared,
            index,
            histories,
            root_position,
            position: root_position.clone(),
            evaluator,
            evaluations: shared.eval_cache.map(|cache| ThreadEvalCache::new(evaluations, cache)),
            counts: shared.settings.statistics.then(Box::default),
            reductions: Reductions::new(),
            time: TimeManager::new(shared.limits, shared.settings.time.clone(), root_color, root_position.ply()),
            main: None,
            stack,
            pvs,
            last_pv: Vec::new(),
            root_window: 1,
            next_poll: 0,
            root_color,
            root_moves,
            pv_index: 0,
            root_depth: 0,
            search_again_counter: 0,
            failing_low: false,
            completed_depth: 0,
            seldepth: 0,
            null_move_min_ply: 0,
        }
    }

    #[inline]
    pub(super) fn ss(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.stack[ply + STACK_OFFSET]
    }

    /// The stack entry `back` plies before `ply`.
    #[inline]
    pub(super) fn ss_before(&self, ply: usize, back: usize) -> &StackEntry {
        &self.stack[ply + STACK_OFFSET - back]
    }

    /// The PV from `ply`.
    #[inline]
    pub(super) fn pv(&mut self, ply: usize) -> &mut ArrayVec<Move, MAX_PLY> {
        &mut self.pvs[ply]
    }

    /// Continuation history rows of the node at `ply`.
    #[inline]
    pub(super) fn cont_hist(&self, ply: usize) -> ContHistIndices {
        std::array::from_fn(|back| self.ss_before(ply, back + 1).cont_hist)
    }

    /// Piece-target index of a legal move.
    #[inline]
    pub(super) fn piece_to(&self, mv: Move) -> PieceTo {
        self.position.moved_piece_after(mv).map_or(NO_MOVE, |piece| piece_to(piece, mv.to()))
    }

    /// The keys after a move; prefetches the table buckets.
    #[inline]
    pub(super) fn keys_after(&self, mv: Move) -> Keys {
        let keys = self.position.keys_after(mv);
        self.shared.prefetch(keys.position());
        keys
    }

    #[inline]
    pub(super) fn play(&mut self, mv: Move, keys: Keys, ply: usize) {
        let moved = self.piece_to(mv);
        let cont_hist = cont_hist_index(self.position.in_check(), self.position.is_capture(mv), moved);
        let ss = self.ss(ply);
        (ss.moved, ss.cont_hist) = (moved, cont_hist);
        self.shared.counters[self.index].increment();
        self.evaluator.push();
        self.position.play_with_keys(mv, keys, &mut self.evaluator);
        self.evaluator.update(&self.position);
        self.update_correction_indices(ply + 1);
    }

    /// Computes and prefetches the correction history indices of the position at `ply`.
    #[inline]
    pub(super) fn update_correction_indices(&mut self, ply: usize) {
        let last_moves = [1, 2, 4].map(|back| self.ss_before(ply, back).moved);
        let indices = CorrectionIndices::new(&self.position, last_moves);
        self.histories.corrections.prefetch(&indices);
        self.ss(ply).correction_indices = indices;
    }

    #[inline]
    pub(super) fn undo(&mut self) {
        self.position.undo();
        self.evaluator.pop();
    }

    #[inline]
    pub(super) fn play_null(&mut self, ply: usize) {
        let ss = self.ss(ply);
        (ss.moved, ss.cont_hist) = (NO_MOVE, NO_CONT_HIST);
        self.ss(ply + 1).on_last_pv = false;
        self.shared.counters[self.index].increment();
        self.evaluator.push();
        self.position.play_null();
        self.shared.prefetch(self.position.key());
        self.evaluator.update(&self.position);
        self.update_correction_indices(ply + 1);
    }

    #[inline]
    pub(super) fn undo_null(&mut self) {
        self.position.undo_null();
        self.evaluator.pop();
    }

    /// Static eval without correction, cached; `depth` is that of the node.
    #[inline]
    pub(super) fn evaluate(&mut self, depth: i32) -> Score {
        let Some(known) = &mut self.evaluations else { return Score::eval(self.evaluator.evaluate(&self.position)) };
        let key = self.position.key();
        let compute = || self.evaluator.evaluate(&self.position);
        Score::eval(match &mut self.counts {
            None => known.value(key, depth, compute, &mut ()),
            Some(counts) => known.value(key, depth, compute, &mut counts.evaluations),
        })
    }

    /// Probes the table at a node of `depth`.
    #[inline]
    pub(super) fn probe(&mut self, depth: i32) -> Option<Entry> {
        let (table, key) = (self.shared.table, self.position.key());
        match &mut self.counts {
            None => table.probe(key, &mut ()),
            Some(counts) => counts.probe(table, key, depth),
        }
    }

    /// The move of an entry of the current position, if legal.
    #[inline]
    pub(super) fn legal_move_of(&mut self, entry: Option<Entry>) -> Option<Move> {
        let mv = entry?.mv?;
        if self.position.is_legal(mv) {
            return Some(mv);
        }
        if let Some(counts) = &mut self.counts {
            counts.table.record(Event::Collision);
        }
        None
    }

    /// Stores the entry of the position at `ply`, its score counted from the root.
    #[inline]
    pub(super) fn store(&mut self, ply: usize, entry: Entry) {
        let (table, key) = (self.shared.table, self.position.key());
        let entry = Entry { score: entry.score.to_table(ply), ..entry };
        match &mut self.counts {
            None => table.store(key, &entry, &mut ()),
            Some(counts) => counts.store(table, key, &entry),
        }
    }

    /// Static eval with the entering king bonus and a correction in 1024ths of a centipawn.
    ///
    /// The tables store it without either, so that they stay valid under another rule and a cache
    /// changes no result.
    #[inline]
    pub(super) fn corrected_eval(&self, raw: Score, correction: i32) -> i32 {
        let entering = entering_king_bonus(&self.position, self.shared.settings.entering_king);
        let limit = Score::DECISIVE.get() - 1;
        (raw.get() + entering + correction / 1024).clamp(-limit, limit)
    }

    /// PV of `ply`: `mv` followed by the PV of the next ply.
    pub(super) fn update_pv(&mut self, ply: usize, mv: Move) {
        let (before, after) = self.pvs.split_at_mut(ply + 1);
        if let (Some(here), Some(next)) = (before.last_mut(), after.first()) {
            here.clear();
            here.push(mv);
            next.iter().take(MAX_PLY - 1).for_each(|&mv| here.push(mv));
        }
    }

    /// Draw value for the side to move.
    #[inline]
    pub(super) fn draw_value(&self) -> Score {
        let value = self.shared.settings.draw_value[self.root_color];
        Score::eval(if self.position.side_to_move() == self.root_color { value } else { -value })
    }

    /// Score of a position decided by rule, if it is.
    pub(super) fn rule_score(&self, ply: usize) -> Option<Score> {
        if self.shared.settings.is_past_last_move(&self.position) {
            let mated = self.position.in_check() && !sabi_shogi::has_legal_move(&self.position);
            return Some(if mated { Score::mated_in(ply) } else { self.draw_value() });
        }
        if let Some(repetition) = self.position.repetition_in_search(ply) {
            return Some(match repetition {
                Repetition::Draw => self.draw_value(),
                Repetition::Win => Score::RULE_WIN - ply as i32,
                Repetition::Loss => -Score::RULE_WIN + ply as i32,
                Repetition::Superior => Score::HAND_WIN - ply as i32,
                Repetition::Inferior => -Score::HAND_WIN + ply as i32,
            });
        }
        match self.position.declaration(self.shared.settings.entering_king) {
            Some(Declaration::Points) => Some(Score::RULE_WIN - ply as i32),
            Some(Declaration::Try(_)) => Some(Score::RULE_WIN - ply as i32 - 1),
            None => None,
        }
    }

    /// Whether a root move is searched for the current line: in `searchmoves`, and not the move of
    /// a better line.
    pub(super) fn is_root_move(&self, mv: Move) -> bool {
        self.pv_index == 0 && self.shared.limits.search_moves.is_empty()
            || self.root_moves[self.pv_index..].iter().any(|root| root.mv == mv)
    }

    /// Whether late quiet moves are skipped at the root: in the first iteration of a short search,
    /// of which it takes most nodes (self-play).
    pub(super) fn skips_late_root_moves(&self) -> bool {
        self.root_depth == 1 && self.shared.is_short()
    }

    /// Updates the root move searched as `number`th with this window.
    pub(super) fn update_root_move(
        &mut self,
        mv: Move,
        number: i32,
        score: Score,
        alpha: Score,
        beta: Score,
        nodes_before: u64,
    ) {
        let nodes = self.shared.counters[self.index].get() - nodes_before;
        let (depth, seldepth) = (self.root_depth, self.seldepth);
        if number > 1 && score > alpha && self.pv_index == 0 {
            self.shared.best_move_changes[self.index].increment();
        }
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        root.add_score(score);
        let line = &mut root.line;
        line.proved = false;
        if number > 1 && score <= alpha {
            // Not better than the best: keep its place in the order.
            line.score = -Score::INFINITE;
            return;
        }
        (line.score, line.depth, line.seldepth) = (score, depth, seldepth);
        line.bound = match score {
            _ if score >= beta => Bound::Lower,
            _ if score <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        // A fail-high line is short: append the last line if it starts with the same move.
        let rest = &self.pvs[1];
        if line.bound == Bound::Exact || rest.len() >= line.pv.len() {
            line.pv.clear();
            line.pv.push(mv);
            line.pv.extend(rest.iter());
        }
    }

    /// Whether the search must stop.
    #[inline]
    pub(super) fn is_halted(&self) -> bool {
        self.shared.halt.load(Ordering::Relaxed)
    }

    /// Checks time, limits and signals at intervals. Every thread does: with more threads than
    /// processors the main thread may be waiting.
    #[inline]
    pub(super) fn poll(&mut self) {
        let nodes = self.shared.counters[self.index].get();
        if nodes >= self.next_poll {
            self.check_limits(nodes);
        }
    }

    /// Checks time, limits and signals.
    pub(super) fn check_limits(&mut self, own_nodes: u64) {
        self.next_poll = own_nodes + POLL_INTERVAL;
        if self.time.is_pondering()
            && let Some(hit) = self.shared.signals.received_ponder_hit()
        {
            self.time.ponder_hit(hit, self.shared.limits.time);
            // The time used while pondering may be enough; after a fail low that is decided at the
            // end of the iteration, unless there is nothing to choose.
            if !self.failing_low || self.root_moves.len() == 1 {
                self.consider_stopping();
            }
        }
        self.report_if_due();
        let mut over = self.shared.signals.poll() || self.time.is_over() || self.lacks_limit();
        if let Some(limit) = self.shared.limits.nodes {
            let nodes = self.shared.nodes();
            over |= nodes >= limit;
            // With one thread the node limit is exact.
            self.next_poll = self.next_poll.min(own_nodes + limit.saturating_sub(nodes).max(1));
        }
        // Finish the first iteration: without it there is no sensible move.
        if over && (self.completed_depth > 0 || own_nodes >= FIRST_ITERATION) {
            self.shared.halt.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a ponder hit has left the search without any limit.
    fn lacks_limit(&self) -> bool {
        let limits = self.shared.limits;
        limits.ponder && !self.time.is_pondering() && !self.time.is_limited() && limits.is_endless()
    }

    /// Ends the search by the clock, if the time used is enough. The main thread decides.
    pub(super) fn consider_stopping(&mut self) {
        let Some(main) = &self.main else { return };
        if self.root_moves.len() == 1 && self.completed_depth >= FORCED_MOVE_DEPTH {
            self.time.stop_early();
        } else {
            self.time.consider_stopping(main.time_factor);
        }
    }

    /// Reports a postponed iteration when it is due.
    pub(super) fn report_if_due(&mut self) {
        let interval = Duration::from_millis(self.shared.settings.report_interval);
        let last = self.main.as_ref().and_then(|main| main.reporter.last);
        if last.is_none_or(|last| self.time.elapsed() >= last + interval) {
            self.report_postponed();
        }
    }

    pub(super) fn report_postponed(&mut self) {
        let postponed = self.main.as_mut().map(|main| std::mem::take(&mut main.reporter.postponed));
        self.report(postponed.unwrap_or_default());
    }

    /// Sends reports. They replace a postponed one.
    pub(super) fn report(&mut self, mut reports: Vec<Report>) {
        if reports.is_empty() {
            return;
        }
        let elapsed = self.time.elapsed();
        if let Some(MainThread { reporter, .. }) = &mut self.main {
            let hashfull = self.shared.table.hashfull();
            reports.iter_mut().for_each(|report| report.hashfull = hashfull);
            reporter.last = Some(elapsed);
            reporter.postponed.clear();
            reporter.report(reports);
        }
    }
}

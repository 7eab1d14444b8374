//! A search thread: shared state, own state, and making moves.

use super::corrections::CorrectionIndices;
use super::entering_king;
use super::history::{ContHistIndices, Histories, NO_CONT_HIST, cont_hist_index};
use super::history_entry::{NO_MOVE, PieceTo, piece_to};
use super::limits::Limits;
use super::main_thread::MainThread;
use super::margins::Reductions;
use super::root_move::RootMove;
use super::settings::Settings;
use super::signals::Signals;
use super::stack::{STACK_OFFSET, StackEntry};
use super::statistics::TableCounts;
use super::thread_data::ThreadData;
use super::time_manager::TimeManager;
use crate::eval::{Evaluation, Evaluator};
use crate::table::{Entry, EvalCache, Event, ThreadEvalCache, TranspositionTable};
use crate::util::Counter;
use arrayvec::ArrayVec;
use sabi_shogi::{Color, Declaration, Keys, MAX_PLY, Move, Position, Repetition, Score};
use std::sync::atomic::AtomicBool;

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

    /// Nodes of all threads.
    pub(super) fn nodes(&self) -> u64 {
        self.counters.iter().map(Counter::get).sum()
    }
}

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
        let evaluations = evaluations.as_mut().zip(shared.eval_cache);
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
            evaluations: evaluations.map(|(local, shared)| ThreadEvalCache::new(local, shared)),
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
        let Some(known) = &mut self.evaluations else {
            return Score::eval(self.evaluator.evaluate(&self.position));
        };
        let key = self.position.key();
        let compute = || self.evaluator.evaluate(&self.position);
        Score::eval(match &mut self.counts {
            None => known.value(key, depth, compute),
            Some(counts) => known.value_counted(key, depth, compute, &mut counts.evaluations),
        })
    }

    /// Probes the table at a node of `depth`.
    #[inline]
    pub(super) fn probe(&mut self, depth: i32) -> Option<Entry> {
        let (table, key) = (self.shared.table, self.position.key());
        match &mut self.counts {
            None => table.probe(key),
            Some(counts) => counts.probe(table, key, depth),
        }
    }

    /// The tt move, if legal: another position may have the same tag.
    #[inline]
    pub(super) fn legal_move_of(&mut self, entry: Option<Entry>) -> Option<Move> {
        let mv = entry?.mv?;
        if self.position.is_legal(mv) {
            return Some(mv);
        }
        if let Some(counts) = &mut self.counts {
            counts.table.count(Event::Collision);
        }
        None
    }

    /// Stores an entry for the current position.
    #[inline]
    pub(super) fn store_entry(&mut self, entry: &Entry) {
        let (table, key) = (self.shared.table, self.position.key());
        match &mut self.counts {
            None => table.store(key, entry),
            Some(counts) => table.store_counted(key, entry, &mut counts.table),
        }
    }

    /// Static eval with the entering king bonus and a correction in 1024ths of a centipawn.
    ///
    /// The tables store it without either, so that they stay valid under another rule and a cache
    /// changes no result.
    #[inline]
    pub(super) fn corrected_eval(&self, raw: Score, correction: i32) -> i32 {
        let entering = entering_king::bonus(&self.position, self.shared.settings.entering_king);
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
}

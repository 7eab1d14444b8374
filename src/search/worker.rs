//! A search thread: shared state, own state, and making moves.

use super::clock::Clock;
use super::corrections::Slots;
use super::entering_king;
use super::gravity::{NO_MOVE, PieceTo, piece_to};
use super::history::{Histories, NO_ROW, Row, Rows, row};
use super::info_reporter::InfoReporter;
use super::limits::Limits;
use super::margins::Reductions;
use super::mate_probe::MateProbe;
use super::root_move::RootMove;
use super::settings::Settings;
use super::signals::Signals;
use super::statistics::Tally;
use crate::eval::{Evaluation, Evaluator};
use crate::position::{Declaration, Keys, Position, Repetition};
use crate::table::{Entry, EvalCache, Event, LocalEvalCache, Table, ThreadEvalCache};
use crate::types::{Color, MAX_PLY, Move, Score};
use crate::util::{Counter, MemoryError, filled};
use arrayvec::ArrayVec;
use std::sync::atomic::{AtomicBool, Ordering};

/// State shared by all threads of a search.
pub(super) struct Shared<'a> {
    pub table: &'a Table,
    pub eval_cache: Option<&'a EvalCache>,
    pub settings: &'a Settings,
    pub limits: &'a Limits,
    pub signals: &'a Signals,
    /// Stops all threads: set by signals and by the main thread's limits.
    pub halt: AtomicBool,
    /// Whether more than half of the time for this move was used after the last iteration.
    pub half_used: AtomicBool,
    /// Node counters of the threads.
    pub counters: &'a [Counter],
    /// Best move changes at the root of each thread.
    pub best_move_changes: &'a [Counter],
    /// Score of the last move of the game.
    pub previous_score: Option<Score>,
    pub evaluation: &'a Evaluation,
}

impl Shared<'_> {
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

/// Data of a thread that persists between searches.
pub(super) struct ThreadData {
    pub histories: Histories,
    /// First level of the evaluation cache, if enabled.
    pub evaluations: Option<LocalEvalCache>,
    /// Allocation only: reset for every search.
    frames: Box<[Frame]>,
    /// Allocation of the PVs.
    pvs: Box<[ArrayVec<Move, MAX_PLY>]>,
}

impl ThreadData {
    /// Size in bytes of the large parts.
    pub(super) const BYTES: usize = Histories::BYTES
        + LocalEvalCache::BYTES
        + FRAMES * size_of::<Frame>()
        + PVS * size_of::<ArrayVec<Move, MAX_PLY>>();

    /// Empty data, with or without a level of the evaluation cache.
    pub(super) fn new(caching: bool) -> Result<Self, MemoryError> {
        let evaluations = if caching { Some(LocalEvalCache::new()?) } else { None };
        let (frames, pvs) = (filled(Frame::EMPTY, FRAMES)?, filled(ArrayVec::new(), PVS)?);
        Ok(Self { histories: Histories::new()?, evaluations, frames, pvs })
    }

    /// Clears everything.
    pub(super) fn clear(&mut self) {
        self.histories.clear();
        self.evaluations.iter_mut().for_each(LocalEvalCache::clear);
    }
}

/// Search stack entry of one ply.
#[derive(Copy, Clone, Debug)]
pub(super) struct Frame {
    /// Piece and target of the move made here; [`NO_MOVE`] for none and for the null move.
    pub moved: PieceTo,
    /// Continuation history row of that move.
    pub row: Row,
    /// Correction history slots of this position.
    pub slots: Slots,
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

impl Frame {
    const EMPTY: Self = Self {
        moved: NO_MOVE,
        row: NO_ROW,
        slots: Slots::NONE,
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
const BEFORE_ROOT: usize = 7;
/// Stack size.
const FRAMES: usize = MAX_PLY + 2 * BEFORE_ROOT;
/// Number of PVs.
const PVS: usize = MAX_PLY + 2;

/// Maximum nodes of the first iteration after a stop.
const FIRST_ITERATION: u64 = 10_000;
/// Nodes between checks of clock and signals.
const POLL_INTERVAL: u64 = 512;

/// A search thread.
pub(super) struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    /// Thread index; 0 is the main thread, which manages time and reports.
    pub index: usize,
    pub histories: &'a mut Histories,
    /// The position of `go`.
    pub root: &'a Position,
    pub position: Position,
    pub evaluator: Evaluator<'a>,
    /// The evaluation cache, if enabled.
    evaluations: Option<ThreadEvalCache<'a>>,
    /// Table counters, if enabled.
    pub tally: Option<Box<Tally>>,
    pub reductions: Reductions,
    pub clock: Clock,
    pub pondering: bool,
    /// Main thread only.
    pub reporter: Option<InfoReporter<'a>>,
    /// Main thread only.
    pub probe: Option<MateProbe<'a>>,
    frames: &'a mut [Frame],
    /// PV from each ply.
    pub pvs: &'a mut [ArrayVec<Move, MAX_PLY>],
    /// PV of the last iteration.
    pub last_pv: Vec<Move>,
    /// `beta - alpha` at the root.
    pub root_window: i32,
    next_poll: u64,

    pub root_color: Color,
    root_ply: u32,
    pub root_moves: Vec<RootMove>,
    /// Index of the current multi-PV line.
    pub pv_index: usize,
    pub root_depth: i32,
    /// Iterations started with more than half of the time used: searched at reduced depth.
    pub searched_again: i32,
    /// Whether the last search of the root failed low.
    pub failing_low: bool,
    /// Factor of the optimum time after the last iteration.
    pub time_factor: f64,
    /// Last completed depth.
    pub completed_depth: i32,
    pub seldepth: usize,
    /// Null moves are disabled before this ply during a verification search.
    pub null_move_from: usize,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        shared: &'a Shared<'a>,
        index: usize,
        data: &'a mut ThreadData,
        root: &'a Position,
        root_moves: Vec<RootMove>,
    ) -> Self {
        let ThreadData { histories, evaluations, frames, pvs } = data;
        frames.fill(Frame::EMPTY);
        let evaluations = evaluations.as_mut().zip(shared.eval_cache);
        let mut evaluator = Evaluator::new(shared.evaluation);
        evaluator.reset(root);
        histories.new_search();
        let mut clock = Clock::new(shared.limits.start, shared.settings.time.clone());
        if !shared.limits.ponder {
            clock.set(shared.limits.time, shared.limits.start, root.side_to_move(), root.ply());
        }
        Self {
            shared,
            index,
            histories,
            root,
            position: root.clone(),
            evaluator,
            evaluations: evaluations.map(|(local, shared)| ThreadEvalCache::new(local, shared)),
            tally: shared.settings.statistics.then(Box::default),
            reductions: Reductions::new(),
            clock,
            pondering: shared.limits.ponder,
            reporter: None,
            probe: None,
            frames,
            pvs,
            last_pv: Vec::new(),
            root_window: 1,
            next_poll: 0,
            root_color: root.side_to_move(),
            root_ply: root.ply(),
            root_moves,
            pv_index: 0,
            root_depth: 0,
            searched_again: 0,
            failing_low: false,
            time_factor: 1.0,
            completed_depth: 0,
            seldepth: 0,
            null_move_from: 0,
        }
    }

    #[inline]
    pub(super) fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + BEFORE_ROOT]
    }

    /// The stack entry `back` plies before `ply`.
    #[inline]
    pub(super) fn frame_before(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[ply + BEFORE_ROOT - back]
    }

    /// The PV from `ply`.
    #[inline]
    pub(super) fn pv(&mut self, ply: usize) -> &mut ArrayVec<Move, MAX_PLY> {
        &mut self.pvs[ply]
    }

    /// Continuation history rows of the node at `ply`.
    #[inline]
    pub(super) fn rows(&self, ply: usize) -> Rows {
        std::array::from_fn(|back| self.frame_before(ply, back + 1).row)
    }

    /// Piece-target index of a legal move.
    #[inline]
    pub(super) fn piece_to(&self, mv: Move) -> PieceTo {
        self.position.moved_piece(mv).map_or(NO_MOVE, |piece| piece_to(piece, mv.to()))
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
        let row = row(self.position.in_check(), self.position.is_capture(mv), moved);
        let frame = self.frame(ply);
        (frame.moved, frame.row) = (moved, row);
        self.shared.counters[self.index].increment();
        self.evaluator.push();
        self.position.play_with_keys(mv, keys, &mut self.evaluator);
        self.evaluator.update(&self.position);
        self.update_slots(ply + 1);
    }

    /// Computes and prefetches the correction history slots of the position at `ply`.
    #[inline]
    pub(super) fn update_slots(&mut self, ply: usize) {
        let last_moves = [1, 2, 4].map(|back| self.frame_before(ply, back).moved);
        let slots = Slots::new(&self.position, last_moves);
        self.histories.corrections.prefetch(&slots);
        self.frame(ply).slots = slots;
    }

    #[inline]
    pub(super) fn undo(&mut self) {
        self.position.undo();
        self.evaluator.pop();
    }

    #[inline]
    pub(super) fn play_null(&mut self, ply: usize) {
        let frame = self.frame(ply);
        (frame.moved, frame.row) = (NO_MOVE, NO_ROW);
        self.frame(ply + 1).on_last_pv = false;
        self.shared.counters[self.index].increment();
        self.evaluator.push();
        self.position.play_null();
        self.shared.prefetch(self.position.key());
        self.evaluator.update(&self.position);
        self.update_slots(ply + 1);
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
        Score::eval(match &mut self.tally {
            None => known.value(key, depth, compute),
            Some(tally) => known.value_counted(key, depth, compute, &mut tally.evaluations),
        })
    }

    /// Probes the table at a node of `depth`.
    #[inline]
    pub(super) fn probe(&mut self, depth: i32) -> Option<Entry> {
        let (table, key) = (self.shared.table, self.position.key());
        match &mut self.tally {
            None => table.probe(key),
            Some(tally) => tally.probe(table, key, depth),
        }
    }

    /// The tt move, if legal: another position may have the same tag.
    #[inline]
    pub(super) fn legal_move_of(&mut self, entry: Option<Entry>) -> Option<Move> {
        let mv = entry?.mv?;
        if self.position.is_legal(mv) {
            return Some(mv);
        }
        if let Some(tally) = &mut self.tally {
            tally.table.count(Event::Collision);
        }
        None
    }

    /// Stores an entry for the current position.
    #[inline]
    pub(super) fn store_entry(&mut self, entry: &Entry) {
        let (table, key) = (self.shared.table, self.position.key());
        match &mut self.tally {
            None => table.store(key, entry),
            Some(tally) => table.store_counted(key, entry, &mut tally.table),
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

    /// Whether the search must stop.
    #[inline]
    pub(super) fn is_halted(&self) -> bool {
        self.shared.halt.load(Ordering::Relaxed)
    }

    /// Checks clock, limits and signals at intervals. Every thread does: with more threads than
    /// processors the main thread may be waiting.
    #[inline]
    pub(super) fn poll(&mut self) {
        let nodes = self.shared.counters[self.index].get();
        if nodes >= self.next_poll {
            self.check_limits(nodes);
        }
    }

    /// Checks clock, limits and signals.
    pub(super) fn check_limits(&mut self, own_nodes: u64) {
        self.next_poll = own_nodes + POLL_INTERVAL;
        if self.pondering
            && let Some(hit) = self.shared.signals.hit()
        {
            self.pondering = false;
            let time = hit.time.unwrap_or(self.shared.limits.time);
            self.clock.set(time, hit.at, self.root_color, self.root_ply);
            // On a ponder hit the time used while pondering may be enough; decided by the main
            // thread, and after a fail low at the end of the iteration.
            if self.index == 0 && !self.failing_low {
                self.consider_stopping();
            }
        }
        self.report_if_due();
        let mut over = self.shared.signals.poll() || self.clock.is_over() || self.lacks_limit();
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
        self.shared.limits.ponder && !self.pondering && !self.clock.is_limited() && self.shared.limits.is_endless()
    }

    /// Draw value for the side to move.
    #[inline]
    pub(super) fn draw_value(&self) -> Score {
        let value = self.shared.settings.draw_value[self.root_color];
        Score::eval(if self.position.side_to_move() == self.root_color { value } else { -value })
    }

    /// Score of a position decided by rule, if it is.
    pub(super) fn rule_score(&self, ply: usize) -> Option<Score> {
        if let Some(repetition) = self.position.repetition_in_search(ply) {
            return Some(match repetition {
                Repetition::Draw => self.draw_value(),
                Repetition::Win => Score::RULE_WIN - ply as i32,
                Repetition::Loss => -Score::RULE_WIN + ply as i32,
                Repetition::Superior => Score::HAND_WIN - ply as i32,
                Repetition::Inferior => -Score::HAND_WIN + ply as i32,
            });
        }
        if self.shared.settings.max_moves.is_some_and(|limit| self.position.ply() > limit) {
            let mated = self.position.in_check() && !crate::movegen::has_legal_move(&self.position);
            return Some(if mated { Score::mated_in(ply) } else { self.draw_value() });
        }
        match self.position.declaration(self.shared.settings.entering_king) {
            Some(Declaration::Points) => Some(Score::RULE_WIN - ply as i32),
            Some(Declaration::Try(_)) => Some(Score::RULE_WIN - ply as i32 - 1),
            None => None,
        }
    }
}

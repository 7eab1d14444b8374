//! What a search tells: reports while it runs, its result, and table statistics.

use crate::table::{Counts, Entry, EvalCache, TranspositionTable};
use sabi_shogi::{Bound, Move, Score};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::time::Duration;

/// A PV line with its score.
#[derive(Clone, Debug)]
pub struct Report {
    /// Nominal depth.
    pub depth: u32,
    /// Selective depth.
    pub seldepth: u32,
    /// Multi-PV rank, from 1.
    pub multi_pv: usize,
    /// Score for the side to move.
    pub score: Score,
    /// Whether a mate score is proved by the solver.
    pub proved: bool,
    /// Exact, or a bound while the aspiration window fails.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since `go` was received.
    pub time: Duration,
    /// Hash full, in permille.
    pub hashfull: u32,
    /// The PV; every move is legal.
    pub pv: Vec<Move>,
}

impl Report {
    /// An exact score that took no search.
    pub fn without_search(score: Score, pv: Vec<Move>) -> Self {
        let (bound, time) = (Bound::Exact, Duration::ZERO);
        Self { depth: 0, seldepth: 0, multi_pv: 1, score, proved: false, bound, nodes: 0, time, hashfull: 0, pv }
    }
}

/// The last exact report of each line, best first.
#[derive(Clone, Debug, Default)]
pub struct LastReports(Vec<Report>);

impl LastReports {
    /// Adds a report. It drops those of later lines, which belong to an earlier iteration.
    pub fn add(&mut self, report: &Report) {
        let index = report.multi_pv - 1;
        if report.bound == Bound::Exact && index <= self.0.len() {
            self.0.truncate(index);
            self.0.push(report.clone());
        }
    }

    /// The reports by rank.
    pub fn into_vec(self) -> Vec<Report> {
        self.0
    }
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The move to play.
    pub best: BestMove,
    /// The ponder move, if any; legal after the best move.
    pub ponder: Option<Move>,
    /// The score of the best move.
    pub score: Score,
    /// Last completed depth.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Table statistics, if enabled.
    pub statistics: Option<Box<Statistics>>,
}

impl SearchResult {
    /// A result known from the rules alone.
    pub(super) fn without_search(best: BestMove, score: Score) -> Self {
        Self { best, ponder: None, score, depth: 0, nodes: 0, statistics: None }
    }
}

/// What to do at the root.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum BestMove {
    /// Play this move.
    Move(Move),
    /// Declare a win by entering king.
    Declare,
    /// No legal move.
    Mated,
}

/// Receives reports.
pub(super) type Listener<'a> = &'a mut (dyn FnMut(&Report) + Send);

/// Passes reports on and drops repeated ones.
pub(super) struct InfoReporter<'a> {
    listener: Listener<'a>,
    /// Time of the last report.
    pub last: Option<Duration>,
    /// The last finished iteration, if it has not been reported yet.
    pub postponed: Vec<Report>,
    /// The deepest iteration reported.
    deepest: u32,
    /// The last report of each line.
    sent: Vec<Report>,
}

impl<'a> InfoReporter<'a> {
    pub(super) fn new(listener: Listener<'a>) -> Self {
        Self { listener, last: None, postponed: Vec::new(), deepest: 0, sent: Vec::new() }
    }

    /// Reports these lines, best first, unless nothing has changed since the last report of each.
    /// The depth of the best line never falls: an interrupted iteration is reported with the depth
    /// of the one before.
    pub(super) fn report(&mut self, mut lines: Vec<Report>) {
        if let Some(best) = lines.first_mut().filter(|best| best.multi_pv == 1) {
            self.deepest = self.deepest.max(best.depth);
            best.depth = self.deepest;
        }
        let info = |report: &Report| (report.depth, report.score, report.proved, report.bound);
        let same = |sent: &Report, line: &Report| info(sent) == info(line) && sent.pv == line.pv;
        if lines.iter().all(|line| self.sent.get(line.multi_pv - 1).is_some_and(|sent| same(sent, line))) {
            return;
        }
        for line in lines {
            (self.listener)(&line);
            self.sent.truncate(line.multi_pv - 1);
            self.sent.push(line);
        }
    }
}

/// Number of depth classes; the last one holds all greater depths.
const DEPTHS: usize = 32;

/// Counters of the tables, of one thread or summed over threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableCounts {
    /// Counts of the transposition table.
    pub table: Counts,
    /// Counts of the evaluation cache.
    pub evaluations: Counts,
    by_depth: [HitCounts; DEPTHS],
}

impl TableCounts {
    /// Adds the counters of another thread.
    pub(super) fn add(&mut self, other: &Self) {
        self.table.add(&other.table);
        self.evaluations.add(&other.evaluations);
        for (sum, rate) in self.by_depth.iter_mut().zip(&other.by_depth) {
            sum.probes += rate.probes;
            sum.hits += rate.hits;
        }
    }

    /// Probes the table at a node of `depth`.
    #[inline(never)]
    pub(super) fn probe(&mut self, table: &TranspositionTable, key: u64, depth: i32) -> Option<Entry> {
        let found = table.probe(key, &mut self.table);
        let rate = &mut self.by_depth[depth.clamp(0, DEPTHS as i32 - 1) as usize];
        rate.probes += 1;
        rate.hits += u64::from(found.is_some());
        found
    }

    /// Stores an entry in the table.
    #[inline(never)]
    pub(super) fn store(&mut self, table: &TranspositionTable, key: u64, entry: &Entry) {
        table.store(key, entry, &mut self.table);
    }
}

/// Probes and hits.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct HitCounts {
    /// Probes.
    pub probes: u64,
    /// Hits.
    pub hits: u64,
}

/// Table statistics of all threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Counters of all threads.
    pub counts: TableCounts,
    /// State of the transposition table.
    pub table: TableState,
    /// State of the evaluation cache, if there is one.
    pub evaluations: Option<TableState>,
}

/// State of a table at the end of the search.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct TableState {
    /// Used slots, in permille of a sample.
    pub fill: u32,
    /// Size in bytes.
    pub bytes: usize,
}

impl Statistics {
    /// The state of the tables and the sum of the counters of all threads.
    pub(super) fn new<'c>(
        table: &TranspositionTable,
        cache: Option<&EvalCache>,
        threads: impl IntoIterator<Item = &'c TableCounts>,
    ) -> Self {
        let mut counts = TableCounts::default();
        threads.into_iter().for_each(|other| counts.add(other));
        Self {
            counts,
            table: TableState { fill: table.fill(), bytes: table.bytes() },
            evaluations: cache.map(|cache| TableState { fill: cache.fill(), bytes: cache.bytes() }),
        }
    }

    /// Adds the statistics of a later search with the same tables.
    pub fn add(&mut self, later: &Self) {
        self.counts.add(&later.counts);
        self.table = later.table;
        self.evaluations = later.evaluations;
    }

    /// Probes by depth.
    pub fn depths(&self) -> impl Iterator<Item = (usize, HitCounts)> {
        self.counts.by_depth.iter().copied().enumerate().filter(|(_, rate)| rate.probes > 0)
    }
}

/// Serialized as `table` and, if there is one, `evaluation_cache`, with bytes, fill in permille and
/// events, and `by_depth` as `[depth, probes, hits]`.
impl Serialize for Statistics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct TableData<'a> {
            bytes: usize,
            fill_permille: u32,
            events: &'a Counts,
        }
        let data = |state: TableState, events| TableData { bytes: state.bytes, fill_permille: state.fill, events };
        let depths: Vec<_> = self.depths().map(|(depth, rate)| (depth, rate.probes, rate.hits)).collect();
        let mut out = serializer.serialize_struct("Statistics", 3)?;
        out.serialize_field("table", &data(self.table, &self.counts.table))?;
        out.serialize_field("by_depth", &depths)?;
        let cache = self.evaluations.map(|state| data(state, &self.counts.evaluations));
        out.serialize_field("evaluation_cache", &cache)?;
        out.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(multi_pv: usize, depth: u32, score: i32, bound: Bound) -> Report {
        Report { depth, multi_pv, bound, ..Report::without_search(Score::cp(score), Vec::new()) }
    }

    /// Rank, depth and score of every report that reaches the listener.
    fn reported(blocks: Vec<Vec<Report>>) -> Vec<(usize, u32, i32)> {
        let mut reported = Vec::new();
        let mut listener = |report: &Report| reported.push((report.multi_pv, report.depth, report.score.get()));
        let mut reporter = InfoReporter::new(&mut listener);
        blocks.into_iter().for_each(|lines| reporter.report(lines));
        reported
    }

    #[test]
    fn reported_depth_never_decreases() {
        let block = |depth, score| vec![line(1, depth, score, Bound::Exact), line(2, depth - 1, score, Bound::Exact)];
        assert_eq!(
            reported(vec![block(7, 1), block(6, 2), block(8, 3)]),
            [(1, 7, 1), (2, 6, 1), (1, 7, 2), (2, 5, 2), (1, 8, 3), (2, 7, 3)]
        );
    }

    #[test]
    fn no_repeated_report() {
        let exact = |score| vec![line(1, 9, score, Bound::Exact)];
        assert_eq!(reported(vec![exact(5), exact(5)]), [(1, 9, 5)]);
        // After a bound the exact line is reported again.
        let bound = vec![line(1, 9, 5, Bound::Lower)];
        assert_eq!(reported(vec![exact(5), bound, exact(5)]).len(), 3);
        // A multi-PV block is reported whole or not at all.
        let block = |second| vec![line(1, 9, 5, Bound::Exact), line(2, 9, second, Bound::Exact)];
        assert_eq!(reported(vec![block(1), block(1), block(2)]), [(1, 9, 5), (2, 9, 1), (1, 9, 5), (2, 9, 2)]);
    }
}

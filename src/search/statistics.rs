//! Table statistics of a search.

use crate::table::{Counts, Entry, TranspositionTable};
use serde::ser::{Serialize, SerializeStruct, Serializer};

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
    pub(super) fn probe(&mut self, table: &TranspositionTable, key: u64, depth: i32) -> Option<Entry> {
        let found = table.probe_counted(key, &mut self.table);
        let rate = &mut self.by_depth[depth.clamp(0, DEPTHS as i32 - 1) as usize];
        rate.probes += 1;
        rate.hits += u64::from(found.is_some());
        found
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

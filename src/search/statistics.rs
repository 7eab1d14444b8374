//! What happened in the tables during a search.

use crate::table::Entry;
use crate::table::{Counts, Table};
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// Depths that are told apart; the last one stands for all beyond.
const DEPTHS: usize = 32;

/// One thread's counters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub table: Counts,
    pub evaluations: Counts,
    by_depth: [Rate; DEPTHS],
}

impl Tally {
    /// Adds what another thread counted.
    pub fn add(&mut self, other: &Self) {
        self.table.add(&other.table);
        self.evaluations.add(&other.evaluations);
        for (sum, rate) in self.by_depth.iter_mut().zip(&other.by_depth) {
            sum.probes += rate.probes;
            sum.hits += rate.hits;
        }
    }

    /// Looks a position up that is to be searched `depth` plies deep.
    pub fn probe(&mut self, table: &Table, key: u64, depth: i32) -> Option<Entry> {
        let found = table.probe_counted(key, &mut self.table);
        let rate = &mut self.by_depth[depth.clamp(0, DEPTHS as i32 - 1) as usize];
        rate.probes += 1;
        rate.hits += u64::from(found.is_some());
        found
    }
}

/// Probes, and how many of them found something.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Rate {
    /// All of them.
    pub probes: u64,
    /// Those that found something.
    pub hits: u64,
}

/// What happened in the tables, counted by all threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    tally: Tally,
    /// How full the tables are and how large: the transposition table, and the evaluation cache where there is one.
    table: State,
    evaluations: Option<State>,
}

/// A table at the end of the search.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Slots taken, in permille of a sample.
    pub fill: u32,
    /// Its size.
    pub bytes: usize,
}

impl Statistics {
    pub(super) fn new(table: State, evaluations: Option<State>) -> Self {
        Self { tally: Tally::default(), table, evaluations }
    }

    /// What happened in the transposition table.
    pub fn table(&self) -> &Counts {
        &self.tally.table
    }

    /// What happened in the evaluation cache.
    pub fn evaluations(&self) -> &Counts {
        &self.tally.evaluations
    }

    pub(super) fn add_tally(&mut self, tally: &Tally) {
        self.tally.add(tally);
    }

    /// Adds what happened in a later search with the same tables.
    pub fn add(&mut self, later: &Self) {
        self.add_tally(&later.tally);
        self.table = later.table;
        self.evaluations = later.evaluations;
    }

    /// The transposition table at the end of the search.
    pub fn table_state(&self) -> State {
        self.table
    }

    /// The evaluation cache at the end of the search; `None` where there is none.
    pub fn evaluations_state(&self) -> Option<State> {
        self.evaluations
    }

    /// Depths at which something was looked up.
    pub fn depths(&self) -> impl Iterator<Item = (usize, Rate)> {
        self.tally.by_depth.iter().copied().enumerate().filter(|(_, rate)| rate.probes > 0)
    }
}

/// As data: `table` and, where there is one, `evaluation_cache`, with bytes, fill in permille and the events, and
/// `by_depth` with `[depth, probes, found]`.
impl Serialize for Statistics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct TableData<'a> {
            bytes: usize,
            fill_permille: u32,
            events: &'a Counts,
        }
        let data = |state: State, events| TableData { bytes: state.bytes, fill_permille: state.fill, events };
        let depths: Vec<_> = self.depths().map(|(depth, rate)| (depth, rate.probes, rate.hits)).collect();
        let mut out = serializer.serialize_struct("Statistics", 3)?;
        out.serialize_field("table", &data(self.table, &self.tally.table))?;
        out.serialize_field("by_depth", &depths)?;
        let cache = self.evaluations.map(|state| data(state, &self.tally.evaluations));
        out.serialize_field("evaluation_cache", &cache)?;
        out.end()
    }
}

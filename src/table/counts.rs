//! Event counts of a table.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// Event of a probe or a store.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Probe hit.
    Hit,
    /// Probe hit in the thread's own level.
    LocalHit,
    /// Probe hit in the second level; the entry is promoted to the first.
    SecondLevelHit,
    /// Probe miss.
    Miss,
    /// Probe miss because of a concurrent write; counted as a miss too.
    Torn,
    /// Key collision: the tt move is illegal here.
    Collision,
    /// Store into a free slot.
    Free,
    /// Store over an entry of the same position.
    Same,
    /// Store rejected: the entry of the same position is clearly better.
    RejectedWorse,
    /// Store that replaced an entry of an earlier search.
    Older,
    /// Store that replaced a shallower entry of this search.
    Shallower,
    /// Store that replaced an entry of this search of at least the same depth.
    Deeper,
    /// A main-search entry of this search had the lowest score, but is protected from helper
    /// entries.
    Protected,
    /// Helper store rejected: all entries of the bucket are main-search entries of this search.
    RejectedHelper,
    /// Store dropped because of a concurrent write.
    Contended,
    /// Replaced entry stored in the second level.
    SecondLevelStore,
}

impl Event {
    /// Names in snake case, in output order.
    const NAMES: [(Self, &'static str); 16] = [
        (Self::Hit, "hits"),
        (Self::LocalHit, "local_hits"),
        (Self::SecondLevelHit, "second_level_hits"),
        (Self::Miss, "misses"),
        (Self::Torn, "torn"),
        (Self::Collision, "collisions"),
        (Self::Free, "free"),
        (Self::Same, "same"),
        (Self::RejectedWorse, "rejected_worse"),
        (Self::Older, "older"),
        (Self::Shallower, "shallower"),
        (Self::Deeper, "deeper"),
        (Self::Protected, "protected"),
        (Self::RejectedHelper, "rejected_helper"),
        (Self::Contended, "contended"),
        (Self::SecondLevelStore, "second_level_stores"),
    ];

    /// Name in snake case.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }
}

/// Records the events of a table: [`Counts`], or `()` for nothing, at no cost.
pub trait TableStats {
    /// Whether events are recorded; work needed only for statistics is skipped otherwise.
    const ENABLED: bool;

    /// Records an event.
    fn record(&mut self, event: Event);
}

impl TableStats for () {
    const ENABLED: bool = false;

    #[inline(always)]
    fn record(&mut self, _: Event) {}
}

/// Count of each event.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts([u64; Event::NAMES.len()]);

impl Counts {
    /// Count of an event.
    pub fn of(&self, event: Event) -> u64 {
        self.0[event as usize]
    }

    fn sum(&self, events: &[Event]) -> u64 {
        events.iter().map(|&event| self.of(event)).sum()
    }

    /// Probe hits, in any level.
    pub fn hits(&self) -> u64 {
        self.sum(&[Event::Hit, Event::LocalHit, Event::SecondLevelHit])
    }

    /// Probes.
    pub fn probes(&self) -> u64 {
        self.hits() + self.of(Event::Miss)
    }

    /// All stores, rejected ones included.
    pub fn stores(&self) -> u64 {
        use Event::{Contended, Deeper, Free, Older, RejectedHelper, RejectedWorse, Same, Shallower};
        self.sum(&[Free, Same, RejectedWorse, Older, Shallower, Deeper, RejectedHelper, Contended])
    }

    /// Adds the counts of another thread.
    pub fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, count)| *sum += count);
    }
}

impl TableStats for Counts {
    const ENABLED: bool = true;

    fn record(&mut self, event: Event) {
        self.0[event as usize] += 1;
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(Event::NAMES.len() + 2))?;
        map.serialize_entry("probes", &self.probes())?;
        map.serialize_entry("stores", &self.stores())?;
        for (event, name) in Event::NAMES {
            map.serialize_entry(name, &self.of(event))?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn events_are_distinct() {
        let mut counts = Counts::default();
        for (index, (event, _)) in Event::NAMES.into_iter().enumerate() {
            assert_eq!(event as usize, index);
            (0..=index).for_each(|_| counts.record(event));
        }
        assert!(Event::NAMES.iter().all(|&(event, _)| counts.of(event) == event as u64 + 1));
        assert_eq!(
            Event::NAMES.iter().map(|(event, _)| event.name()).collect::<HashSet<_>>().len(),
            Event::NAMES.len()
        );
        let once = counts;
        counts.add(&once);
        assert_eq!(counts.probes(), 2 * (1 + 2 + 3 + 4));
        assert_eq!(counts.stores(), 2 * (7 + 8 + 9 + 10 + 11 + 12 + 14 + 15));
    }
}

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
    /// All events, in output order.
    pub const ALL: [Self; 16] = [
        Self::Hit,
        Self::LocalHit,
        Self::SecondLevelHit,
        Self::Miss,
        Self::Torn,
        Self::Collision,
        Self::Free,
        Self::Same,
        Self::RejectedWorse,
        Self::Older,
        Self::Shallower,
        Self::Deeper,
        Self::Protected,
        Self::RejectedHelper,
        Self::Contended,
        Self::SecondLevelStore,
    ];

    /// Name in snake case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hit => "hits",
            Self::LocalHit => "local_hits",
            Self::SecondLevelHit => "second_level_hits",
            Self::Miss => "misses",
            Self::Torn => "torn",
            Self::Collision => "collisions",
            Self::Free => "free",
            Self::Same => "same",
            Self::RejectedWorse => "rejected_worse",
            Self::Older => "older",
            Self::Shallower => "shallower",
            Self::Deeper => "deeper",
            Self::Protected => "protected",
            Self::RejectedHelper => "rejected_helper",
            Self::Contended => "contended",
            Self::SecondLevelStore => "second_level_stores",
        }
    }
}

/// Records what happens in a table.
pub(super) trait TableStats {
    /// Whether events are recorded; work needed only for statistics is skipped otherwise.
    const ENABLED: bool;

    fn record(&mut self, event: Event);
}

/// Records nothing, at no cost.
pub(super) struct NoStats;

impl TableStats for NoStats {
    const ENABLED: bool = false;

    #[inline(always)]
    fn record(&mut self, _: Event) {}
}

/// Count of each event.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts([u64; Event::ALL.len()]);

impl Counts {
    /// Counts an event.
    pub fn count(&mut self, event: Event) {
        self.0[event as usize] += 1;
    }

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
        self.count(event);
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(Event::ALL.len() + 2))?;
        map.serialize_entry("probes", &self.probes())?;
        map.serialize_entry("stores", &self.stores())?;
        for event in Event::ALL {
            map.serialize_entry(event.name(), &self.of(event))?;
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
        for (index, event) in Event::ALL.into_iter().enumerate() {
            assert_eq!(event as usize, index);
            (0..=index).for_each(|_| counts.count(event));
        }
        assert!(Event::ALL.iter().all(|&event| counts.of(event) == event as u64 + 1));
        assert_eq!(Event::ALL.map(Event::name).into_iter().collect::<HashSet<_>>().len(), Event::ALL.len());
        let once = counts;
        counts.add(&once);
        assert_eq!(counts.probes(), 2 * (1 + 2 + 3 + 4));
        assert_eq!(counts.stores(), 2 * (7 + 8 + 9 + 10 + 11 + 12 + 14 + 15));
    }
}

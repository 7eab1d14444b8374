//! Counts of what happens in a table.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// Something that happens in a probe or a store.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A probe found the position.
    Hit,
    /// A probe found it in the thread's own level, before the shared one.
    NearHit,
    /// A probe found it in the second level only, and brought it back.
    SecondHit,
    /// A probe found nothing.
    Miss,
    /// A probe found nothing because another thread was writing; one of the misses.
    Torn,
    /// What a probe found belongs to another position: its move is not legal here.
    Collision,
    /// A store took a free slot.
    Free,
    /// A store took the place of what was known of the same position.
    Same,
    /// A store left what was known of the same position, because that is clearly better.
    Kept,
    /// A store pushed out an entry of an earlier search.
    Older,
    /// A store pushed out an entry of this search with less depth.
    Shallower,
    /// A store pushed out an entry of this search with as much depth or more.
    Deeper,
    /// A main-search entry of this search was next to go and stayed, because the newcomer came from a helper.
    Protected,
    /// A store of a helper was given up, because every entry of the bucket is a main-search entry of this search.
    Declined,
    /// A store was given up because another thread was writing.
    Busy,
    /// An entry pushed out of the first level entered the second.
    SecondStore,
}

impl Event {
    /// Every event, in the order in which they are told.
    pub const ALL: [Self; 16] = [
        Self::Hit,
        Self::NearHit,
        Self::SecondHit,
        Self::Miss,
        Self::Torn,
        Self::Collision,
        Self::Free,
        Self::Same,
        Self::Kept,
        Self::Older,
        Self::Shallower,
        Self::Deeper,
        Self::Protected,
        Self::Declined,
        Self::Busy,
        Self::SecondStore,
    ];

    /// Its name, in small letters and underscores.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hit => "hits",
            Self::NearHit => "near_hits",
            Self::SecondHit => "second_hits",
            Self::Miss => "misses",
            Self::Torn => "torn",
            Self::Collision => "collisions",
            Self::Free => "free",
            Self::Same => "same",
            Self::Kept => "kept",
            Self::Older => "older",
            Self::Shallower => "shallower",
            Self::Deeper => "deeper",
            Self::Protected => "protected",
            Self::Declined => "declined",
            Self::Busy => "busy",
            Self::SecondStore => "second_stores",
        }
    }
}

/// Records what happens in a table.
pub(super) trait TableStats {
    /// Whether events are recorded; what only statistics need is not computed otherwise.
    const ENABLED: bool;

    fn record(&mut self, event: Event);
}

/// Records nothing, and compiles to nothing.
pub(super) struct NoStats;

impl TableStats for NoStats {
    const ENABLED: bool = false;

    #[inline(always)]
    fn record(&mut self, _: Event) {}
}

/// How often each event happened.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts([u64; Event::ALL.len()]);

impl Counts {
    /// Counts an event.
    pub fn count(&mut self, event: Event) {
        self.0[event as usize] += 1;
    }

    /// How often it happened.
    pub fn of(&self, event: Event) -> u64 {
        self.0[event as usize]
    }

    fn sum(&self, events: &[Event]) -> u64 {
        events.iter().map(|&event| self.of(event)).sum()
    }

    /// Times that a probe found the position, in any level.
    pub fn found(&self) -> u64 {
        self.sum(&[Event::Hit, Event::NearHit, Event::SecondHit])
    }

    /// Probes.
    pub fn probes(&self) -> u64 {
        self.found() + self.of(Event::Miss)
    }

    /// Stores, whatever became of them.
    pub fn stores(&self) -> u64 {
        use Event::{Busy, Declined, Deeper, Free, Kept, Older, Same, Shallower};
        self.sum(&[Free, Same, Kept, Older, Shallower, Deeper, Declined, Busy])
    }

    /// Adds what another thread counted.
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
    fn events_are_told_apart() {
        let mut counts = Counts::default();
        for (bucket_index, event) in Event::ALL.into_iter().enumerate() {
            assert_eq!(event as usize, bucket_index);
            (0..=bucket_index).for_each(|_| counts.count(event));
        }
        assert!(Event::ALL.iter().all(|&event| counts.of(event) == event as u64 + 1));
        assert_eq!(Event::ALL.map(Event::name).into_iter().collect::<HashSet<_>>().len(), Event::ALL.len());
        let once = counts;
        counts.add(&once);
        assert_eq!(counts.probes(), 2 * (1 + 2 + 3 + 4));
        assert_eq!(counts.stores(), 2 * (7 + 8 + 9 + 10 + 11 + 12 + 14 + 15));
    }
}

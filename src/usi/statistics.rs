//! Table statistics as text.

use crate::search::{Statistics, TableState};
use crate::table::{Counts, Event};
use std::fmt::{self, Write};

/// Table statistics, line by line.
pub fn statistics_text(statistics: &Statistics) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_statistics(&mut text, statistics);
    text
}

fn write_statistics(f: &mut String, statistics: &Statistics) -> fmt::Result {
    write_table(f, "table", &statistics.counts.table, statistics.table)?;
    write!(f, "\ntable hit rate by depth:")?;
    for (depth, rate) in statistics.depths() {
        write!(f, " {depth}:{:.0}%", percent(rate.hits, rate.probes))?;
    }
    if let Some(state) = statistics.evaluations {
        writeln!(f)?;
        write_table(f, "evaluation cache", &statistics.counts.evaluations, state)?;
    }
    Ok(())
}

fn percent(part: u64, whole: u64) -> f64 {
    part as f64 * 100.0 / whole.max(1) as f64
}

/// Named counts, zeros omitted.
fn named(counts: &Counts, events: &[Event]) -> String {
    let counted = events.iter().filter(|&&event| counts.of(event) > 0);
    let words: Vec<String> = counted.map(|&event| format!("{} {}", event.name(), counts.of(event))).collect();
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}

fn write_table(f: &mut String, name: &str, counts: &Counts, state: TableState) -> fmt::Result {
    use Event::{
        Collision, Contended, Deeper, Free, Hit, LocalHit, Miss, Older, Protected, RejectedHelper, RejectedWorse, Same,
    };
    use Event::{SecondLevelHit, SecondLevelStore, Shallower, Torn};
    let TableState { fill, bytes } = state;
    let (probes, hits) = (counts.probes(), counts.hits());
    writeln!(f, "{name}: {} MiB, {:.1}% full", bytes >> 20, f64::from(fill) / 10.0)?;
    let events = named(counts, &[Hit, LocalHit, SecondLevelHit, Miss, Torn, Collision]);
    writeln!(f, "{name} probes: {probes}, hits {:.1}% ({events})", percent(hits, probes))?;
    let events = named(counts, &[Free, Same, RejectedWorse, Older, Shallower, Deeper, RejectedHelper, Contended]);
    write!(f, "{name} stores: {} ({events})", counts.stores())?;
    if counts.of(Protected) + counts.of(SecondLevelStore) > 0 {
        write!(f, "; {}", named(counts, &[Protected, SecondLevelStore]))?;
    }
    Ok(())
}

//! Faults of the bad games of a long run.

use super::compact::CompactError;
use super::error::{Fault, RecordError};
use std::collections::BTreeMap;
use std::fmt;

/// Examples kept per cause.
const EXAMPLES: usize = 3;

/// Faults by cause, with the first examples.
#[derive(Clone, Debug, Default)]
pub struct BadGames {
    causes: BTreeMap<&'static str, (u64, Vec<String>)>,
}

impl BadGames {
    /// Counts a fault.
    pub fn note(&mut self, error: &RecordError) {
        let (count, examples) = self.causes.entry(cause(&error.fault)).or_default();
        *count += 1;
        if examples.len() < EXAMPLES {
            examples.push(error.to_string());
        }
    }

    /// Number of faults.
    pub fn total(&self) -> u64 {
        self.causes.values().map(|(count, _)| count).sum()
    }
}

fn cause(fault: &Fault) -> &'static str {
    match fault {
        Fault::Io(_) => "files that cannot be read",
        Fault::Encoding | Fault::UnknownFormat => "files in no known format",
        Fault::Json(_) => "JSON that is no record",
        Fault::NoGame | Fault::Empty => "files without a game",
        Fault::Start(_) | Fault::Board(_) | Fault::NothingToRemove(_) | Fault::Handicap(_) => "start positions",
        Fault::Packed(_) => "packed positions",
        Fault::TruncatedRecord { .. } | Fault::Compact(CompactError::Truncated { .. }) => "truncated records",
        Fault::Compact(_) => "damaged blocks of games",
        Fault::Illegal { .. } => "illegal moves",
        Fault::AfterTheEnd(_) => "moves after the end",
        Fault::LongLine(_) | Fault::LongGame(_) | Fault::LongText(_) => "too long",
        Fault::ResultByte(_) => "invalid results",
        _ => "invalid moves",
    }
}

impl fmt::Display for BadGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games could not be read", self.total())?;
        for (cause, (count, examples)) in &self.causes {
            write!(f, "\n  {count} {cause}")?;
            for example in examples {
                write!(f, "\n    {example}")?;
            }
            if *count > examples.len() as u64 {
                f.write_str("\n    …")?;
            }
        }
        Ok(())
    }
}

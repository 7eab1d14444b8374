//! Options of `go mate`.

use super::{OptionKind, OptionRow, size, spin};
use crate::machine::MATE_HASH_MB;

/// Options of `go mate`.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct MateOptions {
    /// Unit of the number in `go mate N`.
    pub unit: MateUnit,
    /// Whether to search for the shortest mate after any was found.
    pub shortest: bool,
    /// Solver memory in MB.
    pub hash_mb: usize,
}

/// Unit of the number in `go mate N`.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum MateUnit {
    /// Time, as in the protocol.
    #[default]
    Milliseconds,
    /// Mate length, as sent by some clients.
    Plies,
}

pub(super) const ROWS: &[OptionRow] = &[
    OptionRow {
        name: "MateLimitUnit",
        kind: combo!("milliseconds", MateUnit { "milliseconds" => Milliseconds, "plies" => Plies }, |o, value| o.mate.unit = value),
        help: "Unit of the number in `go mate N`: time, as in the protocol, or the mate length, as sent by some clients.",
    },
    OptionRow {
        name: "MateShortest",
        kind: OptionKind::Check { default: true, set: |o, yes| o.mate.shortest = yes },
        help: "`go mate` searches for the shortest mate. Otherwise it returns the first mate found.",
    },
    OptionRow {
        name: "MateHash",
        kind: spin(MATE_HASH_MB, 1..=1 << 20, |o, mb| o.mate.hash_mb = size(mb)),
        help: "Memory of `go mate` in MB, allocated by the next `go mate`.",
    },
];

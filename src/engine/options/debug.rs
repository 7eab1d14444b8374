//! Options for debugging and experiments.

use super::{OptionKind, OptionRow, book, size, spin};
use crate::table::Policy;

/// The options for experiments come last, after those that users of a GUI look for.
pub(super) const ROWS: &[OptionRow] = &[
    OptionRow {
        name: "DebugLogFile",
        kind: OptionKind::Filename { default: "", set: |o, name| o.debug_log = name.to_owned() },
        help: "Log file to which all input, output and internal messages are appended, with timestamps. A relative \
               name is looked up in the engine's folder, then in the working folder. Only an empty file or an older log \
               is continued. Empty: no log.",
    },
    OptionRow {
        name: "HashPolicy",
        kind: combo!("depth-and-age", Policy {
            "always" => Always,
            "depth-preferred" => DepthPreferred,
            "age-based" => AgeBased,
            "depth-and-age" => DepthAndAge,
            "exact-preferred" => ExactPreferred,
        }, |o, value| o.resources.hash_policy = value),
        help: "Replacement policy of the transposition table: any entry, the shallowest, the oldest, by depth and age, \
               or that with exact scores preferred. A change keeps the entries.",
    },
    OptionRow {
        name: "HashLevel2",
        kind: spin(0, 0..=1 << 20, |o, mb| o.resources.second_mb = size(mb)),
        help: "Size in MB of a second table level for replaced entries in compact form. 0: none.",
    },
    OptionRow {
        name: "EvalHash",
        kind: spin(0, 0..=1 << 20, |o, mb| o.resources.eval_mb = size(mb)),
        help: "Size in MB of the evaluation cache. It affects only the speed; docs/hash.md says when it helps. 0: none.",
    },
    OptionRow {
        name: "EvalHashPolicy",
        kind: combo!("depth-preferred", Policy {
            "always" => Always,
            "depth-preferred" => DepthPreferred,
            "aging" => AgeBased,
            "two-tier" => TwoTier,
        }, |o, value| o.resources.eval_policy = value),
        help: "Replacement policy of the evaluation cache: any entry, that of the shallowest node, the oldest, or \
               two-tier: some slots by depth, the others always.",
    },
    OptionRow {
        name: "TableStats",
        kind: OptionKind::Check { default: false, set: |o, yes| o.search.statistics = yes },
        help: "Collect table statistics, output as `info string` after each search.",
    },
    book::SEED,
];

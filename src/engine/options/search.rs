//! Options of resources, play, time management, output and limits.

use super::{NEVER_RESIGN, OptionKind, OptionRow, Options, count, limit, size, spin};
use crate::engine::{Level, machine};
use crate::machine::MAX_THREADS;
use crate::search::Settings;
use sabi_shogi::{EnteringKingRule, MAX_PLY, NonPromotions};

pub(super) const ROWS: &[OptionRow] = &[
    OptionRow {
        name: "USI_Hash",
        kind: OptionKind::MachineSpin {
            default: machine::hash_mb,
            rule: machine::HASH_RULE,
            min: 1,
            max: 1 << 20,
            set: |o, mb| o.resources.hash_mb = size(mb),
        },
        help: "Size of the transposition table in MB; on Linux up to 2 MB more, for huge pages. Applied by the next `isready` or \
               `go`; if the allocation fails, the old table is kept, or at the start a smaller one used.",
    },
    OptionRow {
        name: "Clear_Hash",
        kind: OptionKind::Button { press: |o| o.clear_hash_count = o.clear_hash_count.wrapping_add(1) },
        help: "Clear tables and histories, at once or after the running search.",
    },
    OptionRow {
        name: "USI_Ponder",
        kind: OptionKind::Check { default: false, set: |o, yes| o.ponder = yes },
        help: "Whether the engine may ponder. The GUI starts pondering with `go ponder`.",
    },
    OptionRow {
        name: "Stochastic_Ponder",
        kind: OptionKind::Check { default: false, set: |o, yes| o.stochastic_ponder = yes },
        help: "Ponder on all moves of the opponent instead of the reply to the expected one. The GUI sends the same \
               commands.",
    },
    OptionRow {
        name: "Threads",
        kind: OptionKind::MachineSpin {
            default: machine::threads,
            rule: machine::THREADS_RULE,
            min: 1,
            max: MAX_THREADS,
            set: |o, n| o.resources.threads = size(n),
        },
        help: "Search threads, usefully up to the number of processor cores. With one thread the search is \
               deterministic.",
    },
    OptionRow {
        name: "MultiPV",
        kind: spin(1, 1..=600, |o, n| o.search.multi_pv = size(n)),
        help: "Number of best lines to search and show. More than one weakens play. Book candidates are all shown.",
    },
    OptionRow {
        name: "Level",
        kind: spin(0, 0..=Level::HIGHEST as i64, set_level),
        help: "Playing strength from 1 (beginner) to 20: a short search, and a random choice among moves not much \
               worse than the best. Each level scores about two thirds against the one below. `go infinite` is not \
               affected. 0: full strength.",
    },
    OptionRow {
        name: "NetworkDelay",
        kind: spin(120, 0..=60_000, |o, ms| o.search.time.network_delay = count(ms)),
        help: "Milliseconds reserved per move for network latency: before the end of the time and, at most 500 of them, \
               before the end of a full second.",
    },
    OptionRow {
        name: "NetworkDelay2",
        kind: spin(1120, 0..=60_000, |o, ms| o.search.time.network_delay2 = count(ms)),
        help: "Maximum milliseconds reserved where being late loses the game: at most a tenth of the time left for the \
               move, and at least `NetworkDelay`, up to a quarter of it.",
    },
    OptionRow {
        name: "MinimumThinkingTime",
        kind: spin(2000, 0..=100_000, |o, ms| o.search.time.minimum = count(ms)),
        help: "Minimum milliseconds per move, `NetworkDelay` included, where the clock allows it; not for a book move or a \
               mate, nor, without `RoundUpToFullSecond`, for a single legal move, nor with a limit of depth or nodes, \
               or a `Level`.",
    },
    OptionRow {
        name: "SlowMover",
        kind: spin(100, 1..=1000, |o, percent| o.search.time.slow_mover = count(percent)),
        help: "Percentage of the usual time per move to use.",
    },
    OptionRow {
        name: "RoundUpToFullSecond",
        kind: OptionKind::Check { default: false, set: |o, yes| o.search.time.round_up = yes },
        help: "Round thinking time up to the full second. For clocks that drop fractions of a second, such as those of floodgate and \
               other CSA servers; elsewhere it wastes time.",
    },
    OptionRow {
        name: "MaxMovesToDraw",
        kind: spin(0, 0..=100_000, |o, n| o.search.max_moves = limit(n)),
        help: "The game is a draw after this many moves; the last of them may still mate. 0: no limit.",
    },
    OptionRow {
        name: "ResignValue",
        kind: spin(NEVER_RESIGN, 1..=NEVER_RESIGN, set_resign),
        help: "Resign when behind by this many centipawns. 99999: only when mated.",
    },
    OptionRow {
        name: "DrawValueBlack",
        kind: spin(-2, -10_000..=10_000, |o, cp| o.search.draw_value[0] = cp as i32),
        help: "Value of a draw in centipawns when the engine plays Black.",
    },
    OptionRow {
        name: "DrawValueWhite",
        kind: spin(-2, -10_000..=10_000, |o, cp| o.search.draw_value[1] = cp as i32),
        help: "Value of a draw in centipawns when the engine plays White.",
    },
    OptionRow {
        name: "EnteringKingRule",
        kind: combo!("CSARule27", EnteringKingRule {
            "NoEnteringKing" => None,
            "CSARule24" => Points24,
            "CSARule24H" => Points24Handicap,
            "CSARule27" => Points27,
            "CSARule27H" => Points27Handicap,
            "TryRule" => Try,
        }, |o, value| o.search.entering_king = value),
        help: "How an entering king wins: by declaration under the 24 or 27 point rule (H: pieces missing in a \
               handicap game count for the giver), or by reaching the enemy king's start square.",
    },
    OptionRow {
        name: "GenerateAllLegalMoves",
        kind: OptionKind::Check { default: false, set: set_non_promotions },
        help: "Also search non-promotions, which are rarely better. For mate problems; costs strength.",
    },
    OptionRow {
        name: "PvInterval",
        kind: spin(300, 0..=100_000, |o, ms| o.search.report_interval = count(ms)),
        help: "Minimum milliseconds between two PV outputs. 0: output everything.",
    },
    OptionRow {
        name: "OutputFailLHPV",
        kind: OptionKind::Check {
            default: true,
            set: |o, yes| o.search.report_bounds = yes.then_some(Settings::BOUNDS_AFTER),
        },
        help: "Output the PV on fail high and fail low (`lowerbound`, `upperbound`), from three seconds on and with \
               `MultiPV` 1.",
    },
    OptionRow {
        name: "ConsiderationMode",
        kind: OptionKind::Check { default: false, set: |o, yes| o.search.consideration = yes },
        help: "For analysis: extend the PV from the transposition table, and output no bounds.",
    },
    OptionRow {
        name: "DepthLimit",
        kind: spin(0, 0..=MAX_PLY as i64, |o, plies| o.depth_limit = limit(plies)),
        help: "Maximum search depth. 0: no limit.",
    },
    OptionRow {
        name: "NodesLimit",
        kind: spin(0, 0..=1_000_000_000_000, |o, n| o.nodes_limit = Some(count(n)).filter(|&n| n > 0)),
        help: "Maximum number of nodes, as in `go nodes`: the first iteration is finished, within 10,000 nodes. 0: no \
               limit.",
    },
];

fn set_level(options: &mut Options, number: i64) {
    options.level = u8::try_from(number).ok().and_then(Level::new);
}

fn set_resign(options: &mut Options, cp: i64) {
    options.resign = if cp < NEVER_RESIGN { i32::try_from(cp).ok() } else { None };
}

fn set_non_promotions(options: &mut Options, all: bool) {
    options.search.non_promotions = if all { NonPromotions::All } else { NonPromotions::Sensible };
}

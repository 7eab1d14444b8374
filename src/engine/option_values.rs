//! The values of the options, which `options` declares, and the defaults that depend on the machine.

use super::Level;
use crate::eval::EvalType;
use crate::machine::available_memory;
use crate::search::{Limits, Resources, Settings};
use sabi_books::{Criteria, Rules, Selection};
use std::sync::LazyLock;
use std::thread::available_parallelism;

/// The options of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Tables and threads.
    pub resources: Resources,
    /// How often Clear_Hash was pressed.
    pub clear_hash_count: u32,
    /// Whether the engine may ponder.
    pub ponder: bool,
    /// Whether it ponders on all moves of the opponent.
    pub stochastic_ponder: bool,
    /// Playing level; `None`: full strength.
    pub level: Option<Level>,
    /// Resign at this many centipawns behind; `None`: never.
    pub resign: Option<i32>,
    /// Maximum depth.
    pub depth_limit: Option<u32>,
    /// Maximum nodes.
    pub nodes_limit: Option<u64>,
    /// `go mate`.
    pub mate: MateOptions,
    /// Log file; empty: no log.
    pub debug_log: String,
    /// Whether more is output for developers: the command `debug`.
    pub debug: bool,
    /// The evaluation.
    pub eval: EvalOptions,
    /// The opening book.
    pub book: BookOptions,
    /// Settings of the search.
    pub search: Settings,
}

impl Options {
    /// These limits, and those of the options.
    pub fn limit(&self, mut limits: Limits) -> Limits {
        limits.depth = least(limits.depth, self.depth_limit);
        limits.nodes = least(limits.nodes, self.nodes_limit);
        limits
    }

    /// Whether any option names a file or folder.
    pub fn names_files(&self) -> bool {
        let book = Some(&self.book.file).filter(|name| *name != NO_BOOK);
        let others = [&self.book.folder, &self.eval.file, &self.eval.folder, &self.debug_log];
        book.into_iter().chain(others).any(|name| !name.is_empty())
    }
}

/// The minimum of two optional limits.
pub(super) fn least<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// `BookFile` of users of other engines who want no book.
pub(super) const NO_BOOK: &str = "no_book";

/// Options of the opening book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookOptions {
    /// Whether the book is used.
    pub own_book: bool,
    /// File name; empty: the embedded book.
    pub file: String,
    /// Folder of the file.
    pub folder: String,
    /// Whether a sorted text book is searched on disk instead of loaded.
    pub on_the_fly: bool,
    /// Whether book positions match with any move number.
    pub ignore_ply: bool,
    /// Whether rotated positions with the sides exchanged match.
    pub flipped: bool,
    /// Whether games are appended to the learning file.
    pub learning: bool,
    /// Requirements for book moves.
    pub criteria: Criteria,
    /// Whether `weighted` is by weight also for the books of other programs; otherwise uniform.
    pub by_count: bool,
    /// Percentage of book positions that are searched instead.
    pub ignore_rate: u32,
    /// Whether book lines near the root are stored in the transposition table before a search.
    pub prefill: bool,
    /// Maximum length of the line shown for a book move.
    pub line_plies: usize,
    /// Random seed; `None`: from the system.
    pub seed: Option<u64>,
}

impl BookOptions {
    /// How to choose among the candidates.
    pub(super) fn selection(&self, rules: Rules) -> Selection {
        match self.criteria.selection {
            Selection::Weighted if rules != Rules::Sabi && !self.by_count => Selection::Uniform,
            selection => selection,
        }
    }
}

/// Options of the evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvalOptions {
    /// Embedded evaluation, if no file is given.
    pub which: EvalType,
    /// File name; empty: `nn.bin` in `folder`, or the embedded evaluation if that is empty too.
    pub file: String,
    /// Folder of the file.
    pub folder: String,
    /// Divisor of the network output; `None`: from `eval_options.txt` next to the network, else
    /// measured.
    pub scale: Option<i32>,
}

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

/// Maximum default hash size in MB.
pub(super) const MAX_DEFAULT_HASH_MB: u64 = 1024;
/// Minimum default.
const MIN_DEFAULT_HASH_MB: u64 = 16;
/// Default where free memory is unknown and addresses are 32 bits (WebAssembly).
const DEFAULT_HASH_MB_32_BIT: u64 = 64;
/// Maximum default number of threads.
const MAX_DEFAULT_THREADS: usize = 4;

/// The rules of both, for the options page in English and Japanese.
pub(super) const HASH_RULE: [&str; 2] = [
    "1024, or the largest power of two up to half of the free memory, at least 16",
    "1024。空きメモリの半分がそれより少なければ、それを超えない最大の 2 の累乗（最小 16）",
];
pub(super) const THREADS_RULE: [&str; 2] = ["number of processor cores, at most 4", "CPU のコア数（最大 4）"];

/// Free memory at first use, in MB, if known. Later the tables are allocated.
static FREE_MB: LazyLock<Option<u64>> = LazyLock::new(|| available_memory().map(|bytes| bytes >> 20));

/// Default of `USI_Hash`.
pub(super) fn default_hash_mb() -> i64 {
    hash_mb_of(*FREE_MB) as i64
}

/// Free memory in MB, if `mb` is a default that was reduced because of it.
pub(super) fn reduced_default(mb: usize) -> Option<u64> {
    reduced_default_of(mb, *FREE_MB)
}

fn reduced_default_of(mb: usize, free_mb: Option<u64>) -> Option<u64> {
    let default = hash_mb_of(free_mb);
    free_mb.filter(|_| default < MAX_DEFAULT_HASH_MB && default == mb as u64)
}

/// Default of `Threads`. Respects container quotas.
pub(super) fn default_threads() -> i64 {
    static THREADS: LazyLock<usize> = LazyLock::new(|| available_parallelism().map_or(1, usize::from));
    (*THREADS).min(MAX_DEFAULT_THREADS) as i64
}

fn hash_mb_of(free_mb: Option<u64>) -> u64 {
    match free_mb {
        // At least 1, for `ilog2`.
        Some(free) => (1 << (free / 2).max(1).ilog2()).clamp(MIN_DEFAULT_HASH_MB, MAX_DEFAULT_HASH_MB),
        None if cfg!(target_pointer_width = "64") => MAX_DEFAULT_HASH_MB,
        None => DEFAULT_HASH_MB_32_BIT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_default_is_half_of_free_memory() {
        for (free, expected) in
            [(0, 16), (31, 16), (64, 32), (127, 32), (2047, 512), (2048, 1024), (1 << 20, 1024), (u64::MAX, 1024)]
        {
            assert_eq!(hash_mb_of(Some(free)), expected, "{free} MB are free");
        }
    }

    #[test]
    fn reports_small_hash_default() {
        assert_eq!(reduced_default_of(256, Some(600)), Some(600));
        for (mb, free) in [(128, Some(600)), (1024, Some(600)), (1024, Some(4000)), (1024, None), (256, Some(4000))] {
            assert_eq!(reduced_default_of(mb, free), None, "{mb} MB of {free:?}");
        }
    }

    #[test]
    fn machine_defaults_are_stable() {
        assert_eq!((default_hash_mb(), default_threads()), (default_hash_mb(), default_threads()));
        assert!((1..=4).contains(&default_threads()));
    }
}

//! Machine-dependent defaults: hash size and threads.

use crate::machine::available_memory;
use std::sync::LazyLock;
use std::thread::available_parallelism;

/// Maximum default hash size in MB.
pub(super) const MAX_DEFAULT_HASH_MB: u64 = 1024;
/// Minimum default.
const MIN_DEFAULT_HASH_MB: u64 = 16;
/// Default where free memory is unknown and addresses are 32 bits (WebAssembly).
const DEFAULT_HASH_MB_32_BIT: u64 = 64;
/// Maximum default number of threads.
const MAX_DEFAULT_THREADS: usize = 4;

/// The rules of both, for the options page.
pub(super) const HASH_RULE: &str = "1024, or the largest power of two up to half of the free memory, at least 16";
pub(super) const THREADS_RULE: &str = "number of processor cores, at most 4";

/// Free memory at first use, in MB, if known. Later the tables are allocated.
static FREE_MB: LazyLock<Option<u64>> = LazyLock::new(|| available_memory().map(|bytes| bytes >> 20));

/// Default of `USI_Hash`.
pub(super) fn hash_mb() -> i64 {
    default_hash_mb(*FREE_MB) as i64
}

/// Free memory in MB, if `mb` is a default that was reduced because of it.
pub(super) fn reduced_default(mb: usize) -> Option<u64> {
    reduced_default_of(mb, *FREE_MB)
}

fn reduced_default_of(mb: usize, free_mb: Option<u64>) -> Option<u64> {
    let default = default_hash_mb(free_mb);
    free_mb.filter(|_| default < MAX_DEFAULT_HASH_MB && default == mb as u64)
}

/// Default of `Threads`. Respects container quotas.
pub(super) fn threads() -> i64 {
    static THREADS: LazyLock<usize> = LazyLock::new(|| available_parallelism().map_or(1, usize::from));
    (*THREADS).min(MAX_DEFAULT_THREADS) as i64
}

fn default_hash_mb(free_mb: Option<u64>) -> u64 {
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
            assert_eq!(default_hash_mb(Some(free)), expected, "{free} MB are free");
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
        assert_eq!((hash_mb(), threads()), (hash_mb(), threads()));
        assert!((1..=4).contains(&threads()));
    }
}

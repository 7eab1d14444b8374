//! Target-specific constants: all differences between WebAssembly and other targets that are not
//! files of their own.

use std::time::Duration;

/// Whether there may be no other thread (unknown at compile time); waiting code then yields to the
/// host.
pub const COOPERATIVE: bool = cfg!(target_family = "wasm");

/// Default mate solver memory in MB: small in a browser.
pub const MATE_HASH_MB: i64 = if cfg!(target_family = "wasm") { 32 } else { 256 };

/// Maximum number of threads.
pub const MAX_THREADS: i64 = if cfg!(target_family = "wasm") { 32 } else { 512 };

/// Stack size of threads with deep recursion; untouched pages cost nothing.
pub const DEEP_STACK: usize = if cfg!(target_family = "wasm") { 4 << 20 } else { 64 << 20 };

/// Maximum recursion depth of the mate solver: in a browser the stack is small whatever size is
/// requested.
pub const MAX_MATE_DEPTH: u32 = if cfg!(target_family = "wasm") { 400 } else { 2_000 };

/// Yields to the host, where no other thread reads input.
#[inline]
pub fn yield_to_host() {
    if COOPERATIVE {
        std::thread::yield_now();
    }
}

/// Yields to the host for a while, when there is nothing to do until input arrives.
pub fn wait_for_host() {
    std::thread::sleep(Duration::from_millis(10));
}

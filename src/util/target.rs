//! What programs for this target can count on. Everything that differs between WebAssembly and the others, and is not a file of its
//! own, is decided here.

use std::time::Duration;

/// Whether there may be no other thread; the compiler does not tell. Then what waits lets go of the processor by itself.
pub const COOPERATIVE: bool = cfg!(target_family = "wasm");

/// Memory for mates where nothing is said, in MB: a page in a browser shares that of a telephone.
pub const MATE_HASH_MB: i64 = if cfg!(target_family = "wasm") { 32 } else { 256 };

/// The most threads that can be asked for.
pub const MOST_THREADS: i64 = if cfg!(target_family = "wasm") { 32 } else { 512 };

/// Stack of a thread that searches, or does other work that calls itself deeply; where there are pages, untouched ones cost nothing.
pub const DEEP_STACK: usize = if cfg!(target_family = "wasm") { 4 << 20 } else { 64 << 20 };

/// The deepest that a function may call itself without an end of its own: in a browser the stack is small, whatever is asked for.
pub const DEEPEST_MATE: u32 = if cfg!(target_family = "wasm") { 400 } else { 2_000 };

/// Gives the host of the program a chance to be heard, where no other thread listens.
#[inline]
pub fn breathe() {
    if COOPERATIVE {
        std::thread::yield_now();
    }
}

/// The same for a while, where nothing is to be done until something is heard.
pub fn rest() {
    std::thread::sleep(Duration::from_millis(10));
}

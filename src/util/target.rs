//! What programs for this target can count on. Everything that differs between WebAssembly and the others, and is not a file of its
//! own, is decided here.

use std::time::Duration;

/// Whether there are threads.
pub const THREADS: bool = cfg!(any(not(target_family = "wasm"), target_feature = "atomics"));

/// Memory for a table where nothing is said, and at the most, in MB: a page in a browser shares the memory of a telephone, and has
/// addresses of 32 bits.
pub const HASH_MB: (i64, i64) = if cfg!(target_family = "wasm") { (32, 1024) } else { (256, 1 << 20) };

/// The most threads that can be asked for.
pub const MOST_THREADS: i64 = match (THREADS, cfg!(target_family = "wasm")) {
    (true, false) => 512,
    (true, true) => 32,
    (false, _) => 1,
};

/// Stack of a thread that searches, or does other work that calls itself deeply; where there are pages, untouched ones cost nothing.
pub const DEEP_STACK: usize = if cfg!(target_family = "wasm") { 4 << 20 } else { 64 << 20 };

/// The deepest that a function may call itself without an end of its own: in a browser the stack is small, whatever is asked for.
pub const DEEPEST_MATE: u32 = if cfg!(target_family = "wasm") { 400 } else { 2_000 };

/// Gives whoever started the program a chance to be heard, where no other thread listens.
#[inline]
pub fn breathe() {
    if !THREADS {
        std::thread::yield_now();
    }
}

/// The same for a while, where nothing is to be done until something is heard.
pub fn rest() {
    std::thread::sleep(Duration::from_millis(10));
}

//! The machine: its memory and threads. Independent of shogi.

#[cfg(target_os = "linux")]
mod groups;
mod memory;
mod system;
mod threads;

#[cfg(target_os = "linux")]
pub use groups::{memory_left, processor_quota};
pub use memory::{HugeSlice, MemoryError, filled, prefetch, require_memory, trim_heap, try_vec_with_capacity};
pub use system::{available_memory, system_memory};
pub use threads::{
    COOPERATIVE, Counter, DEEP_STACK, MATE_HASH_MB, MAX_MATE_DEPTH, MAX_THREADS, Results, SetOnDrop, Tasks, in_order,
    parallel_map, run_workers, wait_for_host, yield_to_host,
};

//! Floor 0: utilities that neither the standard library nor a crate provides. Independent of shogi.

#[cfg(target_os = "linux")]
mod cgroup;
mod counter;
mod in_order;
mod median;
mod memory;
mod prefetch;
mod search_paths;
mod set_on_drop;
mod system_memory;
mod target;
mod word;
mod workers;

#[cfg(target_os = "linux")]
pub use cgroup::{memory_left, processor_quota};
pub use counter::Counter;
pub use in_order::in_order;
pub use median::median_by;
pub use memory::{HugeSlice, MemoryError, filled, require_memory, trim_heap, try_vec_with_capacity};
pub use prefetch::prefetch;
pub use search_paths::search_paths;
pub use set_on_drop::SetOnDrop;
pub use system_memory::{available_memory, system_memory};
pub use target::{COOPERATIVE, DEEP_STACK, MATE_HASH_MB, MAX_MATE_DEPTH, MAX_THREADS, wait_for_host, yield_to_host};
pub use word::Word;
pub use workers::{Results, Tasks, parallel_map, run_workers};

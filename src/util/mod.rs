//! Floor 0: the few things neither the language nor a kept crate gives. Knows nothing of shogi.

mod counter;
mod memory;
mod prefetch;
mod stack_vec;
mod word;

pub use counter::Counter;
pub use memory::{HugeSlice, MemoryError, filled, require_memory_beside};
pub use prefetch::prefetch;
pub use stack_vec::StackVec;
pub use word::{NativeWord, SoloWord, Word};

//! Floor 0: utilities that neither the standard library nor a crate provides. Independent of shogi.

mod append;
mod binary;
mod byte_source;
#[cfg(target_os = "linux")]
mod cgroup;
mod counter;
mod file_lock;
mod file_size;
mod html;
mod in_order;
mod json_error;
mod lines;
mod median;
mod memory;
mod prefetch;
mod regular;
mod replace;
mod search_paths;
mod set_on_drop;
mod split_mix;
mod system_memory;
mod target;
mod text;
mod word;
mod workers;
mod write_lock;

pub use append::{append_line, open_lines, open_locked_for_append, open_to_append};
pub use binary::{Cursor, DecodeError, append_crc, decompress, put_varint, verify_crc};
pub use byte_source::ByteSource;
#[cfg(target_os = "linux")]
pub use cgroup::{memory_left, processor_quota};
pub use counter::Counter;
pub use crc32fast::hash as crc32;
pub(crate) use file_lock::unlock;
pub use file_size::ignore_sigxfsz;
pub use html::{escape_html, html_page, is_html_page};
pub use in_order::in_order;
pub use json_error::JsonError;
pub use lines::read_line;
pub use median::median_by;
pub use memory::{HugeSlice, MemoryError, filled, require_memory, trim_heap, try_vec_with_capacity};
pub use prefetch::prefetch;
pub use regular::{feeds_standard_input, is_named, is_same_file, open_regular, read_regular};
pub use replace::{check_replaceable, remove_file, replace_file, replace_with_bytes};
pub use search_paths::search_paths;
pub use set_on_drop::SetOnDrop;
pub use split_mix::split_mix;
pub use system_memory::{available_memory, system_memory};
pub use target::{COOPERATIVE, DEEP_STACK, MATE_HASH_MB, MAX_MATE_DEPTH, MAX_THREADS, wait_for_host, yield_to_host};
pub use text::{excerpt, without_bom};
pub use word::Word;
pub use workers::{Results, Tasks, parallel_map, run_workers};
pub use write_lock::WriteLock;

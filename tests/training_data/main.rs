//! Training data: `sabi selfplay`, `data_tools` and `trainer` as a user meets them.

#[path = "../common/mod.rs"]
mod common;
mod failures;
#[cfg(target_os = "linux")]
mod grow;
mod helpers;
#[path = "../common/keeps.rs"]
mod keeps;
mod selfplay;
mod tools;
mod trainer;

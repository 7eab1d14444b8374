//! Training data: `selfplay`, `data_tools` and `trainer` as a user meets them.

mod failures;
#[cfg(target_os = "linux")]
mod grow;
mod helpers;
mod selfplay;
mod tools;
mod trainer;

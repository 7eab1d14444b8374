//! `selfplay`, `data_tools` and `trainer`.

mod failures;
#[cfg(target_os = "linux")]
mod grow;
mod helpers;
mod selfplay;
mod tools;
mod trainer;

//! The command line of `sabi`, and the parts shared by all programs of the project: start
//! and exit, progress bars, checks of input and output files.

#[cfg(not(target_family = "wasm"))]
mod analyze;
mod commands;
#[cfg(not(target_family = "wasm"))]
mod csa;
#[cfg(not(target_family = "wasm"))]
mod doctor;
#[cfg(not(target_family = "wasm"))]
mod files;
#[cfg(not(target_family = "wasm"))]
mod mate;
mod program;

pub use commands::main;
#[cfg(not(target_family = "wasm"))]
pub use files::{check_not_an_input, check_output, game_files, games_of, report_left_out};
#[cfg(not(target_family = "wasm"))]
pub use program::progress_bar;
pub use program::{OptionArguments, run_program};

//! What the subcommands do.

mod bench;
mod eval;
mod perft;
#[cfg(not(target_family = "wasm"))]
mod selfplay;
mod settings;

pub use bench::BenchArguments;
pub use eval::EvalArguments;
pub use perft::PerftArguments;
#[cfg(not(target_family = "wasm"))]
pub use selfplay::SelfPlayArguments;

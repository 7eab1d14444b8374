//! What the subcommands do.

#[cfg(not(target_family = "wasm"))]
mod analyze;
mod bench;
mod eval;
#[cfg(not(target_family = "wasm"))]
mod mate;
mod perft;
#[cfg(not(target_family = "wasm"))]
mod selfplay;
mod settings;

#[cfg(not(target_family = "wasm"))]
pub use analyze::AnalyzeArguments;
pub use bench::BenchArguments;
pub use eval::EvalArguments;
#[cfg(not(target_family = "wasm"))]
pub use mate::MateArguments;
pub use perft::PerftArguments;
#[cfg(not(target_family = "wasm"))]
pub use selfplay::SelfPlayArguments;

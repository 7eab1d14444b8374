//! Number of threads.

use clap::{Args, value_parser};
use std::thread::available_parallelism;

#[derive(Args)]
#[expect(missing_docs, reason = "clap would take it for the description of the command")]
pub struct ThreadArguments {
    /// Threads; results do not depend on them [default: all processor cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
}

impl ThreadArguments {
    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from)
    }
}

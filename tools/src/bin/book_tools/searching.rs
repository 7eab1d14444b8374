//! Concurrent searches of single positions.

use clap::{Args, value_parser};
use sabi::search::{Limits, OutOfMemory, Resources, SearchResult, Searcher, Settings, Signals};
use sabi_shogi::Position;
use std::time::Instant;

#[derive(Args)]
pub struct SearchArguments {
    /// Concurrent searches
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Hash size of each search in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = value_parser!(u32).range(1..=65536))]
    pub hash: u32,
}

impl SearchArguments {
    /// Searchers for this many positions, one for each thread.
    pub fn searchers(&self, positions: usize) -> Result<Vec<Searcher>, OutOfMemory> {
        let resources = Resources::new(self.hash as usize, 1);
        (0..positions.min(self.threads.into())).map(|_| Searcher::new(&resources)).collect()
    }
}

/// Searches a position with one thread and an empty table, so that the result depends on nodes and
/// hash size alone.
pub fn search_anew(searcher: &mut Searcher, position: &Position, nodes: u64) -> SearchResult {
    let limits = Limits { nodes: Some(nodes), ..Limits::unlimited(Instant::now()) };
    searcher.new_game();
    searcher.search(position, &limits, &Settings::default(), &Signals::default(), &mut |_| {})
}

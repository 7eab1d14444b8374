//! `sabi perft`: counts the leaves of the game tree.

use super::settings::PositionArguments;
use anyhow::anyhow;
use clap::Args;
use sabi_shogi::{PerftMode, divide};
use std::io::Write;
use std::time::{Duration, Instant};

#[derive(Args)]
pub struct PerftArguments {
    /// Depth
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=12))]
    depth: u32,
    /// Bulk counting: count the last ply without listing its moves
    #[arg(long)]
    bulk: bool,
    #[command(flatten)]
    root: PositionArguments,
}

impl PerftArguments {
    /// Counts and prints each root move.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut position = self.root.position()?;
        let mode = if self.bulk { PerftMode::Bulk } else { PerftMode::List };
        let start = Instant::now();
        let mut written = Ok(());
        let leaves = divide(&mut position, self.depth, mode, &|| false, &mut |mv, leaves| {
            if written.is_ok() {
                written = writeln!(out, "{mv}: {leaves}");
            }
        });
        written?;
        let leaves = leaves.ok_or_else(|| anyhow!("stopped"))?;
        let seconds = start.elapsed().max(Duration::from_nanos(1)).as_secs_f64();
        writeln!(out, "Nodes searched: {leaves}")?;
        Ok(writeln!(out, "{seconds:.3} s, {:.1} million a second", leaves as f64 / seconds / 1e6)?)
    }
}

//! `sabi doctor`: diagnostics for bug reports.

mod engine;
mod gui;
mod machine;
mod problem;
mod speed;

use super::settings::Settings;
use crate::engine::Options;
use clap::Args;
use engine::FileCheck;
use gui::Gui;
use machine::Machine;
use problem::Problem;
use serde::Serialize;
use speed::Speed;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub struct DoctorArguments {
    /// Output as one JSON object
    #[arg(long)]
    json: bool,
    /// Options stored by a GUI: usi_engine.json of ShogiHome, or a list of NAME=VALUE or setoption
    /// lines
    #[arg(long, value_name = "FILE")]
    gui: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings,
}

/// Results of all checks.
#[derive(Serialize)]
struct Diagnostics {
    version: &'static str,
    machine: Machine,
    gui: Option<Gui>,
    hash: Hash,
    network: FileCheck,
    book: FileCheck,
    speed: Option<Speed>,
    problems: Vec<Problem>,
}

/// Sizes of the transposition table, in MB.
#[derive(Serialize)]
struct Hash {
    wanted: usize,
    /// The largest size that leaves half of the free memory, if known.
    fits: Option<u64>,
}

/// Minimum useful hash size in MB.
const MIN_HASH_MB: u64 = 16;

impl Hash {
    fn new(options: &Options, machine: &Machine, problems: &mut Vec<Problem>) -> Self {
        let wanted = options.resources.hash_mb;
        let free = machine.memory_free;
        if let Some(free) = free.filter(|&free| wanted as u64 > free) {
            problems.push(Problem::new(
                format!("USI_Hash asks for {wanted} MB, and {free} MB are free"),
                format!("set USI_Hash to {} or less, or end other programs", fitting(free)),
            ));
        }
        Self { wanted, fits: free.map(fitting) }
    }
}

/// The largest power of two that leaves half of the free memory.
fn fitting(free: u64) -> u64 {
    let half = (free / 2).max(MIN_HASH_MB);
    1 << half.ilog2()
}

impl DoctorArguments {
    /// Runs all checks and prints them. Problems found are part of the report, not failures.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut problems = Vec::new();
        let mut options = Options::default();
        let gui = match &self.gui {
            Some(path) => Some(Gui::read(path, &mut options, &mut problems)?),
            None => None,
        };
        let options = self.settings.apply(options)?;
        let machine = Machine::detect(&options, &mut problems);
        let hash = Hash::new(&options, &machine, &mut problems);
        let (network, evaluation) = engine::network(&options, &mut problems);
        let book = engine::book(&options, &mut problems);
        let speed = Speed::measure(evaluation, &mut problems);
        let version = env!("CARGO_PKG_VERSION");
        let diagnostics = Diagnostics { version, machine, gui, hash, network, book, speed, problems };
        if self.json {
            return Ok(writeln!(out, "{:#}", serde_json::to_value(&diagnostics)?)?);
        }
        diagnostics.write(out)
    }
}

impl Diagnostics {
    fn write(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut line = |name: &str, text: String| writeln!(out, "{name:<11} {text}");
        line("version", format!("Sabi {}", self.version))?;
        self.machine.write(&mut line)?;
        let fits = self.hash.fits.map_or_else(|| "unknown".to_owned(), |fits| format!("{fits} MB"));
        line("hash", format!("USI_Hash {} MB; would fit: {fits}", self.hash.wanted))?;
        line("network", self.network.to_string())?;
        line("book", self.book.to_string())?;
        if let Some(speed) = &self.speed {
            line("speed", speed.to_string())?;
        }
        if let Some(gui) = &self.gui {
            line("options", gui.to_string())?;
        }
        for Problem { problem, advice } in &self.problems {
            line("problem", problem.clone())?;
            line("  advice", advice.clone())?;
        }
        if self.problems.is_empty() {
            line("problem", "none found".to_owned())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fitting_hash_leaves_half_of_memory() {
        for (free, fits) in [(0, 16), (31, 16), (1000, 256), (1024, 512), (21_787, 8192)] {
            assert_eq!(fitting(free), fits, "{free}");
        }
    }
}

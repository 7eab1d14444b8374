//! What decides the games of a file, as a text.

use super::recipe::Recipe;
use crate::engine::{BenchError, bench};
use std::fmt::Debug;

/// The searches that tell one engine from another go no deeper.
const SIGNATURE_DEPTH: u32 = 6;

impl Recipe {
    /// A text of some lines that is the same if the same seeds give the same games: the recipe, and what tells this engine with its weights
    /// and options from others, the nodes of some small searches.
    ///
    /// # Errors
    /// When the engine cannot search with these options.
    pub fn settings(&self) -> Result<String, BenchError> {
        let (signature, _) = bench(SIGNATURE_DEPTH, &self.options, &mut |_, _| {})?;
        let lines: [(&str, &dyn Debug); 9] = [
            ("signature", &signature.nodes),
            ("nodes", &self.nodes),
            ("openings", &self.openings.fingerprint()),
            ("random plies", &self.random_plies),
            ("balance", &self.balance),
            ("longest game", &self.max_moves),
            ("verdicts", &self.verdicts),
            ("tables", &self.options.equipment),
            ("search", &self.options.search),
        ];
        let version = format!("sabi {}\n", env!("CARGO_PKG_VERSION"));
        Ok(lines.iter().fold(version, |text, (name, value)| text + &format!("{name}: {value:?}\n")))
    }
}

//! What decides the games of a file, as a text.

use super::config::SelfPlayConfig;
use sabi::engine::{BenchError, bench};
use sabi::search::Signals;
use std::fmt::Debug;

/// The searches that tell one engine from another go no deeper.
const SIGNATURE_DEPTH: u32 = 6;

impl SelfPlayConfig {
    /// A text of some lines that is the same if the same seeds give the same games: the recipe, and what tells this engine with its weights
    /// and options from others, the nodes of some small searches.
    ///
    /// # Errors
    /// When the engine cannot search with these options.
    pub fn settings(&self) -> Result<String, BenchError> {
        let (signature, _) = bench(SIGNATURE_DEPTH, &self.options, &Signals::default(), &mut |_, _| {})?;
        let openings = self.openings_text();
        let lines: [(&str, &dyn Debug); 9] = [
            ("signature", &signature.nodes),
            ("nodes", &self.nodes),
            ("openings", &openings),
            ("random plies", &self.random_plies),
            ("balance", &self.balance),
            ("longest game", &self.max_moves),
            ("verdicts", &self.adjudication),
            ("tables", &self.options.resources),
            ("search", &self.options.search),
        ];
        let version = format!("sabi {}\n", env!("CARGO_PKG_VERSION"));
        Ok(lines.iter().fold(version, |text, (name, value)| text + &format!("{name}: {value:?}\n")))
    }

    /// Which openings, and what part of them is played; files in which all of every opening is played say no more than which.
    fn openings_text(&self) -> String {
        let mut text = self.openings.fingerprint();
        if let Some(plies) = &self.opening_plies {
            text += &format!(", {} to {} plies", plies.start(), plies.end());
        }
        if self.opening_share < 1.0 {
            text += &format!(", share {}", self.opening_share);
        }
        text
    }
}

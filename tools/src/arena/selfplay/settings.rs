//! Settings text of a game file.

use super::config::SelfPlayConfig;
use sabi::engine::{BenchError, Options, bench};
use sabi::search::Signals;
use std::fmt::Debug;

/// Depth of the signature searches.
const SIGNATURE_DEPTH: u32 = 6;

impl SelfPlayConfig {
    /// Settings as text. Equal texts mean that equal seeds give equal games: it includes a
    /// signature of the engine, the nodes of some small searches. Files are compared by this text:
    /// its labels never change.
    ///
    /// # Errors
    /// When the engine cannot search with these options.
    pub fn settings(&self) -> Result<String, BenchError> {
        // With limits, different engines could have the same signature.
        let unlimited = Options { depth_limit: None, nodes_limit: None, ..self.options.clone() };
        let (signature, _) = bench(SIGNATURE_DEPTH, &unlimited, &Signals::default(), &mut |_, _| {})?;
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
        // Files without these options, older ones too, have no such lines.
        let limits = [("depth", self.options.depth_limit.map(u64::from)), ("nodes at most", self.options.nodes_limit)];
        let limits = limits.iter().filter_map(|(name, limit)| Some((*name, limit.as_ref()? as &dyn Debug)));
        let version = format!("sabi {}\n", env!("CARGO_PKG_VERSION"));
        Ok(lines.into_iter().chain(limits).fold(version, |text, (name, value)| text + &format!("{name}: {value:?}\n")))
    }

    /// Openings and the range played; older files without a range have no such text.
    fn openings_text(&self) -> String {
        let mut text = self.openings.fingerprint();
        if let Some(plies) = &self.opening_plies {
            text += &format!(", {} to {} plies", plies.start(), plies.end());
        }
        if self.opening_share < 1.0 {
            text += &format!(", share {}", self.opening_share);
        }
        if let Some(plies) = self.searched_plies {
            text += &format!(", then {plies} plies");
        }
        text
    }
}

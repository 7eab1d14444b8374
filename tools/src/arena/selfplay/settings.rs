//! Settings text of a game file.

use super::adjudication::{DrawAdjudication, WinAdjudication};
use super::config::SelfPlayConfig;
use sabi::engine::{BenchError, Options, bench};
use sabi::search::{Resources, Settings, Signals};
use std::fmt::Display;

/// Depth of the signature searches.
const SIGNATURE_DEPTH: u32 = 6;

impl SelfPlayConfig {
    /// Settings as text, one `name: value` per line. Equal texts mean that equal seeds give equal
    /// games: it includes a signature of the engine, the nodes of some small searches.
    ///
    /// # Errors
    /// When the engine cannot search with these options.
    pub fn settings(&self) -> Result<String, BenchError> {
        // With limits, different engines could have the same signature.
        let unlimited = Options { depth_limit: None, nodes_limit: None, ..self.options.clone() };
        let (signature, _) = bench(SIGNATURE_DEPTH, &unlimited, &Signals::default(), &mut |_, _| {})?;
        let Resources { hash_mb, hash_policy, second_mb, eval_mb, eval_policy, .. } = self.options.resources;
        let Settings { multi_pv, max_moves, draw_value: [black, white], entering_king, non_promotions, .. } =
            self.options.search;
        let win = self.adjudication.win.map(|WinAdjudication { score, plies }| format!("{score} for {plies} plies"));
        let draw = self
            .adjudication
            .draw
            .map(|DrawAdjudication { score, plies, from }| format!("{score} for {plies} plies, from ply {from}"));
        let lines: [(&str, String); 20] = [
            ("signature", signature.nodes.to_string()),
            ("nodes", self.nodes.to_string()),
            ("openings", self.openings_text()),
            ("random plies", self.random_plies.to_string()),
            ("balance", self.balance.to_string()),
            ("max moves", self.max_moves.to_string()),
            ("win adjudication", or_none(win)),
            ("draw adjudication", or_none(draw)),
            ("hash MB", hash_mb.to_string()),
            ("hash policy", format!("{hash_policy:?}")),
            ("second level MB", second_mb.to_string()),
            ("eval cache MB", eval_mb.to_string()),
            ("eval cache policy", format!("{eval_policy:?}")),
            ("multi-PV", multi_pv.to_string()),
            ("max moves to draw", or_none(max_moves)),
            ("draw values", format!("{black}, {white}")),
            ("entering king rule", format!("{entering_king:?}")),
            ("non-promotions", format!("{non_promotions:?}")),
            ("depth limit", or_none(self.options.depth_limit)),
            ("nodes limit", or_none(self.options.nodes_limit)),
        ];
        let version = format!("sabi {}\n", env!("CARGO_PKG_VERSION"));
        Ok(lines.into_iter().fold(version, |text, (name, value)| text + &format!("{name}: {value}\n")))
    }

    /// Openings and the range played.
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

fn or_none(value: Option<impl Display>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}

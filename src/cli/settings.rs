//! Arguments that several commands take.

use crate::engine::Options;
use crate::position::Position;
use crate::usi::parse_position;
use anyhow::Context;
use clap::Args;

// Options of the engine, by their names.
#[derive(Args)]
#[expect(missing_docs, reason = "clap would take it for the description of the command")]
pub struct Settings {
    /// Set an option, for example HashPolicy=always; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
}

impl Settings {
    /// The options with those set that were asked for.
    pub fn apply(&self, mut options: Options) -> anyhow::Result<Options> {
        for setting in &self.options {
            let (name, value) =
                setting.split_once('=').with_context(|| format!("an option goes NAME=VALUE, not '{setting}'"))?;
            options = options.with(name, Some(value))?;
        }
        Ok(options)
    }

    /// What was asked for, as it was spelled.
    #[cfg(not(target_family = "wasm"))]
    pub fn given(&self) -> &[String] {
        &self.options
    }
}

#[derive(Args)]
pub struct Root {
    /// The position as behind the command `position`: startpos or an SFEN, and moves; the start of an even game when left out
    #[arg(value_name = "POSITION", conflicts_with = "sfen")]
    words: Vec<String>,
    /// The position as one SFEN
    #[arg(long)]
    sfen: Option<String>,
}

impl Root {
    /// The position that was asked for.
    pub fn position(&self) -> anyhow::Result<Position> {
        match &self.sfen {
            Some(sfen) => Position::from_sfen(sfen).with_context(|| format!("cannot read the position '{sfen}'")),
            None if self.words.is_empty() => Ok(Position::startpos()),
            None => {
                let text = self.words.join(" ");
                parse_position(&text).with_context(|| format!("cannot read the position '{text}'"))
            }
        }
    }
}

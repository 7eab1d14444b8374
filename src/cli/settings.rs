//! Arguments shared by several commands.

use crate::engine::Options;
use crate::usi::parse_position;
use anyhow::Context;
use clap::Args;
use sabi_shogi::Position;

// Engine options by name.
#[derive(Args)]
#[expect(missing_docs, reason = "clap would take it for the description of the command")]
pub struct Settings {
    /// Set an engine option, for example HashPolicy=always; repeatable
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
}

impl Settings {
    /// `options` with the given ones set.
    pub fn apply(&self, mut options: Options) -> anyhow::Result<Options> {
        for setting in &self.options {
            let (name, value) =
                setting.split_once('=').with_context(|| format!("expected NAME=VALUE, not '{setting}'"))?;
            options = options.with(name, Some(value))?;
        }
        Ok(options)
    }

    /// The given options as text.
    #[cfg(not(target_family = "wasm"))]
    pub fn given(&self) -> &[String] {
        &self.options
    }
}

#[derive(Args)]
pub struct PositionArguments {
    /// The position as in the command `position`: startpos or an SFEN, and moves; default: the
    /// start position
    #[arg(value_name = "POSITION", conflicts_with = "sfen")]
    words: Vec<String>,
    /// The position as one SFEN
    #[arg(long)]
    sfen: Option<String>,
}

impl PositionArguments {
    /// The given position.
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

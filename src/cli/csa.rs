//! `sabi csa`: games on CSA servers.

use crate::csa::{Client, Config};
use crate::util::{read_regular, without_bom};
use anyhow::Context;
use clap::Args;
use std::io;
use std::path::PathBuf;

#[derive(Args)]
pub struct CsaArguments {
    /// Configuration in TOML, or JSON if the name ends in .json; see docs/servers.md
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
}

impl CsaArguments {
    /// Plays the configured games. Ctrl-C quits after the current game, a second one aborts it.
    pub fn run(&self) -> anyhow::Result<()> {
        let config = self.read().with_context(|| format!("cannot use '{}'", self.config.display()))?;
        let client = Client::new(config, io::stdout())?;
        let quit_handle = client.quit_handle();
        ctrlc::set_handler(move || quit_handle.interrupt()).context("cannot listen to Ctrl-C")?;
        client.play()?;
        Ok(())
    }

    fn read(&self) -> anyhow::Result<Config> {
        let bytes = read_regular(&self.config)?;
        let text = str::from_utf8(without_bom(&bytes)).context("it is not UTF-8")?;
        let is_json = self.config.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        Ok(if is_json { Config::from_json(text)? } else { Config::from_toml(text)? })
    }
}

//! Progress bars.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};

/// A bar on stderr, if that is a terminal. `unit` is the plural of the counted items.
pub fn progress_bar(total: u64, unit: &str) -> anyhow::Result<ProgressBar> {
    if !io::stderr().is_terminal() {
        return Ok(ProgressBar::hidden());
    }
    let template = format!("{{bar:30}} {{pos}}/{{len}} {unit}, {{msg}} {{elapsed}} (left {{eta}})");
    Ok(ProgressBar::new(total).with_style(ProgressStyle::with_template(&template)?))
}

//! Reports.

use anyhow::{Context, ensure};
use sabi::analysis::is_html_page;
use sabi::cli::check_output;
use sabi_files::replace_with_bytes;
use std::path::Path;

/// [`check_output`] for a report, before the work.
pub fn check_page(path: &Path) -> anyhow::Result<()> {
    let is_page = path.extension().is_some_and(|extension| extension == "html");
    ensure!(is_page, "a report is written as .html, not as '{}'", path.display());
    check_output(path, "the report", |head, _| is_html_page(head))
}

/// Writes a report.
pub fn write_page(path: &Path, html: &str) -> anyhow::Result<()> {
    replace_with_bytes(path, html.as_bytes()).with_context(|| format!("cannot write the report '{}'", path.display()))
}

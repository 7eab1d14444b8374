//! Checks of report paths before the work.

use anyhow::ensure;
use sabi::cli::check_output;
use std::path::Path;

/// [`check_output`] for a report.
pub fn check_page(path: &Path) -> anyhow::Result<()> {
    let is_page = path.extension().is_some_and(|extension| extension == "html");
    ensure!(is_page, "a report is written as .html, not as '{}'", path.display());
    check_output(path, "the report", |head, _| head.starts_with(b"<!DOCTYPE html>"))
}

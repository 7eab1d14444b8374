//! Files that are written in the end, looked at in the beginning.

use anyhow::{Context, ensure};
use sabi::util::check_replaceable;
use std::path::Path;

/// Fails early where writing a file would fail later. `what` says what it is for.
pub fn check_output(path: &Path, what: &str) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    ensure!(folder.is_dir(), "there is no folder '{}' for {what}", folder.display());
    check_replaceable(path).with_context(|| format!("cannot write {what} '{}'", path.display()))
}

/// The same for a page.
pub fn check_page(path: &Path) -> anyhow::Result<()> {
    let is_page = path.extension().is_some_and(|extension| extension == "html");
    ensure!(is_page, "a report is written as .html, not as '{}'", path.display());
    check_output(path, "the report")
}

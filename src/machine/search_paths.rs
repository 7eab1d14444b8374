//! Search paths of user files.

use std::path::{Path, PathBuf};

/// Paths to try in order: a relative name in the executable's folder, then in the working folder,
/// because clients start engines from anywhere.
pub fn search_paths(name: &Path) -> Vec<PathBuf> {
    let beside = std::env::current_exe().ok().and_then(|exe| exe.parent().map(|folder| folder.join(name)));
    match beside {
        Some(beside) if name.is_relative() => vec![beside, name.to_owned()],
        _ => vec![name.to_owned()],
    }
}

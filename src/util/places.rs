//! Where a file is that a user has named.

use std::path::{Path, PathBuf};

/// Where to look for a file, in this order: a relative name in the folder of the executable, then in the working folder, because
/// clients start engines from anywhere.
pub fn places(name: &Path) -> Vec<PathBuf> {
    let beside = std::env::current_exe().ok().and_then(|exe| exe.parent().map(|folder| folder.join(name)));
    match beside {
        Some(beside) if name.is_relative() => vec![beside, name.to_owned()],
        _ => vec![name.to_owned()],
    }
}

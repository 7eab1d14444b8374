//! Files that the user names.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Opens a file to add to it.
///
/// A relative name is sought in the folder of the executable, then in the working folder: clients start engines from anywhere.
pub(super) fn append(name: &str) -> io::Result<File> {
    let mut result = Err(io::ErrorKind::NotFound.into());
    for path in places(Path::new(name)) {
        result = OpenOptions::new().create(true).append(true).open(path);
        if result.is_ok() {
            break;
        }
    }
    result
}

fn places(name: &Path) -> Vec<PathBuf> {
    let beside = std::env::current_exe().ok().and_then(|exe| exe.parent().map(|folder| folder.join(name)));
    match beside {
        Some(beside) if name.is_relative() => vec![beside, name.to_owned()],
        _ => vec![name.to_owned()],
    }
}

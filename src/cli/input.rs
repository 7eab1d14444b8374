//! Game files and standard input.

use anyhow::Context;
use sabi_records::{Games, RecordError, read_file, read_stream, record_files};
use std::io;
use std::path::{Path, PathBuf};

/// Whether a path means standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// The game files below the roots, in order; standard input is kept as it is. Unreadable entries
/// below a root are passed to `bad`.
///
/// # Errors
/// When a root cannot be read.
pub fn game_files(roots: &[PathBuf], mut bad: impl FnMut(&RecordError)) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for root in roots {
        if is_standard_input(root) {
            files.push(root.clone());
            continue;
        }
        for file in record_files(root) {
            match file {
                Ok(file) => files.push(file),
                Err(error) if error.file == *root => {
                    return Err(error.fault).with_context(|| format!("cannot read games from '{}'", root.display()));
                }
                Err(error) => bad(&error),
            }
        }
    }
    Ok(files)
}

/// The games of a file, or of standard input.
pub fn games_of(file: &Path) -> Games {
    if is_standard_input(file) { read_stream("standard input", io::stdin()) } else { read_file(file) }
}

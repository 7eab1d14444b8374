//! Files of games, and standard input in the place of one.

use crate::record::{Games, RecordError, read_file, read_stream, record_files};
use std::io;
use std::path::{Path, PathBuf};

/// What stands for standard input.
const STANDARD_INPUT: &str = "-";

/// The files of games below a root, or the root itself where it stands for standard input.
pub fn files_below(root: &Path) -> Vec<Result<PathBuf, RecordError>> {
    if root == Path::new(STANDARD_INPUT) { vec![Ok(root.to_owned())] } else { record_files(root).collect() }
}

/// The games of a file, or of standard input.
pub fn games_of(file: &Path) -> Games {
    if file == Path::new(STANDARD_INPUT) { read_stream("standard input", io::stdin()) } else { read_file(file) }
}

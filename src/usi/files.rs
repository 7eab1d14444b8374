//! Files named by the user.

use crate::util::{open_to_append, search_paths};
use std::fs::File;
use std::io;
use std::path::Path;

/// Opens a file for appending, in the first of its [search_paths] where that is possible.
pub(super) fn append(name: &str) -> io::Result<File> {
    let mut result = Err(io::ErrorKind::NotFound.into());
    for path in search_paths(Path::new(name)) {
        result = open_to_append(&path);
        if result.is_ok() {
            break;
        }
    }
    result
}

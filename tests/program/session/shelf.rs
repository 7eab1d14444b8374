//! Files for engine options.

use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A temporary folder of files.
pub struct Shelf(TempDir);

impl Shelf {
    pub fn new() -> Self {
        // On the file system of the binary, for hard links.
        Self(TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file and its parent folders.
    pub fn put(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, content).expect("a file");
        path
    }
}

/// A path as an option value.
pub fn name(path: &Path) -> &str {
    path.to_str().expect("the tests make UTF-8 names")
}

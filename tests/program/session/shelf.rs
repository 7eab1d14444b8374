//! Files that an engine is told to read.

use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder of files that goes away.
pub struct Shelf(TempDir);

impl Shelf {
    pub fn new() -> Self {
        // On the file system of the binary, so that the binary can be linked there.
        Self(TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, and the folders it is in.
    pub fn put(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, content).expect("a file");
        path
    }
}

/// A path as it is told to the engine.
pub fn name(path: &Path) -> &str {
    path.to_str().expect("the tests make UTF-8 names")
}

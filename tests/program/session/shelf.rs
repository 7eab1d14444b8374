//! Files for engine options.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

use super::client::Client;

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

/// A copy of the binary in another folder than the working directory.
pub struct Elsewhere {
    pub home: Shelf,
    pub work: Shelf,
}

impl Elsewhere {
    pub fn new() -> Self {
        Self { home: Shelf::new(), work: Shelf::new() }
    }

    pub fn spawn(&self) -> Client {
        let original = PathBuf::from(env!("CARGO_BIN_EXE_sabi"));
        let copy = self.home.path().join(original.file_name().expect("a file"));
        // A link, because a file just written may be busy when executed.
        if fs::hard_link(&original, &copy).is_err() {
            fs::copy(&original, &copy).expect("a copy of the engine");
        }
        Client::spawn_command(Command::new(copy).current_dir(self.work.path())).with_small_tables()
    }
}

/// A path as an option value.
pub fn name(path: &Path) -> &str {
    path.to_str().expect("the tests make UTF-8 names")
}

//! What the tests of several programs need: running one to its end, and a folder for its files.

#[cfg(unix)]
pub mod engine;
mod keeps;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The engine: the program of the other package, which `cargo test` in the root of the project
/// builds into the same folder.
pub fn sabi() -> &'static str {
    static SABI: OnceLock<String> = OnceLock::new();
    SABI.get_or_init(|| {
        let beside = Path::new(env!("CARGO_BIN_EXE_match_runner"));
        let path = beside.with_file_name(format!("sabi{}", std::env::consts::EXE_SUFFIX));
        assert!(path.is_file(), "there is no engine '{}': build it first, or test both packages", path.display());
        path.to_str().expect("UTF-8").to_owned()
    })
}

pub struct Outcome {
    pub success: bool,
    pub stdout: String,
    pub stderr: String,
}

/// Runs a program to its end, with no input.
pub fn run(program: &str, arguments: &[&str]) -> Outcome {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().expect("the program starts");
    Outcome {
        success: output.status.success(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Runs a program that should succeed, and gives what it prints.
pub fn succeed(program: &str, arguments: &[&str]) -> String {
    let outcome = run(program, arguments);
    assert!(outcome.success, "{program} {arguments:?}: {}\n{}", outcome.stderr, outcome.stdout);
    outcome.stdout
}

/// A folder that goes away, and the names of files in it.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn name(&self, name: &str) -> String {
        self.path(name).to_str().expect("UTF-8").to_owned()
    }

    pub fn with(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path(name), content).expect("a file");
        self.name(name)
    }
}

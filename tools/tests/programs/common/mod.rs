//! The engine as a program, and a faulty one.

#[cfg(unix)]
pub mod engine;

pub use sabi_test_support::{Folder, Outcome, fail, run, succeed};
use std::path::Path;
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

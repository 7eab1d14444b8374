//! The engine as a program, a faulty one, and programs in the background.

#[cfg(unix)]
pub mod engine;

pub use sabi_test_support::{Folder, ProgramRun, at_the_same_time, fail, run, succeed};
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

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

/// Starts a program without waiting.
pub fn begin(program: &str, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Child {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the program starts")
}

pub fn wait_for(what: &str, mut happened: impl FnMut() -> bool) {
    let start = Instant::now();
    while !happened() {
        assert!(start.elapsed() < Duration::from_secs(300), "{what} does not happen");
        sleep(Duration::from_millis(2));
    }
}

/// Kills a program that may have ended.
pub fn kill(mut child: Child) -> ExitStatus {
    child.kill().expect("a child of ours");
    child.wait().expect("a child of ours")
}

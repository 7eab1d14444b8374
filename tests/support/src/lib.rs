//! Shared by the tests of both packages: running programs, and temporary folders.

mod folder;

pub use folder::Folder;

use std::process::{Command, Stdio};

/// Result of a program.
pub struct Outcome {
    pub success: bool,
    pub stdout: String,
    pub stderr: String,
}

/// Runs a program without input.
pub fn run(program: &str, arguments: &[&str]) -> Outcome {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().expect("the program starts");
    Outcome {
        success: output.status.success(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Runs a program that must succeed, and returns its standard output.
pub fn succeed(program: &str, arguments: &[&str]) -> String {
    let outcome = run(program, arguments);
    assert!(outcome.success, "{program} {arguments:?}: {}\n{}", outcome.stderr, outcome.stdout);
    outcome.stdout
}

/// Runs a program that must fail without a panic, and returns its message.
pub fn fail(program: &str, arguments: &[&str]) -> String {
    let outcome = run(program, arguments);
    assert!(!outcome.success, "{program} {arguments:?} should fail: {}", outcome.stdout);
    assert!(outcome.stderr.contains("error: "), "{arguments:?}: {}", outcome.stderr);
    assert!(!outcome.stderr.contains("panicked"), "{}", outcome.stderr);
    outcome.stderr
}

//! Shared by the tests of both packages: running programs, temporary folders, concurrent cases.

mod folder;
mod positions;

pub use folder::Folder;
pub use positions::{position, random_games, rows};

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Result of a program.
pub struct ProgramRun {
    pub success: bool,
    pub stdout: String,
    pub stderr: String,
}

/// Runs a program without input.
pub fn run(program: &str, arguments: &[&str]) -> ProgramRun {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().expect("the program starts");
    ProgramRun {
        success: output.status.success(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Runs a program without input. One that runs longer than `limit` is killed, and the test fails.
#[track_caller]
pub fn run_within(program: &str, arguments: &[&str], limit: Duration) -> ProgramRun {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let stdout = read_all(child.stdout.take().expect("piped"));
    let stderr = read_all(child.stderr.take().expect("piped"));
    let Some(status) = wait(&mut child, limit) else {
        panic!("{program} {arguments:?} still runs after {limit:?}");
    };
    ProgramRun {
        success: status.success(),
        stdout: stdout.join().expect("the reader"),
        stderr: stderr.join().expect("the reader"),
    }
}

fn read_all(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut text = String::new();
        pipe.read_to_string(&mut text).expect("UTF-8");
        text
    })
}

/// Waits for a process. One that runs longer than `limit` is killed, and the test fails.
#[track_caller]
pub fn exit_status(child: &mut Child, limit: Duration) -> ExitStatus {
    let Some(status) = wait(child, limit) else { panic!("the program still runs after {limit:?}") };
    status
}

/// The status of a process, or `None` after it was killed at `limit`.
fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait().expect("a child of ours") {
            return Some(status);
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            return None;
        }
        thread::sleep(Duration::from_millis(5));
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

/// Tests all cases in threads of their own.
pub fn at_the_same_time<T: Sync>(cases: &[T], test: impl Fn(&T) + Sync) {
    thread::scope(|scope| {
        for case in cases {
            scope.spawn(|| test(case));
        }
    });
}

/// Sets a flag when dropped, also during a panic, so that threads polling it stop.
pub struct SetOnDrop<'a>(pub &'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

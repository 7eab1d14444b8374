//! Subcommands: the engine at a shell, where stderr and the exit status are read.

use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

struct Outcome {
    success: bool,
    stdout: String,
    stderr: String,
}

/// Runs to the end, with no input, and never for ever.
fn sabi(arguments: &[&str], limit: Duration) -> Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sabi"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the engine starts");
    let mut stdout = child.stdout.take().expect("piped");
    let mut stderr = child.stderr.take().expect("piped");
    let text = |pipe: &mut dyn Read| {
        let mut text = String::new();
        pipe.read_to_string(&mut text).expect("UTF-8");
        text
    };
    let stdout = thread::spawn(move || text(&mut stdout));
    let stderr = thread::spawn(move || text(&mut stderr));
    let deadline = Instant::now() + limit;
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child of ours") {
            break status;
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            panic!("sabi {arguments:?} still runs after {limit:?}");
        }
        thread::sleep(Duration::from_millis(5));
    };
    Outcome {
        success: status.success(),
        stdout: stdout.join().expect("reader"),
        stderr: stderr.join().expect("reader"),
    }
}

fn succeeds(arguments: &[&str]) -> String {
    let outcome = sabi(arguments, Duration::from_secs(60));
    assert!(outcome.success, "sabi {arguments:?}: {}", outcome.stderr);
    assert!(!outcome.stdout.trim().is_empty(), "sabi {arguments:?} said nothing");
    outcome.stdout
}

const BUSY_SFEN: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

#[test]
fn perft_counts_leaves() {
    for (arguments, nodes) in [
        (&["perft", "--depth", "1"][..], "30"),
        (&["perft", "--depth", "3"], "25470"),
        (&["perft", "--depth", "1", "--sfen", BUSY_SFEN], "207"),
        (&["perft", "--sfen", BUSY_SFEN, "--depth", "1"], "207"),
    ] {
        let text = succeeds(arguments);
        let total = text.lines().find_map(|line| line.strip_prefix("Nodes searched: "));
        assert_eq!(total.map(str::trim), Some(nodes), "{text}");
    }
}

#[test]
fn eval_explains_a_position() {
    let first = succeeds(&["eval"]);
    assert_eq!(succeeds(&["eval"]), first, "the same position, another value");
    assert_ne!(succeeds(&["eval", "--sfen", BUSY_SFEN]), first);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "minutes without optimisation")]
fn bench_is_the_same_every_time() {
    let nodes = || {
        let text = succeeds(&["bench"]);
        let line = text.lines().find(|line| line.to_lowercase().starts_with("nodes") && !line.contains("/s"));
        line.unwrap_or_else(|| panic!("no node count in:\n{text}")).to_owned()
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn wrong_arguments_are_explained_and_fail() {
    for arguments in [
        &["nonsense"][..],
        &["--nonsense"],
        &["perft", "--depth"],
        &["perft", "--depth", "abc"],
        &["perft", "--depth", "-1"],
        &["perft", "--depth", "1", "--nonsense"],
        &["perft", "--depth", "1", "--sfen"],
        &["perft", "--depth", "1", "--sfen", "nonsense"],
        &["perft", "--depth", "1", "--sfen", ""],
        &["eval", "--sfen", "9/9 b - 1"],
        &["eval", "--sfen", "玉"],
        &["eval", "extra", "words"],
        &["bench", "--nonsense"],
    ] {
        let outcome = sabi(arguments, Duration::from_secs(20));
        assert!(!outcome.success, "sabi {arguments:?} succeeded: {}", outcome.stdout);
        assert!(!outcome.stderr.trim().is_empty(), "sabi {arguments:?} failed without a word");
        assert!(!outcome.stderr.contains("panicked"), "sabi {arguments:?}: {}", outcome.stderr);
    }
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_refused() {
    use std::os::unix::ffi::OsStrExt;
    let raw = std::ffi::OsStr::from_bytes(b"\xff\xfe");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sabi"));
    let output = command.arg(raw).stdin(Stdio::null()).output().expect("the engine starts");
    assert!(!output.status.success());
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
}

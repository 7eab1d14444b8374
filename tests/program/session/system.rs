//! The environment: special files, resource limits, a client that does not read.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::client::{Client, ms};
use super::rules::Board;

/// A named pipe without a writer: opening it would block.
fn pipe(folder: &TempDir, name: &str) -> PathBuf {
    let path = folder.path().join(name);
    assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
    path
}

#[test]
fn named_pipe_is_rejected() {
    let folder = TempDir::new().expect("a folder");
    let path = pipe(&folder, "pipe");
    pipe(&folder, "eval_options.txt");
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/nets/kp.bin"), folder.path().join("nn.bin")).expect("a network");
    let mut engine = Client::ready();
    engine.assert_rejected(&format!("setoption name DebugLogFile value {}", path.display()));
    for option in ["BookFile", "EvalFile"] {
        engine.send(&format!("setoption name {option} value {}", path.display()));
        engine.go(&Board::startpos(), "depth 1");
        engine.set(option, "");
    }
    engine.set("EvalFile", "");
    engine.set("EvalDir", folder.path().to_str().expect("UTF-8"));
    engine.sync();
    engine.go(&Board::startpos(), "depth 1");
}

/// Log errors never affect the game.
#[test]
fn file_size_limit_closes_the_log() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("io.log");
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -f 8; exec \"$0\"", env!("CARGO_BIN_EXE_sabi")]);
    let mut engine = Client::spawn_command(&mut command).with_small_tables();
    engine.set("DebugLogFile", path.to_str().expect("UTF-8"));
    let mut reported = Vec::new();
    for _ in 0..40 {
        reported.extend(engine.replies("usi"));
    }
    assert!(reported.iter().any(|line| line.contains("the log is closed")), "the log has {:?}", fs::metadata(&path));
    engine.go(&Board::startpos(), "depth 1");
}

/// An engine whose client sends but does not read.
fn unread(input: &[u8]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sabi"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the engine starts");
    child.stdin.as_mut().expect("piped").write_all(input).expect("it reads");
    // Until the pipe is full.
    thread::sleep(ms(300));
    child
}

fn assert_ends(mut child: Child, limit: Duration) {
    let start = Instant::now();
    while child.try_wait().expect("a child of ours").is_none() {
        if start.elapsed() > limit {
            child.kill().expect("a child of ours");
            panic!("still running after {limit:?}");
        }
        thread::sleep(ms(5));
    }
}

#[test]
fn quit_and_end_of_input_with_blocked_output() {
    let flood = [b"usi\n".repeat(100), b"isready\nposition startpos\ngo infinite\n".to_vec()].concat();
    let mut child = unread(&flood);
    child.stdin.as_mut().expect("piped").write_all(b"quit\n").expect("it reads");
    assert_ends(child, ms(3000));
    let mut child = unread(&flood);
    drop(child.stdin.take());
    assert_ends(child, ms(3000));
    // Input is still read.
    let mut child = unread(&b"usi\n".repeat(3000));
    drop(child.stdin.take());
    assert_ends(child, ms(3000));
}

/// A client that reads slowly gets all answers to what it wrote before `quit`.
#[test]
fn quit_waits_for_a_slow_reader() {
    let mut child = unread(&[b"usi\n".repeat(1000), b"quit\n".to_vec()].concat());
    let mut answers = 0;
    for line in BufReader::new(child.stdout.take().expect("piped")).lines() {
        if line.expect("text") == "usiok" {
            answers += 1;
            thread::sleep(ms(2));
        }
    }
    assert_ends(child, ms(3000));
    assert_eq!(answers, 1000);
}

/// Memory in kB, by the system.
#[cfg(target_os = "linux")]
pub fn resident(engine: &Client) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", engine.id())).expect("/proc");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a line");
    line.trim().trim_end_matches("kB").trim().parse().expect("a number")
}

#[cfg(target_os = "linux")]
#[test]
fn thread_memory_is_released() {
    let mut engine = Client::ready();
    engine.set("USI_Hash", "1");
    engine.sync();
    engine.go(&Board::startpos(), "nodes 2000");
    let before = resident(&engine);
    engine.set("Threads", "32");
    engine.sync();
    engine.go(&Board::startpos(), "nodes 20000");
    let most = resident(&engine);
    engine.set("Threads", "1");
    engine.sync();
    let after = resident(&engine);
    assert!(most > before + 50_000, "{before} kB, {most} kB with 32 threads");
    assert!(after < before + 16_000, "{before} kB, {most} kB with 32 threads, {after} kB afterwards");
}

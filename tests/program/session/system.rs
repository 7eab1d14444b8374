//! The environment: special files, resource limits, a client that does not read.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Instant;

use sabi_test_support::exit_status;
use tempfile::TempDir;

use super::client::{Client, TIMEOUT, ms};
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

/// A smaller table replaces a larger one where both do not fit, and a level that does not fit takes
/// nothing from the other resources.
#[test]
fn memory_limit_keeps_what_fits() {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 900000; exec \"$0\"", env!("CARGO_BIN_EXE_sabi")]);
    // Threads that allocate at the same time make the allocator reserve more address space.
    command.env("MALLOC_ARENA_MAX", "1");
    let mut engine = Client::spawn_command(&mut command).with_small_tables();
    for megabytes in ["400", "380"] {
        engine.set("USI_Hash", megabytes);
        assert_eq!(engine.reported(), [""; 0], "{megabytes} MB");
    }
    engine.set("HashLevel2", "2");
    engine.set("Threads", "2");
    let reported = engine.reported();
    let of_second_level = |line: &str| line.contains("second level") && line.ends_with("kept at 0");
    assert!(matches!(&reported[..], [line] if of_second_level(line)), "{reported:?}");
}

/// An engine whose client sends but does not read.
fn unread(input: &[u8]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sabi"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the engine starts");
    let (mut stdin, input) = (child.stdin.take().expect("piped"), input.to_vec());
    let writer = thread::spawn(move || stdin.write_all(&input).map(|()| stdin));
    // Until the pipe is full.
    thread::sleep(ms(300));
    let start = Instant::now();
    while !writer.is_finished() {
        assert!(start.elapsed() < TIMEOUT, "it reads");
        thread::sleep(ms(1));
    }
    child.stdin = Some(writer.join().expect("a thread of ours").expect("it reads"));
    child
}

#[test]
fn quit_and_end_of_input_with_blocked_output() {
    let flood = [b"usi\n".repeat(100), b"isready\nposition startpos\ngo infinite\n".to_vec()].concat();
    let mut child = unread(&flood);
    child.stdin.as_mut().expect("piped").write_all(b"quit\n").expect("it reads");
    exit_status(&mut child, ms(3000));
    let mut child = unread(&flood);
    drop(child.stdin.take());
    exit_status(&mut child, ms(3000));
    // Input is still read, although many commands wait.
    for end in [&b""[..], b"quit\n"] {
        let mut child = unread(&[&b"usi\n".repeat(200_000), end].concat());
        if end.is_empty() {
            drop(child.stdin.take());
        }
        exit_status(&mut child, ms(3000));
    }
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
    exit_status(&mut child, ms(3000));
    assert_eq!(answers, 1000);
}

/// Memory in kB, by the system.
#[cfg(target_os = "linux")]
pub fn resident(engine: &Client) -> u64 {
    status(engine, "VmRSS:")
}

#[cfg(target_os = "linux")]
fn status(engine: &Client, field: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", engine.id())).expect("/proc");
    let line = status.lines().find_map(|line| line.strip_prefix(field)).expect("a line");
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

/// Mate tables are touched only as they fill; until then the system counts them as available.
#[cfg(target_os = "linux")]
#[test]
fn new_tables_do_not_count_on_the_memory_of_the_mate_table() {
    let mut engine = Client::ready_with(&[("MateHash", "600")]);
    engine.sync();
    let before = status(&engine, "VmSize:");
    engine.send("position sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    engine.send("go mate 5000");
    engine.wait_for("checkmate ", ms(10_000));
    let with_mates = status(&engine, "VmSize:");
    engine.set("USI_Hash", "2");
    engine.sync();
    let after = status(&engine, "VmSize:");
    assert!(with_mates > before + 550_000, "{before} kB, {with_mates} kB with the mate table");
    assert!(after < before + 200_000, "{before} kB, {with_mates} kB with the mate table, {after} kB afterwards");
}

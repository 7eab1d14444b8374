//! End of input or `quit`: what was asked is answered, and the engine exits at once with status 0.

use super::client::{Client, TIMEOUT, ms};
use super::positions::{BUSY, KINGLESS_MAZE};
use super::rules::Board;
use std::hint::spin_loop;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
#[cfg(target_os = "linux")]
use std::time::Instant;

/// What the engine is doing at the end.
const WORK: [(&str, &str); 6] = [
    (BUSY, "go infinite"),
    (BUSY, "go ponder btime 60000 wtime 60000 byoyomi 0"),
    (BUSY, "go btime 600000 wtime 600000 byoyomi 60000"),
    (BUSY, "go ponder depth 1"),
    (KINGLESS_MAZE, "go mate infinite"),
    (BUSY, "go perft 8"),
];

#[test]
fn p13_end_of_input_when_idle() {
    Client::spawn().close_input();
    let mut engine = Client::spawn();
    engine.handshake();
    engine.close_input();
    Client::ready().close_input();
}

#[test]
fn p13_end_during_search() {
    for (root, work) in WORK {
        for end in [Client::close_input, Client::quit_during_search] {
            let mut engine = Client::ready();
            engine.send(&format!("position {root}"));
            engine.send_unanswered(work, ms(60));
            let lines = end(engine);
            let is_answer = |text: &str| text == "info string perft was stopped";
            let answered = lines.iter().filter(|line| line.is_answer() || is_answer(&line.text)).count();
            assert_eq!(answered, 1, "{work}: {lines:?}");
        }
    }
}

/// The memory of a large table is touched page by page.
#[cfg(target_os = "linux")]
#[test]
fn quit_while_a_large_table_is_made() {
    for command in ["isready", "position startpos\ngo infinite"] {
        let mut engine = Client::spawn();
        engine.handshake();
        engine.send(&format!("setoption name USI_Hash value 4096\n{command}"));
        // Without the memory for it there is a smaller table.
        let start = Instant::now();
        while super::system::resident(&engine) < 200_000 && start.elapsed() < TIMEOUT {
            thread::sleep(ms(1));
        }
        let lines = engine.quit_during_search();
        let answer = if command == "isready" { "readyok" } else { "bestmove " };
        assert!(lines.iter().any(|line| line.text.starts_with(answer)), "{lines:?}");
    }
}

/// Runs the engine with all of its input at once; its output.
fn piped(input: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sabi"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the engine starts");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", output.status);
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// As a shell does: with the default hash, on a loaded machine.
#[test]
fn piped_commands_are_all_answered() {
    const RUNS: usize = 8;
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    spin_loop();
                }
            });
        }
        let root = "startpos moves 9g9f 1a1b";
        let result = thread::Builder::new().spawn_scoped(scope, || {
            for (search, answer) in [
                ("isready\nposition ROOT\ngo nodes 2000\nquit\n", "bestmove "),
                ("isready\nposition ROOT\ngo btime 60000 wtime 60000 byoyomi 0\n", "bestmove "),
                ("isready\nusinewgame\nposition ROOT\ngo infinite\nquit", "bestmove "),
                ("isready\nposition ROOT\ngo ponder depth 1", "bestmove "),
                ("isready\nposition ROOT\ngo mate infinite\nquit\nusi\n", "checkmate "),
                ("position ROOT\ngo nodes 2000\nisready\neval\nquit\n", "bestmove "),
            ] {
                for _ in 0..RUNS {
                    let output = piped(&format!("usi\n{}", search.replace("ROOT", root)));
                    let count = |word: &str| output.lines().filter(|line| line.starts_with(word)).count();
                    assert_eq!([count("usiok"), count("readyok"), count(answer)], [1; 3], "{search}: {output}");
                    let best = output.lines().find_map(|line| line.strip_prefix("bestmove ")?.split(' ').next());
                    assert!(best.is_none_or(|best| Board::at(root).is_legal(best)), "{search}: {output}");
                    assert!(!search.contains("eval") || output.contains("info string What each piece"), "{output}");
                }
            }
        });
        let result = result.expect("a thread").join();
        stop.store(true, Ordering::Relaxed);
        assert!(result.is_ok(), "see above");
    });
}

#[test]
fn quit_as_first_command() {
    drop(Client::spawn());
    let mut engine = Client::spawn();
    engine.send_bytes(b"usi\nsetoption name USI_Hash value 1\nisready\nposition startpos\ngo infinite\nquit\n");
    engine.wait_for("readyok", TIMEOUT);
    engine.close_input();
}

/// ShogiHome starts an engine only to press a button option.
#[test]
fn button_option_then_quit() {
    let mut engine = Client::spawn();
    engine.send_bytes(b"usi\nsetoption name No_Such_Button\nquit\n");
    engine.wait_for("usiok", TIMEOUT);
    engine.close_input();
}

#[test]
fn last_line_without_line_end() {
    let mut engine = Client::ready();
    engine.send_bytes(b"quit");
    engine.close_input();
}

#[test]
fn input_after_quit_is_ignored() {
    let mut engine = Client::ready();
    engine.send_bytes(b"quit\ngo infinite\nfoo\n");
    engine.close_input();
}

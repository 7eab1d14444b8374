//! End of input or `quit`: the engine exits at once with status 0.

use super::client::{Client, TIMEOUT, ms};
use super::positions::{BUSY, KINGLESS_MAZE};
#[cfg(target_os = "linux")]
use std::{thread, time::Instant};

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
            end(engine);
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
        engine.quit_during_search();
    }
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

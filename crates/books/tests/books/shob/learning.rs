//! Games noted beside a book.

use sabi_books::learning::{LearningFile, append_game, learning_file_of};
use sabi_records::{Game, GameResult};
use sabi_shogi::Position;
use std::env;
use std::fs;
use std::io::{self, BufRead};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

const PATH: &str = "SABI_TEST_NOTE_GAMES_FOR";

fn game() -> Game {
    let position = Position::startpos().with_moves(["7g7f", "3c3d", "2g2f"]).unwrap();
    Game { result: GameResult::Draw, ..Game::before(&position) }
}

/// Numbers of valid and of invalid lines in a list.
fn count(noted: &LearningFile) -> (usize, usize) {
    let (games, bad): (Vec<_>, Vec<_>) = noted.games().unwrap().partition(Result::is_ok);
    let whole = |read: &Result<Game, _>| read.as_ref().is_ok_and(|read| read.list_line() == game().list_line());
    assert!(games.iter().all(whole));
    (games.len(), bad.len())
}

#[test]
fn list_is_beside_the_book() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("定跡 1.shob");
    append_game(&book, &game()).unwrap();
    assert_eq!(learning_file_of(&book).file_name().unwrap().to_str(), Some("定跡 1.shob.learn"));
    let text = fs::read_to_string(learning_file_of(&book)).unwrap();
    assert_eq!(text, "draw\t-\t-\t-\tunknown\tstartpos moves 7g7f 3c3d 2g2f\n");
    assert!(append_game(&folder.path().join("none/book"), &game()).is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn link_shares_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let (book, link) = (folder.path().join("book.shob"), folder.path().join("link.shob"));
    fs::write(&book, "").unwrap();
    std::os::unix::fs::symlink(&book, &link).unwrap();
    assert_eq!(learning_file_of(&link), learning_file_of(&book));
}

#[test]
fn take_during_append() {
    const WRITERS: usize = 4;
    const GAMES: usize = 50;
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.shob");
    let (left, taken) = (AtomicUsize::new(WRITERS), AtomicUsize::new(0));
    let write = || {
        (0..GAMES).for_each(|_| append_game(&book, &game()).unwrap());
        left.fetch_sub(1, Ordering::Release);
    };
    let take = || loop {
        let done = left.load(Ordering::Acquire) == 0;
        match LearningFile::take(&book) {
            Ok(Some(noted)) => {
                let (games, bad) = count(&noted);
                assert_eq!(bad, 0);
                taken.fetch_add(games, Ordering::Relaxed);
                noted.remove().unwrap();
            }
            Ok(None) if done => break,
            Ok(None) => thread::yield_now(),
            Err(error) => assert_eq!(error.kind(), io::ErrorKind::ResourceBusy),
        }
    };
    thread::scope(|scope| {
        (0..WRITERS).for_each(|_| drop(scope.spawn(write)));
        (0..2).for_each(|_| drop(scope.spawn(take)));
    });
    assert_eq!(taken.into_inner(), WRITERS * GAMES);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn reading_does_not_block() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.shob");
    append_game(&book, &game()).unwrap();
    let seen = LearningFile::peek(&book).unwrap();
    append_game(&book, &game()).unwrap();
    assert_eq!(seen.iter().map(count).collect::<Vec<_>>(), [(1, 0)], "as it was when it was opened");
    assert_eq!(count(&LearningFile::take(&book).unwrap().unwrap()), (2, 0));
    assert_eq!(count(&seen[0]), (1, 0));
}

#[test]
fn list_is_locked_exclusively() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.shob");
    append_game(&book, &game()).unwrap();
    let held = LearningFile::take(&book).unwrap().unwrap();
    assert_eq!(LearningFile::take(&book).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
    // Players do not wait for the lock.
    append_game(&book, &game()).unwrap();
    assert_eq!(count(&held), (1, 0));
    held.remove().unwrap();
    assert_eq!(count(&LearningFile::take(&book).unwrap().unwrap()), (1, 0));
}

/// Helper process of the next test: notes games until it is killed.
#[test]
fn writer_process() {
    let Some(book) = env::var_os(PATH) else { return };
    println!("ready");
    for number in 1.. {
        append_game(Path::new(&book), &game()).unwrap();
        println!("{number} noted");
    }
}

#[test]
fn killed_writer_loses_no_noted_game() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.shob");
    let mut reported = 0;
    for kills in 1..=10 {
        let mut writer = Command::new(env::current_exe().unwrap())
            .args(["--exact", "shob::learning::writer_process", "--nocapture"])
            .env(PATH, &book)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = io::BufReader::new(writer.stdout.take().unwrap()).lines().map_while(Result::ok);
        assert!(output.any(|line| line.contains("ready")));
        thread::sleep(Duration::from_millis(5 * kills));
        writer.kill().unwrap();
        writer.wait().unwrap();
        reported += output.filter(|line| line.ends_with("noted")).count();
    }
    let lists = LearningFile::peek(&book).unwrap();
    let (games, bad) = count(&lists[0]);
    assert!(reported > 0 && games >= reported && bad <= 10, "{reported} noted, {games} read, {bad} truncated");
}

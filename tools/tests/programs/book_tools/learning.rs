//! Adding the games noted beside a book.

use super::helpers::{Folder, ProgramRun, TOOLS, book, fails, played, save, tools, try_tools};
use crate::common::{begin, kill};
use sabi_books::{BookMove, book_key};
use sabi_shogi::Position;
use sabi_tools::book::load;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

const GAMES: &str = "black\t-\t-\t-\tunknown\tstartpos moves 7g7f 3c3d 2g2f
white\t-\t-\t-\tunknown\tstartpos moves 7g7f 8c8d
draw\t-\t-\t-\tunknown\tstartpos moves 2g2f
";

/// A folder with a book and its noted games.
fn book_with_games(games: &str) -> (Folder, String) {
    let folder = Folder::new();
    let sample = book(&[
        ("", &[played("7g7f", 100, 5000), played("9g9f", 2, 0)]),
        ("7g7f", &[played("3c3d", 10, 5000)]),
        ("7g7f 3c3d", &[played("2g2f", 4, 10_000)]),
    ]);
    let name = save(&folder, "book.shob", &sample);
    folder.with("book.shob.learn", games);
    (folder, name)
}

fn moves(folder: &Folder, name: &str, line: &str) -> Vec<BookMove> {
    let position = Position::startpos().with_moves(line.split_whitespace()).unwrap();
    load(&folder.path(name)).unwrap().book[&book_key(&position)].moves.clone()
}

fn learn(book: &str) -> ProgramRun {
    let outcome = try_tools(&["learn", book, "--output", book]);
    assert!(outcome.success, "{}", outcome.stderr);
    outcome
}

/// The book after [`GAMES`], each counted this often.
fn assert_updated(folder: &Folder, name: &str, times: u32) {
    let half = |old: u32, new: u32| (f64::from(5000 * old + new) / f64::from(old + 2 * times)).round() as u16;
    assert_eq!(
        moves(folder, name, ""),
        [played("7g7f", 100 + 2 * times, half(100, 10_000 * times)), played("9g9f", 2, 0)]
    );
    assert_eq!(moves(folder, name, "7g7f")[0].games, Some(10 + times));
    assert_eq!(moves(folder, name, "7g7f 3c3d"), [played("2g2f", 4 + times, 10_000)]);
}

#[test]
fn learns_noted_games() {
    let (folder, book) = book_with_games(GAMES);
    let outcome = learn(&book);
    assert!(outcome.stderr.contains("used 3 games"), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("moves updated       3, dropped 0"), "{}", outcome.stdout);
    assert_eq!(folder.files(), ["book.shob"]);
    assert_updated(&folder, "book.shob", 1);
    // Losses of the book are losses of the side that moved.
    assert_eq!(moves(&folder, "book.shob", "7g7f")[0].win_rate, Some(4545));
}

#[test]
fn games_count_only_once() {
    let (folder, book) = book_with_games(GAMES);
    learn(&book);
    let before = fs::read(folder.path("book.shob")).unwrap();
    fails(&try_tools(&["learn", &book, "--output", &book]), "no games: ");
    assert_eq!(fs::read(folder.path("book.shob")).unwrap(), before);
    folder.with("book.shob.learn", GAMES);
    learn(&book);
    assert_updated(&folder, "book.shob", 2);
}

#[test]
fn other_output_keeps_the_list() {
    let (folder, book) = book_with_games(GAMES);
    for _ in 0..2 {
        tools(&["learn", &book, "--output", &folder.name("other.shob")]);
        assert_updated(&folder, "other.shob", 1);
    }
    assert_eq!(folder.files(), ["book.shob", "book.shob.learn", "other.shob"]);
    assert_eq!(moves(&folder, "book.shob", "")[0], played("7g7f", 100, 5000));
    // A link to the file is the same book.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path("book.shob"), folder.path("link.shob")).unwrap();
        tools(&["learn", &book, "--output", &folder.name("link.shob")]);
        assert_updated(&folder, "book.shob", 1);
        assert_eq!(folder.files(), ["book.shob", "link.shob", "other.shob"]);
    }
}

/// The list would be removed, but only the output be replaced.
#[cfg(unix)]
#[test]
fn rejects_hard_link_as_output() {
    let (folder, book) = book_with_games(GAMES);
    let link = folder.name("link.shob");
    fs::hard_link(&book, &link).unwrap();
    fails(&try_tools(&["learn", &book, "--output", &link]), "is a hard link of");
    assert_eq!(folder.files(), ["book.shob", "book.shob.learn", "link.shob"]);
    assert_eq!(moves(&folder, "link.shob", "")[0], played("7g7f", 100, 5000));
}

#[test]
fn given_games_keep_the_list() {
    let (folder, book) = book_with_games(GAMES);
    let games = folder.with("games.usi", "black\t-\t-\t-\tresign\tstartpos moves 9g9f\n");
    tools(&["learn", &book, "--games", &games, "--output", &book]);
    assert_eq!(moves(&folder, "book.shob", "")[1].games, Some(3));
    assert_eq!(fs::read_to_string(folder.path("book.shob.learn")).unwrap(), GAMES);
}

/// Weights that are not game counts stay: 0 means that a move is not played.
#[test]
fn other_weights_stay() {
    let folder = Folder::new();
    let excluded = BookMove { weight: 0, ..played("9g9f", 40, 0) };
    let sample = book(&[("", &[BookMove { weight: 1, ..played("7g7f", 60, 5000) }, excluded])]);
    let name = save(&folder, "book.shob", &sample);
    let games = folder.with("games.usi", "black\t-\t-\t-\tresign\tstartpos moves 9g9f\n");
    tools(&["learn", &name, "--games", &games, "--output", &name]);
    let known: Vec<_> = moves(&folder, "book.shob", "").iter().map(|entry| (entry.weight, entry.games)).collect();
    assert_eq!(known, [(1, Some(60)), (0, Some(41))]);
}

/// A number of games would outweigh weights that are none.
#[test]
fn new_moves_get_the_smallest_weight() {
    let folder = Folder::new();
    let excluded = BookMove { weight: 0, ..played("9g9f", 40, 0) };
    let by_hand = [("7g7f", 3), ("2g2f", 2)].map(|(mv, weight)| BookMove::new(mv.parse().unwrap(), weight));
    let sample =
        book(&[("", &[by_hand[0].clone(), by_hand[1].clone(), excluded]), ("7g7f", &[played("3c3d", 2, 5000)])]);
    let name = save(&folder, "book.shob", &sample);
    let line = |moves: &str| format!("black\t-\t-\t-\tresign\tstartpos moves {moves}\n").repeat(5);
    let games = folder.with("games.usi", line("5g5f") + &line("7g7f 8c8d"));
    tools(&["learn", &name, "--games", &games, "--output", &name, "--add-new"]);
    let weight = |line: &str, mv: &str| {
        moves(&folder, "book.shob", line).iter().find(|entry| entry.mv.to_string() == mv).map(|entry| entry.weight)
    };
    assert_eq!(["7g7f", "2g2f", "5g5f", "9g9f"].map(|mv| weight("", mv)), [Some(3), Some(2), Some(2), Some(0)]);
    // Where weights are numbers of games, so is a new one.
    assert_eq!(["3c3d", "8c8d"].map(|mv| weight("7g7f", mv)), [Some(2), Some(5)]);
}

/// Weights of 1 are no game counts, also where one of them equals the number of games by now.
#[test]
fn weights_grow_together() {
    let folder = Folder::new();
    let [one, other] = ["7g7f", "2g2f"].map(|mv| BookMove::new(mv.parse().unwrap(), 1));
    let excluded = BookMove { win_rate: None, ..played("9c9d", 0, 0) };
    let sample = book(&[("", &[one, other]), ("7g7f", &[played("3c3d", 2, 5000), excluded])]);
    let name = save(&folder, "book.shob", &sample);
    let line = |moves: &str| format!("black\t-\t-\t-\tresign\tstartpos moves {moves}\n");
    let games = folder.with("games.usi", line("7g7f 9c9d") + &line("2g2f") + &line("2g2f"));
    for times in 1..=2 {
        tools(&["learn", &name, "--games", &games, "--output", &name]);
        let known = |line: &str| moves(&folder, "book.shob", line).into_iter().map(|entry| (entry.weight, entry.games));
        assert_eq!(known("").collect::<Vec<_>>(), [(1, Some(2 * times)), (1, Some(times))]);
        assert_eq!(known("7g7f").collect::<Vec<_>>(), [(2, Some(2)), (0, Some(times))]);
    }
}

/// An unknown number of games counts as one.
#[test]
fn known_win_rate_is_kept() {
    let folder = Folder::new();
    let sample = book(&[("", &[BookMove { games: None, ..played("7g7f", 9, 4000) }])]);
    let name = save(&folder, "book.shob", &sample);
    let games = folder.with("games.usi", "black\t-\t-\t-\tresign\tstartpos moves 7g7f\n".repeat(2));
    tools(&["learn", &name, "--games", &games, "--output", &name]);
    // (4000 + 2 * 10000) / 3.
    let known = BookMove { weight: 9, ..played("7g7f", 2, 8000) };
    assert_eq!(moves(&folder, "book.shob", ""), [known]);
}

#[test]
fn games_without_result_are_left_out() {
    let (folder, book) = book_with_games("");
    let undecided = "unknown\t-\t-\t-\taborted\tstartpos moves 7g7f\n".repeat(99);
    let games = folder.with("games.usi", format!("{undecided}white\t-\t-\t-\tresign\tstartpos moves 7g7f\n"));
    let outcome = try_tools(&["learn", &book, "--games", &games, "--output", &book]);
    assert!(outcome.stderr.contains("left out: 99 by rating or without a result"), "{}", outcome.stderr);
    // 5000 * 100 / 101.
    assert_eq!(moves(&folder, "book.shob", "")[0], played("7g7f", 101, 4950));
}

#[test]
fn truncated_line_is_skipped() {
    // A line without a line end may be truncated.
    for (cut, fault) in [
        ("black\t-\t-\t-\tunknown\tstartpos moves 9g9f", "'<cut>' is not a move"),
        ("black\t-\t-\t-\tunknown\tstartpos moves 9g", "'9g' is not a move"),
        ("black\t-\t-\t-\tunknown\tstartpos", "'<cut>' is not a move"),
        ("bla", "'bla' is not a statement of this format"),
        ("\0\0\0", "is not a statement of this format"),
    ] {
        let (folder, book) = book_with_games(&(GAMES.to_owned() + cut));
        let outcome = learn(&book);
        assert!(outcome.stderr.contains("1 games could not be read"), "{}", outcome.stderr);
        assert!(outcome.stderr.contains("book.shob.learn.taken:4: "), "{}", outcome.stderr);
        assert!(outcome.stderr.contains(fault), "{}", outcome.stderr);
        assert_updated(&folder, "book.shob", 1);
        assert_eq!(folder.files(), ["book.shob"]);
    }
    let (folder, book) = book_with_games(&format!("\u{fffd}\n{}\n{GAMES}", "x".repeat(3 << 20)));
    assert!(learn(&book).stderr.contains("2 games could not be read"));
    assert_updated(&folder, "book.shob", 1);
}

#[test]
fn resumes_unfinished_learning() {
    let (folder, book) = book_with_games(GAMES);
    folder.with("book.shob.learn.taken", GAMES);
    tools(&["learn", &book, "--output", &folder.name("other.shob")]);
    assert_updated(&folder, "other.shob", 2);
    learn(&book);
    assert_updated(&folder, "book.shob", 2);
    assert_eq!(folder.files(), ["book.shob", "other.shob"]);
    folder.with("book.shob.learn.taken", GAMES);
    learn(&book);
    assert_updated(&folder, "book.shob", 3);
    assert_eq!(folder.files(), ["book.shob", "other.shob"]);
}

#[test]
fn failed_run_loses_nothing() {
    let (folder, book) = book_with_games(GAMES);
    let whole = fs::read(folder.path("book.shob")).unwrap();
    folder.with("book.shob", &whole[..whole.len() - 1]);
    assert!(!try_tools(&["learn", &book, "--output", &book]).success);
    assert_eq!(fs::read_to_string(folder.path("book.shob.learn.taken")).unwrap(), GAMES);
    folder.with("book.shob", whole);
    folder.with("book.shob.learn", GAMES);
    learn(&book);
    assert_updated(&folder, "book.shob", 2);
    assert_eq!(folder.files(), ["book.shob"]);
}

#[test]
fn late_moves_count_by_default() {
    let folder = Folder::new();
    let shuffle = "2h3h 8b7b 3h2h 7b8b ".repeat(15);
    let sample = book(&[(&shuffle, &[played("7g7f", 1, 0)])]);
    let name = save(&folder, "book.shob", &sample);
    folder.with("book.shob.learn", format!("black\t-\t-\t-\tunknown\tstartpos moves {shuffle}7g7f\n"));
    let games = |output: &str| {
        let entry = load(output.as_ref()).unwrap().book.into_values().next().unwrap();
        entry.moves[0].games
    };
    let other = folder.name("other.shob");
    tools(&["learn", &name, "--output", &other, "--max-ply", "60"]);
    assert_eq!(games(&other), Some(1));
    learn(&name);
    assert_eq!(games(&name), Some(2));
}

#[test]
fn learns_rotated_positions() {
    // White plays what the book has for Black.
    let folder = Folder::new();
    let sample = book(&[("7g7f", &[played("3c3d", 4, 5000)])]);
    let name = save(&folder, "book.shob", &sample);
    let turned = Position::startpos().with_moves(["7g7f"]).unwrap().rotated();
    folder.with("book.shob.learn", format!("black\t-\t-\t-\tunknown\tsfen {} moves 7g7f\n", turned.sfen()));
    learn(&name);
    assert_eq!(moves(&folder, "book.shob", "7g7f"), [played("3c3d", 5, 6000)]);
}

#[test]
fn rejects_rating_filter() {
    let (folder, book) = book_with_games(GAMES);
    fails(&try_tools(&["learn", &book, "--output", &book, "--rated-only"]), "--rated-only needs --games");
    assert_eq!(folder.files(), ["book.shob", "book.shob.learn"]);
}

/// Killed at times spread over a run, also between writing the book and removing the list.
#[test]
fn killed_run_counts_each_game_once() {
    const KILLS: u32 = 60;
    let mut begun = 0;
    // Long enough for a kill to hit.
    let games = GAMES.repeat(200);
    let run = |book: &str| begin(TOOLS, ["learn", book, "--output", book]);
    let (_folder, book) = book_with_games(&games);
    let start = Instant::now();
    assert!(run(&book).wait().unwrap().success());
    let whole = start.elapsed();
    for number in 0..KILLS {
        let (folder, book) = book_with_games(&games);
        let child = run(&book);
        thread::sleep(whole / 3 + whole * number / KILLS);
        kill(child);
        begun += u32::from(!folder.path("book.shob.learn").exists());
        let outcome = try_tools(&["learn", &book, "--output", &book]);
        assert!(outcome.success || outcome.stderr.contains("no games: "), "{}", outcome.stderr);
        assert_updated(&folder, "book.shob", 200);
        assert_eq!(folder.files(), ["book.shob"], "nothing is left behind");
    }
    assert!(begun > KILLS / 10, "{begun} of {KILLS} runs were killed after they took the list");
    assert!(whole < Duration::from_secs(20));
}

/// The comment that names a book.
fn mark(book: &[u8]) -> String {
    format!("# learnt by the book of {} bytes, CRC-32 {:08x}\n", book.len(), sabi_files::crc32(book))
}

/// State between writing the book and removing the list.
#[test]
fn learnt_list_is_only_removed() {
    let (folder, book) = book_with_games(GAMES);
    let old = fs::read(&book).unwrap();
    learn(&book);
    let new = fs::read(&book).unwrap();
    let mark = mark(&new);
    let taken = folder.with("book.shob.learn.taken", format!("{GAMES}{mark}"));
    fails(&try_tools(&["learn", &book, "--output", &book]), "no games: ");
    assert_eq!(fs::read(&book).unwrap(), new);
    assert_eq!(folder.files(), ["book.shob"]);
    // Until the new book is written the list is valid, and games noted meanwhile count in any case.
    fs::write(&taken, format!("{GAMES}{mark}")).unwrap();
    fs::write(&book, &old).unwrap();
    learn(&book);
    assert_eq!(fs::read(&book).unwrap(), new);
    fs::write(&taken, format!("{GAMES}{mark}")).unwrap();
    folder.with("book.shob.learn", GAMES);
    learn(&book);
    assert_updated(&folder, "book.shob", 2);
    assert_eq!(folder.files(), ["book.shob"]);
}

/// The same state, and the book is changed before the next run.
#[test]
fn learnt_list_is_removed_before_a_change() {
    for edit in ["trim", "learn", "export"] {
        let (folder, book) = book_with_games(GAMES);
        learn(&book);
        let games = folder.with("games.usi", "black\t-\t-\t-\tresign\tstartpos moves 9g9f\n");
        let input = folder.with("input.shob", fs::read(&book).unwrap());
        folder.with("book.shob.learn.taken", format!("{GAMES}{}", mark(&fs::read(&book).unwrap())));
        match edit {
            "trim" => tools(&["trim", &book, "--output", &book, "--min-games", "3"]),
            "learn" => tools(&["learn", &book, "--output", &book, "--games", &games]),
            _ => tools(&["export", &input, "--output", &book, "--compress", "none"]),
        };
        assert!(!folder.path("book.shob.learn.taken").exists(), "{edit}");
        let outcome = try_tools(&["learn", &book, "--output", &book]);
        assert!(!outcome.success && outcome.stderr.contains("no games: "), "{edit}: {}", outcome.stderr);
        assert_eq!(moves(&folder, "book.shob", "")[0].games, Some(102), "{edit}");
    }
}

/// A list that was taken and not learnt stays when the book is changed.
#[test]
fn unfinished_list_stays_after_a_change() {
    let (folder, book) = book_with_games(GAMES);
    let taken = folder.with("book.shob.learn.taken", format!("{GAMES}{}", mark(b"another book")));
    tools(&["trim", &book, "--output", &book, "--min-games", "1"]);
    assert!(fs::read_to_string(&taken).unwrap().starts_with(GAMES));
    learn(&book);
    assert_updated(&folder, "book.shob", 2);
    assert_eq!(folder.files(), ["book.shob"]);
}

/// It would forget the results, and the list would be removed.
#[test]
fn rejects_output_without_results() {
    let (folder, book) = book_with_games(GAMES);
    let games = folder.with("games.usi", GAMES);
    let given = ["--games", games.as_str()];
    for name in ["book.db", "book.ybb"] {
        let output = folder.name(name);
        tools(&["export", &book, "--output", &output]);
        let list = folder.with(&format!("{name}.learn"), GAMES);
        let before = fs::read(&output).unwrap();
        for more in [&given[..0], &given[..]] {
            let reason = format!("{name}' cannot hold results of games; name a .shob or .json as --output");
            fails(&try_tools(&[&["learn", &output, "--output", &output], more].concat()), &reason);
        }
        assert_eq!(fs::read(&output).unwrap(), before);
        assert_eq!(fs::read_to_string(&list).unwrap(), GAMES);
        tools(&["learn", &output, "--output", &folder.name("other.json")]);
        assert_eq!(moves(&folder, "other.json", "")[0].games, Some(2), "{name}");
    }
    // Counts of games are written as weights.
    tools(&["learn", &book, "--output", &folder.name("counted.db")]);
    assert_eq!(moves(&folder, "counted.db", "")[0].weight, 102);
}

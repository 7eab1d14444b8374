//! `book_builder`.

use super::helpers::{Folder, book, builder, fixture, played, searched, tools, try_builder};
use sabi_books::{BookMap, BookMove, book_key};
use sabi_records::{Game, read_bytes};
use sabi_shogi::{Position, STARTPOS_SFEN, Score};
use sabi_tools::book::{GameFilter, MergeStrategy, OpeningStatistics, load, merge};
use std::fs;

fn start_moves(book: &BookMap) -> &[BookMove] {
    &book[&book_key(&Position::startpos())].moves
}

const FILTER: GameFilter = GameFilter { max_ply: 40, min_rating: None, rated_only: false, decided_only: false };

fn games(text: &str) -> Vec<Game> {
    read_bytes("games.usi", text.as_bytes().to_vec()).map(|game| game.expect("a game")).collect()
}

fn statistics(games: &[Game], filter: GameFilter) -> OpeningStatistics {
    let mut statistics = OpeningStatistics::new(filter);
    games.iter().for_each(|game| statistics.add(game));
    statistics
}

#[test]
fn results_by_side_to_move() {
    let lines = "black\t-\t-\t-\tresign\tstartpos moves 7g7f 3c3d 2g2f\n\
                 white\t-\t-\t-\tresign\tstartpos moves 7g7f 8c8d\n\
                 draw\t-\t-\t-\tsennichite\tstartpos moves 7g7f 3c3d\n\
                 unknown\t-\t-\t-\tunknown\tstartpos moves 7g7f 3c3d\n\
                 unknown\t-\t-\t-\tunknown\tstartpos moves 2g2f\n";
    let counted = statistics(&games(lines), FILTER);
    assert_eq!((counted.counts.used, counted.counts.unknown_result), (5, 2));
    let book = counted.into_book(1);
    let unknown = BookMove { games: Some(1), ..BookMove::new("2g2f".parse().unwrap(), 1) };
    assert_eq!(start_moves(&book), [played("7g7f", 4, 5000), unknown]);
    let second = Position::startpos().with_moves(["7g7f"]).unwrap();
    assert_eq!(book[&book_key(&second)].moves, [played("3c3d", 3, 2500), played("8c8d", 1, 10_000)]);
    assert_eq!(book[&book_key(&second)].position.ply(), 2);
    let rare = statistics(&games(lines), FILTER).into_book(3);
    assert_eq!(rare.values().map(|entry| entry.moves.len()).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(statistics(&games(lines), GameFilter { max_ply: 1, ..FILTER }).into_book(1).len(), 1);
}

#[test]
fn rating_filter() {
    let lines = "black\t2500\t2400\t-\tresign\tstartpos moves 7g7f\n\
                 black\t2500\t1900\t-\tresign\tstartpos moves 2g2f\n\
                 black\t-\t-\t-\tresign\tstartpos moves 5g5f\n\
                 black\t2500\t-\t-\tresign\tstartpos moves 9g9f\n";
    let names = |filter| {
        let book = statistics(&games(lines), filter).into_book(1);
        let mut names: Vec<String> = start_moves(&book).iter().map(|entry| entry.mv.to_string()).collect();
        names.sort();
        names
    };
    assert_eq!(names(GameFilter { min_rating: Some(2000.0), ..FILTER }), ["5g5f", "7g7f", "9g9f"]);
    assert_eq!(names(GameFilter { min_rating: Some(2000.0), rated_only: true, ..FILTER }), ["7g7f"]);
    assert_eq!(names(GameFilter { rated_only: true, ..FILTER }), ["2g2f", "7g7f"]);
}

#[test]
fn repeated_move_counts_once() {
    let cycle = "5i5h 5a5b 5h5i 5b5a ".repeat(2);
    let lines = format!("draw\t-\t-\t-\tsennichite\tstartpos moves {cycle}\n");
    let book = statistics(&games(&lines), FILTER).into_book(1);
    assert_eq!(start_moves(&book), [played("5i5h", 1, 5000)]);
}

#[test]
fn builds_from_all_formats() {
    let folder = Folder::new();
    let (output, again) = (folder.name("book.shob"), folder.name("again.shob"));
    let records = fixture("records");
    let reported = builder(&["--games", &records, "--output", &output, "--min-games", "1"]);
    assert!(reported.contains("book.shob: "), "{reported}");
    builder(&["--games", &records, "--output", &again, "--min-games", "1"]);
    assert_eq!(fs::read(&output).unwrap(), fs::read(&again).unwrap());
    let book = load(output.as_ref()).unwrap().book;
    let moves = start_moves(&book);
    assert!(moves.len() >= 2 && moves.is_sorted_by(|a, b| a.weight >= b.weight), "{moves:?}");
    assert!(moves.iter().all(|entry| entry.games == Some(entry.weight)));
    assert!(book.values().all(|entry| entry.position.ply() <= 40));
    assert!(tools(&["validate", &output]).contains("the book is valid"));
    let plain = folder.name("plain.shob");
    builder(&["--games", &records, "--output", &plain, "--min-games", "1", "--compress", "none"]);
    assert!(fs::metadata(&plain).unwrap().len() > fs::metadata(&output).unwrap().len());
    assert!(tools(&["diff", &plain, &output]).contains("with other moves    0"));
}

#[test]
fn bad_games_are_counted_and_skipped() {
    let folder = Folder::new();
    let games = folder.with("games.usi", "startpos moves 7g7f\nstartpos moves 7g7e\nstartpos moves 7g7f 3c3d\n");
    let output = folder.name("book.shob");
    let outcome = try_builder(&["--games", &games, "--output", &output, "--min-games", "2"]);
    assert!(outcome.success, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("1 games could not be read"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("illegal moves") && outcome.stderr.contains("games.usi:2"), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("1 positions, 1 moves"), "{}", outcome.stdout);
}

#[test]
fn lines_left_out_are_reported_once_a_file() {
    let folder = Folder::new();
    let kif = "手合割：平手\nhello\n   1 ７六歩(77)\nbye\n";
    let games = [
        folder.with("a.kif", kif),
        folder.with("b.kif", kif.replace("hello", "題：名")),
        folder.with("c.usi", "startpos moves 7g7f\n"),
    ];
    let output = folder.name("book.shob");
    let outcome = try_builder(&["--games", &games[0], &games[1], &games[2], "--output", &output, "--min-games", "1"]);
    assert!(outcome.success, "{}", outcome.stderr);
    for expected in [
        format!("warning: {}: 2 lines are not understood and were left out: 2 'hello', 4 'bye'\n", games[0]),
        format!("warning: {}: 1 line is not understood and was left out: 4 'bye'\n", games[1]),
    ] {
        assert!(outcome.stderr.contains(&expected), "{}", outcome.stderr);
    }
    assert_eq!(outcome.stderr.matches("warning:").count(), 2, "{}", outcome.stderr);
}

/// An SFEN has move numbers up to 1,000,000.
#[test]
fn largest_move_number_can_be_read_back() {
    let folder = Folder::new();
    let board = STARTPOS_SFEN.strip_suffix(" 1").unwrap();
    let games = folder.with("games.usi", format!("sfen {board} 1000000 moves 7g7f 3c3d\n"));
    for name in ["book.json", "book.db", "book.shob"] {
        let output = folder.name(name);
        builder(&["--games", &games, "--output", &output, "--min-games", "1", "--max-ply", "2000000"]);
        let book = load(output.as_ref()).unwrap().book;
        assert_eq!(book.values().map(|entry| entry.position.ply()).collect::<Vec<_>>(), [1_000_000; 2], "{name}");
    }
}

#[test]
fn converts_foreign_books() {
    let folder = Folder::new();
    for name in ["samebook.db", "samebook.sbk", "samebook-apery.bin", "shogihome.ybb"] {
        let output = folder.name("book.shob");
        let input = fixture("books/") + name;
        builder(&["--input", &input, "--output", &output]);
        let (theirs, ours) = (load(input.as_ref()).unwrap().book, load(output.as_ref()).unwrap().book);
        assert!(!ours.is_empty() && ours.len() == theirs.len(), "{name}");
        assert!(ours.iter().all(|(key, entry)| entry.moves == theirs[key].moves), "{name}");
    }
}

#[test]
fn merge_strategies() {
    let first = book(&[("", &[played("7g7f", 3, 6000), searched("2g2f", 10, 50, 5)])]);
    let second = book(&[
        ("", &[played("7g7f", 1, 2000), searched("2g2f", 30, 10, 9), played("5g5f", 8, 5000)]),
        ("7g7f", &[played("3c3d", 2, 5000)]),
    ]);
    let merged = |strategy| {
        let book = merge([first.clone(), second.clone()], strategy);
        assert_eq!(book.len(), 2);
        start_moves(&book).to_vec()
    };
    let sum = [searched("2g2f", 40, 10, 9), played("5g5f", 8, 5000), played("7g7f", 4, 5000)];
    assert_eq!(merged(MergeStrategy::Sum), sum);
    let mean = [
        searched("2g2f", 20, 30, 9),
        played("5g5f", 8, 5000),
        // (3 · 3 + 1 · 1) / 4, rounded.
        BookMove { weight: 3, ..played("7g7f", 4, 5000) },
    ];
    assert_eq!(merged(MergeStrategy::WeightedAverage), mean);
    let deepest = [searched("2g2f", 30, 10, 9), played("5g5f", 8, 5000), played("7g7f", 3, 6000)];
    assert_eq!(merged(MergeStrategy::MaxDepth), deepest);
    assert_eq!(merged(MergeStrategy::PreferFirst), [played("7g7f", 3, 6000), searched("2g2f", 10, 50, 5)]);
}

/// A weight of 0 means that a move is not played.
#[test]
fn excluded_moves_stay_excluded() {
    let excluded = BookMove { weight: 0, ..played("7g7f", 2, 0) };
    let books = [played("7g7f", 90, 5000), excluded].map(|entry| book(&[("", &[entry])]));
    for strategy in [MergeStrategy::WeightedAverage, MergeStrategy::Sum] {
        for books in [books.clone(), [books[1].clone(), books[0].clone()]] {
            let merged = merge(books, strategy);
            assert_eq!((start_moves(&merged)[0].weight, start_moves(&merged)[0].games), (0, Some(92)), "{strategy:?}");
        }
    }
}

#[test]
fn mate_scores_are_not_averaged() {
    let mate = BookMove { score: Some(Score::mate_in(5)), ..searched("7g7f", 4, 0, 9) };
    let books = [searched("7g7f", 2, 100, 12), mate.clone()].map(|entry| book(&[("", &[entry])]));
    let merged = merge(books.clone(), MergeStrategy::WeightedAverage);
    assert_eq!(start_moves(&merged), [searched("7g7f", 3, 100, 12)]);
    let deeper = BookMove { depth: Some(20), ..mate };
    let merged =
        merge([books[0].clone(), book(&[("", std::slice::from_ref(&deeper))])], MergeStrategy::WeightedAverage);
    assert_eq!(start_moves(&merged), [BookMove { weight: 3, ..deeper }]);
}

#[test]
fn merges_different_formats() {
    let folder = Folder::new();
    let (one, other) = (fixture("books/samebook.db"), fixture("books/shogihome.ybb"));
    for strategy in ["weighted-average", "sum", "max-depth", "prefer-first"] {
        let (left, right) = (folder.name("left.shob"), folder.name("right.shob"));
        builder(&["--merge", &one, &other, "--output", &left, "--strategy", strategy]);
        tools(&["merge", &one, &other, "--output", &right, "--strategy", strategy]);
        assert_eq!(fs::read(&left).unwrap(), fs::read(&right).unwrap());
        let [merged, one, other] = [&left, &one, &other].map(|name| load(name.as_ref()).unwrap().book);
        assert!(one.keys().chain(other.keys()).all(|key| merged.contains_key(key)), "{strategy}");
    }
}

#[test]
fn analyze_to_stdout_and_file() {
    let folder = Folder::new();
    let input = fixture("books/samebook.db");
    let report = folder.name("stats.txt");
    let text = builder(&["--analyze", &input]);
    assert!(text.contains("positions") && text.contains("compression ratio") && text.contains("ply "), "{text}");
    assert_eq!(builder(&["--analyze", &input, "--report", &report]), "");
    assert_eq!(fs::read_to_string(&report).unwrap(), text);
    assert_eq!(tools(&["stats", &input]), text);
}

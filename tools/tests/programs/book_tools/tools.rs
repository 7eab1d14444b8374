//! `book_tools`.

use super::helpers::{Folder, book, fails, fixture, played, save, searched, tools, try_builder, try_tools};
use sabi_books::{BookMap, BookMove, ShobOptions, formats::apery_key, write};
use sabi_shogi::{Move, Position, Score};
use sabi_tools::book::load;
use std::fs;
use std::sync::Arc;

/// Two plies with all values of a move.
fn sample() -> BookMap {
    let mut named = searched("2g2f", 20, -35, 12);
    named.answer = "8c8d".parse().ok();
    named.name = Some(Arc::from("相掛かり"));
    book(&[
        ("", &[played("7g7f", 100, 5200), named, played("9g9f", 2, 0)]),
        ("7g7f", &[played("3c3d", 60, 4900)]),
        ("7g7f 3c3d", &[played("2g2f", 5, 8000)]),
    ])
}

#[test]
fn json_round_trips() {
    let folder = Folder::new();
    let shob = save(&folder, "book.shob", &sample());
    let (one, again, two) = (folder.name("one.json"), folder.name("again.shob"), folder.name("two.json"));
    tools(&["export", &shob, "--output", &one]);
    for compress in ["lz4", "none"] {
        tools(&["export", &one, "--output", &again, "--compress", compress]);
        tools(&["export", &again, "--output", &two]);
        assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
    }
    assert!(fs::read_to_string(&one).unwrap().contains("相掛かり"));
    for name in ["samebook.sbk", "yokofu-excerpt.db"] {
        let input = fixture("books/") + name;
        tools(&["export", &input, "--output", &one]);
        tools(&["export", &one, "--output", &again]);
        tools(&["export", &again, "--output", &two]);
        assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
    }
}

#[test]
fn exports_sorted_text_book() {
    let folder = Folder::new();
    let shob = save(&folder, "book.shob", &sample());
    let db = folder.name("book.db");
    tools(&["export", &shob, "--output", &db]);
    let text = fs::read_to_string(&db).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("sfen ")).collect();
    assert!(text.starts_with("#YANEURAOU-DB2016") && lines.len() == 3 && lines.is_sorted(), "{text}");
    assert!(tools(&["validate", &db]).contains("the book is valid"));
}

/// Without a king, one piece more than usual may need room.
#[test]
fn unpackable_positions_are_left_out() {
    let folder = Folder::new();
    let row = |sfen: &str, mv: &str| format!(r#"{{"sfen":"{sfen}","moves":[{{"move":"{mv}"}}]}}"#);
    let start = row("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "7g7f");
    let unpackable = row("9/5k3/4P4/9/9/9/9/9/9 b 2R2B3G4S4N4L17Pg 3", "G*4c");
    let json = |rows: &str| format!(r#"{{"format":"sabi-book","version":1,"positions":[{rows}]}}"#);
    let both = folder.with("both.json", json(&format!("{start},{unpackable}")));
    for name in ["book.shob", "book.ybb"] {
        let text = tools(&["export", &both, "--output", &folder.name(name)]);
        assert!(
            text.contains(": 1 positions, 1 moves, ") && text.contains("\nleft out: 1 positions, 1 moves"),
            "{text}"
        );
    }
    let alone = folder.with("alone.json", json(&unpackable));
    fails(&try_tools(&["export", &alone, "--output", &folder.name("none.shob")]), "no position is left");
}

#[test]
fn lookup_output() {
    let folder = Folder::new();
    let shob = save(&folder, "book.shob", &sample());
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let text = tools(&["lookup", &shob, "--sfen", start]);
    assert!(text.contains("7g7f  weight     100  games    100  wins  52.0 %"), "{text}");
    assert!(text.contains("score   -35  depth  12  answer 8c8d  相掛かり"), "{text}");
    assert!(tools(&["lookup", &shob, "--moves", "7g7f 3c3d"]).contains("2g2f"));
    assert!(tools(&["lookup", &shob, "--sfen", start, "--moves", "9g9f"]).contains("not in the book"));
    let rotated = Position::startpos().with_moves(["7g7f"]).unwrap().rotated().sfen();
    let text = tools(&["lookup", &shob, "--sfen", &rotated]);
    assert!(text.contains("\n  rotated position\n  7g7f  weight      60"), "{text}");
    let mates = [("7g7f", Score::mate_in(5)), ("2g2f", Score::mated_in(6))]
        .map(|(mv, score)| BookMove { score: Some(score), ..BookMove::new(mv.parse().unwrap(), 1) });
    let mates = save(&folder, "mates.shob", &book(&[("", &mates)]));
    let text = tools(&["lookup", &mates, "--sfen", start]);
    assert!(text.contains("  mate in 5\n") && text.contains("  mated in 6\n"), "{text}");
    let sfens = |text: &str| text.lines().filter(|line| line.starts_with("sfen ")).count();
    assert_eq!(sfens(&tools(&["dump", &shob])), 3);
    assert_eq!(sfens(&tools(&["dump", &shob, "--limit", "2"])), 2);
}

/// Scores at and beyond the range, as other programs write them.
#[test]
fn mate_scores_without_a_length() {
    let folder = Folder::new();
    let rows = [
        ("7g7f", 32_000, "mate"),
        ("2g2f", -32_000, "mated"),
        ("5g5f", -99_999, "mated"),
        ("3g3f", 99_999, "mate"),
        ("6g6f", 31_999, "mate in 1"),
        ("4g4f", -31_998, "mated in 2"),
        ("1g1f", 31_000, "score 31000"),
    ];
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let moves: String = rows.iter().map(|(mv, score, _)| format!("{mv} none {score} 10 1\n")).collect();
    let book = folder.with("book.db", format!("#YANEURAOU-DB2016 1.00\n{start}\n{moves}"));
    for text in [tools(&["dump", &book]), tools(&["lookup", &book, "--moves", ""])] {
        for (mv, _, shown) in rows {
            let line = format!("  {mv}  weight       1  {shown}  depth  10");
            assert!(text.lines().any(|found| found == line), "{line:?} is not in:\n{text}");
        }
    }
}

#[test]
fn lookup_reads_japanese_moves() {
    let folder = Folder::new();
    let shob = save(&folder, "book.shob", &sample());
    let expected = tools(&["lookup", &shob, "--moves", "7g7f 3c3d"]);
    assert!(expected.contains("2g2f"), "{expected}");
    for moves in ["７六歩 ３四歩", "▲７六歩△３四歩", "☗7六歩 ☖3四歩", "76歩 34歩", "7六歩(77) 3四歩(33)", "7g7f ３四歩"]
    {
        assert_eq!(tools(&["lookup", &shob, "--moves", moves]), expected, "{moves}");
    }
    let long = "7g7f 3c3d 8h2b+ 3a2b B*4e 5a6b";
    for moves in ["▲７六歩 △３四歩 ▲２二角成 △同　銀 ▲４五角打 △６二玉", "76歩 34歩 22角成 同銀 45角 62玉"]
    {
        assert_eq!(tools(&["lookup", &shob, "--moves", moves]), tools(&["lookup", &shob, "--moves", long]), "{moves}");
    }
    let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    let text = tools(&["lookup", &shob, "--sfen", sfen, "--moves", "５二金"]);
    assert!(text.starts_with("sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2\n"), "{text}");
    for (moves, why) in [
        ("７六歩 ７六歩", "move 2 '７六歩' is no legal move here"),
        ("同歩", "move 1 '同歩' is no legal move here"),
        ("７六", "move 1 '７六' is"),
        ("７五歩", "move 1 '７五歩' is"),
        ("７六歩 投了", "move 2 '投了' is"),
        ("7g7f 7g7e", "move 2 '7g7e' is"),
        ("7六歩 まで", "move 2 'まで' is"),
        ("7六歩(88)", "move 1 '7六歩(88)' is"),
    ] {
        let outcome = try_tools(&["lookup", &shob, "--moves", moves]);
        fails(&outcome, why);
        assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
    }
}

#[test]
fn prune_needs_scores() {
    let folder = Folder::new();
    let unscored =
        save(&folder, "unscored.shob", &book(&[("", &[played("7g7f", 100, 5200), played("2g2f", 9, 5000)])]));
    let output = folder.name("pruned.shob");
    fails(&try_tools(&["prune", &unscored, "--output", &output]), "book_tools rescore");
    assert!(!folder.path("pruned.shob").exists());
    let some = book(&[("", &[searched("7g7f", 5, 30, 9), played("2g2f", 9, 5000)])]);
    let text = tools(&["prune", &save(&folder, "some.shob", &some), "--output", &output]);
    assert!(text.contains("kept without a score: 1 ('book_tools rescore' scores them)\n"), "{text}");
    let all = book(&[("", &[searched("7g7f", 5, 30, 9)])]);
    let text = tools(&["prune", &save(&folder, "all.shob", &all), "--output", &output]);
    assert!(text.ends_with("kept without a score: 0\n"), "{text}");
}

#[test]
fn trim() {
    let folder = Folder::new();
    let shob = save(&folder, "book.shob", &sample());
    let output = folder.name("small.shob");
    let kept = |flag: &str, number: &str| {
        tools(&["trim", &shob, "--output", &output, flag, number]);
        let book = load(output.as_ref()).unwrap().book;
        let mut moves: Vec<String> =
            book.values().flat_map(|entry| &entry.moves).map(|entry| entry.mv.to_string()).collect();
        moves.sort();
        moves.join(" ")
    };
    assert_eq!(kept("--min-games", "6"), "2g2f 3c3d 7g7f");
    assert_eq!(kept("--min-weight", "20"), "2g2f 3c3d 7g7f");
    assert_eq!(kept("--min-weight", "21"), "3c3d 7g7f");
    assert_eq!(kept("--max-ply", "1"), "2g2f 7g7f 9g9f");
    assert_eq!(kept("--max-ply", "3"), "2g2f 2g2f 3c3d 7g7f 9g9f");
}

/// Counts of such books are weights.
#[test]
fn minimum_of_games_without_games() {
    let folder = Folder::new();
    let (input, output) = (fixture("books/samebook.db"), folder.name("book.shob"));
    for outcome in [
        try_tools(&["trim", &input, "--min-games", "5", "--output", &output]),
        try_builder(&["--input", &input, "--min-games", "5", "--output", &output]),
    ] {
        assert!(outcome.success && outcome.stderr.contains("trim --min-weight"), "{}", outcome.stderr);
    }
    assert_eq!(try_tools(&["trim", &input, "--min-weight", "1", "--output", &output]).stderr, "");
    assert_eq!(try_builder(&["--input", &input, "--output", &output]).stderr, "");
}

/// Each of these replaces the book, most after reading it.
#[test]
fn one_program_changes_a_book() {
    let folder = Folder::new();
    let shob = save(&folder, "book.shob", &sample());
    let before = fs::read(&shob).unwrap();
    let lock = sabi_files::WriteLock::of(&folder.path("book.shob")).unwrap();
    let games = fixture("records/rinsai/floodgate.csa");
    let other = save(&folder, "other.shob", &sample());
    for command in [
        &["trim", &shob, "--min-games", "50", "--output", &shob][..],
        &["merge", &shob, &shob, "--output", &shob],
        &["prune", &shob, "--output", &shob],
        &["rescore", &shob, "--nodes", "1", "--output", &shob],
        &["learn", &shob, "--games", &games, "--output", &shob],
        &["export", &other, "--output", &shob],
        &["embedded", "--output", &shob],
        &["--merge", &shob, &other, "--output", &shob],
        &["--input", &other, "--output", &shob],
        &["--games", &games, "--output", &shob],
    ] {
        let outcome = if command[0].starts_with('-') { try_builder(command) } else { try_tools(command) };
        assert!(!outcome.success && outcome.stderr.contains("another process"), "{command:?}: {}", outcome.stderr);
        assert!(outcome.stderr.contains("book.shob") && outcome.stderr.lines().count() == 1, "{}", outcome.stderr);
        assert_eq!(fs::read(&shob).unwrap(), before);
    }
    drop(lock);
    tools(&["trim", &shob, "--min-games", "50", "--output", &shob]);
    assert_ne!(fs::read(&shob).unwrap(), before);
}

#[test]
fn learn_from_games() {
    let folder = Folder::new();
    let shob = save(&folder, "book.shob", &sample());
    let line = |winner: &str, moves: &str| format!("{winner}\t-\t-\t-\tresign\tstartpos moves {moves}\n");
    let lines = line("black", "7g7f 3c3d 2g2f") + &line("white", "9g9f") + &line("white", "2g2f 3c3d");
    let games = folder.with("games.usi", lines + &line("white", "6g6f"));
    let output = folder.name("learnt.shob");
    let learnt = |more: &[&str]| {
        tools(&[&["learn", &shob, "--games", &games, "--output", &output], more].concat());
        load(output.as_ref()).unwrap().book
    };
    let first = |book: &BookMap| book[&sabi_books::book_key(&sabi_shogi::Position::startpos())].moves.clone();
    let known = learnt(&[]);
    assert_eq!(known.len(), 3);
    let moves = first(&known);
    // One weight is no game count, so that all of the position stay.
    assert_eq!(moves[0], BookMove { weight: 100, ..played("7g7f", 101, 5248) });
    assert_eq!((moves[1].weight, moves[1].games, moves[1].win_rate), (20, Some(1), Some(0)));
    assert_eq!(moves[2], BookMove { weight: 2, ..played("9g9f", 3, 0) });
    assert_eq!(moves.len(), 3);
    let all = learnt(&["--add-new"]);
    assert_eq!((all.len(), first(&all).len()), (4, 4));
    let weeded = learnt(&["--drop-below", "30", "--drop-games", "3"]);
    assert_eq!(first(&weeded).iter().map(|entry| entry.mv.to_string()).collect::<Vec<_>>(), ["7g7f", "2g2f"]);
    // One game is not enough.
    assert_eq!(first(&learnt(&["--drop-below", "30"])).len(), 3);
}

#[test]
fn diff() {
    let folder = Folder::new();
    let shob = save(&folder, "book.shob", &sample());
    let other = save(&folder, "other.shob", &book(&[("", &[played("7g7f", 1, 0)]), ("2g2f", &[played("8c8d", 1, 0)])]));
    let text = tools(&["diff", &shob, &other]);
    for part in ["same positions      0", "first   2", "second  1", "with other moves    1", "- sfen ", "+ sfen "] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(tools(&["diff", &shob, &shob]).contains("same positions      3"));
}

/// Apery books are never read elsewhere in these tests.
#[test]
fn lookup_shows_dropped_moves() {
    let folder = Folder::new();
    let entry = |mv: &str| {
        let mv: Move = mv.parse().unwrap();
        [&apery_key(&Position::startpos()).to_le_bytes()[..], &mv.bits().to_le_bytes(), &[1, 0, 0, 0, 0, 0]].concat()
    };
    let name = folder.with("book.bin", ["7g7f", "7g7e"].map(entry).concat());
    let text = tools(&["lookup", &name, "--moves", ""]);
    assert!(text.contains("\n  without 1 illegal moves\n  7g7f  weight"), "{text}");
    assert!(!tools(&["lookup", &name, "--moves", "7g7f"]).contains("without"));
}

#[test]
fn duplicate_positions_are_valid() {
    assert!(tools(&["validate", &fixture("books/yokofu-excerpt.db")]).contains("the book is valid"));
}

#[test]
fn book_with_keys_only() {
    let folder = Folder::new();
    let path = folder.path("keys.shob");
    write(&sample(), ShobOptions { compress: true, positions: false }, &path).unwrap();
    let name = folder.name("keys.shob");
    assert!(tools(&["stats", &name]).contains("positions           3"));
    assert!(tools(&["validate", &name]).contains("from the start      3 with 5 moves"));
    assert!(tools(&["dump", &name]).contains("key "));
    assert!(tools(&["lookup", &name, "--moves", ""]).contains("7g7f"));
}

#[test]
fn exports_embedded_book() {
    let folder = Folder::new();
    let output = folder.name("sabi.shob");
    tools(&["embedded", "--output", &output]);
    assert!(fs::read(&output).unwrap() == sabi::engine::EMBEDDED_BOOK);
    assert!(tools(&["validate", &output]).contains("the book is valid"));
}

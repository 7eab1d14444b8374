//! Book files of all formats: found, missing, damaged, unsorted, replaced.

use std::fs;
use std::process::Command;
use std::sync::Arc;

use sabi_books::formats;

use super::*;
use crate::session::client::ms;
use crate::session::positions::BUSY;

/// The start position, or else the first position of the book.
#[test]
fn plays_from_foreign_books() {
    let first = "sfen 1+R1+PS1snl/4k1g2/pN1pp1p1p/5p3/9/1B7/P1KPPP+b1P/1SG3+p2/LN4+r2 b G2L4Pgsnp 57";
    // Some come from one or two games.
    let mut engine = Client::ready_with(&[&OPEN[..], &[("BookMinGames", "0")]].concat());
    for (file, position, expected) in [
        ("shogihome.db", "startpos", "2g2f"),
        ("shogihome-bom-crlf.db", "startpos", "2g2f"),
        ("shogihome-bom-no-header.db", "startpos", "2g2f"),
        ("shogihome-invalid-header.db", "startpos", "2g2f"),
        ("shogihome.ybb", "startpos", "2g2f"),
        ("shogihome-edit.ybb", "startpos", "2g2f"),
        ("shogihome-apery.bin", "startpos", "2g2f"),
        ("shogihome-shogigui01.sbk", "startpos", "2g2f"),
        ("samebook.db", "startpos", "2g2f"),
        ("samebook.sbk", "startpos", "2g2f"),
        ("samebook-apery.bin", "startpos", "2g2f"),
        ("yokofu-excerpt.db", first, "8a7b"),
    ] {
        engine.set("BookFile", name(&fixture(file)));
        assert_eq!(engine.reported(), [""; 0], "{file}");
        let thought = from_book(&mut engine, position);
        assert_eq!(thought.best(), expected, "{file}");
        assert_unknown(&mut engine, BUSY);
    }
}

#[test]
fn plays_from_shob_books() {
    let shelf = Shelf::new();
    let rows = || vec![(START, vec![weighted("2g2f", 9), weighted("7g7f", 5)]), (SECOND, vec![weighted("8c8d", 4)])];
    let mut paths = Vec::new();
    for (compress, positions) in [(false, false), (false, true), (true, false), (true, true)] {
        let path = shelf.path().join(format!("{compress}-{positions}"));
        sabi_books::write(&map(rows()), ShobOptions { compress, positions }, &path).expect("a book");
        paths.push(path);
    }
    let mut json = Vec::new();
    let all: Vec<_> = map(rows()).into_values().collect();
    formats::write_json(&mut json, &all).expect("a book");
    paths.push(shelf.put("book.json", json));
    let mut engine = Client::ready_with(&OPEN);
    for path in paths {
        engine.set("BookFile", name(&path));
        assert_eq!(engine.reported(), [""; 0]);
        assert_eq!(candidates(&from_book(&mut engine, "startpos")), ["2g2f", "7g7f"], "{}", path.display());
        let thought = from_book(&mut engine, "startpos moves 7g7f");
        assert_eq!(candidates(&thought), ["8c8d"]);
        assert_unknown(&mut engine, "startpos moves 2g2f");
    }
}

#[test]
fn searches_without_a_book() {
    let shelf = Shelf::new();
    let path = shelf.one_move("book.db", "1g1f");
    let mut engine = reader(&path, &[]);
    let known = |engine: &mut Client| assert_eq!(best_of(engine, "startpos"), "1g1f");
    known(&mut engine);
    engine.set("USI_OwnBook", "false");
    assert_unknown(&mut engine, "startpos");
    engine.set("USI_OwnBook", "true");
    known(&mut engine);
    engine.set("BookFile", "no_book");
    assert_unknown(&mut engine, "startpos");
    assert_eq!(engine.reported(), [""; 0]);
    engine.set("BookFile", name(&path));
    known(&mut engine);
}

#[test]
fn embedded_book() {
    let shelf = Shelf::new();
    let path = shelf.one_move("book.db", "1g1f");
    // Before any book option is set.
    let mut engine = Client::small();
    assert_eq!(engine.reported(), [""; 0]);
    assert_from_book(&from_book(&mut engine, "startpos"));
    for own in ["", "<empty>"] {
        engine.set("BookFile", name(&path));
        assert_eq!(best_of(&mut engine, "startpos"), "1g1f");
        engine.set("BookFile", own);
        let thought = from_book(&mut engine, "startpos moves 7g7f 3c3d");
        assert!(candidates(&thought).contains(&"2g2f".to_owned()), "{own:?}");
        assert_eq!(engine.reported(), [""; 0], "{own:?}");
    }
    // A position that no game reaches.
    assert_unknown(&mut engine, BUSY);
}

/// Files that are not books.
fn no_books(shelf: &Shelf) -> Vec<PathBuf> {
    let whole = shelf.shob("whole.shob", vec![(START, vec![weighted("1g1f", 1)])]);
    let whole = fs::read(whole).expect("the book");
    let folder = shelf.path().join("folder.db");
    fs::create_dir(&folder).expect("a folder");
    let mut paths =
        vec![shelf.path().join("missing.db"), shelf.path().join("missing/book.db"), folder, shelf.put("empty.db", "")];
    paths.push(shelf.put("prose.db", "I am not a book, I am a letter.\n"));
    let noise = |seed: u32| seed.wrapping_mul(2_654_435_761).to_be_bytes();
    paths.push(shelf.put("noise.bin", (1..999).flat_map(noise).collect::<Vec<_>>()));
    for (number, length) in [4, 20, whole.len() / 2, whole.len() - 1].into_iter().enumerate() {
        paths.push(shelf.put(&format!("cut{number}.shob"), &whole[..length]));
    }
    paths.push(fixture("samebook-gikou-head.bin"));
    paths.extend([shelf.put("header.db", text_book(&[])), shelf.put("names.sbk", [0x0a, 1, b'x'])]);
    let moves_by_name = format!(r#"{{"{START} 1":{{"7g7f":{{"value":0,"win":1,"lose":2}}}}}}"#);
    paths.push(shelf.put("apery.json", moves_by_name));
    paths
}

fn assert_unusable(lines: &[String], path: &Path) {
    let one = matches!(lines, [line] if line.contains(name(path)) && line.contains("book") && line.contains("cannot be used"));
    assert!(one, "{}: {lines:#?}", path.display());
}

#[test]
fn p18_unusable_book_is_reported_once() {
    let shelf = Shelf::new();
    let good = shelf.one_move("good.db", "1g1f");
    let mut engine = Client::ready();
    for path in no_books(&shelf) {
        engine.set("BookFile", name(&path));
        for _ in 0..2 {
            assert_unusable(&engine.reported(), &path);
            (0..2).for_each(|_| assert_unknown(&mut engine, "startpos"));
        }
        engine.set("BookFile", name(&good));
        assert_eq!(best_of(&mut engine, "startpos"), "1g1f", "after {}", path.display());
        // Without `isready`, `go` reports it.
        engine.set("BookFile", name(&path));
        let thought = engine.think("startpos", "depth 1");
        assert_searched(&thought);
        assert_unusable(&thought.strings(), &path);
        assert_unknown(&mut engine, "startpos");
        engine.set("USI_OwnBook", "false");
        assert_eq!(engine.reported(), [""; 0], "a book that is not wanted");
        engine.set("USI_OwnBook", "true");
    }
    engine.assert_settled();
}

#[test]
fn book_without_positions_is_reported() {
    let shelf = Shelf::new();
    let path = shelf.put("empty.db", text_book(&[]));
    let invalid = shelf.put("invalid.db", text_book(&[("x", 1, &["7g7f"])]));
    for in_place in ["false", "true"] {
        let mut engine = Client::ready_with(&[("BookOnTheFly", in_place), ("BookFile", name(&path))]);
        let expected = format!("info string the book {} cannot be used: it has no positions", path.display());
        assert_eq!(engine.reported(), [expected], "BookOnTheFly {in_place}");
    }
    let mut engine = Client::ready_with(&[("BookFile", name(&invalid))]);
    let reason = "it has no positions; dropped: 1 invalid positions, 1 moves without a position";
    assert_eq!(engine.reported(), [format!("info string the book {} cannot be used: {reason}", invalid.display())]);
}

/// For every damaged byte: a legal move, and at most one message.
#[test]
fn p18_damaged_book_is_not_fatal() {
    let shelf = Shelf::new();
    let moves = vec![played("1g1f", 9, 5000), BookMove { answer: "3c3d".parse().ok(), ..weighted("7g7f", 3) }];
    let whole = fs::read(shelf.shob("whole.shob", vec![(START, moves)])).expect("the book");
    let mut engine = Client::ready();
    let (mut rejected, mut found, mut searched) = (0, 0, 0);
    for place in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[place] ^= 0xff;
        let path = shelf.put(&format!("{place}.shob"), bytes);
        engine.set("BookFile", name(&path));
        let at_opening = engine.reported();
        let thought = engine.think("startpos", "depth 1");
        let strings = thought.strings();
        assert!(
            strings.iter().chain(&at_opening).all(|line| !line.contains("internal error")),
            "{place}: {strings:#?}"
        );
        if !at_opening.is_empty() {
            assert_unusable(&at_opening, &path);
            rejected += 1;
        } else if strings.first().is_some_and(|line| book_move(line).is_some()) {
            assert_from_book(&thought);
            found += 1;
            continue;
        } else {
            searched += strings.len();
        }
        assert_searched(&thought);
    }
    assert!(rejected > 0 && found > 0 && searched > 0, "{rejected} {found} {searched}");
    engine.assert_settled();
}

#[test]
fn isready_finds_new_book() {
    let shelf = Shelf::new();
    let path = shelf.path().join("late.db");
    let mut engine = Client::ready_with(&[("BookFile", name(&path))]);
    assert_unusable(&engine.reported(), &path);
    shelf.one_move("late.db", "1g1f");
    assert_eq!(engine.reported(), [""; 0]);
    assert_eq!(best_of(&mut engine, "startpos"), "1g1f");
}

#[test]
fn in_place_lookup_equals_memory() {
    let mut engines = ["false", "true"].map(|in_place| {
        let options = [("BookOnTheFly", in_place), ("BookSelection", "weighted"), ("BookSeed", "5")];
        reader(&fixture("shogihome.db"), &options)
    });
    for position in ["startpos", "startpos moves 7g7f", "startpos moves 6g6f 7a6b", "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1"]
    {
        let said = engines.each_mut().map(|engine| {
            let thought = engine.think(position, "depth 1");
            let lines: Vec<_> = thought.variations().into_iter().map(|info| (info.pv, info.score)).collect();
            (thought.best().to_owned(), thought.strings(), lines)
        });
        assert_eq!(said[0], said[1], "{position}");
    }
    for engine in engines.iter_mut() {
        let thought = from_book(engine, "startpos moves 7g7f");
        assert_eq!(candidates(&thought).len(), 3);
    }
}

#[test]
fn rejects_unsorted_book_in_place() {
    let path = fixture("samebook.db");
    let mut engine = Client::ready_with(&[("BookFile", name(&path)), ("BookOnTheFly", "true")]);
    let lines = engine.reported();
    assert_unusable(&lines, &path);
    assert!(lines[0].contains("not sorted"), "{lines:?}");
    (0..2).for_each(|_| assert_unknown(&mut engine, "startpos"));
    engine.set("BookOnTheFly", "false");
    assert_eq!(best_of(&mut engine, "startpos"), "2g2f");
    engine.set("BookOnTheFly", "true");
    assert_unusable(&engine.think("startpos", "depth 1").strings(), &path);
}

#[test]
fn p16_book_paths() {
    let shelf = Shelf::new();
    let (inner, file) = (shelf.path().join("定跡 置き場　(1)"), "矢倉 the book.db");
    shelf.one_move("定跡 置き場　(1)/矢倉 the book.db", "1g1f");
    let other = shelf.one_move("other.db", "9g9f");
    let mut engine = Client::ready();
    engine.set("BookFile", name(&inner.join(file)));
    assert_eq!(best_of(&mut engine, "startpos"), "1g1f");
    engine.set("BookDir", name(&inner));
    engine.set("BookFile", file);
    assert_eq!(best_of(&mut engine, "startpos"), "1g1f");
    // An absolute path needs no folder.
    engine.set("BookFile", name(&other));
    assert_eq!(best_of(&mut engine, "startpos"), "9g9f");
    engine.set("BookDir", "");
    engine.set("BookFile", file);
    // Text that is not ASCII comes after `readyok`.
    assert_eq!(engine.reported(), [""; 0]);
    assert_unusable(&engine.reported(), Path::new(file));
}

#[test]
fn p17_book_relative_to_working_folder() {
    let shelf = Shelf::new();
    shelf.one_move("book/first.db", "1g1f");
    let command = &mut Command::new(env!("CARGO_BIN_EXE_sabi"));
    let mut engine = Client::spawn_command(command.current_dir(shelf.path())).with_small_tables();
    for (folder, file) in [
        ("", "book/first.db"),
        ("book", "first.db"),
        ("./book/", "first.db"),
        ("", "./book/../book/first.db"),
        ("", "first.db"),
    ] {
        engine.set("BookDir", folder);
        engine.set("BookFile", file);
        assert_eq!(engine.reported(), [""; 0], "{folder:?} {file:?}");
        assert_eq!(best_of(&mut engine, "startpos"), "1g1f", "{folder:?} {file:?}");
        engine.set("BookFile", "no_book");
        assert_unknown(&mut engine, "startpos");
    }
    // The folder `book` comes last, and only without `BookDir`.
    shelf.one_move("first.db", "9g9f");
    engine.set("BookFile", "first.db");
    assert_eq!(best_of(&mut engine, "startpos"), "9g9f");
    shelf.one_move("book/second.db", "1g1f");
    engine.set("BookDir", ".");
    engine.set("BookFile", "second.db");
    assert_unusable(&engine.reported(), Path::new("./second.db"));
}

#[test]
fn p04_book_changes_at_any_time() {
    let shelf = Shelf::new();
    let [first, second] = [("first.db", "1g1f"), ("second.db", "9g9f")].map(|(file, mv)| shelf.one_move(file, mv));
    let missing = shelf.path().join("missing.db");
    let mut engine = reader(&first, &[]);
    let board = engine.position("startpos");
    for (path, expected) in [(&first, "1g1f"), (&second, "9g9f"), (&first, "1g1f")] {
        engine.set("BookFile", name(path));
        assert_eq!(best_of(&mut engine, "startpos"), expected);
    }
    for (search, is_book) in [("go infinite", false), ("go ponder btime 60000 wtime 60000", true)] {
        let check = |thought: &Thought| if is_book { assert_from_book(thought) } else { assert_searched(thought) };
        engine.send_unanswered(search, ms(50));
        engine.set("BookFile", name(&second));
        engine.assert_no_answer(ms(50));
        check(&engine.stop(&board));
        assert_eq!(best_of(&mut engine, "startpos"), "9g9f");
        engine.send_unanswered(search, ms(50));
        engine.set("BookFile", name(&missing));
        let thought = engine.stop(&board);
        check(&thought);
        assert!(!thought.strings().iter().any(|string| string.contains("missing.db")), "reported too early");
        assert_unusable(&engine.go(&board, "depth 1").strings(), &missing);
        engine.set("BookFile", name(&first));
    }
    engine.assert_settled();
}

/// An open book is unchanged; setting the option again rereads it.
#[cfg(unix)]
#[test]
fn replaced_book() {
    let shelf = Shelf::new();
    let put = |file: &str, mv: &str| match file {
        "book.shob" => shelf.shob(file, vec![(START, vec![weighted(mv, 1)])]),
        _ => {
            let new = shelf.one_move("new", mv);
            fs::rename(new, shelf.path().join(file)).expect("a new name");
            shelf.path().join(file)
        }
    };
    for (file, in_place) in [("book.shob", "false"), ("book.db", "false"), ("book.db", "true")] {
        let path = put(file, "1g1f");
        let mut engine = reader(&path, &[("BookOnTheFly", in_place)]);
        assert_eq!(best_of(&mut engine, "startpos"), "1g1f");
        put(file, "9g9f");
        assert_eq!(best_of(&mut engine, "startpos"), "1g1f", "{file}: changed in the middle of a game");
        fs::remove_file(&path).expect("a file");
        assert_eq!(best_of(&mut engine, "startpos"), "1g1f", "{file}: gone in the middle of a game");
        put(file, "9g9f");
        engine.set("BookFile", "");
        assert_eq!(engine.reported(), [""; 0]);
        engine.set("BookFile", name(&path));
        assert_eq!(best_of(&mut engine, "startpos"), "9g9f", "{file}");
    }
}

/// Names come from foreign files; a client must not take one for an answer.
#[test]
fn book_names_cannot_inject_answers() {
    let shelf = Shelf::new();
    let names =
        ["棒銀 (Climbing Silver)", "a\nbestmove resign", "b\r\nreadyok", "c\u{1b}[31m\0\t", "\u{85}\u{2028}", " ", ""];
    let mut engine = Client::ready();
    for (number, text) in names.into_iter().enumerate() {
        let mv = BookMove { name: Some(Arc::from(text)), ..weighted("1g1f", 1) };
        engine.set("BookFile", name(&shelf.shob(&format!("{number}.shob"), vec![(START, vec![mv])])));
        let thought = from_book(&mut engine, "startpos");
        assert_eq!(thought.best(), "1g1f");
        if number == 0 {
            assert!(thought.strings()[0].contains(" ?? (Climbing Silver) from "), "{:?}", thought.strings());
        }
    }
    engine.assert_settled();
}

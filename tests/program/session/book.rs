//! Opening book: moves played, rejected books, and messages.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use sabi::book::{BookMap, BookMove, BookPosition, ShobOptions, book_key, formats};
use sabi::position::Position;
use sabi::types::Score as Value;

use super::client::{Client, SLACK, STOP_LIMIT, TIMEOUT, ms};
use super::grammar::is_move;
use super::info::Score;
use super::positions::BUSY;
use super::shelf::{Shelf, name};
use super::thought::Thought;

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";

/// White first, with 3c3d.
const TURNED: &str = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";

/// After 7g7f; [`TURNED`] with colours swapped.
const SECOND: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w -";

/// Far longer than a book move takes.
const LONG: &str = "btime 600000 wtime 600000 byoyomi 60000";

impl Shelf {
    /// A text book: positions with move numbers and lines of moves.
    fn text(&self, name: &str, rows: &[(&str, u32, &[&str])]) -> PathBuf {
        self.put(name, text_book(rows))
    }

    /// A text book with one move for the start position.
    fn one_move(&self, name: &str, mv: &str) -> PathBuf {
        self.text(name, &[(START, 1, &[&format!("{mv} none none none 1")])])
    }

    /// A .shob book.
    fn shob(&self, name: &str, rows: Vec<(&str, Vec<BookMove>)>) -> PathBuf {
        let path = self.path().join(name);
        sabi::book::write(&map(rows), ShobOptions { compress: true, positions: true }, &path).expect("a book");
        path
    }
}

fn text_book(rows: &[(&str, u32, &[&str])]) -> String {
    let mut text = "#YANEURAOU-DB2016 1.00\n".to_owned();
    for (root, number, moves) in rows {
        text += &format!("sfen {root} {number}\n");
        moves.iter().for_each(|row| text += &format!("{row}\n"));
    }
    text
}

fn map(rows: Vec<(&str, Vec<BookMove>)>) -> BookMap {
    let entry = |(root, moves): (&str, _)| {
        let position = Position::from_sfen(&format!("{root} 1")).expect("a position");
        (book_key(&position), BookPosition { position, moves })
    };
    rows.into_iter().map(entry).collect()
}

fn weighted(mv: &str, weight: u32) -> BookMove {
    BookMove::new(mv.parse().expect("a move"), weight)
}

fn played(mv: &str, games: u32, win_rate: u16) -> BookMove {
    BookMove { games: Some(games), win_rate: Some(win_rate), ..weighted(mv, games) }
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/books").join(name)
}

/// Options that allow every book move, heaviest first.
const OPEN: [(&str, &str); 4] = [
    ("BookSelection", "best"),
    ("NarrowBook", "false"),
    ("BookEvalBlackLimit", "-99999"),
    ("BookEvalWhiteLimit", "-99999"),
];

/// An engine with this book, without messages beyond those of [`OPEN`].
fn reader(path: &Path, options: &[(&str, &str)]) -> Client {
    let mut engine = Client::ready_with(&[&[("BookFile", name(path))], &OPEN[..], options].concat());
    assert_eq!(engine.reported(), [""; 0], "{}", path.display());
    engine
}

/// First moves of the lines shown.
fn candidates(thought: &Thought) -> Vec<String> {
    thought.variations().into_iter().map(|info| info.pv[0].clone()).collect()
}

/// The move of a book message line.
fn book_move(string: &str) -> Option<&str> {
    string.strip_prefix("book ").and_then(|rest| rest.split(' ').next()).filter(|word| is_move(word))
}

/// Answered without a search: every candidate is reported and shown, the played one first, and
/// nothing else.
fn assert_from_book(thought: &Thought) {
    let infos = thought.infos();
    assert!(!infos.is_empty() && infos.len().is_multiple_of(2), "{infos:#?}");
    for (place, pair) in infos.chunks(2).enumerate() {
        let named = pair[0].string.as_deref().and_then(book_move);
        let (first, number) = (pair[1].pv.first().map(String::as_str), pair[1].multipv.unwrap_or(1));
        assert!(named.is_some() && named == first && number == place as u64 + 1, "{pair:#?}");
        assert_eq!((pair[1].nodes, pair[1].depth), (Some(0), Some(0)), "{pair:#?}");
    }
    assert_eq!(candidates(thought)[0], thought.best());
    if let Some(answer) = infos[1].pv.get(1) {
        assert_eq!(thought.ponder(), Some(answer.as_str()));
    }
    assert!(thought.took < SLACK, "{:?}", thought.took);
}

/// Answered by a search, without a book move.
fn assert_searched(thought: &Thought) {
    let strings = thought.strings();
    assert!(strings.iter().all(|string| book_move(string).is_none()), "{strings:#?}");
    assert!(thought.depth() >= 1 && thought.infos().iter().any(|info| info.nodes > Some(0)));
}

/// The book move, which must exist.
fn from_book(engine: &mut Client, position: &str) -> Thought {
    let board = engine.position(position);
    engine.send(&format!("go {LONG}"));
    let thought = engine.bestmove(&board, SLACK * 5);
    assert_from_book(&thought);
    thought
}

fn best_of(engine: &mut Client, position: &str) -> String {
    from_book(engine, position).best().to_owned()
}

/// No book entry and no message.
fn assert_unknown(engine: &mut Client, position: &str) {
    let thought = engine.think(position, "depth 1");
    assert_searched(&thought);
    assert_eq!(thought.strings(), [""; 0], "{position}");
}

/// The single message of a book position without a usable move.
fn rejection(engine: &mut Client, position: &str) -> String {
    let thought = engine.think(position, "depth 1");
    assert_searched(&thought);
    let mut strings = thought.strings();
    assert_eq!(strings.len(), 1, "{position}: {strings:#?}");
    assert_eq!(thought.infos()[0].string.as_ref(), strings.first(), "reported after the search");
    strings.remove(0)
}

#[test]
fn book_move_is_answered_at_once() {
    let shelf = Shelf::new();
    let path = shelf.text(
        "book.db",
        &[
            (START, 1, &["7g7f 3c3d 50 20 10", "2g2f none 40 18 30", "2h7h none 20 18 90"]),
            ("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b -", 3, &["2g2f none none none 7"]),
        ],
    );
    let mut engine = reader(&path, &[]);
    for _ in 0..2 {
        let thought = from_book(&mut engine, "startpos");
        assert_eq!((thought.best(), thought.ponder()), ("7g7f", Some("3c3d")));
        assert_eq!(
            thought.strings(),
            [
                "book 7g7f weight 10 score 50 depth 20",
                "book 2g2f weight 30 score 40 depth 18",
                "book 2h7h weight 90 score 20 depth 18"
            ]
        );
        let variations = thought.variations();
        assert_eq!(variations[0].pv, ["7g7f", "3c3d", "2g2f"], "the line goes on as the book does");
        let scores: Vec<_> = variations.iter().map(|info| info.score).collect();
        assert_eq!(scores, [50, 40, 20].map(|cp| Some(Score::Cp(cp))));
        // A search in between does not change it.
        assert_unknown(&mut engine, BUSY);
    }
    let thought = from_book(&mut engine, "startpos moves 7g7f 3c3d");
    assert_eq!((thought.best(), thought.ponder()), ("2g2f", None));
    // Nor does any other way to ask for a move.
    for limits in ["", "depth 30", "nodes 100000000", "movetime 60000", "btime 0 wtime 0 byoyomi 0"] {
        let thought = engine.think("startpos", limits);
        assert_from_book(&thought);
        assert_eq!(thought.best(), "7g7f", "{limits}");
    }
    engine.assert_settled();
}

#[test]
fn confidence_bound_prefers_many_games() {
    let shelf = Shelf::new();
    let moves = vec![played("2g2f", 1000, 5400), played("7g7f", 3, 10_000), played("5g5f", 900, 4000)];
    let mut engine = reader(&shelf.shob("book.shob", vec![(START, moves)]), &[]);
    let thought = from_book(&mut engine, "startpos");
    assert_eq!(candidates(&thought), ["7g7f", "2g2f", "5g5f"].map(str::to_owned), "{:?}", thought.strings());
    let moves = vec![played("7g7f", 2, 10_000), played("2g2f", 1000, 6000)];
    let mut engine = reader(&shelf.shob("other.shob", vec![(START, moves)]), &[]);
    let thought = from_book(&mut engine, "startpos");
    assert_eq!(thought.best(), "2g2f");
    assert_eq!(thought.strings()[0], "book 2g2f weight 1000 games 1000 wins 60.0%");
}

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
        sabi::book::write(&map(rows()), ShobOptions { compress, positions }, &path).expect("a book");
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
fn book_prefill_stores_hints() {
    let shelf = Shelf::new();
    let rows = vec![(START, vec![weighted("7g7f", 9)]), (SECOND, vec![weighted("8c8d", 4)])];
    let path = shelf.shob("book.shob", rows.clone());
    let think = |engine: &mut Client, position: &str| {
        let thought = engine.think(position, "depth 6");
        assert_searched(&thought);
        (thought.strings(), thought.nodes())
    };
    let options = [("BookMoves", "0"), ("Threads", "1")];
    let mut engine = reader(&path, &options);
    let (reported, nodes) = think(&mut engine, "startpos");
    assert_eq!(reported, ["all book moves of this position are rejected: 7g7f beyond BookMoves"]);
    let mut engine = reader(&path, &[&options[..], &[("USI_OwnBook", "false"), ("BookPrefill", "true")]].concat());
    assert_eq!(think(&mut engine, "startpos"), (vec![], nodes), "without a book there are no hints");
    let mut engine = reader(&path, &[&options[..], &[("BookPrefill", "true")]].concat());
    let put = |count| format!("book positions stored in the transposition table: {count}");
    let (reported, _) = think(&mut engine, "startpos");
    assert_eq!(reported[1..], [put(2)]);
    let (reported, _) = think(&mut engine, "startpos");
    assert_eq!(reported.len(), 1, "the table knows them by now: {reported:?}");
    assert_eq!(think(&mut engine, BUSY).0, [""; 0]);
    // Out of the book, with a move that leads back.
    let path = shelf.shob("second.shob", rows[1..].to_vec());
    let mut engine = reader(&path, &[&options[..], &[("BookPrefill", "true")]].concat());
    assert_eq!(think(&mut engine, "startpos").0, [put(1)]);
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
fn book_moves_limit() {
    let shelf = Shelf::new();
    let third = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b -";
    let rows: [(&str, u32, &[&str]); 3] = [(START, 1, &["1g1f"]), (SECOND, 2, &["1c1d"]), (third, 3, &["9g9f"])];
    let mut engine = reader(&shelf.text("book.db", &rows), &[("BookMoves", "2")]);
    assert_eq!(best_of(&mut engine, "startpos"), "1g1f");
    assert_eq!(best_of(&mut engine, "startpos moves 7g7f"), "1c1d");
    let line = rejection(&mut engine, "startpos moves 7g7f 3c3d");
    assert!(line.contains("9g9f") && line.contains("BookMoves"), "{line}");
    // The move number counts, also for a position given without moves.
    assert!(rejection(&mut engine, &format!("sfen {START} 3")).contains("BookMoves"));
    assert_unknown(&mut engine, "startpos moves 7g7f 3c3d 9g9f");
    engine.set("BookMoves", "3");
    assert_eq!(best_of(&mut engine, "startpos moves 7g7f 3c3d"), "9g9f");
    engine.set("BookMoves", "0");
    for _ in 0..2 {
        assert!(rejection(&mut engine, "startpos").contains("BookMoves"));
    }
}

#[test]
fn illegal_book_moves_are_skipped() {
    let shelf = Shelf::new();
    let wrong = ["7g7e", "3c3d", "P*5e", "8h2b+", "5e5d", "2g2f+", "5i5i"];
    let wrong = || wrong.iter().filter_map(|word| word.parse().ok()).map(|mv| BookMove::new(mv, 100));
    let path = shelf.shob("wrong.shob", vec![(START, wrong().collect())]);
    let mut engine = reader(&path, &[]);
    let line = rejection(&mut engine, "startpos");
    assert!(wrong().count() >= 6 && line.matches("illegal").count() == wrong().count(), "{line}");
    let moves = wrong().chain([weighted("1g1f", 1)]).collect();
    engine.set("BookFile", name(&shelf.shob("mixed.shob", vec![(START, moves)])));
    for selection in ["best", "weighted", "uniform"] {
        engine.set("BookSelection", selection);
        assert_eq!(candidates(&from_book(&mut engine, "startpos")), ["1g1f"]);
    }
    // Illegal answers and lines are not shown; the client checks this.
    let mv = BookMove { answer: "7g7f".parse().ok(), ..weighted("7g7f", 1) };
    let second = vec![weighted("8h2b+", 9), weighted("8c8d", 1)];
    engine.set("BookFile", name(&shelf.shob("answer.shob", vec![(START, vec![mv]), (SECOND, second)])));
    let thought = from_book(&mut engine, "startpos");
    assert_eq!(thought.variations()[0].pv, ["7g7f", "8c8d"]);
}

#[test]
fn perpetual_check_book_move_is_skipped() {
    let shelf = Shelf::new();
    let root = "4k4/9/9/9/9/9/9/5R3/K8 b -";
    let mut engine = reader(&shelf.text("book.db", &[(root, 1, &["4h5h"])]), &[]);
    assert_eq!(best_of(&mut engine, &format!("sfen {root} 1")), "4h5h");
    let cycle = "4h5h 5a4a 5h4h 4a5a";
    let line = rejection(&mut engine, &format!("sfen {root} 1 moves {cycle} {cycle} {cycle}"));
    assert!(line.contains("4h5h") && line.contains("repetition"), "{line}");
}

#[test]
fn score_difference_limit() {
    let shelf = Shelf::new();
    let rows: [&str; 4] = ["2g2f none 50 1 1", "7g7f none 20 1 9", "5g5f none 19 1 9", "1g1f none none none 1"];
    let mut engine = reader(&shelf.text("book.db", &[(START, 1, &rows)]), &[("BookSelection", "best")]);
    for (most, expected) in [
        ("30", &["2g2f", "7g7f", "1g1f"][..]),
        ("0", &["2g2f", "1g1f"]),
        ("31", &["2g2f", "7g7f", "5g5f", "1g1f"]),
        ("99999", &["2g2f", "7g7f", "5g5f", "1g1f"]),
    ] {
        engine.set("BookEvalDiff", most);
        assert_eq!(candidates(&from_book(&mut engine, "startpos")), expected, "{most}");
    }
}

#[test]
fn score_limit_by_side() {
    let shelf = Shelf::new();
    let first: [&str; 3] = ["2g2f none 5 1 1", "7g7f none 0 1 9", "5g5f none -1 1 9"];
    let second: [&str; 2] = ["8c8d none -140 1 1", "3c3d none -141 1 1"];
    let path = shelf.text("book.db", &[(START, 1, &first), (SECOND, 2, &second)]);
    let mut engine = Client::ready_with(&[("BookFile", name(&path))]);
    assert_eq!(candidates(&from_book(&mut engine, "startpos")).len(), 2);
    assert_eq!(candidates(&from_book(&mut engine, "startpos moves 7g7f")), ["8c8d"]);
    engine.set("BookEvalBlackLimit", "6");
    let line = rejection(&mut engine, "startpos");
    assert_eq!(line.matches("BookEvalBlackLimit").count(), 3, "{line}");
    engine.set("BookEvalBlackLimit", "-1");
    assert_eq!(candidates(&from_book(&mut engine, "startpos")).len(), 3);
}

#[test]
fn depth_limit() {
    let shelf = Shelf::new();
    let rows: [&str; 3] = ["2g2f none 50 15 1", "7g7f none 40 16 9", "1g1f none none none 1"];
    let mut engine = reader(&shelf.text("book.db", &[(START, 1, &rows)]), &[("BookDepthLimit", "16")]);
    assert_eq!(candidates(&from_book(&mut engine, "startpos")), ["7g7f", "1g1f"]);
    engine.set("BookDepthLimit", "0");
    assert_eq!(candidates(&from_book(&mut engine, "startpos")), ["2g2f", "7g7f", "1g1f"]);
}

#[test]
fn ignore_rate() {
    let shelf = Shelf::new();
    let path = shelf.text("book.db", &[(START, 1, &FOUR)]);
    let mut engine = reader(&path, &[("BookIgnoreRate", "100")]);
    let line = rejection(&mut engine, "startpos");
    assert!(line.contains("BookIgnoreRate"), "{line}");
    engine.set("BookIgnoreRate", "50");
    engine.set("BookSeed", "4");
    let board = engine.position("startpos");
    let searched = |engine: &mut Client| !engine.go(&board, "depth 1").strings()[0].starts_with("book ");
    let count = (0..100).filter(|_| searched(&mut engine)).count();
    assert!((30..=70).contains(&count), "{count}");
}

#[test]
fn book_pv_length() {
    let shelf = Shelf::new();
    let path = shelf.text("book.db", &[(START, 1, &["7g7f 3c3d 0 1 1"]), (SECOND, 2, &["3c3d 2g2f 0 1 1"])]);
    let mut engine = reader(&path, &[]);
    for (most, plies) in [("1", 1), ("2", 2), ("8", 2)] {
        engine.set("BookPvMoves", most);
        let thought = from_book(&mut engine, "startpos");
        assert_eq!((thought.variations()[0].pv.len(), thought.ponder()), (plies, Some("3c3d")), "{most}");
    }
}

/// Games vary by default; the moves are common and good.
#[test]
fn default_options_vary() {
    let shelf = Shelf::new();
    let rows: [&str; 4] = ["2g2f none 50 1 100", "7g7f none 45 1 90", "1g1f none 49 1 3", "5g5f none 10 1 80"];
    let path = shelf.text("book.db", &[(START, 1, &rows)]);
    let mut engine = Client::ready_with(&[("BookFile", name(&path)), ("BookSeed", "2")]);
    let played: Vec<_> = (0..40).map(|_| best_of(&mut engine, "startpos")).collect();
    let counts = counts(&played);
    assert!(counts.len() == 2 && counts["2g2f"] > 8 && counts["7g7f"] > 8, "{counts:?}");
    engine.set("ConsiderBookMoveCount", "false");
    engine.set("NarrowBook", "false");
    let played: Vec<_> = (0..60).map(|_| best_of(&mut engine, "startpos")).collect();
    assert!(played.iter().filter(|mv| *mv == "1g1f").count() > 8, "{played:?}");
    // Clients send options in the order of the list: the second name changes nothing.
    engine.set("BookSelection", "best");
    for by_count in ["true", "false"] {
        engine.set("ConsiderBookMoveCount", by_count);
        assert!((0..20).all(|_| best_of(&mut engine, "startpos") == "2g2f"), "{by_count}");
    }
}

#[test]
fn minimum_games_limit() {
    let shelf = Shelf::new();
    let moves = || vec![played("2g2f", 20, 5000), played("7g7f", 2, 5000), played("5g5f", 1, 5000)];
    let path = shelf.shob("book.shob", vec![(START, moves()), (SECOND, vec![weighted("8c8d", 1)])]);
    let mut engine = reader(&path, &[]);
    for (least, expected) in [("2", &["2g2f", "7g7f"][..]), ("3", &["2g2f"]), ("0", &["2g2f", "7g7f", "5g5f"])] {
        engine.set("BookMinGames", least);
        assert_eq!(candidates(&from_book(&mut engine, "startpos")), expected, "{least}");
    }
    engine.set("BookMinGames", "21");
    let line = rejection(&mut engine, "startpos");
    assert_eq!(line.matches("BookMinGames").count(), 3, "{line}");
    assert_eq!(best_of(&mut engine, "startpos moves 7g7f"), "8c8d", "its games are not known");
}

#[test]
fn narrow_book_skips_rare_moves() {
    let shelf = Shelf::new();
    let rows: [&str; 3] = ["2g2f none none none 100", "7g7f none none none 10", "5g5f none none none 9"];
    let mut engine = reader(&shelf.text("book.db", &[(START, 1, &rows)]), &[]);
    assert_eq!(candidates(&from_book(&mut engine, "startpos")), ["2g2f", "7g7f", "5g5f"]);
    engine.set("NarrowBook", "true");
    assert_eq!(candidates(&from_book(&mut engine, "startpos")), ["2g2f", "7g7f"]);
    engine.set("NarrowBook", "false");
    assert_eq!(candidates(&from_book(&mut engine, "startpos")).len(), 3);
}

/// ShogiGUI writes such moves as known, but not to be played.
#[test]
fn weight_0_is_not_played() {
    let mut engine = reader(&fixture("samebook.sbk"), &[]);
    let line = rejection(&mut engine, "startpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 8e8f 8g8f");
    assert_eq!(line.matches(" weight 0").count(), 3, "{line}");
}

/// Rejected moves with reasons in one line; they do not affect the limits of the others.
#[test]
fn reject_reasons_are_reported() {
    let shelf = Shelf::new();
    let score = |cp| Some(Value::cp(cp));
    let moves = vec![
        BookMove { games: Some(1), score: score(90), ..weighted("2g2f", 100) },
        BookMove { games: Some(50), score: score(10), ..weighted("7g7f", 50) },
        BookMove { games: Some(50), ..weighted("5g5f", 9) },
        weighted("7g7e", 200),
    ];
    let mut engine = reader(&shelf.shob("book.shob", vec![(START, moves)]), &[("NarrowBook", "true")]);
    engine.set("BookMinGames", "60");
    let line = rejection(&mut engine, "startpos");
    for (mv, reason) in
        [("2g2f", "BookMinGames"), ("7g7f", "BookMinGames"), ("5g5f", "BookMinGames"), ("7g7e", "illegal")]
    {
        let said = line.split(", ").any(|part| part.contains(mv) && part.contains(reason));
        assert!(said, "{mv} {reason}: {line}");
    }
    engine.set("BookMinGames", "2");
    assert_eq!(candidates(&from_book(&mut engine, "startpos")), ["7g7f", "5g5f"]);
    engine.set("BookMinGames", "0");
    assert_eq!(candidates(&from_book(&mut engine, "startpos")), ["2g2f"]);
}

#[test]
fn p01_no_book_in_analysis() {
    let shelf = Shelf::new();
    let mut engine = reader(&shelf.one_move("book.db", "1g1f"), &[]);
    let board = engine.position("startpos");
    for search in ["go infinite", "go infinite searchmoves 1g1f"] {
        engine.send(search);
        engine.assert_no_answer(ms(150));
        assert_searched(&engine.stop(&board));
        engine.assert_settled();
    }
    // The next move is from the book.
    assert_eq!(best_of(&mut engine, "startpos"), "1g1f");
}

#[test]
fn p01_a_book_move_waits_for_the_ponder_hit() {
    let shelf = Shelf::new();
    for stochastic in ["false", "true"] {
        let mut engine = reader(&shelf.one_move("book.db", "1g1f"), &[("Stochastic_Ponder", stochastic)]);
        let board = engine.position("startpos");
        for (search, end) in [
            ("go ponder", "stop"),
            ("go ponder btime 600000 wtime 600000 byoyomi 0", "ponderhit"),
            ("go ponder", "ponderhit btime 600000 wtime 600000 byoyomi 0"),
            ("go ponder depth 1", "ponderhit"),
        ] {
            engine.send(search);
            engine.assert_no_answer(ms(100));
            engine.send(end);
            let thought = engine.bestmove(&board, SLACK * 5);
            assert_from_book(&thought);
            assert_eq!(thought.best(), "1g1f");
            engine.assert_settled();
        }
        for _ in 0..5 {
            engine.send_bytes(b"go ponder btime 0 wtime 0 byoyomi 50\nponderhit\n");
            assert_from_book(&engine.bestmove(&board, TIMEOUT));
        }
        // The moves of a search are no book moves.
        engine.send("go ponder searchmoves 2g2f");
        engine.assert_no_answer(ms(50));
        engine.send("ponderhit btime 0 wtime 0 byoyomi 50");
        assert_searched(&engine.bestmove(&board, TIMEOUT));
        engine.assert_settled();
    }
}

#[test]
fn p25_no_book_with_searchmoves() {
    let shelf = Shelf::new();
    let mut engine = reader(&shelf.one_move("book.db", "1g1f"), &[]);
    let board = engine.position("startpos");
    for only in ["9g9f", "1g1f"] {
        let thought = engine.go(&board, &format!("depth 2 searchmoves {only}"));
        assert_searched(&thought);
        assert_eq!(thought.best(), only);
    }
    engine.assert_settled();
}

#[test]
fn one_answer_per_go() {
    let shelf = Shelf::new();
    let mut engine = reader(&shelf.one_move("book.db", "1g1f"), &[]);
    let board = engine.position("startpos");
    engine.send_bytes(&b"go btime 9000 wtime 9000\nstop\nstop\n".repeat(50));
    for _ in 0..50 {
        assert_from_book(&engine.bestmove(&board, STOP_LIMIT));
    }
    engine.assert_settled();
    engine.send_bytes(&b"go infinite\ngo depth 3\n".repeat(10));
    for turn in 0..20 {
        let thought = engine.bestmove(&board, TIMEOUT);
        if turn % 2 == 1 {
            assert_from_book(&thought);
        }
    }
    engine.assert_settled();
}

const FOUR: [&str; 4] =
    ["2g2f none none none 4", "7g7f none none none 3", "5g5f none none none 2", "1g1f none none none 1"];

/// Book moves of a new engine, repeated.
fn sequence(path: &Path, selection: &str, seed: &str, count: usize) -> Vec<String> {
    let mut engine = reader(path, &[("BookSelection", selection), ("BookSeed", seed)]);
    (0..count).map(|_| best_of(&mut engine, "startpos")).collect()
}

fn counts(played: &[String]) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    played.iter().for_each(|mv| *counts.entry(mv.as_str()).or_default() += 1);
    counts
}

#[test]
fn seed_repeats_the_choice() {
    let shelf = Shelf::new();
    let path = shelf.text("book.db", &[(START, 1, &FOUR)]);
    for selection in ["weighted", "uniform"] {
        let first = sequence(&path, selection, "7", 20);
        assert_eq!(sequence(&path, selection, "7", 20), first, "{selection}");
        assert_ne!(sequence(&path, selection, "8", 20), first, "{selection}");
        assert!(counts(&first).len() > 1, "{selection}: {first:?}");
        // Random by weight; fails with probability 2^-74.
        let free = sequence(&path, selection, "0", 40);
        assert_ne!(sequence(&path, selection, "0", 40), free, "{selection}");
    }
    assert_eq!(counts(&sequence(&path, "best", "7", 20)), HashMap::from([("2g2f", 20)]));
}

/// Another seed restarts the sequence, the same seed does not.
#[test]
fn seed_changes_at_any_time() {
    let shelf = Shelf::new();
    let path = shelf.text("book.db", &[(START, 1, &FOUR)]);
    let expected = sequence(&path, "uniform", "7", 20);
    let mut engine = reader(&path, &[("BookSelection", "uniform"), ("BookSeed", "8")]);
    best_of(&mut engine, "startpos");
    engine.set("BookSeed", "7");
    for (turn, expected) in expected.iter().enumerate() {
        if turn == 10 {
            engine.set("BookSeed", "7");
            engine.send("usinewgame");
            engine.sync();
        }
        assert_eq!(best_of(&mut engine, "startpos"), *expected, "{turn}");
    }
}

#[test]
fn choice_follows_the_weights() {
    let shelf = Shelf::new();
    let rows: [&str; 2] = ["2g2f none none none 10", "7g7f none none none 90"];
    let path = shelf.text("book.db", &[(START, 1, &rows)]);
    let often = |selection| counts(&sequence(&path, selection, "3", 200)).get("7g7f").copied().unwrap_or(0);
    // Four standard deviations.
    assert!((162..=197).contains(&often("weighted")), "{}", often("weighted"));
    assert!((70..=130).contains(&often("uniform")), "{}", often("uniform"));
    assert_eq!(often("best"), 200);
}

/// The played move is first, the others keep their order.
#[test]
fn chosen_move_is_shown_first() {
    let shelf = Shelf::new();
    let path = shelf.text("book.db", &[(START, 1, &FOUR)]);
    let usual = ["2g2f", "7g7f", "5g5f", "1g1f"];
    let mut engine = reader(&path, &[("BookSelection", "uniform"), ("BookSeed", "1")]);
    let mut seen = Vec::new();
    for _ in 0..40 {
        let thought = from_book(&mut engine, "startpos");
        let shown = candidates(&thought);
        let rest: Vec<_> = usual.into_iter().filter(|mv| *mv != thought.best()).collect();
        assert_eq!(shown[1..], rest[..], "{shown:?}");
        seen.push(thought.best().to_owned());
    }
    assert_eq!(counts(&seen).len(), 4, "{seen:?}");
}

#[test]
fn rotated_positions_match() {
    let shelf = Shelf::new();
    let drop = "4k4/9/9/9/9/9/9/9/4K4 w p";
    let rows: [(&str, u32, &[&str]); 2] = [(drop, 2, &["P*5d 5i5h 7 1 1"]), (SECOND, 2, &["8c8d 2g2f 12 3 5"])];
    let path = shelf.text("book.db", &rows);
    for in_place in ["false", "true"] {
        let mut engine = reader(&path, &[("BookOnTheFly", in_place)]);
        let straight = from_book(&mut engine, &format!("sfen {SECOND} 2"));
        assert_eq!((straight.best(), straight.ponder()), ("8c8d", Some("2g2f")));
        let turned = from_book(&mut engine, &format!("sfen {TURNED} 1"));
        assert_eq!((turned.best(), turned.ponder()), ("2g2f", Some("8c8d")));
        assert_eq!(turned.score(), straight.score(), "each from its own side");
        let dropped = from_book(&mut engine, "sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1");
        assert_eq!((dropped.best(), dropped.ponder()), ("P*5f", Some("5a5b")));
        engine.set("FlippedBook", "false");
        assert_unknown(&mut engine, &format!("sfen {TURNED} 1"));
        assert_eq!(best_of(&mut engine, "startpos moves 7g7f"), "8c8d");
    }
}

/// A direct entry takes precedence over the rotated one.
#[test]
fn direct_entry_takes_precedence_over_rotated() {
    let shelf = Shelf::new();
    let mut engine = reader(&shelf.text("book.db", &[(TURNED, 1, &["9g9f"]), (SECOND, 2, &["8c8d"])]), &[]);
    assert_eq!(candidates(&from_book(&mut engine, &format!("sfen {TURNED} 1"))), ["9g9f"]);
    assert_eq!(candidates(&from_book(&mut engine, &format!("sfen {SECOND} 2"))), ["8c8d"]);
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
fn move_numbers_may_matter() {
    let shelf = Shelf::new();
    let path = shelf.text("book.db", &[(SECOND, 8, &["8c8d"]), (START, 1, &["2g2f"]), (START, 5, &["7g7f"])]);
    let at = |number: u32| format!("sfen {START} {number}");
    let second = format!("sfen {SECOND} 2");
    let mut engine = reader(&path, &[("BookOnTheFly", "true"), ("IgnoreBookPly", "false")]);
    assert_eq!(best_of(&mut engine, &at(1)), "2g2f");
    assert_eq!(best_of(&mut engine, &at(5)), "7g7f");
    assert_unknown(&mut engine, &at(3));
    assert_unknown(&mut engine, &second);
    engine.set("IgnoreBookPly", "true");
    for (number, expected) in [(1, "2g2f"), (5, "7g7f"), (3, "2g2f"), (9, "2g2f")] {
        assert_eq!(best_of(&mut engine, &at(number)), expected, "{number}");
    }
    assert_eq!(best_of(&mut engine, &second), "8c8d");
    // Books in memory have no move numbers.
    engine.set("BookOnTheFly", "false");
    for ignored in ["true", "false"] {
        engine.set("IgnoreBookPly", ignored);
        assert_eq!(best_of(&mut engine, &second), "8c8d");
        assert_eq!(candidates(&from_book(&mut engine, &at(3))).len(), 2);
    }
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
    for (folder, file) in
        [("", "book/first.db"), ("book", "first.db"), ("./book/", "first.db"), ("", "./book/../book/first.db")]
    {
        engine.set("BookDir", folder);
        engine.set("BookFile", file);
        assert_eq!(engine.reported(), [""; 0], "{folder:?} {file:?}");
        assert_eq!(best_of(&mut engine, "startpos"), "1g1f", "{folder:?} {file:?}");
        engine.set("BookFile", "no_book");
        assert_unknown(&mut engine, "startpos");
    }
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
        engine.send(search);
        engine.assert_no_answer(ms(50));
        engine.set("BookFile", name(&second));
        engine.assert_no_answer(ms(50));
        check(&engine.stop(&board));
        assert_eq!(best_of(&mut engine, "startpos"), "9g9f");
        engine.send(search);
        engine.assert_no_answer(ms(50));
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
            assert!(thought.strings()[0].ends_with("?? (Climbing Silver)"), "{:?}", thought.strings());
        }
    }
    engine.assert_settled();
}

#[test]
fn book_scores_are_shown() {
    let shelf = Shelf::new();
    let mut engine = Client::ready_with(&OPEN);
    let mut last = None;
    for score in [-99_999, -32_001, -32_000, -31_999, -30_000, -1, 0, 1, 29_999, 30_000, 31_999, 32_000, 32_001, 99_999]
    {
        let path = shelf.text(&format!("{score}.db"), &[(START, 1, &[&format!("1g1f none {score} 9 1")])]);
        engine.set("BookFile", name(&path));
        let shown = from_book(&mut engine, "startpos").score().value();
        assert!(last.is_none_or(|last| last <= shown), "{score}: {shown} after {last:?}");
        last = Some(shown);
    }
    for value in [Value::MATE, Value::INFINITE, Value::raw(-32_000), Value::raw(-32_001)] {
        let mv = BookMove { score: Some(value), ..weighted("1g1f", 1) };
        engine.set("BookFile", name(&shelf.shob(&format!("{}.shob", value.get()), vec![(START, vec![mv])])));
        from_book(&mut engine, "startpos");
    }
    for win_rate in [0, 1, 5000, 9999, 10_000] {
        engine.set(
            "BookFile",
            name(&shelf.shob(&format!("{win_rate}"), vec![(START, vec![played("1g1f", 9, win_rate)])])),
        );
        let cp = from_book(&mut engine, "startpos").score().value();
        assert_eq!(cp.signum(), i64::from(win_rate).cmp(&5000) as i64, "{win_rate}: {cp}");
    }
}

//! The opening book: what is played from it, what is refused, and what a client hears of it.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use sabi::book::{BookMap, BookMove, BookPosition, ShobOptions, book_key, foreign};
use sabi::position::Position;
use sabi::types::Score as Value;
use tempfile::TempDir;

use super::client::{Client, PATIENCE, SLACK, STOP_LIMIT, ms};
use super::grammar::is_move;
use super::info::Score;
use super::positions::BUSY;
use super::thought::Thought;

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";

/// As if White had begun the game, with 3c3d.
const TURNED: &str = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";

/// After 7g7f; [`TURNED`] with the sides exchanged.
const SECOND: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w -";

/// Far longer than a move of the book takes.
const LONG: &str = "btime 600000 wtime 600000 byoyomi 60000";

/// A folder of books.
struct Shelf(TempDir);

impl Shelf {
    fn new() -> Self {
        Self(TempDir::new().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).expect("a file");
        path
    }

    /// A text book: positions with their numbers, each with lines of moves.
    fn text(&self, name: &str, rows: &[(&str, u32, &[&str])]) -> PathBuf {
        self.put(name, text_book(rows))
    }

    /// The same as text with one move for the start of the game.
    fn one_move(&self, name: &str, mv: &str) -> PathBuf {
        self.text(name, &[(START, 1, &[&format!("{mv} none none none 1")])])
    }

    /// A book in our own format.
    fn shob(&self, name: &str, rows: Vec<(&str, Vec<BookMove>)>) -> PathBuf {
        let path = self.path(name);
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

fn name(path: &Path) -> &str {
    path.to_str().expect("the tests make UTF-8 names")
}

/// Options with which every move of a book may be played, the one that is worth most first.
const OPEN: [(&str, &str); 4] = [
    ("BookSelection", "best"),
    ("NarrowBook", "false"),
    ("BookEvalBlackLimit", "-99999"),
    ("BookEvalWhiteLimit", "-99999"),
];

/// An engine with this book, that had nothing to say against it; what else is not said is as in [`OPEN`].
fn reader(path: &Path, options: &[(&str, &str)]) -> Client {
    let mut engine = Client::ready_with(&[&[("BookFile", name(path))], &OPEN[..], options].concat());
    assert_eq!(told(&mut engine), [""; 0], "{}", path.display());
    engine
}

/// What `isready` has to tell.
fn told(engine: &mut Client) -> Vec<String> {
    engine.sync().into_iter().map(|line| line.text).collect()
}

fn strings(thought: &Thought) -> Vec<String> {
    thought.infos().into_iter().filter_map(|info| info.string).collect()
}

/// The first moves of the lines that were shown.
fn candidates(thought: &Thought) -> Vec<String> {
    thought.variations().into_iter().map(|info| info.pv[0].clone()).collect()
}

/// Whether this is the line that tells of a move of the book, and of which.
fn book_move(string: &str) -> Option<&str> {
    string.strip_prefix("book ").and_then(|rest| rest.split(' ').next()).filter(|word| is_move(word))
}

/// Answered without a search: every candidate is told of and shown, the one to play first, and nothing else is said.
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

/// Answered by a search, without a move from the book.
fn assert_searched(thought: &Thought) {
    let strings = strings(thought);
    assert!(strings.iter().all(|string| book_move(string).is_none()), "{strings:#?}");
    assert!(thought.depth() >= 1 && thought.infos().iter().any(|info| info.nodes > Some(0)));
}

/// What the book plays here, which it must know.
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

/// The book has nothing here, and nothing is told of it.
fn assert_unknown(engine: &mut Client, position: &str) {
    let board = engine.position(position);
    let thought = engine.go(&board, "depth 1");
    assert_searched(&thought);
    assert_eq!(strings(&thought), [""; 0], "{position}");
}

/// The one line that is told where the book knows the position and gives no move.
fn refusal(engine: &mut Client, position: &str) -> String {
    let board = engine.position(position);
    let thought = engine.go(&board, "depth 1");
    assert_searched(&thought);
    let mut strings = strings(&thought);
    assert_eq!(strings.len(), 1, "{position}: {strings:#?}");
    assert_eq!(thought.infos()[0].string.as_ref(), strings.first(), "told after the search");
    strings.remove(0)
}

#[test]
fn a_move_of_the_book_is_answered_at_once() {
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
            strings(&thought),
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
        // A search between does not change it.
        assert_unknown(&mut engine, BUSY);
    }
    let thought = from_book(&mut engine, "startpos moves 7g7f 3c3d");
    assert_eq!((thought.best(), thought.ponder()), ("2g2f", None));
    // Nor does any other way to ask for a move.
    for limits in ["", "depth 30", "nodes 100000000", "movetime 60000", "btime 0 wtime 0 byoyomi 0"] {
        let board = engine.position("startpos");
        let thought = engine.go(&board, limits);
        assert_from_book(&thought);
        assert_eq!(thought.best(), "7g7f", "{limits}");
    }
    engine.assert_settled();
    engine.quit();
}

#[test]
fn many_games_count_more_than_one_good_one() {
    let shelf = Shelf::new();
    let moves = vec![played("2g2f", 1000, 5400), played("7g7f", 3, 10_000), played("5g5f", 900, 4000)];
    let mut engine = reader(&shelf.shob("book.shob", vec![(START, moves)]), &[]);
    let thought = from_book(&mut engine, "startpos");
    assert_eq!(candidates(&thought), ["7g7f", "2g2f", "5g5f"].map(str::to_owned), "{:?}", strings(&thought));
    engine.quit();
    let moves = vec![played("7g7f", 2, 10_000), played("2g2f", 1000, 6000)];
    let mut engine = reader(&shelf.shob("other.shob", vec![(START, moves)]), &[]);
    let thought = from_book(&mut engine, "startpos");
    assert_eq!(thought.best(), "2g2f");
    assert_eq!(strings(&thought)[0], "book 2g2f weight 1000 games 1000 wins 60.0%");
    engine.quit();
}

/// The start of the game, or where a book does not know that, the first position it has.
#[test]
fn books_of_other_programs_are_played_from() {
    let first = "sfen 1+R1+PS1snl/4k1g2/pN1pp1p1p/5p3/9/1B7/P1KPPP+b1P/1SG3+p2/LN4+r2 b G2L4Pgsnp 57";
    // Some were made from a game or two.
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
        assert_eq!(told(&mut engine), [""; 0], "{file}");
        let thought = from_book(&mut engine, position);
        assert_eq!(thought.best(), expected, "{file}");
        assert_unknown(&mut engine, BUSY);
    }
    engine.quit();
}

#[test]
fn our_own_books_are_played_from() {
    let shelf = Shelf::new();
    let rows = || vec![(START, vec![weighted("2g2f", 9), weighted("7g7f", 5)]), (SECOND, vec![weighted("8c8d", 4)])];
    let mut paths = Vec::new();
    for (compress, positions) in [(false, false), (false, true), (true, false), (true, true)] {
        let path = shelf.path(&format!("{compress}-{positions}"));
        sabi::book::write(&map(rows()), ShobOptions { compress, positions }, &path).expect("a book");
        paths.push(path);
    }
    let mut json = Vec::new();
    let all: Vec<_> = map(rows()).into_values().collect();
    foreign::write_json(&mut json, &all).expect("a book");
    paths.push(shelf.put("book.json", json));
    let mut engine = Client::ready_with(&OPEN);
    for path in paths {
        engine.set("BookFile", name(&path));
        assert_eq!(told(&mut engine), [""; 0]);
        assert_eq!(candidates(&from_book(&mut engine, "startpos")), ["2g2f", "7g7f"], "{}", path.display());
        let thought = from_book(&mut engine, "startpos moves 7g7f");
        assert_eq!(candidates(&thought), ["8c8d"]);
        assert_unknown(&mut engine, "startpos moves 2g2f");
    }
    engine.quit();
}

#[test]
fn without_a_book_there_is_a_search() {
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
    assert_eq!(told(&mut engine), [""; 0]);
    engine.set("BookFile", name(&path));
    known(&mut engine);
    engine.quit();
}

#[test]
fn lines_of_the_book_are_hints_where_that_is_asked_for() {
    let shelf = Shelf::new();
    let rows = vec![(START, vec![weighted("7g7f", 9)]), (SECOND, vec![weighted("8c8d", 4)])];
    let path = shelf.shob("book.shob", rows.clone());
    let think = |engine: &mut Client, position: &str| {
        let board = engine.position(position);
        let thought = engine.go(&board, "depth 6");
        assert_searched(&thought);
        let nodes = thought.infos().iter().filter_map(|info| info.nodes).max();
        (strings(&thought), nodes)
    };
    let options = [("BookMoves", "0"), ("Threads", "1")];
    let mut engine = reader(&path, &options);
    let (told, nodes) = think(&mut engine, "startpos");
    assert_eq!(told, ["the book knows this position but gives no move: 7g7f beyond BookMoves"]);
    engine.quit();
    let mut engine = reader(&path, &[&options[..], &[("USI_OwnBook", "false"), ("BookPrefill", "true")]].concat());
    assert_eq!(think(&mut engine, "startpos"), (vec![], nodes), "without a book there are no hints");
    engine.quit();
    let mut engine = reader(&path, &[&options[..], &[("BookPrefill", "true")]].concat());
    let put = |count| format!("positions of the book put into the transposition table: {count}");
    let (told, _) = think(&mut engine, "startpos");
    assert_eq!(told[1..], [put(2)]);
    let (told, _) = think(&mut engine, "startpos");
    assert_eq!(told.len(), 1, "the table knows them by now: {told:?}");
    assert_eq!(think(&mut engine, BUSY).0, [""; 0]);
    engine.quit();
    // Out of the book, with a move that leads back.
    let path = shelf.shob("second.shob", rows[1..].to_vec());
    let mut engine = reader(&path, &[&options[..], &[("BookPrefill", "true")]].concat());
    assert_eq!(think(&mut engine, "startpos").0, [put(1)]);
    engine.quit();
}

#[test]
fn the_engine_brings_a_book_of_its_own() {
    let shelf = Shelf::new();
    let path = shelf.one_move("book.db", "1g1f");
    // Before anything of a book is set.
    let mut engine = Client::small();
    assert_eq!(told(&mut engine), [""; 0]);
    assert_from_book(&from_book(&mut engine, "startpos"));
    for own in ["", "<empty>"] {
        engine.set("BookFile", name(&path));
        assert_eq!(best_of(&mut engine, "startpos"), "1g1f");
        engine.set("BookFile", own);
        let thought = from_book(&mut engine, "startpos moves 7g7f 3c3d");
        assert!(candidates(&thought).contains(&"2g2f".to_owned()), "{own:?}");
        assert_eq!(told(&mut engine), [""; 0], "{own:?}");
    }
    // A position that no game comes to.
    assert_unknown(&mut engine, BUSY);
    engine.quit();
}

/// Everything that is no book.
fn no_books(shelf: &Shelf) -> Vec<PathBuf> {
    let whole = shelf.shob("whole.shob", vec![(START, vec![weighted("1g1f", 1)])]);
    let whole = fs::read(whole).expect("the book");
    let folder = shelf.path("folder.db");
    fs::create_dir(&folder).expect("a folder");
    let mut paths = vec![shelf.path("missing.db"), shelf.path("missing/book.db"), folder, shelf.put("empty.db", "")];
    paths.push(shelf.put("prose.db", "I am not a book, I am a letter.\n"));
    let noise = |seed: u32| seed.wrapping_mul(2_654_435_761).to_be_bytes();
    paths.push(shelf.put("noise.bin", (1..999).flat_map(noise).collect::<Vec<_>>()));
    for (number, length) in [4, 20, whole.len() / 2, whole.len() - 1].into_iter().enumerate() {
        paths.push(shelf.put(&format!("cut{number}.shob"), &whole[..length]));
    }
    paths.push(fixture("samebook-gikou-head.bin"));
    paths
}

fn assert_unusable(lines: &[String], path: &Path) {
    let one = matches!(lines, [line] if line.contains(name(path)) && line.contains("book") && line.contains("cannot be used"));
    assert!(one, "{}: {lines:#?}", path.display());
}

#[test]
fn p18_a_book_that_cannot_be_used_is_told_of_once() {
    let shelf = Shelf::new();
    let good = shelf.one_move("good.db", "1g1f");
    let mut engine = Client::ready();
    for path in no_books(&shelf) {
        engine.set("BookFile", name(&path));
        for _ in 0..2 {
            assert_unusable(&told(&mut engine), &path);
            (0..2).for_each(|_| assert_unknown(&mut engine, "startpos"));
        }
        engine.set("BookFile", name(&good));
        assert_eq!(best_of(&mut engine, "startpos"), "1g1f", "after {}", path.display());
        // Where no isready comes between, it is the go that tells.
        engine.set("BookFile", name(&path));
        let board = engine.position("startpos");
        let thought = engine.go(&board, "depth 1");
        assert_searched(&thought);
        assert_unusable(&strings(&thought), &path);
        assert_unknown(&mut engine, "startpos");
        engine.set("USI_OwnBook", "false");
        assert_eq!(told(&mut engine), [""; 0], "a book that is not wanted");
        engine.set("USI_OwnBook", "true");
    }
    engine.assert_settled();
    engine.quit();
}

/// Whichever byte is wrong: a legal move, and at most a word about it.
#[test]
fn p18_a_damaged_book_is_no_end() {
    let shelf = Shelf::new();
    let moves = vec![played("1g1f", 9, 5000), BookMove { answer: "3c3d".parse().ok(), ..weighted("7g7f", 3) }];
    let whole = fs::read(shelf.shob("whole.shob", vec![(START, moves)])).expect("the book");
    let mut engine = Client::ready();
    let (mut refused, mut found, mut searched) = (0, 0, 0);
    for place in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[place] ^= 0xff;
        let path = shelf.put(&format!("{place}.shob"), bytes);
        engine.set("BookFile", name(&path));
        let at_opening = told(&mut engine);
        let board = engine.position("startpos");
        let thought = engine.go(&board, "depth 1");
        let strings = strings(&thought);
        assert!(
            strings.iter().chain(&at_opening).all(|line| !line.contains("internal error")),
            "{place}: {strings:#?}"
        );
        if !at_opening.is_empty() {
            assert_unusable(&at_opening, &path);
            refused += 1;
        } else if strings.first().is_some_and(|line| book_move(line).is_some()) {
            assert_from_book(&thought);
            found += 1;
            continue;
        } else {
            searched += strings.len();
        }
        assert_searched(&thought);
    }
    assert!(refused > 0 && found > 0 && searched > 0, "{refused} {found} {searched}");
    engine.assert_settled();
    engine.quit();
}

#[test]
fn a_book_that_comes_late_is_found_at_isready() {
    let shelf = Shelf::new();
    let path = shelf.path("late.db");
    let mut engine = Client::ready_with(&[("BookFile", name(&path))]);
    assert_unusable(&told(&mut engine), &path);
    shelf.one_move("late.db", "1g1f");
    assert_eq!(told(&mut engine), [""; 0]);
    assert_eq!(best_of(&mut engine, "startpos"), "1g1f");
    engine.quit();
}

#[test]
fn the_book_ends_with_book_moves() {
    let shelf = Shelf::new();
    let third = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b -";
    let rows: [(&str, u32, &[&str]); 3] = [(START, 1, &["1g1f"]), (SECOND, 2, &["1c1d"]), (third, 3, &["9g9f"])];
    let mut engine = reader(&shelf.text("book.db", &rows), &[("BookMoves", "2")]);
    assert_eq!(best_of(&mut engine, "startpos"), "1g1f");
    assert_eq!(best_of(&mut engine, "startpos moves 7g7f"), "1c1d");
    let line = refusal(&mut engine, "startpos moves 7g7f 3c3d");
    assert!(line.contains("9g9f") && line.contains("BookMoves"), "{line}");
    // The number of the move is that of the game, also where a position is given without the moves before it.
    assert!(refusal(&mut engine, &format!("sfen {START} 3")).contains("BookMoves"));
    assert_unknown(&mut engine, "startpos moves 7g7f 3c3d 9g9f");
    engine.set("BookMoves", "3");
    assert_eq!(best_of(&mut engine, "startpos moves 7g7f 3c3d"), "9g9f");
    engine.set("BookMoves", "0");
    for _ in 0..2 {
        assert!(refusal(&mut engine, "startpos").contains("BookMoves"));
    }
    engine.quit();
}

#[test]
fn illegal_moves_of_a_book_are_not_played() {
    let shelf = Shelf::new();
    let wrong = ["7g7e", "3c3d", "P*5e", "8h2b+", "5e5d", "2g2f+", "5i5i"];
    let wrong = || wrong.iter().filter_map(|word| word.parse().ok()).map(|mv| BookMove::new(mv, 100));
    let path = shelf.shob("wrong.shob", vec![(START, wrong().collect())]);
    let mut engine = reader(&path, &[]);
    let line = refusal(&mut engine, "startpos");
    assert!(wrong().count() >= 6 && line.matches("illegal").count() == wrong().count(), "{line}");
    let moves = wrong().chain([weighted("1g1f", 1)]).collect();
    engine.set("BookFile", name(&shelf.shob("mixed.shob", vec![(START, moves)])));
    for selection in ["best", "weighted", "uniform"] {
        engine.set("BookSelection", selection);
        assert_eq!(candidates(&from_book(&mut engine, "startpos")), ["1g1f"]);
    }
    // An answer or a line that cannot be played is not shown; the client checks what is.
    let mv = BookMove { answer: "7g7f".parse().ok(), ..weighted("7g7f", 1) };
    let second = vec![weighted("8h2b+", 9), weighted("8c8d", 1)];
    engine.set("BookFile", name(&shelf.shob("answer.shob", vec![(START, vec![mv]), (SECOND, second)])));
    let thought = from_book(&mut engine, "startpos");
    assert_eq!(thought.variations()[0].pv, ["7g7f", "8c8d"]);
    engine.quit();
}

#[test]
fn a_move_that_loses_by_repetition_is_refused() {
    let shelf = Shelf::new();
    let root = "4k4/9/9/9/9/9/9/5R3/K8 b -";
    let mut engine = reader(&shelf.text("book.db", &[(root, 1, &["4h5h"])]), &[]);
    assert_eq!(best_of(&mut engine, &format!("sfen {root} 1")), "4h5h");
    let cycle = "4h5h 5a4a 5h4h 4a5a";
    let line = refusal(&mut engine, &format!("sfen {root} 1 moves {cycle} {cycle} {cycle}"));
    assert!(line.contains("4h5h") && line.contains("repetition"), "{line}");
    engine.quit();
}

#[test]
fn scores_far_below_the_best_are_left_out() {
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
    engine.quit();
}

#[test]
fn low_scores_are_left_out_for_each_side() {
    let shelf = Shelf::new();
    let first: [&str; 3] = ["2g2f none 5 1 1", "7g7f none 0 1 9", "5g5f none -1 1 9"];
    let second: [&str; 2] = ["8c8d none -140 1 1", "3c3d none -141 1 1"];
    let path = shelf.text("book.db", &[(START, 1, &first), (SECOND, 2, &second)]);
    let mut engine = Client::ready_with(&[("BookFile", name(&path))]);
    assert_eq!(candidates(&from_book(&mut engine, "startpos")).len(), 2);
    assert_eq!(candidates(&from_book(&mut engine, "startpos moves 7g7f")), ["8c8d"]);
    engine.set("BookEvalBlackLimit", "6");
    let line = refusal(&mut engine, "startpos");
    assert_eq!(line.matches("BookEvalBlackLimit").count(), 3, "{line}");
    engine.set("BookEvalBlackLimit", "-1");
    assert_eq!(candidates(&from_book(&mut engine, "startpos")).len(), 3);
    engine.quit();
}

#[test]
fn scores_of_short_searches_are_left_out() {
    let shelf = Shelf::new();
    let rows: [&str; 3] = ["2g2f none 50 15 1", "7g7f none 40 16 9", "1g1f none none none 1"];
    let mut engine = reader(&shelf.text("book.db", &[(START, 1, &rows)]), &[("BookDepthLimit", "16")]);
    assert_eq!(candidates(&from_book(&mut engine, "startpos")), ["7g7f", "1g1f"]);
    engine.set("BookDepthLimit", "0");
    assert_eq!(candidates(&from_book(&mut engine, "startpos")), ["2g2f", "7g7f", "1g1f"]);
    engine.quit();
}

#[test]
fn the_book_may_be_ignored_by_chance() {
    let shelf = Shelf::new();
    let path = shelf.text("book.db", &[(START, 1, &FOUR)]);
    let mut engine = reader(&path, &[("BookIgnoreRate", "100")]);
    let line = refusal(&mut engine, "startpos");
    assert!(line.contains("BookIgnoreRate"), "{line}");
    engine.set("BookIgnoreRate", "50");
    engine.set("BookSeed", "4");
    let board = engine.position("startpos");
    let searched = |engine: &mut Client| !strings(&engine.go(&board, "depth 1"))[0].starts_with("book ");
    let count = (0..100).filter(|_| searched(&mut engine)).count();
    assert!((30..=70).contains(&count), "{count}");
    engine.quit();
}

#[test]
fn lines_of_the_book_are_as_long_as_asked() {
    let shelf = Shelf::new();
    let path = shelf.text("book.db", &[(START, 1, &["7g7f 3c3d 0 1 1"]), (SECOND, 2, &["3c3d 2g2f 0 1 1"])]);
    let mut engine = reader(&path, &[]);
    for (most, plies) in [("1", 1), ("2", 2), ("8", 2)] {
        engine.set("BookPvMoves", most);
        let thought = from_book(&mut engine, "startpos");
        assert_eq!((thought.variations()[0].pv.len(), thought.ponder()), (plies, Some("3c3d")), "{most}");
    }
    engine.quit();
}

/// Games begin differently without any option set; the moves are those that are usual and good.
#[test]
fn without_options_the_book_varies() {
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
    // Clients send every option in the order of the list: the second name takes nothing from the first.
    engine.set("BookSelection", "best");
    for by_count in ["true", "false"] {
        engine.set("ConsiderBookMoveCount", by_count);
        assert!((0..20).all(|_| best_of(&mut engine, "startpos") == "2g2f"), "{by_count}");
    }
    engine.quit();
}

#[test]
fn moves_of_few_games_are_left_out() {
    let shelf = Shelf::new();
    let moves = || vec![played("2g2f", 20, 5000), played("7g7f", 2, 5000), played("5g5f", 1, 5000)];
    let path = shelf.shob("book.shob", vec![(START, moves()), (SECOND, vec![weighted("8c8d", 1)])]);
    let mut engine = reader(&path, &[]);
    for (least, expected) in [("2", &["2g2f", "7g7f"][..]), ("3", &["2g2f"]), ("0", &["2g2f", "7g7f", "5g5f"])] {
        engine.set("BookMinGames", least);
        assert_eq!(candidates(&from_book(&mut engine, "startpos")), expected, "{least}");
    }
    engine.set("BookMinGames", "21");
    let line = refusal(&mut engine, "startpos");
    assert_eq!(line.matches("BookMinGames").count(), 3, "{line}");
    assert_eq!(best_of(&mut engine, "startpos moves 7g7f"), "8c8d", "its games are not known");
    engine.quit();
}

#[test]
fn a_narrow_book_leaves_rare_moves_out() {
    let shelf = Shelf::new();
    let rows: [&str; 3] = ["2g2f none none none 100", "7g7f none none none 10", "5g5f none none none 9"];
    let mut engine = reader(&shelf.text("book.db", &[(START, 1, &rows)]), &[]);
    assert_eq!(candidates(&from_book(&mut engine, "startpos")), ["2g2f", "7g7f", "5g5f"]);
    engine.set("NarrowBook", "true");
    assert_eq!(candidates(&from_book(&mut engine, "startpos")), ["2g2f", "7g7f"]);
    engine.set("NarrowBook", "false");
    assert_eq!(candidates(&from_book(&mut engine, "startpos")).len(), 3);
    engine.quit();
}

/// Each with its reason, all in one line; and what is not played is no measure for the rest.
#[test]
fn every_reason_is_told_where_no_move_is_left() {
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
    let line = refusal(&mut engine, "startpos");
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
    engine.quit();
}

#[test]
fn p01_analysis_and_ponder_do_not_ask_the_book() {
    let shelf = Shelf::new();
    let mut engine = reader(&shelf.one_move("book.db", "1g1f"), &[]);
    let board = engine.position("startpos");
    for search in
        ["go infinite", "go ponder", "go ponder btime 600000 wtime 600000 byoyomi 0", "go infinite searchmoves 1g1f"]
    {
        engine.send(search);
        engine.assert_no_answer(ms(150));
        assert_searched(&engine.stop(&board));
        engine.assert_settled();
    }
    for (search, hit) in [
        ("go ponder btime 0 wtime 0 byoyomi 100", "ponderhit"),
        ("go ponder", "ponderhit btime 0 wtime 0 byoyomi 100"),
        ("go ponder depth 1", "ponderhit"),
    ] {
        engine.send(search);
        engine.assert_no_answer(ms(100));
        engine.send(hit);
        assert_searched(&engine.bestmove(&board, PATIENCE));
        engine.assert_settled();
    }
    for _ in 0..5 {
        engine.send_bytes(b"go ponder btime 0 wtime 0 byoyomi 50\nponderhit\n");
        assert_searched(&engine.bestmove(&board, PATIENCE));
    }
    engine.assert_settled();
    // The next move comes from the book again.
    assert_eq!(best_of(&mut engine, "startpos"), "1g1f");
    engine.quit();
}

#[test]
fn p25_searchmoves_are_not_answered_by_the_book() {
    let shelf = Shelf::new();
    let mut engine = reader(&shelf.one_move("book.db", "1g1f"), &[]);
    let board = engine.position("startpos");
    for only in ["9g9f", "1g1f"] {
        let thought = engine.go(&board, &format!("depth 2 searchmoves {only}"));
        assert_searched(&thought);
        assert_eq!(thought.best(), only);
    }
    engine.assert_settled();
    engine.quit();
}

#[test]
fn every_go_to_the_book_has_one_answer() {
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
        let thought = engine.bestmove(&board, PATIENCE);
        if turn % 2 == 1 {
            assert_from_book(&thought);
        }
    }
    engine.assert_settled();
    engine.quit();
}

const FOUR: [&str; 4] =
    ["2g2f none none none 4", "7g7f none none none 3", "5g5f none none none 2", "1g1f none none none 1"];

/// What a new engine plays from this book, again and again.
fn sequence(path: &Path, selection: &str, seed: &str, count: usize) -> Vec<String> {
    let mut engine = reader(path, &[("BookSelection", selection), ("BookSeed", seed)]);
    let played = (0..count).map(|_| best_of(&mut engine, "startpos")).collect();
    engine.quit();
    played
}

fn counts(played: &[String]) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    played.iter().for_each(|mv| *counts.entry(mv.as_str()).or_default() += 1);
    counts
}

#[test]
fn a_seed_repeats_the_choice() {
    let shelf = Shelf::new();
    let path = shelf.text("book.db", &[(START, 1, &FOUR)]);
    for selection in ["weighted", "uniform"] {
        let first = sequence(&path, selection, "7", 20);
        assert_eq!(sequence(&path, selection, "7", 20), first, "{selection}");
        assert_ne!(sequence(&path, selection, "8", 20), first, "{selection}");
        assert!(counts(&first).len() > 1, "{selection}: {first:?}");
        // It is left to chance; one case in 2 to the power of 74 would fail, for the weights.
        let free = sequence(&path, selection, "0", 40);
        assert_ne!(sequence(&path, selection, "0", 40), free, "{selection}");
    }
    assert_eq!(counts(&sequence(&path, "best", "7", 20)), HashMap::from([("2g2f", 20)]));
}

/// Another seed begins anew, the same seed given once more does not.
#[test]
fn a_seed_may_change_at_any_time() {
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
    engine.quit();
}

#[test]
fn chance_follows_the_weights() {
    let shelf = Shelf::new();
    let rows: [&str; 2] = ["2g2f none none none 10", "7g7f none none none 90"];
    let path = shelf.text("book.db", &[(START, 1, &rows)]);
    let often = |selection| counts(&sequence(&path, selection, "3", 200)).get("7g7f").copied().unwrap_or(0);
    // More than four standard deviations to either side.
    assert!((162..=197).contains(&often("weighted")), "{}", often("weighted"));
    assert!((70..=130).contains(&often("uniform")), "{}", often("uniform"));
    assert_eq!(often("best"), 200);
}

/// The move that is played stands first, the others keep their order.
#[test]
fn the_move_of_chance_is_shown_first() {
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
    engine.quit();
}

#[test]
fn a_book_serves_both_sides() {
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
        engine.quit();
    }
}

/// What the book says itself goes before what it says of the other side.
#[test]
fn a_position_of_its_own_goes_before_a_turned_one() {
    let shelf = Shelf::new();
    let mut engine = reader(&shelf.text("book.db", &[(TURNED, 1, &["9g9f"]), (SECOND, 2, &["8c8d"])]), &[]);
    assert_eq!(candidates(&from_book(&mut engine, &format!("sfen {TURNED} 1"))), ["9g9f"]);
    assert_eq!(candidates(&from_book(&mut engine, &format!("sfen {SECOND} 2"))), ["8c8d"]);
    engine.quit();
}

#[test]
fn a_sorted_book_is_the_same_where_it_lies() {
    let mut engines = ["false", "true"].map(|in_place| {
        let options = [("BookOnTheFly", in_place), ("BookSelection", "weighted"), ("BookSeed", "5")];
        reader(&fixture("shogihome.db"), &options)
    });
    for position in ["startpos", "startpos moves 7g7f", "startpos moves 6g6f 7a6b", "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1"]
    {
        let said = engines.each_mut().map(|engine| {
            let board = engine.position(position);
            let thought = engine.go(&board, "depth 1");
            let lines: Vec<_> = thought.variations().into_iter().map(|info| (info.pv, info.score)).collect();
            (thought.best().to_owned(), strings(&thought), lines)
        });
        assert_eq!(said[0], said[1], "{position}");
    }
    for engine in engines.iter_mut() {
        let thought = from_book(engine, "startpos moves 7g7f");
        assert_eq!(candidates(&thought).len(), 3);
    }
    engines.into_iter().for_each(Client::quit);
}

#[test]
fn an_unsorted_book_cannot_be_searched_where_it_lies() {
    let path = fixture("samebook.db");
    let mut engine = Client::ready_with(&[("BookFile", name(&path)), ("BookOnTheFly", "true")]);
    let lines = told(&mut engine);
    assert_unusable(&lines, &path);
    assert!(lines[0].contains("not sorted"), "{lines:?}");
    (0..2).for_each(|_| assert_unknown(&mut engine, "startpos"));
    engine.set("BookOnTheFly", "false");
    assert_eq!(best_of(&mut engine, "startpos"), "2g2f");
    engine.set("BookOnTheFly", "true");
    let board = engine.position("startpos");
    assert_unusable(&strings(&engine.go(&board, "depth 1")), &path);
    engine.quit();
}

#[test]
fn the_number_of_moves_may_matter() {
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
    // Read into memory, a book knows no numbers.
    engine.set("BookOnTheFly", "false");
    for ignored in ["true", "false"] {
        engine.set("IgnoreBookPly", ignored);
        assert_eq!(best_of(&mut engine, &second), "8c8d");
        assert_eq!(candidates(&from_book(&mut engine, &at(3))).len(), 2);
    }
    engine.quit();
}

#[test]
fn p16_books_may_be_anywhere_with_any_name() {
    let shelf = Shelf::new();
    let inner = shelf.path("定跡 置き場　(1)");
    fs::create_dir(&inner).expect("a folder");
    let file = "矢倉 the book.db";
    fs::write(inner.join(file), text_book(&[(START, 1, &["1g1f"])])).expect("a file");
    let other = shelf.one_move("other.db", "9g9f");
    let mut engine = Client::ready();
    engine.set("BookFile", name(&inner.join(file)));
    assert_eq!(best_of(&mut engine, "startpos"), "1g1f");
    engine.set("BookDir", name(&inner));
    engine.set("BookFile", file);
    assert_eq!(best_of(&mut engine, "startpos"), "1g1f");
    // A whole name needs no folder.
    engine.set("BookFile", name(&other));
    assert_eq!(best_of(&mut engine, "startpos"), "9g9f");
    engine.set("BookDir", "");
    engine.set("BookFile", file);
    assert_unusable(&told(&mut engine), Path::new(file));
    engine.quit();
}

#[test]
fn p17_relative_books_may_start_at_the_working_folder() {
    let shelf = Shelf::new();
    fs::create_dir(shelf.path("book")).expect("a folder");
    fs::write(shelf.path("book/first.db"), text_book(&[(START, 1, &["1g1f"])])).expect("a file");
    let command = &mut Command::new(env!("CARGO_BIN_EXE_sabi"));
    let mut engine = Client::spawn_command(command.current_dir(shelf.0.path())).made_small();
    for (folder, file) in
        [("", "book/first.db"), ("book", "first.db"), ("./book/", "first.db"), ("", "./book/../book/first.db")]
    {
        engine.set("BookDir", folder);
        engine.set("BookFile", file);
        assert_eq!(told(&mut engine), [""; 0], "{folder:?} {file:?}");
        assert_eq!(best_of(&mut engine, "startpos"), "1g1f", "{folder:?} {file:?}");
        engine.set("BookFile", "no_book");
        assert_unknown(&mut engine, "startpos");
    }
    engine.quit();
}

#[test]
fn p04_the_book_may_change_at_any_time() {
    let shelf = Shelf::new();
    let [first, second] = [("first.db", "1g1f"), ("second.db", "9g9f")].map(|(file, mv)| shelf.one_move(file, mv));
    let missing = shelf.path("missing.db");
    let mut engine = reader(&first, &[]);
    let board = engine.position("startpos");
    for (path, expected) in [(&first, "1g1f"), (&second, "9g9f"), (&first, "1g1f")] {
        engine.set("BookFile", name(path));
        assert_eq!(best_of(&mut engine, "startpos"), expected);
    }
    for search in ["go infinite", "go ponder btime 60000 wtime 60000"] {
        engine.send(search);
        engine.assert_no_answer(ms(50));
        engine.set("BookFile", name(&second));
        engine.assert_no_answer(ms(50));
        assert_searched(&engine.stop(&board));
        assert_eq!(best_of(&mut engine, "startpos"), "9g9f");
        engine.send(search);
        engine.assert_no_answer(ms(50));
        engine.set("BookFile", name(&missing));
        let thought = engine.stop(&board);
        assert_eq!(strings(&thought), [""; 0], "told before it is wanted");
        assert_unusable(&strings(&engine.go(&board, "depth 1")), &missing);
        engine.set("BookFile", name(&first));
    }
    engine.assert_settled();
    engine.quit();
}

/// What is open stays as it was; named anew, it is read anew.
#[cfg(unix)]
#[test]
fn a_replaced_book_does_no_harm() {
    let shelf = Shelf::new();
    let put = |file: &str, mv: &str| match file {
        "book.shob" => shelf.shob(file, vec![(START, vec![weighted(mv, 1)])]),
        _ => {
            let new = shelf.one_move("new", mv);
            fs::rename(new, shelf.path(file)).expect("a new name");
            shelf.path(file)
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
        assert_eq!(told(&mut engine), [""; 0]);
        engine.set("BookFile", name(&path));
        assert_eq!(best_of(&mut engine, "startpos"), "9g9f", "{file}");
        engine.quit();
    }
}

/// Names come from files of anybody; a client must not take one for an answer.
#[test]
fn names_in_a_book_cannot_speak_for_the_engine() {
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
            assert!(strings(&thought)[0].ends_with("?? (Climbing Silver)"), "{:?}", strings(&thought));
        }
    }
    engine.assert_settled();
    engine.quit();
}

#[test]
fn every_score_of_a_book_can_be_shown() {
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
    engine.quit();
}

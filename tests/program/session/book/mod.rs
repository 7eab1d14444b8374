//! Opening book: moves played, rejected books, and messages.

mod answers;
mod choice;
mod files;
mod filters;
mod shown;
mod yaneuraou;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use sabi_books::{BookMap, BookMove, BookPosition, ShobOptions, book_key};
use sabi_shogi::Position;

use super::client::{Client, SLACK};
use super::grammar::is_move;
use super::shelf::{Shelf, name};
use super::thought::Thought;

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";

/// White first, with 3c3d.
const TURNED: &str = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";

/// After 7g7f; [`TURNED`] with colours swapped.
const SECOND: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w -";

const FOUR: [&str; 4] =
    ["2g2f none none none 4", "7g7f none none none 3", "5g5f none none none 2", "1g1f none none none 1"];

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
        sabi_books::write(&map(rows), ShobOptions { compress: true, positions: true }, &path).expect("a book");
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
    ("BookMinShare", "0"),
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

/// Answered without a search: the move is reported, every candidate is shown, the played one first,
/// and nothing else.
fn assert_from_book(thought: &Thought) {
    let infos = thought.infos();
    assert!(infos.len() >= 2, "{infos:#?}");
    assert_eq!(infos[0].string.as_deref().and_then(book_move), Some(thought.best()), "{infos:#?}");
    for (line, number) in infos[1..].iter().zip(1..) {
        assert!(!line.pv.is_empty() && line.multipv.unwrap_or(1) == number, "{line:#?}");
        assert_eq!((line.nodes, line.depth), (Some(0), Some(0)), "{line:#?}");
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

fn counts(played: &[String]) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    played.iter().for_each(|mv| *counts.entry(mv.as_str()).or_default() += 1);
    counts
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

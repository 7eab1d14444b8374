//! Book moves as shown to a client: candidates and rejected entries.

use std::path::{Path, PathBuf};

use sabi::book::formats::apery_key;
use sabi::position::Position;
use sabi::types::Move;
use sabi_test_support::Folder;

use super::client::Client;
use super::thought::Thought;

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
/// After 7g7f.
const SECOND: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";

/// A folder with a book.
fn book(content: impl AsRef<[u8]>) -> (Folder, PathBuf) {
    let folder = Folder::new();
    folder.with("book", content);
    let path = folder.path("book");
    (folder, path)
}

fn text_book(lines: &str) -> (Folder, PathBuf) {
    book(format!("#YANEURAOU-DB2016 1.00\n{lines}"))
}

fn go(engine: &mut Client, position: &str) -> Thought {
    engine.think(position, "depth 1")
}

fn reader(path: &Path, options: &[(&str, &str)]) -> Client {
    let name = path.to_str().expect("the tests make UTF-8 names");
    let mut engine = Client::ready_with(&[&[("BookFile", name), ("BookSelection", "best")], options].concat());
    let reported: Vec<String> = engine.reported();
    assert_eq!(reported, [""; 0]);
    engine
}

/// `MultiPV` limits search lines; book moves are all shown. ShogiHome sorts lines by number, and
/// draws its graph from the first.
#[test]
fn shows_all_candidates_regardless_of_multipv() {
    let rows = ["2g2f none 30 9 4", "7g7f none 20 9 3", "5g5f none 10 9 2"].join("\n");
    let (_folder, path) = text_book(&format!("sfen {START}\n{rows}\n"));
    for lines in ["1", "2", "500"] {
        let mut engine = reader(&path, &[("MultiPV", lines)]);
        let thought = go(&mut engine, "startpos");
        let shown: Vec<_> = thought.variations().into_iter().map(|info| (info.multipv, info.pv[0].clone())).collect();
        let expected = ["2g2f", "7g7f", "5g5f"].into_iter().zip(1..);
        assert_eq!(shown, expected.map(|(mv, number)| (Some(number), mv.to_owned())).collect::<Vec<_>>());
        assert_eq!(thought.strings().len(), 3);
    }
}

/// ShogiHome ignores a line with depth 0 or 1, selective depth 0 and score 0 after a book move.
#[test]
fn candidates_are_not_ignored_by_clients() {
    let rows = ["2g2f 8c8d 0 9 4", "7g7f none none none 3"].join("\n");
    let (_folder, path) = text_book(&format!("sfen {START}\n{rows}\n"));
    let mut engine = reader(&path, &[]);
    let variations = go(&mut engine, "startpos").variations();
    let plies: Vec<_> = variations.iter().map(|info| (info.depth, info.seldepth, info.pv.len())).collect();
    assert_eq!(plies, [(Some(0), Some(2), 2), (Some(0), Some(1), 1)]);
}

/// The same message as for books read into memory, but on lookup.
#[test]
fn book_faults_are_reported_once_per_position() {
    let (_folder, path) = text_book(&format!("sfen {SECOND}\n2g2f\n8c8e\nsfen {START}\n7g7e\nhello\n7g7f\n3c3d\n"));
    let mut engine = reader(&path, &[("BookOnTheFly", "true")]);
    let name = path.display();
    for _ in 0..2 {
        let thought = go(&mut engine, "startpos");
        let losses = "1 invalid moves, 1 moves of the wrong side, 1 illegal moves";
        let expected = [format!("the book {name} is used, dropped: {losses}"), "book 7g7f weight 1".to_owned()];
        assert_eq!(thought.strings(), expected, "of this position, not of those behind it");
    }
    let thought = go(&mut engine, "startpos moves 7g7f");
    let losses = "1 moves of the wrong side, 1 illegal moves, 1 positions without a legal move";
    assert_eq!(thought.strings(), [format!("the book {name} is used, dropped: {losses}")]);
    assert_eq!(go(&mut engine, "startpos moves 2g2f").strings(), [""; 0], "of what it does not know");
}

#[test]
fn illegal_apery_moves_are_reported() {
    let entry = |mv: &str| {
        let mut bytes = apery_key(&Position::startpos()).to_le_bytes().to_vec();
        bytes.extend(mv.parse::<Move>().expect("a move").bits().to_le_bytes());
        bytes.extend([1, 0, 0, 0, 0, 0]);
        bytes
    };
    let (_folder, path) = book(["7g7f", "7g7e", "5i5g"].map(entry).concat());
    let mut engine = reader(&path, &[]);
    let reported = go(&mut engine, "startpos").strings();
    let losses = format!("the book {} is used, dropped: 2 illegal moves", path.display());
    assert_eq!(reported, [losses, "book 7g7f weight 1".to_owned()]);
}

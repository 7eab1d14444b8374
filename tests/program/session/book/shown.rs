//! Book moves as shown to a client: candidates and rejected entries.

use sabi_books::formats::apery_key;
use sabi_shogi::Move;

use super::*;

/// `MultiPV` limits search lines; book moves are all shown. ShogiHome sorts lines by number, and
/// draws its graph from the first.
#[test]
fn shows_all_candidates_regardless_of_multipv() {
    let shelf = Shelf::new();
    let path = shelf.text("book.db", &[(START, 1, &["2g2f none 30 9 4", "7g7f none 20 9 3", "5g5f none 10 9 2"])]);
    for lines in ["1", "2", "500"] {
        let mut engine = reader(&path, &[("MultiPV", lines)]);
        let thought = engine.think("startpos", "depth 1");
        let shown: Vec<_> = thought.variations().into_iter().map(|info| (info.multipv, info.pv[0].clone())).collect();
        let expected = ["2g2f", "7g7f", "5g5f"].into_iter().zip(1..);
        assert_eq!(shown, expected.map(|(mv, number)| (Some(number), mv.to_owned())).collect::<Vec<_>>());
        assert_eq!(thought.strings().len(), 1);
    }
}

/// ShogiHome ignores a line with depth 0 or 1, selective depth 0 and score 0 after a book move.
#[test]
fn candidates_are_not_ignored_by_clients() {
    let shelf = Shelf::new();
    let path = shelf.text("book.db", &[(START, 1, &["2g2f 8c8d 0 9 4", "7g7f none none none 3"])]);
    let mut engine = reader(&path, &[]);
    let variations = engine.think("startpos", "depth 1").variations();
    let plies: Vec<_> = variations.iter().map(|info| (info.depth, info.seldepth, info.pv.len())).collect();
    assert_eq!(plies, [(Some(0), Some(2), 2), (Some(0), Some(1), 1)]);
}

/// The same message as for books read into memory, but on lookup.
#[test]
fn book_faults_are_reported_once_per_position() {
    let shelf = Shelf::new();
    let rows: [(&str, u32, &[&str]); 2] =
        [(SECOND, 2, &["2g2f", "8c8e"]), (START, 1, &["7g7e", "hello", "7g7f", "3c3d"])];
    let path = shelf.text("book.db", &rows);
    let mut engine = reader(&path, &[("BookOnTheFly", "true")]);
    let name = path.display();
    for _ in 0..2 {
        let thought = engine.think("startpos", "depth 1");
        let losses = "1 invalid moves, 1 moves of the wrong side, 1 illegal moves";
        let expected =
            [format!("the book {name} is used, dropped: {losses}"), "book 7g7f weight 1 of 1 from book.db".to_owned()];
        assert_eq!(thought.strings(), expected, "of this position, not of those behind it");
    }
    let thought = engine.think("startpos moves 7g7f", "depth 1");
    let losses = "1 moves of the wrong side, 1 illegal moves, 1 positions without a legal move";
    assert_eq!(thought.strings(), [format!("the book {name} is used, dropped: {losses}")]);
    assert_unknown(&mut engine, "startpos moves 2g2f");
}

#[test]
fn illegal_apery_moves_are_reported() {
    let entry = |mv: &str| {
        let mut bytes = apery_key(&Position::startpos()).to_le_bytes().to_vec();
        bytes.extend(mv.parse::<Move>().expect("a move").bits().to_le_bytes());
        bytes.extend([1, 0, 0, 0, 0, 0]);
        bytes
    };
    let shelf = Shelf::new();
    let path = shelf.put("book.bin", ["7g7f", "7g7e", "5i5g"].map(entry).concat());
    let mut engine = reader(&path, &[]);
    let reported = engine.think("startpos", "depth 1").strings();
    let losses = format!("the book {} is used, dropped: 2 illegal moves", path.display());
    assert_eq!(reported, [losses, "book 7g7f weight 1 of 1 from book.bin".to_owned()]);
}

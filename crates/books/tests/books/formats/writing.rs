//! Writing text books for other programs.

use super::helpers::{START, db, fixture, moves_by_sfen, read_all};
use sabi_books::{
    BookMove, BookPosition,
    formats::{Omitted, ReadReport, SortedDb, read_merged, write_yaneuraou, write_ybb},
};
use sabi_shogi::{Position, Score};

fn written(positions: &[BookPosition]) -> String {
    let mut out = Vec::new();
    write_yaneuraou(&mut out, positions).unwrap();
    String::from_utf8(out).unwrap()
}

fn start_with(moves: Vec<BookMove>) -> BookPosition {
    BookPosition { position: Position::startpos(), moves }
}

fn entry(mv: &str, weight: u32, score: Option<i32>, depth: Option<u16>) -> BookMove {
    BookMove { score: score.map(Score::raw), depth, ..BookMove::new(mv.parse().unwrap(), weight) }
}

/// Drops what a book of YaneuraOu cannot hold.
fn keep_representable(book: &mut Vec<BookPosition>) {
    for position in &mut *book {
        position.moves.retain(|entry| entry.weight > 0);
        if position.moves.iter().any(|entry| entry.score.is_some()) {
            position.moves.retain(|entry| entry.score.is_some());
        }
    }
    book.retain(|position| !position.moves.is_empty());
}

#[test]
fn round_trip() {
    for name in
        ["shogihome.db", "samebook.db", "yokofu-excerpt.db", "samebook.sbk", "shogihome-apery.bin", "shogihome.ybb"]
    {
        let mut book = read_merged(&fixture(name), &mut ReadReport::default()).unwrap();
        let text = written(&book);
        keep_representable(&mut book);
        let (again, report) = read_all(text.as_bytes());
        assert_eq!(report.dropped().len(), 0, "{name}");
        assert_eq!(moves_by_sfen(&again), moves_by_sfen(&book), "{name}");
        assert_eq!(written(&again), text, "{name}");
        assert!(SortedDb::new(text.as_bytes()).is_ok(), "{name}");
    }
}

#[test]
fn lines_are_sorted_with_one_header() {
    let (mut book, _) = read_all(&fixture("samebook.db"));
    book.reverse();
    let text = written(&book);
    assert!(text.starts_with("#YANEURAOU-DB2016 1.00\nsfen ") && text.ends_with('\n') && !text.contains('\r'));
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("sfen ")).collect();
    assert!(lines.len() == 73 && lines.is_sorted());
}

#[test]
fn stored_fields_round_trip() {
    let full = BookMove {
        answer: Some("3c3d".parse().unwrap()),
        ..entry("7g7f", 900, Some(Score::mate_in(9).get()), Some(30))
    };
    for moves in [
        vec![full.clone(), entry("5g5f", 7, Some(-20), None)],
        vec![full, entry("2g2f", 8, Some(0), Some(0))],
        vec![entry("7g7f", 2, None, None), entry("2g2f", 1, None, None)],
        vec![entry("7g7f", 2, Some(0), None)],
        vec![entry("7g7f", 2, None, Some(4))],
    ] {
        let text = written(&[start_with(moves.clone())]);
        assert_eq!(read_all(text.as_bytes()).0[0].moves, moves, "{text}");
    }
}

#[test]
fn unknown_values_have_playable_defaults() {
    let text = written(&[start_with(vec![entry("7g7f", 2, None, None)])]);
    assert_eq!(text.as_bytes(), db(&format!("sfen {START}\n7g7f none 0 16 2\n")));
}

/// YaneuraOu ignores counts by default.
#[test]
fn excluded_moves_are_not_written() {
    let unplayed = [start_with(vec![entry("7g7f", 0, None, None), entry("2g2f", 0, None, None)])];
    assert_eq!(written(&unplayed).lines().count(), 1);
    assert_eq!(write_yaneuraou(Vec::new(), &unplayed).unwrap(), Omitted { positions: 1, moves: 2 });
    let one = [start_with(vec![entry("7g7f", 1, None, None), entry("2g2f", 0, Some(9), Some(9))])];
    assert_eq!(written(&one).as_bytes(), db(&format!("sfen {START}\n7g7f none 0 16 1\n")));
    assert_eq!(write_yaneuraou(Vec::new(), &one).unwrap(), Omitted { positions: 0, moves: 1 });
}

/// YaneuraOu takes an unknown score for 0.
#[test]
fn unscored_moves_beside_scored_ones_are_not_written() {
    let moves = vec![entry("2g2f", 8, None, None), entry("7g7f", 5, Some(-20), Some(9)), entry("5g5f", 1, None, None)];
    let book = [start_with(moves)];
    assert_eq!(written(&book).as_bytes(), db(&format!("sfen {START}\n7g7f none -20 9 5\n")));
    let (bytes, omitted) = binary(&book);
    assert_eq!(omitted, Omitted { positions: 0, moves: 2 });
    assert_eq!(read_all(&bytes).0[0].moves, [entry("7g7f", 1, Some(-20), Some(9))]);
}

fn binary(positions: &[BookPosition]) -> (Vec<u8>, Omitted) {
    let mut out = Vec::new();
    let omitted = write_ybb(&mut out, positions).unwrap();
    (out, omitted)
}

/// All but counts and answers, which the format does not store.
#[test]
fn ybb_round_trips() {
    for name in ["shogihome.ybb", "yokofu-excerpt.db", "samebook.sbk"] {
        let mut book = read_merged(&fixture(name), &mut ReadReport::default()).unwrap();
        let (bytes, omitted) = binary(&book);
        keep_representable(&mut book);
        for entry in book.iter_mut().flat_map(|position| &mut position.moves) {
            let depth = entry.depth.or(entry.score.map(|_| 0));
            *entry = BookMove { score: entry.score, depth, ..BookMove::new(entry.mv, 1) };
        }
        let (again, report) = read_all(&bytes);
        assert_eq!(report.dropped().len(), 0, "{name}");
        assert_eq!(
            again.len() + omitted.positions,
            read_merged(&fixture(name), &mut ReadReport::default()).unwrap().len()
        );
        let sorted = |book: &[BookPosition]| {
            let mut moves = moves_by_sfen(book);
            moves.values_mut().for_each(|moves| moves.sort());
            moves
        };
        assert_eq!(sorted(&again), sorted(&book), "{name}");
        assert_eq!(binary(&again).0, binary(&again).0, "{name}");
    }
}

#[test]
fn ybb_depth_and_order() {
    let moves = vec![entry("2g2f", 9, None, None), entry("7g7f", 5, None, None), entry("1g1f", 0, None, None)];
    let handicap = Position::from_sfen("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1").unwrap();
    let unplayed = BookPosition { position: handicap, moves: vec![entry("3c3d", 0, None, None)] };
    let (bytes, omitted) = binary(&[start_with(moves), unplayed]);
    assert_eq!(omitted, Omitted { positions: 1, moves: 2 });
    // Header, one record, two moves: 2g2f and 7g7f with score 0 and depth 16.
    assert_eq!(bytes.len(), 32 + 44 + 2 * 6);
    assert_eq!(&bytes[80..82], 16_u16.to_le_bytes());
    assert_eq!(read_all(&bytes).0[0].moves, [entry("2g2f", 1, None, None), entry("7g7f", 1, None, None)]);
}

//! JSON books: round trip, and errors with their position.

use super::helpers::{START, fixture, read_all, try_read};
use proptest::prelude::*;
use sabi_books::{
    BookMove, BookPosition, WIN_RATE_ONE,
    formats::{Format, ReadReport, detect, read_json, read_merged, write_json},
};
use sabi_shogi::{Position, Score, legal_moves};
use std::ops::ControlFlow;
use std::sync::Arc;

fn written(positions: &[BookPosition]) -> Vec<u8> {
    let mut out = Vec::new();
    write_json(&mut out, positions).unwrap();
    out
}

fn assert_same(left: &[BookPosition], right: &[BookPosition]) {
    assert_eq!(left.len(), right.len());
    for (left, right) in left.iter().zip(right) {
        assert_eq!(left.position.sfen(), right.position.sfen());
        assert_eq!(left.moves, right.moves);
    }
}

/// A file with one list of moves for the start position.
fn with_moves(moves: &str) -> String {
    format!(
        "{{\"format\":\"sabi-book\",\"version\":1,\"positions\":[\n{{\"sfen\":\"{START}\",\"moves\":[{moves}]}}\n]}}\n"
    )
}

#[test]
fn real_books_round_trip() {
    for name in ["shogihome.db", "yokofu-excerpt.db", "samebook.sbk", "shogihome.ybb", "shogihome-shogigui01.sbk"] {
        let book = read_merged(&fixture(name), &mut ReadReport::default()).unwrap();
        let text = written(&book);
        assert_eq!(detect(&text), Some(Format::Json), "{name}");
        let (again, report) = read_all(&text);
        assert_eq!(report.dropped().len(), 0);
        assert_same(&again, &book);
        assert_eq!(written(&again), text, "{name}");
    }
}

#[test]
fn text_matches_documentation() {
    let moves = vec![BookMove { score: Some(Score::cp(30)), ..BookMove::new("7g7f".parse().unwrap(), 3) }];
    let text = written(&[BookPosition { position: Position::startpos(), moves }]);
    assert_eq!(String::from_utf8(text).unwrap(), with_moves(r#"{"move":"7g7f","weight":3,"score":30}"#));
    assert_eq!(read_all(&written(&[])).0.len(), 0);
    assert_eq!(read_all(with_moves(r#"{"move":"7g7f"}"#).as_bytes()).0[0].moves[0].weight, 1);
}

#[test]
fn errors_have_line_and_column() {
    for (text, part) in [
        (with_moves(r#"{"move":"7g7e"}"#), "7g7e is illegal in lnsg"),
        (with_moves(r#"{"move":"7g7f","wieght":3}"#), "unknown field `wieght`"),
        (with_moves(r#"{"weight":3}"#), "missing field `move`"),
        (with_moves(r#"{"move":"7g7f"},{"move":"7g7f"}"#), "duplicate 7g7f in"),
        (with_moves(r#"{"move":"7g7f","answer":"2g2f"}"#), "2g2f is illegal"),
        (with_moves(r#"{"move":"7g7f","win_rate":10001}"#), "win rate 10001"),
        (with_moves(r#"{"move":"7g7f","score":40000}"#), "out of the range of scores"),
        (with_moves(r#"{"move":"7g7f","score":32001}"#), "out of the range of scores"),
        (with_moves(r#"{"move":"7g7f","score":-32001}"#), "out of the range of scores"),
        (with_moves(r#"{"move":"7g7f","weight":-1}"#), "invalid value"),
        (with_moves(r#"{"move":"hello"}"#), "'hello' is not a move"),
        (with_moves("").replace("b - 1", "x - 1"), "bad SFEN"),
        (with_moves("").replace("[\n", "[\n3,"), "invalid type"),
    ] {
        let error = try_read(text.as_bytes()).0.unwrap_err().to_string();
        assert!(error.contains(part) && error.contains(" at line 2 column "), "{error}");
    }
}

#[test]
fn format_is_detected_by_head() {
    for (text, part) in [
        (r#"{"format":"other","version":1,"positions":[]}"#, "the format is 'other'"),
        (r#"{"format":"sabi-book","version":2,"positions":[]}"#, "version 2 is not known"),
        (r#"{"format":"sabi-book","positions":[]}"#, "expected 'version', not 'positions'"),
        (r#"{"format":"sabi-book","version":1}"#, "missing field `positions`"),
        (r#"{"format":"sabi-book","version":1,"positions":[],"x":1}"#, "unknown field 'x'"),
        (r#"{"format":"sabi-book","version":1,"positions":[]} x"#, "trailing characters"),
        (r#"{"format":"sabi-book","version":1,"positions":["#, "EOF"),
    ] {
        let error = try_read(text.as_bytes()).0.unwrap_err().to_string();
        assert!(error.contains(part) && error.contains(" at line 1 column "), "{error}");
    }
    let marked = format!("\u{feff}{}", with_moves(r#"{"move":"7g7f"}"#));
    assert_eq!(read_all(marked.as_bytes()).0.len(), 1);
}

#[test]
fn reading_can_be_stopped() {
    let book = read_merged(&fixture("samebook.db"), &mut ReadReport::default()).unwrap();
    let mut seen = 0;
    let stop = &mut |_| {
        seen += 1;
        ControlFlow::Break(())
    };
    read_json(written(&book).as_slice(), &mut ReadReport::default(), stop).unwrap();
    assert_eq!(seen, 1);
}

fn any_move() -> impl Strategy<Value = (prop::sample::Index, prop::sample::Index, BookMove)> {
    let known = (
        any::<u32>(),
        any::<Option<u32>>(),
        prop::option::of(0..=WIN_RATE_ONE),
        prop::option::of(-32_000..=32_000i32),
        any::<Option<u16>>(),
        prop::option::of(".*"),
    );
    let entry = known.prop_map(|(weight, games, win_rate, score, depth, name)| BookMove {
        games,
        win_rate,
        score: score.map(Score::raw),
        depth,
        name: name.map(|name| Arc::from(name.as_str())),
        ..BookMove::new("7g7f".parse().unwrap(), weight)
    });
    (any::<prop::sample::Index>(), any::<prop::sample::Index>(), entry)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_field_round_trips(entries in prop::collection::vec(any_move(), 0..6), ply in 1u32..500) {
        let sfen = START.replace(" 1", &format!(" {ply}"));
        let position = Position::from_sfen(&sfen).unwrap();
        let mut moves: Vec<BookMove> = Vec::new();
        for (at, answer, mut entry) in entries {
            entry.mv = *at.get(&legal_moves(&position)[..]);
            let child = position.after(entry.mv);
            entry.answer = (entry.weight % 2 == 0).then(|| *answer.get(&legal_moves(&child)[..]));
            if moves.iter().all(|known| known.mv != entry.mv) {
                moves.push(entry);
            }
        }
        moves.sort_by_key(|entry| std::cmp::Reverse(entry.weight));
        let book = [BookPosition { position, moves }];
        assert_same(&read_all(&written(&book)).0, &book);
    }
}

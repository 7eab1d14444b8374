//! Text books of YaneuraOu and AobaZero.

use super::helpers::{START, bare, db, fixture, moves_by_sfen, read_all, try_read};
use sabi_books::formats::{DropReason, Format, Location, Merger, ReadReport, detect, read_merged, yaneuraou};
use sabi_shogi::Score;
use std::ops::ControlFlow;

/// Move, answer, score, depth and weight of the only position.
fn reported(lines: &str) -> (Vec<String>, ReadReport) {
    let (positions, report) = read_all(&db(&format!("sfen {START}\n{lines}\n")));
    assert!(positions.len() <= 1);
    let moves = positions.into_iter().flat_map(|position| position.moves).map(|entry| {
        let answer = entry.answer.map_or("-".to_owned(), |answer| answer.to_string());
        let score = entry.score.map_or("-".to_owned(), |score| score.get().to_string());
        let depth = entry.depth.map_or("-".to_owned(), |depth| depth.to_string());
        format!("{} {answer} {score} {depth} {}", entry.mv, entry.weight)
    });
    (moves.collect(), report)
}

#[test]
fn header_bom_and_crlf_are_ignored() {
    let (expected, report) = read_all(&fixture("shogihome.db"));
    assert_eq!((report.positions, report.moves, report.dropped().len()), (5, 18, 0));
    for name in ["shogihome-bom-crlf.db", "shogihome-bom-no-header.db", "shogihome-invalid-header.db"] {
        assert_eq!(detect(&fixture(name)), Some(Format::YaneuraOu), "{name}");
        let (positions, _) = read_all(&fixture(name));
        assert_eq!(moves_by_sfen(&positions), moves_by_sfen(&expected), "{name}");
    }
}

#[test]
fn optional_move_fields() {
    for (line, expected) in [
        ("7g7f", "7g7f - - - 1"),
        ("7g7f 3c3d 25", "7g7f 3c3d 25 - 1"),
        ("7g7f 3c3d 25 12 9", "7g7f 3c3d 25 12 9"),
        ("7g7f 3c3d 25 12 9 x y z", "7g7f 3c3d 25 12 9"),
        ("7g7f none none none 9", "7g7f - - - 9"),
        ("7g7f none   9", "7g7f - - - 9"),
        ("7g7f  3c3d  25  12  9", "7g7f 3c3d 25 12 9"),
        ("7g7f\t3c3d\t25\t12\t9", "7g7f 3c3d 25 12 9"),
        ("7g7f 3c3d 25 12 9 #why", "7g7f 3c3d 25 12 9"),
        ("7g7f 3c3d -25 12 9 // why", "7g7f 3c3d -25 12 9"),
        ("7g7f resign 25 12 9", "7g7f - 25 12 9"),
        ("7g7f None 25 12 9", "7g7f - 25 12 9"),
        ("7g7f 3c3d 99999 12 99999999999", "7g7f 3c3d 32000 12 4294967295"),
        ("7g7f 3c3d 99999999999999999999 70000 -3", "7g7f 3c3d - - 1"),
    ] {
        let (moves, report) = reported(line);
        assert_eq!((moves, report.dropped().len()), (vec![expected.to_owned()], 0), "{line}");
    }
}

#[test]
fn mate_scores() {
    let (positions, _) = read_all(&db(&format!("sfen {START}\n7g7f none 31995 20 1\n")));
    assert_eq!(positions[0].moves[0].score, Some(Score::mate_in(5)));
}

#[test]
fn none_and_empty_moves() {
    let (moves, report) = reported("none none 1 1 1\nresign\nhello 7g7f\n7g7f x 0 1 1");
    assert_eq!(moves, ["7g7f - 0 1 1"]);
    assert_eq!(report.count(DropReason::NoMove), 2);
    assert_eq!(report.count(DropReason::BadMove), 1);
    assert_eq!(report.count(DropReason::BadAnswer), 1);
    assert_eq!(report.dropped()[&DropReason::BadMove].examples[0].location, Location::Line(5));
    assert_eq!(report.dropped()[&DropReason::BadMove].examples[0].text, "hello");
}

#[test]
fn illegal_moves_are_counted_by_reason() {
    let (moves, report) = reported("7g7e\n3c3d\n7g7f\n7g7f\n2g2f 7g7f\nP*5e");
    assert_eq!(moves, ["7g7f - - - 1", "2g2f - - - 1"]);
    for (reason, count) in [
        (DropReason::IllegalMove, 2),
        (DropReason::WrongSide, 1),
        (DropReason::DuplicateMove, 1),
        (DropReason::BadAnswer, 1),
    ] {
        assert_eq!(report.count(reason), count, "{reason:?}");
    }
    let example = &report.dropped()[&DropReason::WrongSide].examples[0];
    assert_eq!((report.positions, report.moves, example.location), (1, 2, Location::Line(4)));
    assert!(example.text.starts_with("3c3d in lnsg"), "{example:?}");
}

#[test]
fn moves_are_sorted_by_weight_then_score() {
    let (moves, _) = reported("7g7f none 10 5 3\n2g2f none 20 5 3\n5g5f none 90 5 1\n3g3f none 0 5 8");
    assert_eq!(moves, ["3g3f - 0 5 8", "2g2f - 20 5 3", "7g7f - 10 5 3", "5g5f - 90 5 1"]);
}

#[test]
fn zero_counts_give_equal_weights() {
    assert_eq!(reported("7g7f none 10 5 0\n2g2f none 5 5 0").0, ["7g7f - 10 5 1", "2g2f - 5 5 1"]);
    assert_eq!(reported("7g7f none 10 5 0\n2g2f none 5 5 2").0, ["2g2f - 5 5 2", "7g7f - 10 5 0"]);
}

#[test]
fn zero_scores_at_depth_0_are_unknown() {
    assert_eq!(reported("7g7f none 0 0 1\n2g2f none 0 0 1").0, ["7g7f - - - 1", "2g2f - - - 1"]);
    assert_eq!(reported("7g7f none 0 0 1\n2g2f none -9 0 1").0, ["7g7f - 0 0 1", "2g2f - -9 0 1"]);
}

#[test]
fn comments_anywhere() {
    let text = format!("//a\n#b\nsfen {START} # c\n#d\n7g7f none 1 2 3\n// e\n\n2g2f none 1 2 3//f\n");
    let (positions, report) = read_all(text.as_bytes());
    assert_eq!(positions[0].moves.len(), 2);
    assert_eq!(report.count(DropReason::BadMove), 0);
    assert!(positions[0].moves.iter().all(|entry| entry.weight == 3));
}

#[test]
fn any_hand_order() {
    let read = |hands: &str| {
        let text = db(&format!("sfen 4k4/9/9/9/9/9/9/9/4K4 b {hands} 11\n5i5h\n"));
        bare(&read_all(&text).0[0].position)
    };
    for hands in ["2PB2pb", "B2Pb2p", "b2p2PB", "2pB2Pb"] {
        assert_eq!(read(hands), "4k4/9/9/9/9/9/9/9/4K4 b B2Pb2p", "{hands}");
    }
}

#[test]
fn missing_or_wrong_move_number() {
    let board = START.strip_suffix(" 1").unwrap();
    for (sfen, ply, noted) in [
        (board.to_owned(), 1, 0),
        (format!("{board} 7"), 7, 0),
        (format!("{board} 0"), 1, 0),
        (format!("{board} x"), 1, 1),
        (format!("{board} 99999999999999"), 1, 1),
    ] {
        let (positions, report) = read_all(&db(&format!("sfen {sfen}\n7g7f\n")));
        assert_eq!((positions[0].position.ply(), report.count(DropReason::BadPly)), (ply, noted), "{sfen}");
    }
}

#[test]
fn moves_of_invalid_position_are_dropped() {
    let text = db(&format!("7g7f\nsfen 9/9/9/9/9/9/9/9/9 b - 0\nnone none 1 1 1\n7g7f\nsfen {START}\n2g2f\nsfen x\n"));
    let (positions, report) = read_all(&text);
    assert_eq!(positions.len(), 1);
    assert_eq!(report.count(DropReason::BadPosition), 2);
    assert_eq!(report.count(DropReason::MoveWithoutPosition), 3);
    assert_eq!(report.count(DropReason::BadPly), 0);
}

#[test]
fn position_without_moves_is_dropped() {
    let (positions, report) = read_all(&db(&format!("sfen {START}\n#nothing\nsfen {START}\n7g7f\n")));
    assert_eq!((positions.len(), report.count(DropReason::EmptyPosition)), (1, 1));
}

#[test]
fn real_unsorted_book_with_duplicate_position() {
    let (positions, report) = read_all(&fixture("yokofu-excerpt.db"));
    assert_eq!((report.positions, report.moves, report.dropped().len()), (10, 40, 0));
    let mut report = ReadReport::default();
    let mut merger = Merger::default();
    positions.into_iter().for_each(|position| merger.add(position, &mut report));
    // Three of its moves are the same in both.
    assert_eq!((report.count(DropReason::DuplicatePosition), report.dropped().len()), (1, 1));
    let merged = merger.into_positions();
    let twice = merged.iter().find(|position| position.position.sfen().contains("1ps1k1gs1")).unwrap();
    assert_eq!((merged.len(), twice.position.ply(), twice.moves.len()), (9, 37, 5));
    assert!(merged.is_sorted_by_key(|position| bare(&position.position)));
}

#[test]
fn deeper_duplicate_move_is_kept() {
    let text =
        format!("sfen {START}\n7g7f none 10 5 1\nsfen {START}\n7g7f none 20 9 2\nsfen {START}\n7g7f none 30 9 3\n");
    let mut report = ReadReport::default();
    let merged = read_merged(&db(&text), &mut report).unwrap();
    assert_eq!((merged.len(), merged[0].moves.len()), (1, 1));
    assert_eq!(merged[0].moves[0].score, Some(Score::cp(20)));
    assert_eq!(report.positions, 3);
}

#[test]
fn aobazero_text() {
    let text = format!("position sfen {}\n2g2f\n", START.strip_suffix(" 1").unwrap());
    assert_eq!(detect(text.as_bytes()), Some(Format::YaneuraOu));
    let (positions, report) = read_all(text.as_bytes());
    assert_eq!((positions[0].moves[0].mv.to_string().as_str(), report.dropped().len()), ("2g2f", 0));
}

#[test]
fn reading_can_be_stopped() {
    let bytes = fixture("shogihome.db");
    let (mut report, mut seen) = (ReadReport::default(), 0);
    yaneuraou::read(bytes.as_slice(), &mut report, &mut |_| {
        seen += 1;
        if seen == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap();
    assert_eq!(seen, 2);
}

#[test]
fn rejects_other_text() {
    for text in ["", "\n\n", "startpos moves 7g7f\n", "# a comment\n", "開始日時：2018\n", "sfenx\n"] {
        assert!(detect(text.as_bytes()).is_none(), "{text:?}");
        assert!(try_read(text.as_bytes()).0.is_err());
    }
    assert_eq!(detect(b"#YANEURAOU-DB2016 1.00\n"), Some(Format::YaneuraOu), "an empty book");
}

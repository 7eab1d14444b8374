//! Searching a sorted text book in place.

use super::helpers::{START, db, fixture, read_all};
use proptest::prelude::*;
use sabi_books::formats::{DropReason, FormatError, PlyRule, ReadReport, SortedDb, read_merged, write_yaneuraou};
use sabi_shogi::Position;

fn sorted(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    write_yaneuraou(&mut out, &read_merged(bytes, &mut ReadReport::default()).unwrap()).unwrap();
    out
}

fn moves(db: &SortedDb<'_>, sfen: &str, rule: PlyRule) -> Option<Vec<String>> {
    let position = Position::from_sfen(sfen).unwrap();
    let found = db.lookup(&position, rule, &mut ReadReport::default()).unwrap()?;
    Some(found.moves.iter().map(|entry| entry.mv.to_string()).collect())
}

/// Blank lines and comments do not affect lookups.
fn assert_finds_all(bytes: &[u8]) {
    let db = SortedDb::new(bytes).unwrap();
    for position in read_all(bytes).0 {
        let found =
            db.lookup(&position.position, PlyRule::Same, &mut ReadReport::default()).unwrap().expect("it is there");
        assert_eq!(found.moves, position.moves, "{}", position.position.sfen());
        assert_eq!(found.position.sfen(), position.position.sfen());
    }
}

#[test]
fn finds_every_position() {
    for name in ["shogihome.db", "shogihome-bom-crlf.db", "shogihome-bom-no-header.db", "shogihome-invalid-header.db"] {
        assert_finds_all(&fixture(name));
    }
    for name in ["samebook.db", "yokofu-excerpt.db"] {
        let sorted = sorted(&fixture(name));
        assert_finds_all(&sorted);
        // The last line may lack a line end.
        assert_finds_all(sorted.trim_ascii_end());
        let text = String::from_utf8(sorted).unwrap();
        assert_finds_all(text.replace('\n', "\r\n").as_bytes());
        assert_finds_all(format!("\u{feff}{}", text.replace("sfen", "// x\n\n#sfen y\nsfen")).as_bytes());
    }
}

#[test]
fn finds_every_position_of_aobazero_text() {
    let text = String::from_utf8(sorted(&fixture("samebook.db"))).unwrap();
    assert_finds_all(text.replace("sfen ", "position sfen ").as_bytes());
    let bare = format!("position sfen {}\n2g2f\n", START.strip_suffix(" 1").unwrap());
    let db = SortedDb::new(bare.as_bytes()).unwrap();
    assert_eq!(moves(&db, START, PlyRule::Any), Some(vec!["2g2f".to_owned()]));
}

#[test]
fn missing_position_is_not_found() {
    let bytes = sorted(&fixture("samebook.db"));
    let db = SortedDb::new(&bytes[..]).unwrap();
    let here = read_all(&bytes).0;
    for position in &here {
        for &mv in sabi_shogi::legal_moves(&position.position).iter() {
            let child = position.position.after(mv);
            let known = here.iter().any(|other| other.position.key() == child.key());
            assert_eq!(db.lookup(&child, PlyRule::Any, &mut ReadReport::default()).unwrap().is_some(), known);
        }
    }
}

#[test]
fn rejects_unsorted_book() {
    for name in ["samebook.db", "yokofu-excerpt.db"] {
        let bytes = fixture(name);
        let Err(FormatError::NotSorted { at, .. }) = SortedDb::new(&bytes[..]) else { panic!("{name} is not sorted") };
        assert!(bytes[at as usize..].starts_with(b"sfen "), "{name}: {at}");
    }
}

#[test]
fn optional_move_numbers() {
    let board = START.strip_suffix(" 1").unwrap();
    // Byte order of lines.
    let bytes = db(&format!("sfen {board} 11\n1g1f\nsfen {board} 3\n3g3f\nsfen {board} 5\n5g5f\n"));
    let db = SortedDb::new(&bytes[..]).unwrap();
    for (ply, same, any) in
        [(3, Some("3g3f"), "3g3f"), (5, Some("5g5f"), "5g5f"), (11, Some("1g1f"), "1g1f"), (4, None, "3g3f")]
    {
        let sfen = format!("{board} {ply}");
        assert_eq!(moves(&db, &sfen, PlyRule::Same), same.map(|mv| vec![mv.to_owned()]), "{ply}");
        assert_eq!(moves(&db, &sfen, PlyRule::Any), Some(vec![any.to_owned()]), "{ply}");
    }
}

#[test]
fn finds_any_hand_order() {
    let board = "4k4/9/9/9/9/9/9/9/4K4 b";
    let bytes = db(&format!("sfen {board} 2PBb 11\n5i5h\nsfen {board} PBpb 12\n5i4h\n"));
    let db = SortedDb::new(&bytes[..]).unwrap();
    assert_eq!(moves(&db, &format!("{board} BPbp 12"), PlyRule::Same), Some(vec!["5i4h".to_owned()]));
    assert_eq!(moves(&db, &format!("{board} B2Pb 11"), PlyRule::Same), Some(vec!["5i5h".to_owned()]));
    assert_eq!(moves(&db, &format!("{board} B2Pb2p 11"), PlyRule::Any), None);
}

#[test]
fn illegal_moves_are_dropped() {
    let bytes = db(&format!("sfen {START}\n7g7e none 1 1 1\n7g7f none 1 1 1\nhello\n"));
    let mut report = ReadReport::default();
    let found = SortedDb::new(&bytes[..]).unwrap().lookup(&Position::startpos(), PlyRule::Same, &mut report);
    let found = found.unwrap().unwrap();
    assert_eq!(found.moves.len(), 1);
    assert_eq!((report.count(DropReason::IllegalMove), report.count(DropReason::BadMove)), (1, 1));
}

/// Large books are not fully checked on opening: lookups must still be right.
#[test]
fn large_book_is_spot_checked() {
    let start = Position::startpos();
    let mut boards: Vec<Position> = vec![start.clone()];
    for depth in 0..2 {
        for at in 0..boards.len() {
            if boards[at].ply() == depth + 1 {
                let parent = boards[at].clone();
                boards.extend(sabi_shogi::legal_moves(&parent).iter().map(|&mv| parent.after(mv)));
            }
        }
    }
    let comment = format!("#{}\n", "x".repeat(9_000));
    let line = |position: &Position| {
        let mv = sabi_shogi::legal_moves(position).iter().next().expect("a move").to_string();
        format!("sfen {}\n{mv} none 1 1 1\n{comment}", position.sfen())
    };
    let mut lines: Vec<String> = boards.iter().map(line).collect();
    lines.sort();
    let bytes = db(&lines.concat());
    assert!(bytes.len() > 8 << 20, "{}", bytes.len());
    let book = SortedDb::new(&bytes[..]).unwrap();
    for position in &boards {
        assert!(
            book.lookup(position, PlyRule::Same, &mut ReadReport::default()).unwrap().is_some(),
            "{}",
            position.sfen()
        );
    }
    lines.reverse();
    assert!(SortedDb::new(db(&lines.concat())).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_files_never_panic(pieces in prop::collection::vec(prop_oneof![
        Just(b"sfen ".to_vec()), Just(b"position ".to_vec()), Just(START.as_bytes().to_vec()),
        Just(b"\n".to_vec()), Just(b"\r\n".to_vec()), Just(b"7g7f".to_vec()), Just(b" ".to_vec()),
        Just(b"#".to_vec()), Just(b"\xff".to_vec()),
        prop::collection::vec(any::<u8>(), 0..8),
    ], 0..64)) {
        let bytes = pieces.concat();
        if let Ok(db) = SortedDb::new(&bytes[..]) {
            db.lookup(&Position::startpos(), PlyRule::Any, &mut ReadReport::default()).unwrap();
        }
    }
}

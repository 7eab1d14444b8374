//! Binary books: `.ybb`, Apery's, `.sbk`; and one book in three formats.

use super::helpers::{START, fixture, moves_by_sfen, read_all, try_read};
use sabi_books::formats::{Apery, DropReason, Format, FormatError, ReadReport, Ybb, apery_key, detect};
use sabi_shogi::{Position, Score};

#[test]
fn same_book_in_three_formats() {
    let (db, report) = read_all(&fixture("samebook.db"));
    assert_eq!((report.positions, report.moves, report.dropped().len()), (73, 73, 0));
    let expected = moves_by_sfen(&db);
    let (apery, report) = read_all(&fixture("samebook-apery.bin"));
    assert_eq!(report.dropped().len(), 0);
    assert_eq!(moves_by_sfen(&apery), expected);
    // This one also holds excluded moves.
    let (mut sbk, report) = read_all(&fixture("samebook.sbk"));
    assert_eq!((report.positions, report.moves, report.dropped().len()), (79, 104, 0));
    sbk.iter_mut().for_each(|position| position.moves.retain(|entry| entry.weight > 0));
    sbk.retain(|position| !position.moves.is_empty());
    assert_eq!(moves_by_sfen(&sbk), expected);
    // No transpositions, so numbers agree too.
    let numbers = |positions: &[sabi_books::BookPosition]| {
        let mut all: Vec<String> = positions.iter().map(|position| position.position.sfen()).collect();
        all.sort();
        all
    };
    assert_eq!(numbers(&apery), numbers(&db));
    assert_eq!(numbers(&sbk), numbers(&db));
}

#[test]
fn format_is_detected_by_content() {
    for (name, format) in [
        ("shogihome.ybb", Some(Format::Ybb)),
        ("shogihome-apery.bin", Some(Format::Apery)),
        ("samebook-apery.bin", Some(Format::Apery)),
        ("samebook.sbk", Some(Format::Sbk)),
        ("shogihome-shogigui01.sbk", Some(Format::Sbk)),
        ("samebook-gikou-head.bin", None),
    ] {
        assert_eq!(detect(&fixture(name)), format, "{name}");
    }
    assert!(matches!(try_read(&fixture("samebook-gikou-head.bin")).0, Err(FormatError::Unknown)));
}

#[test]
fn ybb_equals_text_book() {
    let (text, _) = read_all(&fixture("shogihome.db"));
    let (binary, report) = read_all(&fixture("shogihome.ybb"));
    assert_eq!((report.positions, report.moves, report.dropped().len()), (5, 18, 0));
    let sets = |positions| {
        let mut all = moves_by_sfen(positions);
        all.values_mut().for_each(|moves| moves.sort());
        all
    };
    assert_eq!(sets(&binary), sets(&text));
    let start = binary.iter().find(|position| position.position.sfen() == START).unwrap();
    let best = &start.moves[0];
    assert_eq!((best.mv.to_string().as_str(), best.score, best.depth), ("2g2f", Some(Score::cp(63)), Some(27)));
}

/// A `.ybb` with one position and these values in its only record.
fn ybb(flags: u64, count: u64, offset: u64, moves: u16) -> Vec<u8> {
    let whole = fixture("shogihome.ybb");
    let start = whole[32 + 44..].first_chunk::<32>().unwrap();
    let mut bytes = b"YANE-BINBOOK-V1\0".to_vec();
    bytes.extend(count.to_le_bytes());
    bytes.extend(flags.to_le_bytes());
    bytes.extend(start);
    bytes.extend(offset.to_le_bytes());
    bytes.extend(1u16.to_le_bytes());
    bytes.extend(moves.to_le_bytes());
    bytes.extend([0x3b, 0x1e, 30, 0]); // 7g7f, 30
    bytes
}

#[test]
fn ybb_moves_without_depth() {
    let (positions, report) = read_all(&ybb(0, 1, 0, 1));
    assert_eq!(report.dropped().len(), 0);
    let entry = &positions[0].moves[0];
    assert_eq!((entry.mv.to_string().as_str(), entry.score, entry.depth), ("7g7f", Some(Score::cp(30)), None));
}

#[test]
fn rejects_offsets_out_of_range() {
    for (flags, count) in [(2, 1), (0, 2), (0, u64::MAX), (0, 1 << 62)] {
        assert!(matches!(try_read(&ybb(flags, count, 0, 1)).0, Err(FormatError::Damaged { .. })), "{flags} {count}");
    }
    for (offset, moves) in [(0, 2), (1, 1), (u64::MAX, 1), (u64::MAX - 3, u16::MAX), (0, u16::MAX)] {
        let (positions, report) = read_all(&ybb(0, 1, offset, moves));
        assert_eq!((positions.len(), report.count(DropReason::BadRecord)), (0, 1), "{offset} {moves}");
    }
    let (positions, report) = read_all(&ybb(0, 1, 0, 0));
    assert_eq!((positions.len(), report.count(DropReason::EmptyPosition)), (0, 1));
}

#[test]
fn rejects_unsorted_index() {
    let mut bytes = fixture("shogihome.ybb");
    let (first, second) = (32..32 + 44, 32 + 44..32 + 88);
    let row = bytes[first.clone()].to_vec();
    bytes.copy_within(second.clone(), first.start);
    bytes[second.clone()].copy_from_slice(&row);
    assert!(matches!(Ybb::new(&bytes), Err(FormatError::NotSorted { at: 76, .. })));
    let row = bytes[first.clone()].to_vec();
    bytes[second].copy_from_slice(&row);
    assert!(Ybb::new(&bytes).is_err(), "twice the same position");
}

#[test]
fn drops_position_of_other_packing() {
    let mut bytes = fixture("shogihome.ybb");
    bytes[32 + 44 + 31] ^= 0x80;
    let (positions, report) = read_all(&bytes);
    assert_eq!((positions.len(), report.count(DropReason::BadPosition)), (4, 1));
}

fn apery_entry(position: &Position, mv: u16, count: u16, score: i32) -> Vec<u8> {
    let mut bytes = apery_key(position).to_le_bytes().to_vec();
    bytes.extend(mv.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend(score.to_le_bytes());
    bytes
}

#[test]
fn apery_lookup_by_position() {
    let bytes = fixture("shogihome-apery.bin");
    let (book, mut report) = (Apery::new(&bytes).unwrap(), ReadReport::default());
    assert_eq!(book.len(), 21);
    let found = book.lookup(&Position::startpos(), &mut report).unwrap();
    assert!(found.moves.is_sorted_by_key(|entry| std::cmp::Reverse(entry.weight)));
    assert!(book.lookup(&Position::startpos().with_moves(["9g9f", "9c9d"]).unwrap(), &mut report).is_none());
    assert_eq!(report.dropped().len(), 0);
}

#[test]
fn apery_unreachable_entries_are_counted() {
    let start = Position::startpos();
    let far = start.with_moves(["7g7f", "3c3d", "2g2f", "8c8d"]).unwrap();
    let mut entries = [apery_entry(&start, 0x1e3b, 3, 20), apery_entry(&far, 0x28a8, 1, 0)];
    entries.sort_by_key(|entry| u64::from_le_bytes(*entry.first_chunk().unwrap()));
    let (positions, report) = read_all(&entries.concat());
    assert_eq!((positions.len(), report.count(DropReason::Unreached)), (1, 1));
}

#[test]
fn apery_book_for_one_side() {
    let start = Position::startpos();
    let reply = start.with_moves(["7g7f", "3c3d"]).unwrap();
    let mut entries = [apery_entry(&start, 0x1e3b, 3, 20), apery_entry(&reply, 0x1e3b, 1, 0)];
    let mv: sabi_shogi::Move = "2g2f".parse().unwrap();
    entries[1][8..10].copy_from_slice(&mv.bits().to_le_bytes());
    entries.sort_by_key(|entry| u64::from_le_bytes(*entry.first_chunk().unwrap()));
    let (positions, report) = read_all(&entries.concat());
    assert_eq!((positions.len(), report.dropped().len()), (2, 0));
    // Also walked for the other side, whose start is not in the book.
    let second = start.with_moves(["2g2f"]).unwrap();
    let mv: sabi_shogi::Move = "8c8d".parse().unwrap();
    let (positions, _) = read_all(&apery_entry(&second, mv.bits(), 1, 0));
    assert_eq!(positions.len(), 1);
}

#[test]
fn rejects_damaged_apery_book() {
    let bytes = fixture("shogihome-apery.bin");
    assert!(matches!(Apery::new(&bytes[..40]), Err(FormatError::Damaged { at: 32, .. })));
    let mut unsorted = bytes[16..32].to_vec();
    unsorted.extend(&bytes[..16]);
    assert!(matches!(Apery::new(&unsorted), Err(FormatError::NotSorted { at: 16, .. })));
}

#[test]
fn sbk_games_and_win_rates() {
    // Two states: the start with 7g7f, and the position after it: 10 games, 6 won by Black, 2 by
    // White.
    let state = |fields: &[u8]| [&[0x1a, fields.len() as u8], fields].concat();
    let bits: u32 = 7 | 7 << 4 | 6 << 8 | 7 << 12 | 1 << 24;
    let mut varint = Vec::new();
    let mut rest = bits;
    while rest > 0x7f {
        varint.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    varint.push(rest as u8);
    let inner = [&[0x08][..], &varint, &[0x18, 5, 0x20, 1]].concat();
    let root = [&[0x3a, START.len() as u8], START.as_bytes(), &[0x4a, inner.len() as u8], &inner].concat();
    let next = [0x08, 1, 0x20, 10, 0x28, 6, 0x30, 2];
    let book = [&[0x0a, 1, b'x'][..], &state(&root), &state(&next)].concat();
    assert_eq!(detect(&book), Some(Format::Sbk));
    let (positions, report) = read_all(&book);
    assert_eq!(report.dropped().len(), 0);
    let entry = &positions[0].moves[0];
    assert_eq!((entry.mv.to_string().as_str(), entry.weight), ("7g7f", 5));
    assert_eq!((entry.games, entry.win_rate), (Some(10), Some(7000)));
}

#[test]
fn real_sbk_book() {
    let (positions, report) = read_all(&fixture("shogihome-shogigui01.sbk"));
    assert_eq!((positions.len(), report.moves, report.dropped().len()), (62, 69, 0));
}

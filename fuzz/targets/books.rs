//! Opening books.

use super::{accepted, assert_clear};
use sabi_books::{
    BookMap, BookPosition, Shob, ShobOptions, book_key, encode,
    formats::{
        Apery, Format, PlyRule, ReadReport, SortedDb, Ybb, detect, read_json, read_merged, write_json, write_yaneuraou,
    },
};
use sabi_files::crc32;
use sabi_shogi::Position;
use std::ops::ControlFlow;

const SHOB_HEADER: usize = 64;

/// A .shob book. Checksums and length are fixed, so that later checks are reached.
pub fn shob(bytes: &[u8]) {
    check_shob(bytes.to_vec());
    if bytes.len() >= SHOB_HEADER {
        let mut mended = bytes.to_vec();
        mended[48..56].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
        mended[56..60].copy_from_slice(&crc32(&bytes[SHOB_HEADER..]).to_le_bytes());
        let sum = crc32(&mended[..60]);
        mended[60..64].copy_from_slice(&sum.to_le_bytes());
        check_shob(mended);
    }
}

fn check_shob(bytes: Vec<u8>) {
    let Some(book) = accepted(Shob::new(bytes)) else { return };
    let verified = accepted(book.verify()).is_some();
    let _ = book.lookup(book_key(&Position::startpos()));
    if let Some(entries) = accepted(book.entries()) {
        entries.take(1000).filter_map(Result::err).for_each(|error| assert_clear(&error));
    }
    if let Some(map) = accepted(book.to_map())
        && verified
    {
        check_map(&map);
    }
}

/// A book in memory round-trips.
fn check_map(map: &BookMap) {
    for (compress, positions) in [(false, true), (true, true), (true, false)] {
        // Not possible for example without a king, which may need more bits.
        let Some(file) = accepted(encode(map, ShobOptions { compress, positions })) else { continue };
        let book = Shob::new(file).expect("what is written is read");
        book.verify().expect("what is written is right");
        assert_eq!(book.len(), map.len());
        for (&key, entry) in map.iter().take(100) {
            assert_eq!(book.lookup(key).expect("sound").as_ref(), Some(&entry.moves));
        }
        if positions {
            let again = book.to_map().expect("sound");
            assert!(
                again
                    .iter()
                    .map(|(key, entry)| (key, entry.position.sfen(), &entry.moves))
                    .eq(map.iter().map(|(key, entry)| (key, entry.position.sfen(), &entry.moves)))
            );
        }
    }
}

/// A book of another program: all moves are legal, and it round-trips in each of our formats.
pub fn other_formats(bytes: &[u8]) {
    let mut report = ReadReport::default();
    let Some(positions) = accepted(read_merged(bytes, &mut report)) else { return };
    for entry in &positions {
        check_position(entry);
    }
    let map: BookMap = positions.iter().map(|entry| (book_key(&entry.position), entry.clone())).collect();
    check_map(&map);
    let mut json = Vec::new();
    write_json(&mut json, &positions).expect("memory");
    let mut again = Vec::new();
    read_json(&json[..], &mut ReadReport::default(), &mut |entry| {
        again.push(entry);
        ControlFlow::Continue(())
    })
    .expect("what is written is read");
    assert!(positions.iter().map(reported).eq(again.iter().map(reported)));
    let mut db = Vec::new();
    write_yaneuraou(&mut db, &positions).expect("memory");
    let read = read_merged(&db, &mut ReadReport::default()).expect("what is written is read");
    let weighty = |entry: &&BookPosition| entry.moves.iter().any(|entry| entry.weight > 0);
    let kept = positions.iter().filter(weighty).map(|entry| entry.sfen_without_ply()).collect::<Vec<_>>();
    assert_eq!(read.iter().map(|entry| entry.sfen_without_ply()).collect::<Vec<_>>(), kept);
    let sorted = SortedDb::new(&db[..]).expect("what is written is sorted");
    for entry in read.iter().take(50) {
        let found = sorted.lookup(&entry.position, PlyRule::Any, &mut ReadReport::default()).expect("memory");
        assert_eq!(found.map(|found| found.moves).as_ref(), Some(&entry.moves), "{}", entry.position);
    }
}

fn reported(entry: &BookPosition) -> (String, &[sabi_books::BookMove]) {
    (entry.position.sfen(), &entry.moves)
}

fn check_position(entry: &BookPosition) {
    assert!(!entry.moves.is_empty());
    for candidate in &entry.moves {
        assert!(entry.position.is_legal(candidate.mv), "{} {}", entry.position, candidate.mv);
        let next = entry.position.after(candidate.mv);
        assert!(candidate.answer.is_none_or(|answer| next.is_legal(answer)), "{next}");
    }
}

/// A text book searched in place gives the same results as one read into memory.
pub fn db(bytes: &[u8]) {
    other_formats(bytes);
    let Some(book) = accepted(SortedDb::new(bytes)) else { return };
    for position in [Position::startpos()].into_iter().chain(positions_of(bytes)) {
        if let Ok(Some(found)) = book.lookup(&position, PlyRule::Any, &mut ReadReport::default()) {
            check_position(&found);
        }
    }
}

fn positions_of(bytes: &[u8]) -> impl Iterator<Item = Position> {
    let entries = read_merged(bytes, &mut ReadReport::default()).unwrap_or_default();
    entries.into_iter().map(|entry| entry.position).take(50)
}

/// YaneuraOu's binary book.
pub fn ybb(bytes: &[u8]) {
    other_formats(bytes);
    accepted(Ybb::new(bytes));
}

/// A book of Apery.
pub fn apery(bytes: &[u8]) {
    if detect(bytes) == Some(Format::Apery) {
        other_formats(bytes);
    }
    let Some(book) = accepted(Apery::new(bytes)) else { return };
    if let Some(found) = book.lookup(&Position::startpos(), &mut ReadReport::default()) {
        check_position(&found);
    }
}

/// A book of ShogiGUI.
pub fn sbk(bytes: &[u8]) {
    other_formats(bytes);
    let mut report = ReadReport::default();
    let read = sabi_books::formats::sbk::read(bytes, &mut report, &mut |entry| {
        check_position(&entry);
        ControlFlow::Continue(())
    });
    accepted(read);
}

//! Truncated, modified and random files.

use super::helpers::{START, fixture, try_read};
use proptest::prelude::*;
use sabi_books::formats::{Apery, Format, ReadReport, read_merged, sbk, write_json};
use sabi_shogi::Position;
use std::ops::ControlFlow;

const SMALL: [&str; 6] = [
    "shogihome-bom-crlf.db",
    "shogihome.ybb",
    "shogihome-apery.bin",
    "samebook-apery.bin",
    "samebook.sbk",
    "samebook-gikou-head.bin",
];

/// Moves read from damaged files must be legal.
fn assert_valid(bytes: &[u8]) {
    for position in try_read(bytes).1 {
        assert!(!position.moves.is_empty());
        for entry in &position.moves {
            assert!(position.position.is_legal(entry.mv));
            let child = position.position.after(entry.mv);
            assert!(entry.answer.is_none_or(|answer| child.is_legal(answer)));
        }
    }
    if let Ok(book) = Apery::new(bytes) {
        book.lookup(&Position::startpos(), &mut ReadReport::default());
    }
}

#[test]
fn truncated_books_never_panic() {
    for name in SMALL {
        let bytes = fixture(name);
        // Every length of short files, and of the start of long ones.
        let step = if bytes.len() > 2000 { 7 } else { 1 };
        for length in (0..bytes.len()).step_by(step) {
            assert_valid(&bytes[..length]);
        }
    }
    let mut json = Vec::new();
    write_json(&mut json, &read_merged(&fixture("shogihome.db"), &mut ReadReport::default()).unwrap()).unwrap();
    let whole = json.trim_ascii_end().len();
    for length in 0..whole {
        assert!(try_read(&json[..length]).0.is_err(), "{length}");
    }
}

#[test]
fn long_state_chain() {
    let (mut book, length) = (Vec::new(), 20_000u32);
    let varint = |mut value: u32| {
        let mut bytes = Vec::new();
        while value > 0x7f {
            bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
        bytes
    };
    // Both rooks move to and fro forever.
    let cycle = [(2, 3), (8, 7), (3, 2), (7, 8)];
    for at in 0..length {
        let (from, to) = cycle[at as usize % 4];
        let rank = if at % 2 == 0 { 8 } else { 2 };
        let bits = rank | from << 4 | rank << 8 | to << 12;
        let mv = [&[0x08][..], &varint(bits), &[0x20], &varint(at + 1)].concat();
        let mut state = [&[0x08][..], &varint(at), &[0x4a], &varint(mv.len() as u32), &mv].concat();
        if at == 0 {
            state.extend([&[0x3a, START.len() as u8], START.as_bytes()].concat());
        }
        book.extend([&[0x1a][..], &varint(state.len() as u32), &state].concat());
    }
    let (format, positions, _) = try_read(&book);
    assert_eq!(format.unwrap(), Format::Sbk);
    assert!(positions.len() > 1000);
}

#[test]
fn overlong_length_allocates_nothing() {
    for bytes in [
        &b"\x1a\xff\xff\xff\xff\x0f"[..],
        b"\x1a\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
        b"\x0a\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
    ] {
        assert!(sbk::read(bytes, &mut ReadReport::default(), &mut |_| ControlFlow::Continue(())).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_bytes_never_panic(
        name in prop::sample::select(&SMALL[..]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = fixture(name);
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        assert_valid(&bytes);
    }

    #[test]
    fn random_bytes_never_panic(
        head in prop::sample::select(vec![
            &b""[..], b"YANE-BINBOOK-V1\0", b"\x1a", b"\x0a\x00\x1a", b"sfen ", b"{", b"[{\"moves\":",
        ]),
        tail in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        let bytes = [head, &tail].concat();
        assert_valid(&bytes);
        let _ = sbk::read(&bytes, &mut ReadReport::default(), &mut |_| ControlFlow::Continue(()));
    }
}

//! Shared test helpers.

use sabi_books::{
    BookPosition,
    formats::{Format, FormatError, ReadReport, read},
};
use sabi_shogi::Position;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

pub const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// A file of `tests/fixtures/books`.
pub fn fixture(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/books").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn try_read(bytes: &[u8]) -> (Result<Format, FormatError>, Vec<BookPosition>, ReadReport) {
    let (mut report, mut positions) = (ReadReport::default(), Vec::new());
    let result = read(bytes, &mut report, &mut |position| {
        positions.push(position);
        ControlFlow::Continue(())
    });
    (result, positions, report)
}

pub fn read_all(bytes: &[u8]) -> (Vec<BookPosition>, ReadReport) {
    let (result, positions, report) = try_read(bytes);
    result.expect("a book");
    assert_eq!(report.positions, positions.len() as u64);
    assert_eq!(report.moves, positions.iter().map(|position| position.moves.len() as u64).sum::<u64>());
    (positions, report)
}

/// Moves of each position by SFEN without number, in file order.
pub fn moves_by_sfen(positions: &[BookPosition]) -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::new();
    for position in positions {
        let moves = position.moves.iter().map(|entry| entry.mv.to_string()).collect();
        assert_eq!(all.insert(bare(&position.position), moves), None, "{}", position.position.sfen());
    }
    all
}

/// SFEN without number.
pub fn bare(position: &Position) -> String {
    let sfen = position.sfen();
    sfen[..sfen.rfind(' ').expect("a number")].to_owned()
}

/// A text book with a header.
pub fn db(lines: &str) -> Vec<u8> {
    format!("#YANEURAOU-DB2016 1.00\n{lines}").into_bytes()
}

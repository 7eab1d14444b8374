//! Writing and reading books.

use super::support::{ALL_OPTIONS, Random, any_book, assert_same, connected_book};
use proptest::prelude::*;
use sabi_books::{
    BookMap, BookMove, BookPosition, Shob, ShobError, ShobOptions, ShobWriteError, book_key, encode, write,
};
use sabi_shogi::{MAX_MOVE_NUMBER, Position, STARTPOS_SFEN};

/// Every query must give the same answer as the source book.
fn check(book: &BookMap, options: ShobOptions) {
    let bytes = encode(book, options).unwrap();
    assert_eq!(encode(book, options).unwrap(), bytes, "the same book gives the same bytes");
    let file = Shob::new(bytes).unwrap();
    file.verify().unwrap();
    assert_eq!((file.len(), file.is_empty(), file.options()), (book.len(), book.is_empty(), options));
    assert_eq!(file.move_count(), book.values().map(|entry| entry.moves.len()).sum::<usize>());
    for (&key, entry) in book {
        assert_eq!(file.lookup(key).unwrap().as_ref(), Some(&entry.moves));
        for other in [key ^ 1, key.wrapping_add(1), !key] {
            assert_eq!(file.lookup(other).unwrap(), book.get(&other).map(|entry| entry.moves.clone()));
        }
    }
    let mut seen = 0;
    for entry in file.entries().unwrap() {
        let entry = entry.unwrap();
        let kept = &book[&entry.key];
        assert_eq!(entry.moves, kept.moves);
        let sfen = options.positions.then(|| kept.position.sfen());
        assert_eq!(entry.position.map(|position| position.sfen()), sfen);
        seen += 1;
    }
    assert_eq!(seen, book.len());
    match file.to_map() {
        Ok(again) => assert_same(&again, book),
        Err(error) => assert!(matches!(error, ShobError::NoPositions) && !options.positions),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn random_books_round_trip(seed: u64, games in 0usize..12, plies in 0usize..90) {
        let mut random = Random(seed);
        for book in [any_book(games, plies, &mut random), connected_book(games, plies, &mut random)] {
            ALL_OPTIONS.into_iter().for_each(|options| check(&book, options));
        }
    }
}

/// Older versions wrote such plies, which no text format can hold.
#[test]
fn plies_beyond_the_last_move_number() {
    let sfen = format!("{} {MAX_MOVE_NUMBER}", STARTPOS_SFEN.rsplit_once(' ').unwrap().0);
    let mut position = Position::from_sfen(&sfen).unwrap();
    let mut book = BookMap::new();
    for mv in ["7g7f", "3c3d", "2g2f"] {
        let mv = position.legal_from_usi(mv).unwrap();
        book.insert(
            book_key(&position),
            BookPosition { position: position.clone(), moves: vec![BookMove::new(mv, 1)] },
        );
        position = position.after(mv);
    }
    for options in ALL_OPTIONS.into_iter().filter(|options| options.positions) {
        let again = Shob::new(encode(&book, options).unwrap()).unwrap().to_map().unwrap();
        assert_eq!(again.len(), 3);
        assert!(again.iter().all(|(key, entry)| book_key(&entry.position) == *key));
        assert!(again.values().all(|entry| entry.position.ply() == MAX_MOVE_NUMBER));
    }
}

#[test]
fn empty_book_is_valid() {
    for options in ALL_OPTIONS {
        let file = Shob::new(encode(&BookMap::new(), options).unwrap()).unwrap();
        file.verify().unwrap();
        assert_eq!(file.lookup(0).unwrap(), None);
        assert_eq!(file.entries().unwrap().count(), 0);
    }
}

#[test]
fn file_and_embedded_book_are_equal() {
    let book = connected_book(10, 60, &mut Random(3));
    let folder = tempfile::tempdir().unwrap();
    for options in ALL_OPTIONS {
        let path = folder.path().join("book.shob");
        write(&book, options, &path).unwrap();
        let file = Shob::open(&path).unwrap();
        let part = Shob::new(&*encode(&book, options).unwrap().leak()).unwrap();
        for (&key, entry) in &book {
            assert_eq!(file.lookup(key).unwrap().as_ref(), Some(&entry.moves));
            assert_eq!(part.lookup(key).unwrap().as_ref(), Some(&entry.moves));
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside the book");
}

#[test]
fn lines_round_trip() {
    let book = connected_book(40, 60, &mut Random(4));
    let size = |options| encode(&book, options).unwrap().len();
    let [_, _, keys, positions] = ALL_OPTIONS.map(size);
    assert!(positions < keys + 6 * book.len(), "{keys} {positions} {}", book.len());
}

/// A book of the start position only.
fn book_with(moves: Vec<BookMove>) -> BookMap {
    let position = Position::startpos();
    BookMap::from([(book_key(&position), BookPosition { position, moves })])
}

#[test]
fn rejects_values_out_of_range() {
    let mv = BookMove::new("7g7f".parse().unwrap(), 1);
    for options in ALL_OPTIONS {
        let rejected = |book: &BookMap| encode(book, options).unwrap_err();
        assert!(matches!(rejected(&book_with(vec![mv.clone(), mv.clone()])), ShobWriteError::SameMove { .. }));
        let rate = BookMove { win_rate: Some(10_001), ..mv.clone() };
        assert!(matches!(rejected(&book_with(vec![rate])), ShobWriteError::WinRate(10_001)));
        let mut wrong = book_with(Vec::new());
        let entry = wrong.pop_first().unwrap().1;
        wrong.insert(17, entry);
        assert!(matches!(rejected(&wrong), ShobWriteError::WrongKey(_)));
        let moves = (1..u16::MAX).filter_map(sabi_shogi::Move::from_bits).take(601);
        let many = book_with(moves.map(|mv| BookMove::new(mv, 0)).collect());
        assert!(matches!(rejected(&many), ShobWriteError::TooMany(_)));
    }
}

/// A mate problem without Black's king may need one bit more than there is.
#[test]
fn unpackable_position_is_stored_by_key() {
    let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/9 w 2r2b4g4s4n4l18p 1").unwrap();
    let book = BookMap::from([(book_key(&position), BookPosition { position, moves: Vec::new() })]);
    for options in ALL_OPTIONS {
        match encode(&book, options) {
            Ok(bytes) => assert_eq!(Shob::new(bytes).unwrap().len(), 1),
            Err(error) => assert!(matches!(error, ShobWriteError::Unpackable(_)) && options.positions),
        }
    }
}

/// The same after a move from a position that can be packed.
#[test]
fn unpackable_child_is_stored_by_key() {
    let start = Position::from_sfen("4k4/5G3/4P4/9/9/9/9/9/9 w 2R2B3G4S4N4L17P 2").unwrap();
    let child = start.with_moves(["5a4b"]).unwrap();
    let entry = |position: Position, mv: &str| {
        let moves = vec![BookMove::new(mv.parse().unwrap(), 1)];
        (book_key(&position), BookPosition { position, moves })
    };
    let book = BookMap::from([entry(start, "5a4b"), entry(child, "G*4c")]);
    for options in ALL_OPTIONS {
        match encode(&book, options) {
            Ok(bytes) => assert!(Shob::new(bytes).unwrap().verify().is_ok() && !options.positions),
            Err(error) => assert!(matches!(error, ShobWriteError::Unpackable(_)) && options.positions),
        }
    }
}

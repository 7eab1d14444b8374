//! Names are stored once.

use super::support::ALL_OPTIONS;
use sabi_books::{BookMap, BookMove, BookPosition, Shob, book_key, encode};
use sabi_shogi::{Position, legal_moves};
use std::sync::Arc;

#[test]
fn names_are_deduplicated() {
    let position = Position::startpos();
    let book = |name: fn(usize) -> String| {
        // Separate strings, equal or not.
        let named = |(at, &mv)| BookMove { name: Some(Arc::from(name(at))), ..BookMove::new(mv, 1) };
        let moves = legal_moves(&position).iter().enumerate().map(named).collect();
        BookMap::from([(book_key(&position), BookPosition { position: position.clone(), moves })])
    };
    for options in ALL_OPTIONS {
        let same = encode(&book(|_| "相掛かり".into()), options).unwrap();
        let different = encode(&book(|at| format!("{at:012}")), options).unwrap();
        let none = encode(&book(|_| String::new()), options).unwrap();
        assert_eq!(same.len(), none.len() + "相掛かり".len());
        assert!(different.len() >= none.len() + 29 * 16);
        let moves = Shob::new(different).unwrap().lookup(book_key(&position)).unwrap().unwrap();
        assert_eq!(moves[29].name.as_deref(), Some("000000000029"));
    }
}

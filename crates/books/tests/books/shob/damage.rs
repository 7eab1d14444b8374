//! Truncated, modified and forged files: an error or any value, but no panic.

use super::support::{ALL_OPTIONS, Random, any_book, connected_book};
use proptest::prelude::*;
use sabi_books::{BookMap, BookMove, BookPosition, Shob, ShobError, book_key, encode};
use sabi_shogi::{Position, Score};

/// Runs every query on a file.
fn exercise(bytes: Vec<u8>, keys: &[u64]) {
    let Ok(file) = Shob::new(bytes) else { return };
    for &key in keys {
        let _ = file.lookup(key);
    }
    let _ = file.lookup(u64::MAX);
    if let Ok(entries) = file.entries() {
        assert!(entries.count() <= file.len());
    }
    let _ = file.to_map();
}

fn small_book() -> (BookMap, Vec<u64>) {
    let mut random = Random(5);
    let mut book = connected_book(2, 12, &mut random);
    book.extend(any_book(1, 8, &mut random));
    let keys = book.keys().copied().collect();
    (book, keys)
}

/// Fixes the checksum of a modified header, so that later checks are reached.
fn sign_header(bytes: &mut [u8]) {
    let sum = crc32(&bytes[..60]);
    bytes[60..64].copy_from_slice(&sum.to_le_bytes());
}

/// Bitwise, independent of the library.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| (sum >> 1) ^ if sum & 1 == 1 { 0xedb8_8320 } else { 0 })
    })
}

#[test]
fn rejects_truncated_file() {
    let (book, keys) = small_book();
    for options in ALL_OPTIONS {
        let bytes = encode(&book, options).unwrap();
        for length in 0..bytes.len() {
            assert!(Shob::new(bytes[..length].to_vec()).is_err(), "{length}");
            // Even with a matching checksum.
            if length >= 64 {
                let mut cut = bytes[..length].to_vec();
                cut[48..56].copy_from_slice(&(length as u64).to_le_bytes());
                sign_header(&mut cut);
                exercise(cut, &keys);
            }
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(matches!(Shob::new(longer), Err(ShobError::Length { .. })));
    }
}

#[test]
fn verify_detects_any_changed_byte() {
    let (book, keys) = small_book();
    for options in ALL_OPTIONS {
        let bytes = encode(&book, options).unwrap();
        for at in 0..bytes.len() {
            for change in [1, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                let noticed = Shob::new(changed.clone()).and_then(|file| file.verify());
                assert!(noticed.is_err(), "byte {at} of {}", bytes.len());
                exercise(changed, &keys);
            }
        }
    }
}

#[test]
fn forged_headers_never_panic() {
    let (book, keys) = small_book();
    for options in ALL_OPTIONS {
        let bytes = encode(&book, options).unwrap();
        for at in 0..60 {
            for value in 0..=u8::MAX {
                let mut changed = bytes.clone();
                changed[at] = value;
                sign_header(&mut changed);
                exercise(changed, &keys);
            }
        }
    }
}

/// With a fixed checksum a file may still be inconsistent.
#[test]
fn verify_checks_consistency() {
    let (book, _) = small_book();
    let mut missed = 0;
    for options in ALL_OPTIONS {
        let bytes = encode(&book, options).unwrap();
        let keys_end = 64 + 8 * book.len();
        for at in 64..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x40;
            let sum = crc32(&changed[64..]);
            changed[56..60].copy_from_slice(&sum.to_le_bytes());
            sign_header(&mut changed);
            let noticed = Shob::new(changed).and_then(|file| file.verify()).is_err();
            // With positions in the file a wrong key is detected; a wrong weight cannot be.
            assert!(noticed || at >= keys_end || !options.positions, "byte {at}");
            missed += usize::from(!noticed);
        }
    }
    assert!(missed > 0, "a changed weight is a book as well");
}

/// A bound of the search is no score of a move.
#[test]
fn rejects_scores_beyond_mate() {
    for (number, is_score) in [(32_000, true), (-32_000, true), (32_001, false), (-32_001, false)] {
        let mv = BookMove { score: Some(Score::raw(number)), ..BookMove::new("7g7f".parse().unwrap(), 1) };
        let position = Position::startpos();
        let key = book_key(&position);
        let book = BookMap::from([(key, BookPosition { position, moves: vec![mv] })]);
        for options in ALL_OPTIONS {
            let file = Shob::new(encode(&book, options).unwrap()).unwrap();
            assert_eq!(file.lookup(key).is_ok(), is_score, "{number}");
        }
    }
}

#[test]
fn rejects_other_files() {
    assert!(matches!(Shob::new(Vec::new()), Err(ShobError::WrongFormat)));
    assert!(matches!(Shob::new(b"#YANEURAOU-DB2016 1.00\n".repeat(9)), Err(ShobError::WrongFormat)));
    assert!(matches!(Shob::new(b"SHOB".to_vec()), Err(ShobError::Length { .. })));
    let mut later = encode(&BookMap::new(), ALL_OPTIONS[0]).unwrap();
    later[4] = 2;
    assert!(matches!(Shob::new(later), Err(ShobError::Version(2))));
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(Shob::open(folder.path()), Err(ShobError::Io(_))));
    assert!(matches!(Shob::open(&folder.path().join("none")), Err(ShobError::Io(_))));
    std::fs::write(folder.path().join("empty"), "").unwrap();
    assert!(matches!(Shob::open(&folder.path().join("empty")), Err(ShobError::WrongFormat)));
}

proptest! {
    #[test]
    fn random_headers_never_panic(head: [u8; 56], rest in prop::collection::vec(any::<u8>(), 0..600)) {
        let mut bytes = head.to_vec();
        bytes.extend([0; 8]);
        bytes.extend(&rest);
        bytes[..7].copy_from_slice(&[b'S', b'H', b'O', b'B', 1, 0, head[6] % 3]);
        sign_header(&mut bytes);
        exercise(bytes, &[]);
    }

    /// Valid header, random content.
    #[test]
    fn random_content_never_panics(
        seed: u64,
        compressed: bool,
        flags in 0u8..4,
        positions in 0usize..300,
        moves in 0usize..400,
        length in 0usize..4000,
        small in 1u64..256,
    ) {
        let width = if positions > 256 { 2 } else { 1 };
        let table = 8 * positions.div_ceil(64);
        let kept = usize::from(flags & 1);
        let sizes = if compressed {
            [8 * positions, width * positions, table + length, kept * (table + length), usize::from(flags / 2) * (length + 4)]
        } else {
            [8 * positions, 4 * positions + 4, 24 * moves, kept * 36 * positions, usize::from(flags / 2) * (length + 4)]
        };
        let mut bytes = [b"SHOB".as_slice(), &[1, 0, u8::from(compressed), flags]].concat();
        bytes.extend([positions as u32, moves as u32].iter().flat_map(|count| count.to_le_bytes()));
        let mut end = 64;
        for size in sizes {
            end += size as u64;
            bytes.extend(end.to_le_bytes());
        }
        bytes.resize(64, 0);
        sign_header(&mut bytes);
        let mut random = Random(seed);
        let mut keys: Vec<u64> = (0..positions).map(|_| random.next()).collect();
        keys.sort_unstable();
        bytes.extend(keys.iter().flat_map(|key| key.to_le_bytes()));
        // Small values pass more checks than large ones.
        bytes.extend((bytes.len()..end as usize).map(|_| (random.next() % small) as u8 * (random.next() % 2) as u8));
        let rejected = matches!(Shob::new(bytes.clone()), Err(ShobError::Header(_) | ShobError::Length { .. }));
        prop_assert!(!rejected);
        exercise(bytes, &keys);
    }

    #[test]
    fn corrupted_books_never_panic(
        seed: u64,
        choice in 0usize..4,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
    ) {
        let book = connected_book(3, 50, &mut Random(seed));
        let keys: Vec<u64> = book.keys().copied().collect();
        let mut bytes = encode(&book, ALL_OPTIONS[choice]).unwrap();
        for (place, value) in changes {
            let at = 64 + place.index(bytes.len() - 64);
            bytes[at] = value;
        }
        exercise(bytes, &keys);
    }
}

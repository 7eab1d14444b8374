//! Book files that other programs modify in place while they are open.

use super::support::Random;
use sabi_books::{
    BookMap, BookMove, BookPosition, OpenBook, ShobOptions, book_key, encode,
    formats::{PlyRule, ReadReport, write_yaneuraou},
};
use sabi_shogi::Position;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// More than is read into memory on opening.
const LARGE: usize = 17 << 20;

/// Some lines from the start position.
fn book() -> BookMap {
    let mut book = BookMap::new();
    for line in ["", "7g7f", "7g7f 3c3d", "7g7f 8c8d", "2g2f", "2g2f 3c3d"] {
        let played = Position::startpos().with_moves(line.split_whitespace()).unwrap();
        let position = Position::from_sfen(&played.sfen()).unwrap();
        let moves = ["2g2f", "7g7f", "8c8d", "1c1d"].map(|word| word.parse().unwrap());
        let moves = moves.into_iter().filter(|&mv| position.is_legal(mv)).map(|mv| BookMove::new(mv, 5)).collect();
        book.insert(book_key(&position), BookPosition { position, moves });
    }
    book
}

/// Book files of at least this size: name, and whether they are searched in place.
fn books(bytes: usize) -> Vec<(&'static str, bool, Vec<u8>)> {
    let shob = |compress| {
        let mut book = book();
        // Incompressible.
        let mut random = Random(3);
        let name: String = (0..bytes).map(|_| char::from(b'a' + random.below(26) as u8)).collect();
        book.values_mut().next().unwrap().moves[0].name = Some(Arc::from(name));
        encode(&book, ShobOptions { compress, positions: true }).unwrap()
    };
    let mut text = Vec::new();
    let mut entries: Vec<_> = book().into_values().collect();
    entries.sort_by_key(|entry| entry.position.sfen());
    write_yaneuraou(&mut text, &entries).unwrap();
    while text.len() < bytes {
        text.extend(b"# a comment that says nothing at all, many times over\n");
    }
    vec![("packed.shob", false, shob(true)), ("plain.shob", false, shob(false)), ("text.db", true, text)]
}

fn open(path: &Path, in_place: bool) -> OpenBook {
    OpenBook::open(path, in_place, &mut ReadReport::default()).unwrap()
}

/// Any answer is allowed, but no panic.
fn look(book: &OpenBook) -> usize {
    let positions = book_positions();
    positions.iter().filter(|position| book.lookup(position, PlyRule::Any, &mut ReadReport::default()).is_ok()).count()
}

fn book_positions() -> Vec<Position> {
    book().into_values().map(|entry| entry.position).collect()
}

/// Modification of an open file, and its name.
type Way<'a> = (&'a str, &'a dyn Fn(&File));

/// Ways in which `cp` and editors modify a file: truncated and rewritten, shorter, longer, other
/// content.
#[test]
fn book_modified_in_place_never_panics() {
    for bytes in [0, LARGE] {
        for (name, in_place, content) in books(bytes) {
            assert!(content.len() >= bytes, "{name}");
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(name);
            let half = content.len() / 2;
            let ways: [Way<'_>; 5] = [
                ("cut to nothing", &|file| file.set_len(0).unwrap()),
                ("cut in the middle", &|file| file.set_len(half as u64).unwrap()),
                ("cut within a page", &|file| file.set_len(100).unwrap()),
                ("written over", &|mut file| file.write_all(&vec![b'x'; content.len()]).unwrap()),
                ("written over and cut", &|mut file| {
                    file.write_all(b"short").unwrap();
                    file.set_len(5).unwrap();
                }),
            ];
            for (way, change) in ways {
                fs::write(&path, &content).unwrap();
                let book = open(&path, in_place);
                assert_eq!(look(&book), 6, "{name}");
                let fresh = open(&path, in_place);
                change(&File::options().write(true).open(&path).unwrap());
                // Small files are in memory: unchanged.
                let answered = [look(&book), look(&fresh)];
                assert!(bytes > 0 || answered == [6, 6], "{name}, {way}: {answered:?}");
                let _ = OpenBook::open(&path, in_place, &mut ReadReport::default());
            }
        }
    }
}

/// Opens books, read into memory or not, while another thread rewrites them.
#[test]
fn opening_during_a_rewrite() {
    let folder = tempfile::tempdir().unwrap();
    for (bytes, opened) in [(1 << 20, 300), (LARGE, 20)] {
        for (name, in_place, content) in books(bytes) {
            let path = folder.path().join(name);
            fs::write(&path, &content).unwrap();
            let done = std::sync::atomic::AtomicBool::new(false);
            std::thread::scope(|scope| {
                let _done = sabi_test_support::SetOnDrop(&done);
                scope.spawn(|| {
                    while !done.load(std::sync::atomic::Ordering::Relaxed) {
                        fs::write(&path, &content).unwrap();
                    }
                });
                for _ in 0..opened {
                    if let Ok(book) = OpenBook::open(&path, in_place, &mut ReadReport::default()) {
                        look(&book);
                    }
                }
            });
        }
    }
}

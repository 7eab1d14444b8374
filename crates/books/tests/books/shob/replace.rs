//! Killed writers of books, and books replaced while they are open.

use super::support::{Random, connected_book};
use sabi_books::{BookMap, Shob, ShobOptions, encode, write};
use std::env;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const PATH: &str = "SABI_TEST_WRITE_BOOKS_TO";
const OPTIONS: ShobOptions = ShobOptions { compress: false, positions: true };

fn books() -> [BookMap; 2] {
    [connected_book(30, 60, &mut Random(11)), connected_book(60, 60, &mut Random(12))]
}

/// Helper process of the next test: writes books until it is killed.
#[test]
fn writer_process() {
    let Some(path) = env::var_os(PATH) else { return };
    let books = books();
    println!("ready");
    loop {
        for book in &books {
            write(book, OPTIONS, Path::new(&path)).unwrap();
        }
    }
}

#[test]
fn killed_writer_leaves_old_or_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.shob");
    let books = books();
    let whole = books.each_ref().map(|book| encode(book, OPTIONS).unwrap());
    write(&books[0], OPTIONS, &path).unwrap();
    let mut random = Random(13);
    let (mut seen, mut left) = ([0, 0], 0);
    // On slow disks it takes longer until every case has occurred.
    for kills in 0..400 {
        if kills >= 40 && seen[0] > 0 && seen[1] > 0 && left > 0 {
            break;
        }
        let mut writer = Command::new(env::current_exe().unwrap())
            .args(["--exact", "shob::replace::writer_process", "--nocapture"])
            .env(PATH, &path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = io::BufReader::new(writer.stdout.take().unwrap());
        let mut line = String::new();
        while !line.contains("ready") {
            line.clear();
            assert!(io::BufRead::read_line(&mut output, &mut line).unwrap() > 0);
        }
        std::thread::sleep(Duration::from_micros(random.below(30_000 + 2_000 * kills) as u64));
        writer.kill().unwrap();
        writer.wait().unwrap();
        let found = fs::read(&path).unwrap();
        let which = whole.iter().position(|bytes| *bytes == found).expect("a whole book");
        seen[which] += 1;
        Shob::open(&path).unwrap().verify().unwrap();
        left = fs::read_dir(folder.path()).unwrap().count() - 1;
    }
    assert!(seen[0] > 0 && seen[1] > 0, "the books were not replaced: {seen:?}");
    assert!(left > 0, "no writer was killed in the middle of its work");
    // Leftovers of killed writers are removed.
    write(&books[1], OPTIONS, &path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), whole[1]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn open_book_survives_replacement() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.shob");
    let books = books();
    write(&books[0], OPTIONS, &path).unwrap();
    let open = Shob::open(&path).unwrap();
    write(&books[1], OPTIONS, &path).unwrap();
    open.verify().unwrap();
    assert_eq!(open.len(), books[0].len());
    assert_eq!(Shob::open(&path).unwrap().len(), books[1].len());
}

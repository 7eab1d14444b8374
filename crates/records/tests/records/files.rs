//! Files and folders.

use sabi_records::{read_bytes, read_file, read_tree, record_files};
use sabi_test_support::Folder;

#[test]
fn folders_are_read_in_name_order() {
    let folder = Folder::new();
    let root = folder.path("");
    for name in ["b/2.csa", "b/10.CSA", "a.csa", "c/deep/er/x.kif", "c/list.usi", "c/list.usen", "notes.txt", "c.md"] {
        folder.with(name, "");
    }
    let files: Vec<String> = record_files(&root)
        .map(|path| path.unwrap().strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/"))
        .collect();
    assert_eq!(files, ["a.csa", "b/10.CSA", "b/2.csa", "c/deep/er/x.kif", "c/list.usi"]);
}

#[test]
fn bad_files_are_reported_and_skipped() {
    let folder = Folder::new();
    folder.with("1.csa", "PI\n+\n+7776FU\n%TORYO\n");
    folder.with("2.csa", "PI\n+\n+7775FU\n-3334FU\n");
    folder.with("3.kif", "");
    folder.with("4.usi", "startpos moves 2g2f\nstartpos moves 2g2d\n");
    let reported: Vec<String> = read_tree(folder.path(""))
        .map(|game| match game {
            Ok(game) => game.list_line(),
            Err(error) => format!("{}:{}", error.file.file_name().unwrap().to_string_lossy(), error.line),
        })
        .collect();
    assert_eq!(
        reported,
        [
            "black\t-\t-\t-\tresign\tstartpos moves 7g7f",
            "2.csa:3",
            "3.kif:0",
            "unknown\t-\t-\t-\tunknown\tstartpos moves 2g2f",
            "4.usi:2",
        ]
    );
}

#[test]
fn format_by_content_without_extension() {
    let folder = Folder::new();
    for (name, text) in [
        ("csa.txt", "'a comment\nV2.2\nPI\n+\n+7776FU\n"),
        ("kif.dat", "# comment\n手合割：平手\n   1 ７六歩(77)\n"),
        ("bare.txt", "1 ７六歩(77)\n"),
        ("ki2", "\n▲７六歩\n"),
        ("usi.txt", "# comment\n7g7f\n"),
    ] {
        let path = folder.with(name, text);
        let game = read_tree(path).next().unwrap().unwrap();
        assert_eq!(game.usi(), "startpos moves 7g7f", "{name}");
    }
    let path = folder.with("poem.txt", "an old pond\na frog jumps in\n");
    let error = read_file(path).next().unwrap().unwrap_err();
    assert!(error.to_string().ends_with("poem.txt: unknown record format"), "{error}");
    for nothing in ["", " \n"] {
        let error = read_bytes("standard input", nothing.into()).next().unwrap().unwrap_err();
        assert_eq!(error.to_string(), "standard input: the input is empty");
    }
}

/// Tables, numbered lists and frames of other texts.
#[test]
fn other_texts_are_no_records() {
    for text in [
        "| piece | name |\n|---|---|\n| 歩 | pawn |\n",
        "|香|桂|銀|金|玉|金|銀|桂|香|\n",
        "+---------+\n|.........|\n+---------+\n",
        "1 ７六歩 is the first move\n2 ３四歩\n",
        "1. ７六歩(77)\n",
        "1 76 (77)\n",
        "手数＝\n",
        "手数 2\n",
        "持駒：なし\n",
    ] {
        let error = read_bytes("a.txt", text.into()).next().unwrap().unwrap_err();
        assert_eq!(error.to_string(), "a.txt: unknown record format", "{text}");
    }
}

#[test]
fn missing_path_is_one_error() {
    for errors in [read_file("no/such/file.csa").collect::<Vec<_>>(), read_tree("no/such/tree").collect()] {
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].as_ref().unwrap_err().line, 0);
    }
}

#[cfg(unix)]
#[test]
fn symlink_cycle_terminates() {
    let folder = Folder::new();
    folder.with("sub/a.csa", "");
    std::os::unix::fs::symlink(folder.path(""), folder.path("sub/loop")).unwrap();
    assert_eq!(record_files(folder.path("")).count(), 1);
}

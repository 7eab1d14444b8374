//! Errors: one line, and no file is written.

use super::helpers::{Folder, GAME, SABI, try_analyze};
use std::fs;
use std::process::Command;

#[test]
fn errors_have_one_message_and_no_file() {
    let folder = Folder::new();
    let [missing, empty, text] =
        [folder.name("missing.kif"), folder.with("empty.kif", ""), folder.with("notes.txt", "no game\n")];
    let [unknown, page] = [folder.name("out.xyz"), folder.name("out.html")];
    let two = folder.with("two.usi", "startpos moves 7g7f\nstartpos moves 2g2f\n");
    let nowhere = folder.name("no/such/out.html");
    // The name of a file allows no longer extension.
    let (long, new) = (folder.with(&format!("{}.csa", "x".repeat(251)), "PI\n+\n+7776FU\n"), folder.name("new/"));
    let [patterns, latin] = [folder.with("p.txt", "castle a = b\n  own: K28 S3\n"), folder.with("latin.txt", "\u{e9}")];
    fs::write(&latin, b"castle \xe9\n own: K28").expect("written");
    let before = folder.files();
    for (arguments, message) in [
        (&[&*missing][..], "cannot read games from"),
        (&[&empty, "--out", &page], "there is no game to analyse"),
        (&[&text, "--out", &page], "there is no game to analyse: expected records in KIF, KI2, CSA, "),
        (&["http://example.com/game.kif"], "is an address: games are read from files; save it as one first"),
        (&["HTTPS://example.com/game.kif", "--out", &page], "is an address: games are read from files"),
        (&[GAME, "--out", &unknown], "unknown format"),
        (&[&two, "--out", &page], "2 games need a folder: --out DIR/"),
        (&[&two, "--format", "kif"], "2 games need a folder: --out DIR/"),
        (&[GAME, "--out", &nowhere], "there is no folder"),
        (&[&long, "--out", &new], "cannot write the analysis"),
        (&[GAME, "--out", &page, "--from", "5", "--to", "4"], "--from 5 is behind --to 4"),
        (&[GAME, "--out", &page, "--from", "500"], "leave no move to classify"),
        (&[GAME, "--out", &page, "--option", "Threads=2"], "each position is searched by one thread"),
        (&[GAME, "--out", &page, "--option", "Nonsense=2"], "no option"),
        (&[GAME, "--out", &page, "--option", "BookFile=missing.db"], "cannot open the book"),
        (&[GAME, "--out", &page, "--patterns", &missing], "cannot read '"),
        (&[GAME, "--out", &page, "--patterns", &latin], "latin.txt' is not UTF-8"),
        (&[GAME, "--out", &page, "--patterns", &patterns], "p.txt': line 2: '3' is not a square, as 28, 2* or *8"),
    ] {
        let outcome = try_analyze(arguments);
        assert!(!outcome.success && outcome.stdout.is_empty(), "{arguments:?}: {}", outcome.stdout);
        let last = outcome.stderr.lines().last().unwrap_or_default();
        assert!(last.starts_with("error: ") && last.contains(message), "{arguments:?}: {}", outcome.stderr);
        let clauses: Vec<_> = last.split(": ").collect();
        assert!(clauses.windows(2).all(|pair| pair[0] != pair[1]), "{arguments:?}: {last}");
        assert!(!last.contains(":0"), "{arguments:?}: {last}");
    }
    assert_eq!(folder.files(), before);
    for arguments in [
        &["--nodes", "0"][..],
        &["--nodes", "5", "--depth", "3"],
        &["--format", "pdf"],
        &["--lang", "fr"],
        &["--side", "red"],
        &["--multipv", "0"],
        &["--threads", "0"],
    ] {
        let outcome = try_analyze(&[&[GAME], arguments].concat());
        assert!(!outcome.success && outcome.stderr.starts_with("error: "), "{arguments:?}: {}", outcome.stderr);
    }
}

#[test]
fn inputs_and_other_files_are_not_replaced() {
    let folder = Folder::new();
    let game = folder.with("game.csa", "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n");
    let notes = folder.with("notes.html", "my own notes\n");
    let (thesis, letter) = (folder.with("thesis.tex", "\\section{One}\n"), folder.with("letter.csa", "Dear Mary\n"));
    let index = folder.with("site/index.html", "<!DOCTYPE html>\n<title>My own index</title>\n");
    let table = folder.with("data/game.json", "1,2\n");
    let (site, data) = (folder.name("site"), folder.name("data"));
    let files = [&game, &notes, &thesis, &letter, &index, &table];
    let before = files.map(|path| fs::read(path).unwrap());
    let (link, itself) = (folder.name("link.csa"), folder.name("../").replace("../", ""));
    #[cfg(unix)]
    std::os::unix::fs::symlink(&game, &link).unwrap();
    #[cfg(not(unix))]
    fs::hard_link(&game, &link).unwrap();
    for (arguments, message) in [
        (&[&*game, "--out", &game][..], "is an input too"),
        (&[&game, "--out", &link], "is an input too"),
        (&[&game, "--format", "csa", "--out", &itself], "is an input too"),
        (&[&game, "--out", &notes], "is a file of another kind"),
        (&[&game, "--format", "csa", "--out", &thesis], "is a file of another kind"),
        (&[&game, "--out", &letter], "is a file of another kind"),
        (&[&game, "--out", &site], "is a file of another kind"),
        (&[&game, "--format", "json", "--out", &data], "is a file of another kind"),
        (&["-", "--out", &game], "is an input too"),
    ] {
        let mut command = Command::new(SABI);
        command.arg("analyze").args(arguments).args(["--nodes", "100"]).stdin(fs::File::open(&game).unwrap());
        let output = command.output().expect("the program starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && stderr.contains(message), "{arguments:?}: {stderr}");
        assert_eq!(files.map(|path| fs::read(path).unwrap()), before);
    }
    let outcome = try_analyze(&[&game, "--nodes", "100", "--format", "kif", "--out", &site]);
    assert!(outcome.success, "no index is written: {}", outcome.stderr);
    assert_eq!(files.map(|path| fs::read(path).unwrap()), before);
    // Output of the same command is replaced.
    for out in ["page.html", "out.kif", "out.csa", "out.usi", "out.json", "out/"].map(|name| folder.name(name)) {
        for _ in 0..2 {
            let outcome = try_analyze(&[&game, "--nodes", "100", "--out", &out]);
            assert!(outcome.success, "{out}: {}", outcome.stderr);
        }
    }
}

//! What cannot be done is told in one line, and leaves nothing behind.

use super::helpers::{Folder, GAME, try_analyze};
use std::fs;

#[test]
fn one_message_each_and_no_file() {
    let folder = Folder::new();
    let [missing, empty, text] =
        [folder.name("missing.kif"), folder.with("empty.kif", ""), folder.with("notes.txt", "no game\n")];
    let [unknown, page] = [folder.name("out.xyz"), folder.name("out.html")];
    let two = folder.with("two.usi", "startpos moves 7g7f\nstartpos moves 2g2f\n");
    let nowhere = folder.name("no/such/out.html");
    let before = fs::read_dir(folder.path("")).unwrap().count();
    for (arguments, message) in [
        (&[&*missing][..], "cannot read games from"),
        (&[&empty, "--out", &page], "there is no game to analyse"),
        (&[&text, "--out", &page], "there is no game to analyse"),
        (&[GAME, "--out", &unknown], "tells no format"),
        (&[&two, "--out", &page], "2 games need a folder: --out DIR/"),
        (&[&two, "--format", "kif"], "2 games need a folder: --out DIR/"),
        (&[GAME, "--out", &nowhere], "cannot write"),
        (&[GAME, "--out", &page, "--from", "5", "--to", "4"], "--from 5 is behind --to 4"),
        (&[GAME, "--out", &page, "--from", "500"], "leave no move to judge"),
        (&[GAME, "--out", &page, "--option", "Threads=2"], "each position is searched by one thread"),
        (&[GAME, "--out", &page, "--option", "Nonsense=2"], "no option"),
        (&[GAME, "--out", &page, "--option", "BookFile=missing.db"], "cannot open the book"),
    ] {
        let outcome = try_analyze(arguments);
        assert!(!outcome.success && outcome.stdout.is_empty(), "{arguments:?}: {}", outcome.stdout);
        let last = outcome.stderr.lines().last().unwrap_or_default();
        assert!(last.starts_with("error: ") && last.contains(message), "{arguments:?}: {}", outcome.stderr);
    }
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), before);
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

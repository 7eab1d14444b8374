//! `--problems`, pages of players, and `--open`.

use super::helpers::{Folder, GAME, MATES, SABI, analyze, try_analyze};
use sabi_records::{read_file, read_problems};
use sabi_test_support::run;
use std::fs;

#[test]
fn missed_mate_is_a_problem_for_the_solver() {
    let folder = Folder::new();
    let game = folder.with("game.usi", MATES);
    for name in ["a.sfen", "a.kifu", "a.kif", "a.html"] {
        let (out, problems) = (folder.name("out.json"), folder.name(name));
        let report = analyze(&[&game, "--nodes", "500", "--lang", "en", "--out", &out, "--problems", &problems]);
        assert!(report.contains("1 mate problem"), "{name}: {report}");
    }
    let sfen = "4k4/9/4+P4/9/9/9/4p4/9/4K4 b Gg 1";
    for name in ["a.sfen", "a.kifu", "a.kif"] {
        let read = read_problems(folder.path(name)).expect(name);
        assert_eq!(read.iter().map(|problem| problem.position.sfen()).collect::<Vec<_>>(), [sfen], "{name}");
    }
    let solved = run(SABI, &["mate", "--file", &folder.name("a.sfen"), "--json"]);
    assert!(solved.success && solved.stdout.contains("\"G*5b\""), "{}", solved.stdout);
    let old = fs::read(folder.path("a.kif")).expect("a file");
    assert!(old.starts_with(b"#KIF version=2.0 encoding=Shift_JIS\n"));
    let answer: Vec<_> = read_file(folder.path("a.kifu")).map(|game| game.expect("a game").usi()).collect();
    assert_eq!(answer, [format!("sfen {sfen} moves G*5b")]);
    let page = fs::read_to_string(folder.path("a.html")).expect("a page");
    for part in ["\"answers\":[\"G*5b\"]", "\"played\":\"5c4c\"", "\"G*4b\"", "mate in 1"] {
        assert!(page.contains(part), "{part}");
    }
    let outside = page.replace("http://www.w3.org/2000/svg", "");
    assert!(["http", " src=", "url(", "@import"].iter().all(|word| !outside.contains(word)));
}

/// Black's rook takes a guarded pawn, and White does not take the rook.
#[test]
fn only_clear_mistakes_of_the_player_are_problems() {
    let folder = Folder::new();
    let record = "V2.2\nN+Aki\nN-Fuyu\nPI\n+\n+2726FU\n-8384FU\n+2625FU\n-8485FU\n+6978KI\n-4132KI\n+2524FU\n-2324FU\n+2824HI\n-0023FU\n+2423HI\n-9394FU\n%TORYO\n";
    let game = folder.with("game.csa", record);
    let wanted = |name: &str, player: &str| {
        let (out, problems) = (folder.name("out.json"), folder.name(name));
        let arguments =
            [&game, "--nodes", "5000", "--lang", "en", "--out", &out, "--problems", &problems, "--player", player];
        analyze(&arguments)
    };
    let report = wanted("fuyu.sfen", "Fuyu");
    let text = fs::read_to_string(folder.path("fuyu.sfen")).expect("problems");
    assert!(text.contains("move 12 (played: P-9d); answer: Gx2c"), "{text}");
    assert!(report.contains("1 next-move problem"), "{report}");
    // Where the rook goes instead does not matter.
    let report = wanted("aki.sfen", "Aki");
    assert!(report.contains("no position makes a problem: not written"), "{report}");
    assert!(!folder.path("aki.sfen").exists());
}

#[test]
fn wrong_problem_files_are_rejected() {
    let folder = Folder::new();
    let (notes, out) = (folder.with("notes.html", "my own notes\n"), folder.name("out.html"));
    let (lines, odd) = (folder.name("a.sfen"), folder.name("a.pdf"));
    let before = folder.files();
    for (arguments, message) in [
        (&["--problems", &*odd][..], "problems are written as .sfen, .kif, .kifu or .html"),
        (&["--problems", &notes], "is a file of another kind"),
        (&["--problems", &out], "--problems needs a file of its own"),
        (&["--problems", &lines, "--player", "Nobody"], "there is no game of a player 'Nobody'"),
        (&["--player", "Nobody"], "--problems"),
        (&["--open", "--format", "json"], "--open is for pages"),
    ] {
        let outcome = try_analyze(&[&[GAME, "--nodes", "50", "--out", &out], arguments].concat());
        assert!(!outcome.success && outcome.stderr.contains(message), "{arguments:?}: {}", outcome.stderr);
        assert_eq!(folder.files(), before);
    }
}

#[test]
fn players_of_several_games_have_pages() {
    let folder = Folder::new();
    let record = |black: &str, white: &str, end: &str| {
        format!(
            "V2.2\nN+{black}\nN-{white}\n$TIME_LIMIT:00:01+10\nPI\n+\n+7776FU\nT50\n-3334FU\nT2\n+2868HI\nT9\n{end}\n"
        )
    };
    folder.with("games/a.csa", record("Aki", "Fuyu", "%TORYO"));
    folder.with("games/b.csa", record("<b>", "Aki", "%TORYO"));
    let out = folder.name("pages/");
    analyze(&[&folder.name("games"), "--nodes", "300", "--out", &out, "--lang", "en"]);
    assert_eq!(folder.files_in("pages"), ["a.html", "b.html", "index.html", "player-Aki.html"]);
    let index = fs::read_to_string(folder.path("pages/index.html")).expect("an index");
    assert!(index.contains("href=\"player-Aki.html\">Aki</a>"), "{index}");
    let page = fs::read_to_string(folder.path("pages/player-Aki.html")).expect("a page");
    // White won both: Aki lost as Black, and won as White.
    let opening =
        "Fourth file rook</span></th><td><span lang=\"ja\">先手</span><span lang=\"en\">Black</span></td><td>1</td>";
    let parts =
        ["won 1, lost 1, drawn 0", "href=\"a.html\"", "href=\"b.html\"", opening, ">other</span>", "☗&lt;b&gt;"];
    for part in parts {
        assert!(page.contains(part), "{part} in {page}");
    }
    // The move after 50 of 60 seconds is not one in time trouble, nor are those without a move of the player.
    assert!(!page.contains("<b>") && page.contains("time left") && !page.contains("last tenth"), "{page}");
}

/// A browser that writes down what it is told to open.
#[cfg(target_os = "linux")]
#[test]
fn open_shows_the_page() {
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;
    use std::time::{Duration, Instant};

    let folder = Folder::new();
    let (page, log) = (folder.name("page.html"), folder.path("opened"));
    let game = folder.with("game.usi", MATES);
    let opener = folder.with("bin/xdg-open", format!("#!/bin/sh\necho \"$1\" > '{}'\n", log.display()));
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).expect("a program");
    let path = format!("{}:/usr/bin:/bin", folder.name("bin"));
    let mut command = Command::new(SABI);
    command.args(["analyze", &game, "--nodes", "50", "--out", &page, "--open"]).env("PATH", path);
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let deadline = Instant::now() + Duration::from_secs(20);
    let opened = || fs::read_to_string(&log).unwrap_or_default();
    while opened().is_empty() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(opened().trim_end(), page);
}

//! `book_tools openings`.

use super::helpers::{Folder, fails, tools, try_tools};
use std::fs;

/// Two level openings, a bishop lost for a pawn, a mate, and one of them again.
const GAMES: &str = "startpos moves 7g7f 3c3d 2g2f 8c8d\n\
    black\t-\t-\t-\tresign\tstartpos moves 2g2f 8c8d 2f2e\n\
    startpos moves 7g7f 3c3d 8h4d\n\
    sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b\n\
    startpos moves 7g7f 3c3d 2g2f 4c4d\n";

const LEVEL: &str = "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 2g2f 8c8d 2f2e\n";

fn openings(games: &str, output: &str, more: &[&str]) -> Vec<String> {
    let fixed = ["openings", games, "--output", output, "--nodes", "3000", "--hash", "1"];
    fixed.iter().chain(more).map(|&argument| argument.to_owned()).collect()
}

fn select(games: &str, output: &str, more: &[&str]) -> String {
    tools(&openings(games, output, more).iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn leaves_out_decided_openings() {
    let folder = Folder::new();
    let (games, output) = (folder.with("games.usi", GAMES), folder.name("openings.usi"));
    for threads in ["1", "3"] {
        let text = select(&games, &output, &["--plies", "3", "--threads", threads]);
        assert_eq!(text, "2 of 3 openings within 300 centipawns\n");
        assert_eq!(fs::read_to_string(&output).unwrap(), LEVEL);
    }
    // A list is an input again, and longer openings differ.
    let again = folder.name("again.usi");
    assert_eq!(select(&output, &again, &["--balance", "1000"]), "2 of 2 openings within 1000 centipawns\n");
    assert_eq!(fs::read_to_string(&again).unwrap(), LEVEL);
    assert_eq!(select(&games, &again, &[]), "3 of 4 openings within 300 centipawns\n");
    assert_eq!(
        select(&games, &again, &["--balance", "30000", "--plies", "3"]),
        "3 of 3 openings within 30000 centipawns\n"
    );
}

#[test]
fn keeps_the_old_file_on_errors() {
    let folder = Folder::new();
    let (lost, kept) = (folder.with("lost.usi", "startpos moves 7g7f 3c3d 8h4d\n"), folder.with("kept.usi", LEVEL));
    let other = folder.with("other.txt", "notes\n");
    let try_select = |games: &str, output: &str, more: &[&str]| {
        try_tools(&openings(games, output, more).iter().map(String::as_str).collect::<Vec<_>>())
    };
    fails(&try_select(&lost, &kept, &[]), "none of 1 openings is within 300 centipawns");
    fails(&try_select(&kept, &kept, &[]), "is an input too");
    fails(&try_select(&kept, &other, &[]), "is a file of another kind than the openings");
    fails(&try_select(&folder.name("missing.usi"), &kept, &[]), "missing.usi");
    fails(&try_select(&kept, &lost, &["--balance=-1"]), "--balance");
    assert_eq!(fs::read_to_string(&kept).unwrap(), LEVEL);
    assert_eq!(fs::read_to_string(&other).unwrap(), "notes\n");
}

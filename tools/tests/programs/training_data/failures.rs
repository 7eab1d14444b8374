//! Errors without any change.

use super::helpers::{
    Folder, TOOLS, TRAINER, game, play, play_rejected, rejected, tools, tools_rejected, tools_with_warnings,
    write_games,
};
#[cfg(unix)]
use super::helpers::{SELFPLAY, read_games};
use crate::common::run;
#[cfg(unix)]
use crate::common::sabi;
#[cfg(unix)]
use sabi_records::{EndReason, GameResult, sabg::GameFile};

#[test]
fn rejects_other_settings() {
    let folder = Folder::new();
    let name = folder.name("games.sabg");
    play(&name, "0..3", &[]);
    let bytes = folder.read("games.sabg");
    for (more, why) in [
        (["--nodes", "2"], "'nodes: 1' there, 'nodes: 2' here"),
        (["--random-plies", "9"], "'random plies: 8' there, 'random plies: 9' here"),
        (["--option", "MaxMovesToDraw=100"], "made with other settings"),
        (["--adjudicate-win", "never"], "made with other settings"),
    ] {
        let all = [&["--option", "USI_Hash=1", "--balance", "3000", "--max-moves", "30"], &more[..]].concat();
        let all = if more[0] == "--nodes" { all } else { [&["--nodes", "1"], &all[..]].concat() };
        let message = play_rejected(&name, "0..3", &all);
        assert!(message.contains(why), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(folder.read("games.sabg") == bytes);
    }
}

#[test]
fn other_and_damaged_files_are_unchanged() {
    let folder = Folder::new();
    let list = folder.with("list.sabg", "startpos moves 7g7f\n");
    assert!(play_rejected(&list, "0..3", &[]).contains("not a file of compact games"));
    assert_eq!(folder.read("list.sabg"), b"startpos moves 7g7f\n");
    play(&folder.name("games.sabg"), "0..3", &[]);
    let mut bytes = folder.read("games.sabg");
    *bytes.last_mut().unwrap() ^= 1;
    let damaged = folder.with("games.sabg", &bytes);
    let short = ["--nodes", "1", "--option", "USI_Hash=1", "--balance", "3000", "--max-moves", "30"];
    assert!(play_rejected(&damaged, "0..3", &short).contains("the checksum of a block with 3 games is wrong"));
    assert!(folder.read("games.sabg") == bytes);
}

#[test]
fn rejects_wrong_arguments() {
    let folder = Folder::new();
    let lost = folder.with("lost.sfen", "sfen 4k4/9/9/9/9/9/9/1B5R1/LNSGKGSNL w - 1\n");
    for (seeds, more, why) in [
        ("5..5", &[][..], "FIRST..END"),
        ("5", &[], "FIRST..END"),
        ("0..3", &["--nodes", "0"], "--nodes"),
        ("0..3", &["--threads", "0"], "--threads"),
        ("0..3", &["--threads", "513"], "--threads"),
        ("0..3", &["--option", "EnteringKingRule=TryRule"], "no results by the try rule"),
        ("0..3", &["--option", "ResignValue=500"], "ResignValue=500 has no effect"),
        ("0..3", &["--option", "BookFile=x.db"], "has no effect"),
        ("0..3", &["--option", "Threads=2"], "more than one search thread"),
        ("0..3", &["--option", "Nonsense=2"], "Nonsense"),
        ("0..3", &["--option", "Threads"], "NAME=VALUE"),
        ("0..3", &["--adjudicate-win", "300"], "CP,MOVES"),
        ("0..3", &["--adjudicate-win", "300,1"], "at least 2 moves"),
        ("0..3", &["--adjudicate-draw", "5,x,3"], "not a list of numbers"),
        ("0..3", &["--openings", "no.sfen"], "no.sfen"),
        ("0..3", &["--openings", &lost, "--opening-plies", "5..4"], "MIN not above MAX"),
        ("0..3", &["--openings", &lost, "--opening-plies", "x..4"], "MIN..MAX"),
        ("0..3", &["--openings", &lost, "--opening-share", "1.1"], "a number from 0 to 1"),
        ("0..3", &["--opening-share", "0.5"], "--openings"),
        ("0..3", &["--searched-plies", "0"], "--searched-plies"),
        ("0..3", &["--openings", &lost, "--random-plies", "0", "--nodes", "1"], "seed 0 has no usable opening"),
    ] {
        let message = play_rejected(&folder.name("out.sabg"), seeds, more);
        assert!(message.contains(why), "{message}");
    }
}

#[test]
fn check_finds_faults() {
    let folder = Folder::new();
    for (result, end) in [
        (GameResult::WhiteWins, EndReason::Resign),
        (GameResult::BlackWins, EndReason::Checkmate),
        (GameResult::BlackWins, EndReason::MaxMoves),
        (GameResult::Draw, EndReason::Repetition),
        (GameResult::BlackWins, EndReason::Declaration),
    ] {
        let name = write_games(&folder, "games.sabg", &[game("7g7f 3c3d 2g2f", result, end)]);
        let message = tools_rejected(&["check", &name]);
        assert!(message.contains("games.sabg:1: the final position contradicts"), "{message}");
        assert!(message.contains("error: 1 faults"), "{message}");
    }
    let good = write_games(&folder, "good.sabg", &[game("7g7f 3c3d 2g2f", GameResult::BlackWins, EndReason::Resign)]);
    let bytes = folder.read("good.sabg");
    for at in [0, 9, 17, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        tools_rejected(&["check", &folder.with("changed.sabg", &changed)]);
    }
    let cut = folder.with("cut.sabg", &bytes[..bytes.len() - 3]);
    assert!(tools_rejected(&["check", &cut]).contains("the last block is truncated"));
    assert!(tools_rejected(&["check", &good, &folder.name("none.sabg")]).contains("none.sabg"));
    // Numbers continue after damage.
    assert!(tools_with_warnings(&["count", &cut, &good]).contains("the last block is truncated"));
}

#[test]
fn empty_output_replaces_nothing() {
    let folder = Folder::new();
    let empty = write_games(&folder, "empty.sabg", &[]);
    let unknown = write_games(&folder, "unknown.sabg", &[game("7g7f", GameResult::Unknown, EndReason::Unknown)]);
    let old = [game("7g7f 3c3d", GameResult::BlackWins, EndReason::Resign)];
    let sabg = write_games(&folder, "out.sabg", &old);
    let psv = folder.name("out.psv");
    tools(&["convert", &sabg, "--output", &psv]);
    let before = [folder.read("out.psv"), folder.read("out.sabg")];
    let odd = folder.with("odd.psv", [0; 41]);
    for (arguments, why) in [
        (vec!["merge", &empty, "--output", &sabg], "nothing to write"),
        (vec!["shuffle", &empty, "--output", &sabg], "nothing to write"),
        (vec!["convert", &empty, "--output", &sabg], "nothing to write"),
        (vec!["convert", &unknown, "--output", &psv], "nothing to write"),
        (vec!["shuffle", &unknown, "--output", &psv], "nothing to write"),
        (vec!["shuffle", &odd, "--output", &psv], "does not consist of whole records"),
        (vec!["shuffle", &psv, "--output", "out.hcpe"], "in another format than the output"),
        (vec!["shuffle", &unknown, "--output", "out.txt"], "not as 'out.txt'"),
        (vec!["convert", &unknown, "--output", "out.txt"], "not as 'out.txt'"),
        (vec!["merge", &psv, "--output", &sabg], "not a file of compact games"),
        (vec!["merge", "none.sabg", "--output", &sabg], "none.sabg"),
    ] {
        let message = tools_rejected(&arguments);
        assert!(message.contains(why), "{message}");
        assert!([folder.read("out.psv"), folder.read("out.sabg")] == before, "{arguments:?}");
    }
    assert_eq!(folder.files().len(), 5, "{:?}", folder.files());
}

/// Later games of the program that writes them would be lost.
#[cfg(unix)]
#[test]
fn games_being_written_are_not_replaced() {
    let folder = Folder::new();
    let [first, second] = ["7g7f 3c3d", "2g2f 8c8d"].map(|moves| game(moves, GameResult::BlackWins, EndReason::Resign));
    let sabg = write_games(&folder, "games.sabg", &[first]);
    let other = write_games(&folder, "other.sabg", &[second]);
    let before = folder.read("games.sabg");
    let writer = GameFile::open(&folder.path("games.sabg"), "", |_| {}).unwrap();
    for command in ["merge", "shuffle", "convert"] {
        let message = tools_rejected(&[command, &other, "--output", &sabg]);
        assert!(message.contains("games.sabg': another process is writing it"), "{command}: {message}");
        assert!(folder.read("games.sabg") == before, "{command}");
    }
    drop(writer);
    tools(&["merge", &other, "--output", &sabg]);
    assert!(folder.read("games.sabg") != before);
    assert_eq!(folder.files(), ["games.sabg", "other.sabg"], "lock files are removed");
}

#[test]
fn inputs_are_not_overwritten() {
    let folder = Folder::new();
    let games = [game("7g7f 3c3d 2g2f", GameResult::BlackWins, EndReason::Resign)];
    let input = write_games(&folder, "games.sabg", &games);
    let words = |words: &[&str], output: &str| {
        [words, &["--output", output]].concat().iter().map(|word| (*word).to_owned()).collect()
    };
    folder.keeps("games.sabg", TOOLS, |output| words(&["convert", &input], output));
    folder.keeps("games.sabg", TRAINER, |output| words(&["fit", &input], output));
    // A record in an input folder is an input.
    let records = Folder::new();
    tools(&["convert", &input, "--output", &records.name("games.kif")]);
    records.keeps("games.kif", TOOLS, |output| words(&["convert", &records.name("")], output));
    // An output beside the inputs is allowed; it changes its input folder.
    tools(&["convert", &records.name(""), "--output", &records.name("other.csa")]);
    tools(&["shuffle", &input, "--output", &input]);
    tools(&["merge", &input, "--output", &input]);
    assert_eq!(folder.files(), ["games.sabg"]);
}

#[test]
fn other_files_are_not_replaced() {
    let folder = Folder::new();
    let input = write_games(&folder, "games.sabg", &[game("7g7f 3c3d", GameResult::BlackWins, EndReason::Resign)]);
    let thesis = "Chapter 1. 7g7f is a move.\n";
    for name in ["out.sabg", "out.psv", "out.hcpe", "out.csa", "out.kif", "out.usi"] {
        let output = folder.with(name, thesis);
        let message = tools_rejected(&["convert", &input, "--output", &output]);
        assert!(message.contains("of another kind"), "{message}");
        assert!(folder.read(name) == thesis.as_bytes());
        // An empty file and one of the same kind may be replaced.
        folder.with(name, "");
        for _ in 0..2 {
            tools(&["convert", &input, "--output", &output]);
        }
    }
    let network = folder.with("nn.bin", thesis);
    assert!(rejected(TRAINER, &["fit", &input, "--output", &network]).contains("of another kind"));
    assert!(folder.read("nn.bin") == thesis.as_bytes());
}

/// A full disk, simulated by a file size limit: the message names the file, and nothing partial
/// remains.
#[cfg(unix)]
#[test]
fn errors_name_the_file() {
    let folder = Folder::new();
    let games: Vec<_> = (0..400).map(|_| game("7g7f 3c3d 2g2f", GameResult::BlackWins, EndReason::Resign)).collect();
    let input = write_games(&folder, "games.sabg", &games);
    let runner = env!("CARGO_BIN_EXE_match_runner");
    let small = ["--option-a", "USI_Hash=1", "--option-b", "USI_Hash=1"];
    let engines = [&["--engine-a", sabi(), "--engine-b", sabi(), "--nodes", "10"][..], &small, &["--out"]].concat();
    let cases: [(&str, Vec<&str>, &str); 5] = [
        (TOOLS, vec!["convert", &input, "--output"], "out.kif"),
        (TOOLS, vec!["shuffle", &input, "--output"], "out.psv"),
        (TOOLS, vec!["merge", &input, "--output"], "out.sabg"),
        (SELFPLAY, vec!["--nodes", "1", "--option", "USI_Hash=1", "--seed-range", "0..200", "--out"], "self.sabg"),
        (runner, engines, "games.kif"),
    ];
    for (program, words, name) in cases {
        let output = folder.name(name);
        // Merged games are small; the others exceed the limit.
        let blocks = if name == "out.sabg" { "0" } else { "2" };
        let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let message = rejected("sh", &[&["-c", &script, program], &words[..], &[&output]].concat());
        assert!(message.contains(name) && message.contains("File too large"), "{message}");
        assert!(program != TOOLS || !folder.path(name).exists());
        if program == SELFPLAY {
            read_games(&folder, name);
        }
    }
}

#[test]
fn unreadable_records_leave_no_file() {
    let folder = Folder::new();
    let bad = folder.with("bad.csa", "this is no game");
    let outcome = run(TOOLS, &["convert", &bad, "--output", &folder.name("out.sabg")]);
    assert!(!outcome.success && outcome.stderr.contains("bad.csa"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("out.sabg': nothing to write"), "{}", outcome.stderr);
    assert!(!folder.path("out.sabg").exists());
}

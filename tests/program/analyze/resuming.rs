//! Resuming a killed run.

use super::helpers::{Folder, GAME, SABI, analyze};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// State file of an interrupted run, if any.
fn partial(folder: &Folder) -> Option<PathBuf> {
    let mut entries = fs::read_dir(folder.path("")).unwrap().map(|entry| entry.unwrap().path());
    entries.find(|path| path.extension().is_some_and(|extension| extension == "partial"))
}

/// Kills an analysis after its first results; returns their file.
fn killed(folder: &Folder, arguments: &[&str]) -> PathBuf {
    let mut child = Command::new(SABI)
        .args([&["analyze", GAME, "--threads", "1"], arguments].concat())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let deadline = Instant::now() + Duration::from_secs(60);
    let is_written = || partial(folder).is_some_and(|path| fs::read(path).unwrap().ends_with(b"\n"));
    while !is_written() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("a child of ours");
    child.wait().expect("a child of ours");
    partial(folder).expect("what was found")
}

#[test]
fn resumed_run_skips_finished_moves() {
    let folder = Folder::new();
    let [whole, cut] = [folder.name("whole.json"), folder.name("cut.json")];
    // Long enough to be cut off before the end.
    let wanted = ["--nodes", "60000", "--to", "29", "--option", "USI_Hash=1"];
    let report = analyze(&[&[GAME], &wanted[..], &["--out", &whole]].concat());
    assert!(report.contains("\n30局面、"), "{report}");
    assert_eq!(partial(&folder), None, "nothing is left of a run that ended");

    let path = killed(&folder, &[&wanted[..], &["--out", &cut]].concat());
    assert!(!fs::exists(&cut).unwrap(), "it was not cut off");
    let mut text = fs::read_to_string(&path).unwrap();
    let known = text.lines().count();
    assert!(known > 0);
    analyze(&[&[GAME, "--to", "1"], &wanted[..2], &wanted[4..], &["--out", &cut]].concat());
    assert_eq!(partial(&folder).as_ref(), Some(&path), "a narrower run leaves it");
    // Another game, no game, an illegal line, truncated: all ignored.
    let line = text.lines().next().unwrap().to_owned();
    let key = |name: &str| line.split(&format!("\"{name}\":")).nth(1).unwrap().split(',').next().unwrap().to_owned();
    let other =
        |name: &str, value: &str| line.replace(&format!("\"{name}\":{}", key(name)), &format!("\"{name}\":{value}"));
    for bad in
        [&other("crc", "1"), &other("game", "7"), &other("ply", "9999"), &other("ply", "29"), &line[..line.len() / 2]]
    {
        text += bad;
        text.push('\n');
    }
    fs::write(&path, text).unwrap();

    let report = analyze(&[&[GAME], &wanted[..], &["--out", &cut]].concat());
    assert!(report.contains(&format!("\n{}局面、", 30 - known)), "{known} were known: {report}");
    assert!(fs::read(&cut).unwrap() == fs::read(&whole).unwrap());
    assert_eq!(partial(&folder), None);
}

#[test]
fn other_settings_start_anew() {
    let folder = Folder::new();
    let (out, other) = (folder.name("a.json"), folder.with("a.json.00000000.partial", "what another run has found\n"));
    analyze(&[GAME, "--nodes", "50", "--to", "3", "--out", &out]);
    assert_eq!(partial(&folder), Some(other.into()), "it is not ours");
}

#[test]
fn other_evaluation_starts_anew() {
    let folder = Folder::new();
    let weights = fs::read_to_string("nets/weights.json").unwrap();
    let (file, out) = (folder.with("w.json", &weights), folder.name("a.json"));
    let option = format!("EvalFile={file}");
    let arguments = ["--nodes", "60000", "--to", "9", "--option", &option, "--out", &out];
    killed(&folder, &arguments);
    let pawn = weights.split_once("\"material\": [\n      [[").expect("the first weight").1;
    let pawn = pawn.split_once(',').unwrap().0;
    fs::write(&file, weights.replacen(&format!("[[{pawn},"), "[[250,", 1)).unwrap();
    let report = analyze(&[&[GAME], &arguments[..]].concat());
    assert!(report.contains("\n10局面、"), "{report}");
}

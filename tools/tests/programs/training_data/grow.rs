//! `trainer grow` with all kinds of interruptions.

use super::helpers::{Folder, game, play, rejected, write_games};
use crate::common::{begin, kill, sabi, succeed, wait_for};
use sabi_records::{EndReason, GameResult};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

const TRAINER: &str = env!("CARGO_BIN_EXE_trainer");
const START: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../nets/kp.bin");
const MATCH: &str = "--nodes 5 --games 4 --max-moves 30 --option-a USI_Hash=1 --option-b USI_Hash=1 \
                     --option-a Threads=1 --option-b Threads=1";
/// A start network, and small settings: half a second per generation.
const SMALL: [[&str; 2]; 9] = [
    ["--start", START],
    ["--nice", "0"],
    ["--games", "40"],
    ["--threads", "2"],
    ["--window", "2"],
    ["--selfplay", "--nodes 2 --option USI_Hash=1 --balance 3000 --max-moves 40"],
    ["--search-tree", "--share 0.1 --nodes 20 --positions 2"],
    ["--fit", "--epochs 2 --batch 256 --rate 0.0001 --validation 0.2"],
    ["--match", MATCH],
];
/// An equal network passes this test, but not the default one.
const EASY: [&str; 2] = ["--sprt", "elo0=-300,elo1=-200"];

/// The arguments with some of them replaced.
fn arguments<'a>(dir: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let kept = SMALL.into_iter().filter(|[name, _]| !more.contains(name)).flatten();
    ["grow", "--dir", dir].into_iter().chain(kept).chain(more.iter().copied()).collect()
}

/// Runs to a successful end.
fn grow(dir: &str, more: &[&str]) {
    succeed(TRAINER, &arguments(dir, more));
}

fn grow_rejected(dir: &str, more: &[&str]) -> String {
    rejected(TRAINER, &arguments(dir, more))
}

/// Log lines without run-dependent values.
fn events(folder: &Folder, dir: &str) -> Vec<Value> {
    let text = String::from_utf8(folder.read(&format!("{dir}/log.jsonl"))).expect("UTF-8");
    let mut events = Vec::new();
    for line in text.lines().filter(|line| !line.ends_with("<cut>")) {
        let mut event: Value = serde_json::from_str(line).expect("JSON");
        let fields = event.as_object_mut().expect("an object");
        assert!(fields.remove("time").is_some() && fields.remove("worked").is_some(), "{line}");
        events.push(event);
    }
    events
}

fn kinds<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["event"] == kind).collect()
}

/// Ids and states of running processes started from a folder.
fn processes(folder: &Path) -> Vec<(u32, char)> {
    let folder = folder.to_str().expect("UTF-8");
    let process = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.ok()?.path();
        let number = path.file_name()?.to_str()?.parse().ok()?;
        let command = fs::read(path.join("cmdline")).ok()?;
        let is_ours = command.starts_with(folder.as_bytes());
        let stat = fs::read_to_string(path.join("stat")).ok()?;
        let state = stat.rsplit_once(") ")?.1.chars().next()?;
        (is_ours && state != 'Z').then_some((number, state))
    };
    fs::read_dir("/proc").expect("processes").filter_map(process).collect()
}

#[test]
fn kills_do_not_change_results() {
    let folder = Folder::new();
    let [whole, killed] = ["whole", "killed"].map(|name| folder.name(name));
    let plan = [&EASY[..], &["--generations", "3"]].concat();
    grow(&whole, &plan);
    let mut kills = 0;
    // Times cover all steps, and grow, so that the test ends on a busy machine.
    loop {
        let mut child = begin(TRAINER, arguments(&killed, &plan));
        let end = Instant::now() + Duration::from_millis(40 + kills * 61 % 500 + kills * kills / 4);
        let mut status = None;
        while status.is_none() && Instant::now() < end {
            sleep(Duration::from_millis(1));
            status = child.try_wait().expect("a status");
        }
        if let Some(status) = status {
            assert!(status.success(), "{:?}", events(&folder, "killed").last());
            break;
        }
        kill(child);
        kills += 1;
    }
    assert!(kills >= 5, "{kills} kills");
    let [one, two] = ["whole", "killed"].map(|dir| {
        let mut events = events(&folder, dir);
        events.retain(|event| event["event"] != "started");
        events
    });
    assert_eq!(one, two);
    assert_eq!(kinds(&one, "adopted").len(), 3, "{one:?}");
    for name in ["best.bin", "gen-0001/games.sabg", "gen-0002/games.sabg", "gen-0003/games.sabg", "gen-0003/net.bin"] {
        let [one, two] = ["whole", "killed"].map(|dir| folder.read(&format!("{dir}/{name}")));
        assert!(one == two, "{name}");
    }
    assert!(folder.read("whole/best.bin") == folder.read("whole/gen-0003/net.bin"));
    // Only the programs of the last generation remain.
    let names: Vec<_> =
        (1..=3).filter(|number| folder.path(&format!("whole/gen-000{number}/engine")).exists()).collect();
    assert_eq!(names, [3]);
}

#[test]
fn seeds_networks_and_windows() {
    let folder = Folder::new();
    let dir = folder.name("dir");
    let more = |generations| ["--first-seed", "500", "--generations", generations];
    grow(&dir, &more("1"));
    grow(&dir, &[&EASY[..], &more("3")].concat());
    let events = events(&folder, "dir");
    assert_eq!(kinds(&events, "rejected").len(), 1);
    assert_eq!(kinds(&events, "adopted").len(), 2);
    let plans: Vec<String> = kinds(&events, "generation")
        .iter()
        .map(|plan| format!("{} by {} {}", plan["generation"], plan["best"], plan["seeds"]))
        .collect();
    assert_eq!(plans, ["1 by 0 [500,540]", "2 by 0 [540,580]", "3 by 2 [580,620]"]);
    // Two networks: the first played two generations, because its successor was rejected.
    let fit = kinds(&events, "begun").into_iter().rfind(|begun| begun["step"] == "fit").expect("a training");
    let command: Vec<&str> = fit["command"].as_array().expect("words").iter().filter_map(Value::as_str).collect();
    let games = ["gen-0001/games.sabg", "gen-0002/games.sabg", "gen-0003/games.sabg"];
    assert_eq!((&command[2..5], command[5]), (&games[..], "gen-0003/trees.sabg"));
    assert!(command.windows(2).any(|pair| pair == ["--start", "gen-0002/net.bin"]), "{command:?}");
    let page = String::from_utf8(folder.read("dir/index.html")).expect("UTF-8");
    assert!(page.contains("2 adopted, 1 rejected") && page.ends_with("</html>\n"), "{page}");
    // A truncated event is ignored.
    let log = folder.path("dir/log.jsonl");
    let text = fs::read(&log).unwrap();
    let cut = text[..text.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 9;
    fs::write(&log, &text[..cut]).unwrap();
    grow(&dir, &[&EASY[..], &more("3")].concat());
    assert_eq!(kinds(&self::events(&folder, "dir"), "adopted").len(), 2);
}

/// A generation keeps its openings, also those that it does not have.
#[test]
fn new_openings_apply_to_next_generation() {
    let folder = Folder::new();
    let (dir, openings) = (folder.name("dir"), folder.with("openings.sfen", "startpos moves 7g7f 3c3d\n"));
    grow(&dir, &["--generations", "1"]);
    // Interrupted before the match.
    let text = String::from_utf8(folder.read("dir/log.jsonl")).unwrap();
    let kept = text.split_inclusive('\n').take_while(|line| !line.contains(r#""step":"match""#));
    folder.with("dir/log.jsonl", kept.collect::<String>());
    grow(&dir, &["--generations", "2", "--match-openings", &openings]);
    let events = events(&folder, "dir");
    let matches = kinds(&events, "begun").into_iter().filter(|begun| begun["step"] == "match");
    let commands: Vec<String> = matches.map(|begun| begun["command"].to_string()).collect();
    let used = |command: &String| command.contains("engine/match_openings.sfen");
    assert_eq!(commands.iter().map(used).collect::<Vec<_>>(), [false, true], "{commands:?}");
}

/// Killed between the decision on a generation and the removal of its temporary files.
#[test]
fn next_run_cleans_up() {
    let folder = Folder::new();
    let dir = folder.name("dir");
    grow(&dir, &["--generations", "2"]);
    folder.with("dir/gen-0002/net.bin.training", "");
    folder.with("dir/gen-0002/trees.sabg", "");
    fs::create_dir(folder.path("dir/gen-0001/engine")).unwrap();
    grow(&dir, &["--generations", "2"]);
    assert!(!folder.path("dir/gen-0002/net.bin.training").exists());
    assert!(!folder.path("dir/gen-0002/trees.sabg").exists());
    assert!(!folder.path("dir/gen-0001/engine").exists() && folder.path("dir/gen-0002/engine").exists());
}

#[test]
fn pause_and_resume() {
    let folder = Folder::new();
    let (dir, pause) = (folder.name("dir"), folder.path("dir/pause"));
    let more = ["--games", "900", "--generations", "1"];
    let mut child = begin(TRAINER, arguments(&dir, &more));
    let programs = folder.path("dir").canonicalize().unwrap_or(folder.path("dir"));
    let games = folder.path("dir/gen-0001/games.sabg");
    wait_for("self-play", || fs::metadata(&games).is_ok_and(|data| data.len() > 500));
    fs::write(&pause, "").unwrap();
    wait_for("a pause", || processes(&programs).first().is_some_and(|&(_, state)| state == 'T'));
    let [before, after] = [0, 300].map(|time| {
        sleep(Duration::from_millis(time));
        fs::metadata(&games).unwrap().len()
    });
    assert_eq!((before, processes(&programs).len()), (after, 1));
    fs::remove_file(&pause).unwrap();
    wait_for("the rest", || child.try_wait().expect("a status").is_some());
    let events = events(&folder, "dir");
    assert_eq!((kinds(&events, "paused").len(), kinds(&events, "resumed").len()), (1, 1));
    assert_eq!(kinds(&events, "played")[0]["games"], 900);
    assert!(processes(&programs).is_empty());
}

#[test]
fn children_die_with_parent() {
    let folder = Folder::new();
    let more = ["--games", "1000000", "--generations", "1"];
    let child = begin(TRAINER, arguments(&folder.name("dir"), &more));
    wait_for("self-play", || folder.path("dir/gen-0001/games.sabg").exists());
    let programs = folder.path("dir").canonicalize().unwrap();
    wait_for("a program", || !processes(&programs).is_empty());
    assert!(grow_rejected(&folder.name("dir"), &more).contains("another program uses"));
    // Also while paused.
    fs::write(folder.path("dir/pause"), "").unwrap();
    wait_for("a pause", || processes(&programs).iter().all(|&(_, state)| state == 'T'));
    kill(child);
    wait_for("the end", || processes(&programs).is_empty());
}

#[test]
fn killed_step_is_restarted() {
    let folder = Folder::new();
    let mut child = begin(TRAINER, arguments(&folder.name("dir"), &["--games", "300", "--generations", "1"]));
    wait_for("self-play", || folder.path("dir/gen-0001/games.sabg").exists());
    let programs = folder.path("dir").canonicalize().unwrap();
    let first = || processes(&programs).first().map(|&(number, _)| number);
    wait_for("a program", || first().is_some());
    let number = first().unwrap().to_string();
    assert!(Command::new("kill").args(["-KILL", &number]).status().unwrap().success());
    assert!(child.wait().unwrap().success());
    let events = events(&folder, "dir");
    assert_eq!(kinds(&events, "restarted").len(), 1);
    assert_eq!(kinds(&events, "played")[0]["games"], 300);
}

#[test]
fn external_games_are_used() {
    let folder = Folder::new();
    let dir = folder.name("dir");
    grow(&dir, &["--generations", "0"]);
    play(&folder.name("dir/incoming/a.sabg"), "1000..1025", &[]);
    play(&folder.name("dir/incoming/games.sabg"), "2000..2005", &[]);
    play(&folder.name("dir/incoming/trees.sabg"), "3000..3003", &[]);
    folder.with("dir/incoming/bad.sabg", "no games");
    let mut illegal = game("7g7f 3c3d", GameResult::Draw, EndReason::MaxMoves);
    illegal.moves[1] = "3c3e".parse().unwrap();
    write_games(&folder, "dir/incoming/illegal.sabg", &[illegal]);
    grow(&dir, &["--generations", "1"]);
    let events = events(&folder, "dir");
    let plan = kinds(&events, "generation")[0];
    let files = ["gen-0001/_games.sabg", "gen-0001/_trees.sabg", "gen-0001/a.sabg"];
    assert_eq!(plan["data"], serde_json::json!(files));
    assert_eq!(plan["seeds"].to_string(), "[0,7]");
    let drawn = kinds(&events, "begun").into_iter().find(|begun| begun["step"] == "search_tree").expect("a step");
    let command: Vec<&str> = drawn["command"].as_array().expect("words").iter().filter_map(Value::as_str).collect();
    assert_eq!((&command[2..5], command[5]), (&files[..], "gen-0001/games.sabg"));
    assert!(kinds(&events, "drawn")[0]["positions"].as_u64() > Some(0), "{events:?}");
    assert_eq!(kinds(&events, "played")[0]["games"], 40);
    let rejected = kinds(&events, "input_rejected");
    let expected = [("bad.sabg", "not a file of compact games"), ("illegal.sabg", "game 0: move 2 '3c3e' is illegal")];
    assert_eq!(rejected.len(), expected.len());
    for (event, (file, reason)) in rejected.iter().zip(expected) {
        assert_eq!(event["file"], format!("incoming/{file}"));
        assert!(event["reason"].as_str().unwrap().contains(reason), "{event:?}");
        assert!(folder.path(&format!("dir/incoming/{file}")).exists());
    }
    assert!(!folder.path("dir/incoming/a.sabg").exists());
}

/// Room is made for a generation before it plays; external games take part of it.
#[test]
fn external_games_count_against_the_disk_limit() {
    let folder = Folder::new();
    let dir = folder.name("dir");
    grow(&dir, &["--generations", "1"]);
    play(&folder.name("dir/incoming/a.sabg"), "1000..1005", &[]);
    let length = |file: &str| fs::metadata(folder.path(file)).unwrap().len();
    let (old, taken) = (length("dir/gen-0001/games.sabg"), length("dir/incoming/a.sabg"));
    let limit = format!("{:.9}", (old + taken + old / 4) as f64 / 1e9);
    grow(&dir, &["--generations", "2", "--max-disk", &limit]);
    let events = events(&folder, "dir");
    let at = |kind: &str| events.iter().rposition(|event| event["event"] == kind).expect(kind);
    assert_eq!(events[at("removed")]["files"].to_string(), r#"["gen-0001/games.sabg"]"#);
    assert!(at("removed") < at("generation"), "{events:?}");
}

#[test]
fn oldest_games_are_removed() {
    let folder = Folder::new();
    let dir = folder.name("dir");
    let more = |disk| ["--window", "9", "--generations", "5", "--max-disk", disk];
    grow(&dir, &more("0.000024"));
    let events = events(&folder, "dir");
    let removed: Vec<&str> = kinds(&events, "removed")
        .iter()
        .flat_map(|event| event["files"].as_array().unwrap())
        .filter_map(Value::as_str)
        .collect();
    assert!(!removed.is_empty() && removed.is_sorted() && removed[0] == "gen-0001/games.sabg", "{removed:?}");
    let sizes = (1..=5).filter_map(|number| fs::metadata(folder.path(&format!("dir/gen-000{number}/games.sabg"))).ok());
    let sum: u64 = sizes.map(|data| data.len()).sum();
    assert!(sum <= 24_000, "{sum} bytes");
    let fits: Vec<_> = kinds(&events, "begun").into_iter().filter(|begun| begun["step"] == "fit").collect();
    let last = fits.last().unwrap()["command"].to_string();
    assert!(last.contains("gen-0005/games.sabg") && !last.contains("gen-0001/games.sabg"), "{last}");
    let other = folder.name("other");
    let message = grow_rejected(&other, &more("0.000001"));
    assert!(message.contains("--max-disk allows 1000"), "{message}");
    // More bytes than 64 bits can count.
    let message = grow_rejected(&folder.name("huge"), &["--games", "18000000000000000000"]);
    assert!(message.contains("--max-disk allows"), "{message}");
}

#[test]
fn broken_engine_is_rejected() {
    let folder = Folder::new();
    let (dir, engines) = (folder.name("dir"), folder.name("engines"));
    fs::create_dir(&engines).unwrap();
    let more = |generations| ["--engine-dir", &engines, "--generations", generations];
    // Programs missing in the folder come from beside the program.
    grow(&dir, &more("1"));
    for (number, generations, text) in [(2, "2", "#!/bin/sh\nexit 1\n"), (3, "3", "#!/bin/sh\necho old\n")] {
        let broken = folder.with("engines/sabi", text);
        fs::set_permissions(&broken, fs::Permissions::from_mode(0o755)).unwrap();
        grow(&dir, &more(generations));
        let events = events(&folder, "dir");
        assert_eq!(kinds(&events, "input_rejected").len(), number - 1, "{events:?}");
        let [first, last] = [0, number - 1].map(|at| kinds(&events, "generation")[at]["inputs"]["sabi"].clone());
        assert_eq!(first, last);
    }
    fs::copy(sabi(), folder.path("engines/sabi")).unwrap();
    grow(&dir, &more("4"));
    assert_eq!(kinds(&events(&folder, "dir"), "input_rejected").len(), 2);
}

#[test]
fn bad_arguments_create_no_folder() {
    let folder = Folder::new();
    let (dir, missing, text) = (folder.name("dir"), folder.name("none"), folder.with("text.bin", "no network"));
    for (more, why) in [
        (["--start", &missing], "missing file"),
        (["--start", &text], "cannot read the network"),
        (["--openings", &missing], "missing file"),
        (["--match-openings", &missing], "missing file"),
        (["--sprt", "elo0=5,elo1=0"], "elo0 must be below elo1"),
        (["--max-disk", "0"], "a number above 0"),
        (["--games", "0"], "--games"),
        (["--window", "0"], "--window"),
        (["--threads", "0"], "--threads"),
        (["--nice", "20"], "--nice"),
    ] {
        let message = grow_rejected(&dir, &more);
        assert!(message.contains(why), "{more:?}: {message}");
        assert!(!folder.path("dir").exists(), "{more:?}");
    }
    let message = rejected(TRAINER, &["grow", "--dir", &dir]);
    assert!(message.contains("--start must name the start network") && !folder.path("dir").exists());
}

#[test]
fn folder_with_other_files_is_rejected() {
    let folder = Folder::new();
    fs::create_dir(folder.path("dir")).unwrap();
    folder.with("dir/index.html", "a page");
    let message = grow_rejected(&folder.name("dir"), &["--generations", "1"]);
    assert!(message.contains("holds other files: 'index.html'"), "{message}");
    assert_eq!(folder.read("dir/index.html"), b"a page");
    assert_eq!(fs::read_dir(folder.path("dir")).unwrap().count(), 1);
}

#[test]
fn failing_step_ends_with_message() {
    let folder = Folder::new();
    let dir = folder.name("dir");
    let bad = |more: &[&str]| grow_rejected(&dir, &[&["--generations", "1"], more].concat());
    let message = bad(&["--fit", "--epochs 2 --batch 256 --validation 1"]);
    assert!(message.starts_with("error: fit: ") && message.contains("both are needed"), "{message}");
    let events = events(&folder, "dir");
    assert_eq!(events.last().unwrap()["event"], "failed");
    // Its arguments can be corrected.
    let message = bad(&["--match", "--games 2"]);
    assert!(message.starts_with("error: match: ") && message.contains("required arguments"), "{message}");
    assert!(bad(&["--engine-dir", &folder.name("none")]).contains("missing folder"));
    // Another start network is another run; an inconsistent log is rejected.
    let other = folder.name("other.bin");
    fs::copy(folder.path("dir/gen-0000/net.bin"), &other).unwrap();
    fs::write(&other, [&folder.read("other.bin")[..], b" "].concat()).unwrap();
    assert!(bad(&["--start", &other]).contains("started from another network"));
    let log = folder.path("dir/log.jsonl");
    for (line, why) in
        [("x", "expected value"), (r#"{"time":1,"worked":1,"event":"adopted","generation":7}"#, "not in progress")]
    {
        let text = fs::read_to_string(&log).unwrap();
        fs::write(&log, format!("{text}{line}\n")).unwrap();
        let message = bad(&[]);
        assert!(message.contains("log.jsonl', line ") && message.contains(why), "{message}");
        fs::write(&log, text).unwrap();
    }
}

/// A step cannot continue what it has left with other arguments.
#[test]
fn failed_step_starts_anew_with_other_arguments() {
    let folder = Folder::new();
    let failures = [
        ("selfplay", "played", "--nodes 3 --option USI_Hash=1 --balance 3000 --max-moves 40"),
        ("search_tree", "drawn", "--share 0.2 --nodes 20 --positions 2"),
        ("fit", "trained", "--epochs 1 --batch 256 --rate 0.0001 --validation 0.2"),
        ("match", "matched", "--nodes 6 --games 4 --max-moves 30 --option-a USI_Hash=1 --option-b USI_Hash=1"),
    ];
    for (step, end, others) in failures {
        let (dir, generation) = (folder.name(step), folder.path(step).join("gen-0001"));
        grow(&dir, &["--generations", "1"]);
        let log = String::from_utf8(folder.read(&format!("{step}/log.jsonl"))).unwrap();
        let end = format!(r#""event":"{end}""#);
        let kept: String = log.split_inclusive('\n').take_while(|line| !line.contains(&end)).collect();
        let failed = format!(r#"{{"time":1,"worked":1,"event":"failed","step":"{step}","reason":"a message"}}"#);
        folder.with(&format!("{step}/log.jsonl"), format!("{kept}{failed}\n"));
        if step != "match" {
            fs::remove_file(generation.join("match.usi")).unwrap();
        }
        if step == "fit" {
            // Removed at the end of the generation.
            fs::copy(generation.join("games.sabg"), generation.join("trees.sabg")).unwrap();
            fs::write(generation.join("net.bin.training"), "old").unwrap();
            let message = grow_rejected(&dir, &["--generations", "1"]);
            assert!(message.contains("of another kind"), "with the same arguments it continues: {message}");
        }
        grow(&dir, &["--generations", "1", &format!("--{}", step.replace('_', "-")), others]);
        let events = events(&folder, step);
        let begun = kinds(&events, "begun").into_iter().rfind(|begun| begun["step"] == step).expect("a step");
        let command: Vec<&str> = begun["command"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(command.ends_with(&others.split_whitespace().collect::<Vec<_>>()), "{command:?}");
    }
}

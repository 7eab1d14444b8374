//! `sabi mate`: problem files solved, as a table or as JSON.

use std::fs;
use std::path::Path;
use std::time::Duration;

use sabi_test_support::Folder;
use serde_json::Value;

use super::cli::{sabi, succeeds};
use super::positions::{
    KINGLESS_MATE_IN_ELEVEN, KINGLESS_MATE_IN_ONE, KINGLESS_MATE_IN_THREE, KINGLESS_MAZE, MATE_IN_ONE, MATE_IN_THREE,
    MATED,
};
use super::rules::Board;

const TANUKI: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/tanuki_problems.json");

/// A file in its own folder.
fn file(name: &str, content: impl AsRef<[u8]>) -> (Folder, String) {
    let folder = Folder::new();
    let path = folder.with(name, content);
    (folder, path)
}

/// Problems with stated lengths: right, too long, too short, no mate, and one without a length.
fn table() -> String {
    let rows = [
        ("1", KINGLESS_MATE_IN_ONE),
        ("5", MATE_IN_THREE),
        ("9", KINGLESS_MATE_IN_ELEVEN),
        ("3", MATED),
        ("-", KINGLESS_MATE_IN_THREE),
    ];
    rows.into_iter().fold("#sfen\tplies\n".to_owned(), |text, (plies, sfen)| format!("{text}{sfen}\t{plies}\n"))
}

/// JSON output: one document.
fn data(arguments: &[&str]) -> Value {
    let text = succeeds(&[&["mate", "--hash", "16", "--json"], arguments].concat());
    serde_json::from_str(&text).unwrap_or_else(|fault| panic!("{fault} in:\n{text}"))
}

fn problems(data: &Value) -> &[Value] {
    data["problems"].as_array().expect("problems")
}

/// Checks and answers in turn, to the mate.
fn assert_mates(problem: &Value) {
    let mut board = Board::at(&format!("sfen {}", problem["sfen"].as_str().expect("a position")));
    let line = problem["line"].as_array().expect("a line");
    for (at, word) in line.iter().enumerate() {
        assert!(board.play(word.as_str().expect("a move")), "{word} is illegal in {problem:#}");
        assert!(at % 2 == 1 || board.is_check(), "{word} is no check in {problem:#}");
    }
    assert!(board.is_lost() && board.is_check(), "no mate in {problem:#}");
}

/// Table rows as words.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let rows = text.lines().skip(1).take_while(|line| !line.starts_with("problems "));
    rows.map(|row| row.split_whitespace().collect()).collect()
}

#[test]
fn solves_a_file() {
    let text = succeeds(&["mate", "--hash", "16", "--file", TANUKI]);
    let reported: Vec<_> = rows(&text).into_iter().map(|row| row[..7].join(" ")).collect();
    let expected = [
        "1 id 1 mate 1 = 1",
        "2 id 120 mate 3 = 3",
        "3 id 11 mate 5 = 5",
        "4 id 3 mate 7 = 7",
        "5 id 1 mate 9 = 9",
        "6 id 2 mate 11 = 11",
    ];
    assert_eq!(reported, expected, "{text}");
    for line in
        ["problems 6: mate 6, no mate 0, unknown 0", "stated lengths 6: found 6, shorter 0, longer 0, no mate found 0"]
    {
        assert!(text.lines().any(|reported| reported == line), "no '{line}' in:\n{text}");
    }
    assert!(!text.contains("8c1c") && !text.contains("not the shortest"), "{text}");
    let lines = succeeds(&["mate", "--hash", "16", "--lines", "--file", TANUKI]);
    assert!(rows(&lines).iter().all(|row| row[5..].iter().filter(|word| word.len() >= 4).count() > 0), "{lines}");
    assert!(lines.contains("  8c1c\n"), "{lines}");
}

#[test]
fn marks_wrong_stated_lengths() {
    let (_folder, path) = file("problems.tsv", table());
    let text = succeeds(&["mate", "--hash", "16", "--file", &path]);
    let reported: Vec<_> = rows(&text).into_iter().map(|row| row[..row.len() - 2].join(" ")).collect();
    let expected = [
        "1 line 2 mate 1 = 1",
        "2 line 3 mate 3 < 5",
        "3 line 4 mate 11 > 9",
        "4 line 5 nomate - 3",
        "5 line 6 mate 3 -",
    ];
    assert_eq!(reported, expected, "{text}");
    let summary: Vec<_> = text.lines().skip(6).take(2).collect();
    let expected =
        ["problems 5: mate 4, no mate 1, unknown 0", "stated lengths 4: found 1, shorter 1, longer 1, no mate found 1"];
    assert_eq!(summary, expected);
}

#[test]
fn solves_positions() {
    let text = succeeds(&["mate", "--hash", "16", "--sfen", MATE_IN_ONE, "--sfen", "startpos"]);
    let reported = rows(&text);
    assert_eq!(
        (&reported[0][..5], reported[0].last()),
        (&["1", "sfen", "1", "mate", "1"][..], Some(&"G*5b")),
        "{text}"
    );
    assert_eq!(&reported[1][..5], ["2", "sfen", "2", "nomate", "-"], "{text}");
    assert!(!text.contains("stated"), "{text}");
}

#[test]
fn json_is_consistent() {
    let (_folder, path) = file("problems.tsv", table());
    let data = data(&["--file", &path, "--time", "60000"]);
    let problems = problems(&data);
    let column = |key: &str| problems.iter().map(|problem| problem[key].clone()).collect::<Vec<_>>();
    assert_eq!(Value::from(column("number")), serde_json::json!([1, 2, 3, 4, 5]));
    assert_eq!(Value::from(column("result")), serde_json::json!(["mate", "mate", "mate", "nomate", "mate"]));
    assert_eq!(Value::from(column("plies")), serde_json::json!([1, 3, 11, null, 3]));
    assert_eq!(Value::from(column("shortest")), serde_json::json!([true, true, true, null, true]));
    assert_eq!(Value::from(column("stated")), serde_json::json!([1, 5, 9, 3, null]));
    for problem in problems {
        match problem["plies"].as_u64() {
            Some(plies) => {
                assert!(problem["line"].as_array().is_some_and(|line| line.len() as u64 >= plies), "{problem:#}");
                assert_mates(problem);
            }
            None => assert!(problem["line"].is_null()),
        }
    }

    let summary = &data["summary"];
    let counts = ["problems", "mate", "nomate", "unknown", "perhaps_not_shortest"].map(|key| summary[key].as_u64());
    assert_eq!(counts, [5, 4, 1, 0, 0].map(Some));
    assert_eq!(["stated", "as_stated", "shorter", "longer"].map(|key| summary[key].as_u64()), [4, 1, 1, 1].map(Some));
    let nodes = problems.iter().map(|problem| problem["nodes"].as_u64().expect("a count"));
    assert_eq!(summary["nodes"].as_u64(), Some(nodes.sum()));
    let mut times: Vec<f64> = problems.iter().map(|problem| problem["ms"].as_f64().expect("a time")).collect();
    times.sort_by(f64::total_cmp);
    assert_eq!(summary["median_ms"].as_f64(), Some(times[2]));
    assert_eq!(summary["percentile_99_ms"].as_f64(), Some(times[4]));
    assert_eq!(summary["longest_ms"].as_f64(), Some(times[4]));
    assert!(summary["total_ms"].as_f64() >= Some(times[4]) && summary["nps"].is_u64(), "{summary:#}");

    let settings = serde_json::json!({ "time_ms": 60000, "hash_mb": 16, "threads": 1, "shortest": true });
    assert_eq!(data["settings"], settings);
}

#[test]
fn results_do_not_depend_on_threads() {
    let timeless = |threads: &str| {
        let mut data = data(&["--file", TANUKI, "--threads", threads]);
        let problems = data["problems"].as_array_mut().expect("problems");
        problems.iter_mut().for_each(|problem| problem["ms"] = Value::Null);
        data["problems"].clone()
    };
    let single = timeless("1");
    assert_eq!(single.as_array().map(Vec::len), Some(6));
    assert_eq!(timeless("3"), single);
    assert_eq!(timeless("64"), single);
}

#[test]
fn any_mate() {
    let sfens = ["--sfen", KINGLESS_MATE_IN_ONE, "--sfen", KINGLESS_MATE_IN_THREE, "--sfen", KINGLESS_MATE_IN_ELEVEN];
    let shortest = data(&sfens);
    let any = data(&[&["--any"], &sfens[..]].concat());
    assert_eq!(any["settings"]["shortest"], false);
    for (any, shortest) in problems(&any).iter().zip(problems(&shortest)) {
        assert_mates(any);
        assert!(any["plies"].as_u64() >= shortest["plies"].as_u64(), "{any:#}");
        assert!(any["nodes"].as_u64() <= shortest["nodes"].as_u64(), "{any:#}");
        assert_eq!(any["shortest"], any["plies"] == 1, "{any:#}");
    }
    assert_eq!(any["summary"]["perhaps_not_shortest"], 2);
    let text = succeeds(&[&["mate", "--hash", "16", "--any"], &sfens[..]].concat());
    assert!(rows(&text)[1][4].starts_with('≤'), "{text}");
    assert!(text.lines().any(|line| line == "perhaps not the shortest: 2"), "{text}");
}

#[test]
fn time_limit_per_problem() {
    let data = data(&["--time", "80", "--sfen", KINGLESS_MAZE, "--sfen", MATE_IN_ONE, "--sfen", KINGLESS_MAZE]);
    let results: Vec<_> = problems(&data).iter().map(|problem| &problem["result"]).collect();
    assert_eq!(results, ["unknown", "mate", "unknown"]);
    let times: Vec<_> = problems(&data).iter().filter_map(|problem| problem["ms"].as_f64()).collect();
    for at in [0, 2] {
        assert!((80.0..1500.0).contains(&times[at]), "{times:?}");
    }
    assert_eq!(data["summary"]["unknown"], 2);
}

#[test]
fn several_files() {
    let (_folder, path) = file("problems.tsv", table());
    let data = data(&["--file", TANUKI, &path]);
    let places: Vec<_> = problems(&data).iter().filter_map(|problem| problem["place"].as_str()).collect();
    assert_eq!(places.len(), 11);
    assert_eq!((places[0], places[6]), ("tanuki_problems.json id 1", "problems.tsv line 2"));
}

#[test]
fn bad_input_fails_first() {
    let good = KINGLESS_MATE_IN_ONE;
    let missing = Path::new(env!("CARGO_MANIFEST_DIR")).join("no such file").display().to_string();
    let folder = env!("CARGO_MANIFEST_DIR");
    let (_folders, paths): (Vec<Folder>, Vec<String>) = [
        file("bad.txt", format!("{good}\n{good}\nsfen 9/9 b - 1\n")),
        file("bad.json", fs::read_to_string(TANUKI).unwrap().replace(r#""type":"+B""#, r#""type":"UM""#)),
        file("bad.csa", "PI\n+\n+7776FU\n+7675FU\n"),
        file("bad.tsv", format!("plies\tsfen\nx\t{good}\n")),
        file("empty.txt", ""),
        file("bytes.txt", [0xff, 0xff, 0, 0x80]),
        file("huge.txt", format!("{good}\n{}", "9".repeat(2 << 20))),
    ]
    .into_iter()
    .unzip();
    let said = [
        "bad.txt, line 3: the position is wrong: the board has 2 ranks instead of 9",
        "bad.json, line 3: there is no piece 'UM'",
        "bad.csa, line 4: ",
        "bad.tsv, line 2: 'x' is not a number of plies",
        "empty.txt: there is no problem in it",
        "bytes.txt, line 1: the text is neither UTF-8 nor Shift_JIS",
        "huge.txt, line 2: the line is longer than 1048576 bytes",
    ];
    let files = paths.iter().zip(said).map(|(path, said)| (vec!["--file", path.as_str()], said));
    let others = [
        (vec![], "--sfen"),
        (vec!["--sfen"], "--sfen"),
        (vec!["--file"], "--file"),
        (vec!["--sfen", good, "--file", TANUKI], "cannot be used with"),
        (vec!["--sfen", good, "--sfen", "9/9/9/9/9/9/9/9/4K4 b G 1"], "no king"),
        (vec!["--sfen", good, "--sfen", "startpos moves 7g7e"], "move 1 '7g7e' is illegal here"),
        (vec!["--sfen", good, "--time", "0"], "--time"),
        (vec!["--sfen", good, "--hash", "0"], "--hash"),
        (vec!["--sfen", good, "--threads", "0"], "--threads"),
        (vec!["--sfen", good, "--hash", "1048576"], "1048576 MiB"),
        (vec!["--sfen", good, "--hash", "18446744073709551615"], "memory"),
        (vec!["--file", TANUKI, &paths[0]], "bad.txt, line 3"),
        (vec!["--file", &missing], "no such file"),
        (vec!["--file", folder], "irectory"),
    ];
    for (arguments, said) in files.chain(others) {
        for json in [&[][..], &["--json"]] {
            let outcome = sabi(&[&["mate"], json, &arguments].concat(), Duration::from_secs(20));
            assert!(!outcome.success, "mate {arguments:?} succeeded: {}", outcome.stdout);
            assert!(outcome.stderr.contains(said), "mate {arguments:?}: {}", outcome.stderr);
            assert!(!outcome.stderr.contains("panicked"), "mate {arguments:?}: {}", outcome.stderr);
            assert_eq!(outcome.stdout, "", "mate {arguments:?} began before it failed");
        }
    }
    // The reason is reported once.
    let outcome = sabi(&["mate", "--file", &paths[0]], Duration::from_secs(20));
    assert_eq!(outcome.stderr.trim().lines().count(), 1, "{}", outcome.stderr);
    assert_eq!(outcome.stderr.matches("ranks").count(), 1, "{}", outcome.stderr);
}

#[test]
fn table_only_in_a_pipe() {
    let outcome = sabi(&["mate", "--hash", "16", "--file", TANUKI], Duration::from_secs(60));
    assert_eq!((outcome.success, outcome.stderr.as_str()), (true, ""));
    assert!(!outcome.stdout.contains('\u{1b}'), "{}", outcome.stdout);
}

#[cfg(unix)]
#[test]
fn closed_output_ends_the_run() {
    use sabi_test_support::exit_status;
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    // More rows than a pipe holds, followed by a slow problem.
    let (_folder, path) =
        file("problems.txt", format!("{}{KINGLESS_MAZE}\n", format!("{KINGLESS_MATE_IN_ONE}\n").repeat(4000)));
    let mut child = Command::new(env!("CARGO_BIN_EXE_sabi"))
        .args(["mate", "--hash", "16", "--threads", "2", "--time", "600000", "--file"])
        .arg(&path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    assert!(line.contains("place"), "{line}");
    let status = exit_status(&mut child, Duration::from_secs(60));
    assert!(status.success(), "{status}");
}

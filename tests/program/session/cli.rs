//! Subcommands: output and exit status.

use std::time::Duration;

use sabi_test_support::{ProgramRun, run_within};
use serde_json::Value;

/// Runs to the end without input, with a timeout.
#[track_caller]
pub fn sabi(arguments: &[&str], limit: Duration) -> ProgramRun {
    run_within(env!("CARGO_BIN_EXE_sabi"), arguments, limit)
}

#[track_caller]
pub fn succeeds(arguments: &[&str]) -> String {
    let outcome = sabi(arguments, Duration::from_secs(60));
    assert!(outcome.success, "sabi {arguments:?}: {}", outcome.stderr);
    assert!(!outcome.stdout.trim().is_empty(), "sabi {arguments:?} said nothing");
    outcome.stdout
}

const BUSY_SFEN: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

#[test]
fn perft_counts_leaves() {
    for (arguments, nodes) in [
        (&["perft", "--depth", "1"][..], "30"),
        (&["perft", "--depth", "3"], "25470"),
        (&["perft", "--depth", "1", "--sfen", BUSY_SFEN], "207"),
        (&["perft", "--sfen", BUSY_SFEN, "--depth", "1"], "207"),
        (&["perft", "--depth", "1", BUSY_SFEN], "207"),
        (&["perft", "startpos", "moves", "7g7f", "--depth", "1"], "30"),
        (&["perft", "3"], "25470"),
        (&["perft", "0"], "1"),
        (&["perft", "2", "startpos"], "900"),
        (&["perft", "1", "startpos", "moves", "7g7f"], "30"),
        (&["perft", "1", "--sfen", BUSY_SFEN], "207"),
        (&["perft", "1", BUSY_SFEN, "--bulk"], "207"),
    ] {
        let text = succeeds(arguments);
        let total = text.lines().find_map(|line| line.strip_prefix("Nodes searched: "));
        assert_eq!(total.map(str::trim), Some(nodes), "{text}");
    }
}

/// What a report of a problem needs to name the build.
#[test]
fn version_names_the_build() {
    for flag in ["--version", "-V"] {
        let text = succeeds(&[flag]);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], format!("sabi {}", env!("CARGO_PKG_VERSION")));
        let value = |name: &str| lines.iter().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let target = value("target ").expect("a target");
        assert!(target.contains(std::env::consts::ARCH) && target.contains(std::env::consts::OS), "{text}");
        assert!(value("network ").is_some_and(|network| network.contains("x2-") && network.contains("fingerprint ")));
        assert_eq!(value("commit "), option_env!("SABI_COMMIT").filter(|commit| !commit.is_empty()), "{text}");
    }
}

#[test]
fn eval_prints_a_trace() {
    let first = succeeds(&["eval"]);
    assert_eq!(succeeds(&["eval"]), first, "the same position, another value");
    let busy = succeeds(&["eval", "--sfen", BUSY_SFEN]);
    assert_ne!(busy, first);
    assert_eq!(succeeds(&["eval", &format!("sfen {BUSY_SFEN}")]), busy);
    assert_eq!(succeeds(&[&["eval"], &BUSY_SFEN.split(' ').collect::<Vec<_>>()[..]].concat()), busy);
    assert_eq!(succeeds(&["eval", "startpos"]), first);
    assert_ne!(succeeds(&["eval", "startpos", "moves", "2g2f"]), first);
}

const SHORT: [&str; 4] = ["--depth", "3", "--hash", "1"];
/// A one-bucket table stresses replacement.
const ONE_BUCKET: [&str; 4] = ["--depth", "4", "--hash", "0"];

/// `bench` output with its signature.
fn bench(length: [&str; 4], arguments: &[&str]) -> (String, u64) {
    let text = succeeds(&[&["bench"], &length[..], arguments].concat());
    let last = text.lines().last().and_then(|line| line.strip_prefix("Bench: "));
    let nodes = last.and_then(|nodes| nodes.parse().ok()).unwrap_or_else(|| panic!("no fingerprint in:\n{text}"));
    (text, nodes)
}

/// The same as JSON.
fn bench_data(length: [&str; 4], arguments: &[&str]) -> Value {
    let text = succeeds(&[&["bench", "--stats=json"], &length[..], arguments].concat());
    serde_json::from_str(&text).unwrap_or_else(|fault| panic!("{fault} in:\n{text}"))
}

fn count(data: &Value) -> u64 {
    data.as_u64().unwrap_or_else(|| panic!("{data} is no count"))
}

/// Checks that every probe and store has one outcome; returns both counts.
fn assert_events_add_up(table: &Value) -> (u64, u64) {
    let sum = |names: &[&str]| names.iter().map(|&name| count(&table["events"][name])).sum::<u64>();
    let (probes, stores) = (sum(&["probes"]), sum(&["stores"]));
    assert_eq!(sum(&["hits", "local_hits", "second_level_hits", "misses"]), probes, "{table}");
    assert_eq!(
        sum(&["free", "same", "rejected_worse", "older", "shallower", "deeper", "rejected_helper", "contended"]),
        stores,
        "{table}"
    );
    assert!(sum(&["torn"]) <= sum(&["misses"]) && sum(&["second_level_stores"]) <= stores, "{table}");
    assert!(count(&table["fill_permille"]) <= 1000, "{table}");
    (probes, stores)
}

#[test]
fn bench_stats() {
    let (silent, nodes) = bench(SHORT, &[]);
    assert!(!silent.contains("table"), "{silent}");
    let (text, counted) = bench(SHORT, &["--stats"]);
    assert_eq!(counted, nodes, "counting is not searching");
    for reported in ["table: 1 MiB, ", "table probes: ", "table stores: ", "table hit rate by depth: 0:"] {
        assert_eq!(text.lines().filter(|line| line.starts_with(reported)).count(), 1, "{reported:?} in:\n{text}");
    }
    assert!(!text.contains("evaluation cache"), "{text}");
    let (text, cached) = bench(SHORT, &["--stats=text", "--option", "EvalHash=16"]);
    assert_eq!(cached, nodes, "the cache changes no result");
    assert!(text.contains("\nevaluation cache: 16 MiB, "), "{text}");
    assert_eq!(bench(SHORT, &["--option", "EvalHash=16"]).1, nodes);
}

#[test]
fn bench_json_adds_up() {
    let (_, nodes) = bench(SHORT, &[]);
    for (arguments, exact) in [
        (&[][..], true),
        (&["--option", "EvalHash=1", "--option", "EvalHashPolicy=two-tier"], true),
        (&["--option", "EvalHash=1", "--threads", "2"], false),
    ] {
        let data = bench_data(SHORT, arguments);
        assert_eq!(count(&data["depth"]), 3);
        assert!(!exact || count(&data["nodes"]) == nodes, "{data:#}");
        let positions = data["positions"].as_array().expect("positions");
        assert_eq!(positions.iter().map(|position| count(&position["nodes"])).sum::<u64>(), count(&data["nodes"]));
        assert!(positions.iter().all(|position| position["sfen"].is_string() && position["nps"].is_u64()));

        let table = &data["statistics"]["table"];
        let (probes, stores) = assert_events_add_up(table);
        // Nearly every node is probed, except those decided by rules; with two threads their number
        // varies.
        assert!(!exact || probes * 5 > count(&data["nodes"]) * 4, "{data:#}");
        assert!(probes > 0 && stores > 0, "{data:#}");
        assert!(count(&table["events"]["hits"]) > 0 && count(&table["events"]["free"]) > 0, "{table:#}");
        assert_eq!(count(&table["bytes"]), 1 << 20);
        let by_depth = data["statistics"]["by_depth"].as_array().expect("depths");
        let column = |at: usize| by_depth.iter().map(move |row| count(&row[at]));
        assert!(column(0).is_sorted_by(|a, b| a < b) && column(0).max() >= Some(3), "{by_depth:?}");
        assert_eq!(column(1).sum::<u64>(), probes);
        assert_eq!(column(2).sum::<u64>(), probes - count(&table["events"]["misses"]));
        assert!(by_depth.iter().all(|row| row[2].as_u64() <= row[1].as_u64()), "{by_depth:?}");

        let cache = &data["statistics"]["evaluation_cache"];
        if arguments.is_empty() {
            assert!(cache.is_null(), "{cache:#}");
        } else {
            let (probes, stores) = assert_events_add_up(cache);
            assert!(probes > 0 && stores > 0, "{cache:#}");
            assert_eq!(count(&cache["bytes"]), 1 << 20);
        }
    }
}

#[test]
fn bench_uses_engine_options() {
    let nodes = |arguments: &[&str]| bench(ONE_BUCKET, arguments).1;
    let usual = nodes(&[]);
    assert_eq!(nodes(&["--option", "HashPolicy=depth-and-age"]), usual);
    assert_eq!(nodes(&["--option", "HashPolicy=always", "--option", "hashpolicy=Depth-And-Age"]), usual);
    for other in ["HashPolicy=always", "HashPolicy=depth-preferred", "HashPolicy=exact-preferred", "HashLevel2=1"] {
        assert_ne!(nodes(&["--option", other]), usual, "{other} changes nothing");
    }
    // Small tables evict evaluations, so that the cache has hits.
    assert_eq!(nodes(&["--option", "EvalHash=1"]), usual);
    let data = bench_data(ONE_BUCKET, &["--option", "HashLevel2=1", "--option", "EvalHash=1"]);
    let cache = &data["statistics"]["evaluation_cache"];
    assert_events_add_up(cache);
    assert!(count(&cache["events"]["local_hits"]) > 0 && count(&cache["events"]["hits"]) > 0, "{cache:#}");
    let table = &data["statistics"]["table"];
    assert_events_add_up(table);
    for event in ["second_level_hits", "second_level_stores", "rejected_helper", "protected", "deeper"] {
        assert!(count(&table["events"][event]) > 0, "no {event} in {table:#}");
    }
}

#[test]
fn rejects_wrong_arguments() {
    for arguments in [
        &["nonsense"][..],
        &["--nonsense"],
        &["perft"],
        &["perft", "startpos"],
        &["perft", "13"],
        &["perft", "1.5"],
        &["perft", "3", "4"],
        &["perft", "3", "--depth", "3"],
        &["perft", "--depth", "1", "startpos", "--sfen", BUSY_SFEN],
        &["perft", "--depth"],
        &["perft", "--depth", "abc"],
        &["perft", "--depth", "-1"],
        &["perft", "--depth", "1", "--nonsense"],
        &["perft", "--depth", "1", "--sfen"],
        &["perft", "--depth", "1", "--sfen", "nonsense"],
        &["perft", "--depth", "1", "--sfen", ""],
        &["eval", "--sfen", "9/9 b - 1"],
        &["eval", "--sfen", "玉"],
        &["eval", "extra", "words"],
        &["eval", "startpos", "moves", "7g7e"],
        &["eval", "startpos", "--sfen", BUSY_SFEN],
        &["bench", "--nonsense"],
        &["bench", "--stats=nonsense"],
        &["bench", "--stats="],
        &["bench", "--stats", "json"],
        &["bench", "--option"],
        &["bench", "--option", ""],
        &["bench", "--option", "nonsense"],
        &["bench", "--option", "nonsense=1"],
        &["bench", "--option", "=1"],
        &["bench", "--option", "Threads"],
        &["bench", "--option", "Threads="],
        &["bench", "--option", "Threads=0"],
        &["bench", "--option", "Threads=2=2"],
        &["bench", "--option", "HashPolicy=nonsense"],
        &["bench", "--option", "HashPolicy always"],
        &["bench", "--option", "Clear_Hash=1"],
        &["bench", "--depth", "1", "--option", "HashPolicy=always", "--option", "EvalHash=-1"],
    ] {
        let outcome = sabi(arguments, Duration::from_secs(20));
        assert!(!outcome.success, "sabi {arguments:?} succeeded: {}", outcome.stdout);
        assert!(!outcome.stderr.trim().is_empty(), "sabi {arguments:?} failed without a word");
        assert!(!outcome.stderr.contains("panicked"), "sabi {arguments:?}: {}", outcome.stderr);
        let clauses: Vec<_> = outcome.stderr.trim().split(": ").collect();
        assert!(clauses.windows(2).all(|pair| pair[0] != pair[1]), "sabi {arguments:?}: {}", outcome.stderr);
        assert_eq!(outcome.stdout, "", "sabi {arguments:?} began before it failed");
    }
}

#[test]
fn out_of_memory_names_the_table() {
    const TOO_MUCH: &str = "1048576";
    for (arguments, part) in [
        (&["--hash", TOO_MUCH][..], "the transposition table"),
        (&["--hash", "18446744073709551615"], "the transposition table"),
        (&["--option", "USI_Hash=1048576"], "the transposition table"),
        (&["--option", "HashLevel2=1048576"], "the second level of the table"),
        (&["--option", "EvalHash=1048576"], "the evaluation cache"),
    ] {
        let outcome = sabi(&[&["bench", "--depth", "1"], arguments].concat(), Duration::from_secs(20));
        assert!(!outcome.success, "bench {arguments:?} succeeded: {}", outcome.stdout);
        assert!(outcome.stderr.contains(part), "bench {arguments:?}: {}", outcome.stderr);
        assert_eq!(outcome.stderr.trim().lines().count(), 1, "bench {arguments:?}: {}", outcome.stderr);
        assert_eq!(outcome.stdout, "");
    }
}

#[cfg(unix)]
#[test]
fn rejects_non_utf8_arguments() {
    use std::os::unix::ffi::OsStrExt;
    use std::process::{Command, Stdio};
    let raw = std::ffi::OsStr::from_bytes(b"\xff\xfe");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sabi"));
    let output = command.arg(raw).stdin(Stdio::null()).output().expect("the engine starts");
    assert!(!output.status.success());
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
}

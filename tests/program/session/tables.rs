//! Tables: sizes, policies, clearing, statistics.

use std::collections::{HashMap, HashSet};

use super::client::{Client, Line, TIMEOUT, ms};
use super::grammar::Kind;
use super::positions::{BUSY, HOPELESS, MATED, WINNING};
use super::rules::Board;
use super::thought::Thought;

const HASH_POLICIES: [&str; 5] = ["always", "depth-preferred", "age-based", "depth-and-age", "exact-preferred"];
const EVAL_POLICIES: [&str; 4] = ["always", "depth-preferred", "aging", "two-tier"];

/// More MB than any machine has.
const TOO_MUCH: &str = "1048576";

/// An engine that reports every iteration, so that the last node count is complete.
fn ready_with(options: &[(&str, &str)]) -> Client {
    Client::ready_with(&[&[("PvInterval", "0")], options].concat())
}

/// Sets an option without a message.
fn accept(engine: &mut Client, name: &str, value: &str) {
    assert_eq!(engine.replies(&format!("setoption name {name} value {value}")), [""; 0], "{name} {value}");
}

const CLEAR: &str = "setoption name Clear_Hash";

/// Clears the tables, with one message.
fn clear(engine: &mut Client) {
    let replies = engine.replies(CLEAR);
    assert!(matches!(&replies[..], [line] if is_cleared(line)), "{replies:?}");
}

fn is_cleared(line: &str) -> bool {
    line.starts_with("info string ") && line.contains("cleared")
}

/// Table statistics of an `info string`, validated.
#[derive(Debug, Clone, PartialEq)]
struct TableStats {
    mib: u64,
    full: f64,
    probes: u64,
    stores: u64,
    /// `hits`, `misses`, `older` and so on; zeros are omitted.
    events: HashMap<String, u64>,
}

impl TableStats {
    /// Statistics of the table with this name, if reported.
    fn read(strings: &[String], name: &str) -> Option<Self> {
        let rest = |what: &str| {
            let prefix = format!("{name}{what}: ");
            let mut rests = strings.iter().filter_map(|line| line.strip_prefix(&prefix));
            let rest = rests.next()?;
            assert_eq!(rests.next(), None, "{prefix} twice");
            Some(rest)
        };
        let (mib, full) = rest("")?.strip_suffix("% full")?.split_once(" MiB, ")?;
        let (probes, hits) = rest(" probes")?.split_once(", hits ")?;
        let (percent, probed) = hits.strip_suffix(')')?.split_once("% (")?;
        let (stores, stored) = rest(" stores")?.split_once(" (")?;
        let (stored, aside) = stored.split_once(')')?;
        let aside = aside.strip_prefix("; ").unwrap_or(aside);
        let mut events = HashMap::new();
        let lists = [probed, stored, aside].into_iter().filter(|list| !["", "none"].contains(list));
        for event in lists.flat_map(|list| list.split(", ")) {
            let (name, count) = event.split_once(' ')?;
            assert_eq!(events.insert(name.to_owned(), count.parse().ok()?), None, "{name} twice");
        }
        let reported = Self {
            mib: mib.parse().ok()?,
            full: full.parse().ok()?,
            probes: probes.parse().ok()?,
            stores: stores.parse().ok()?,
            events,
        };
        reported.assert_adds_up(percent.parse().ok()?);
        Some(reported)
    }

    fn of(&self, event: &str) -> u64 {
        self.events.get(event).copied().unwrap_or(0)
    }

    fn sum(&self, events: &[&str]) -> u64 {
        events.iter().map(|event| self.of(event)).sum()
    }

    /// Evicted entries.
    fn replaced(&self) -> u64 {
        self.sum(&["older", "shallower", "deeper"])
    }

    fn assert_adds_up(&self, percent: f64) {
        let found = self.sum(&["hits", "local_hits", "second_level_hits"]);
        assert_eq!(found + self.of("misses"), self.probes, "{self:?}");
        assert!((found as f64 * 100.0 / self.probes.max(1) as f64 - percent).abs() < 0.051, "{percent} in {self:?}");
        let stores = ["free", "same", "rejected_worse", "older", "shallower", "deeper", "rejected_helper", "contended"];
        assert_eq!(self.sum(&stores), self.stores, "{self:?}");
        assert!(self.of("torn") <= self.of("misses") && self.of("collisions") <= found, "{self:?}");
        assert!(self.of("second_level_stores") <= self.replaced(), "{self:?}");
        assert!((0.0..=100.0).contains(&self.full), "{self:?}");
    }
}

fn table(thought: &Thought) -> TableStats {
    TableStats::read(&thought.strings(), "table").unwrap_or_else(|| panic!("no table in {:#?}", thought.strings()))
}

fn evaluations(thought: &Thought) -> TableStats {
    TableStats::read(&thought.strings(), "evaluation cache")
        .unwrap_or_else(|| panic!("no cache in {:#?}", thought.strings()))
}

#[test]
fn policies_are_declared() {
    let options = Client::spawn().options();
    let kind = |name: &str| options.iter().find(|option| option.name == name).map(|option| &option.kind);
    assert_eq!(kind("HashPolicy"), Some(&Kind::Combo(HASH_POLICIES.map(str::to_owned).to_vec())));
    assert_eq!(kind("EvalHashPolicy"), Some(&Kind::Combo(EVAL_POLICIES.map(str::to_owned).to_vec())));
}

/// Effective at the next `go`, without `isready`.
#[test]
fn every_size_and_policy_plays() {
    let mut engine = ready_with(&[("TableStats", "true"), ("USI_Hash", "1")]);
    let board = engine.position(BUSY);
    for (second, cache) in [(0, 0), (1, 1), (3, 16), (17, 0), (0, 5), (1, 0)] {
        engine.set("HashLevel2", &second.to_string());
        engine.set("EvalHash", &cache.to_string());
        let thought = engine.go(&board, "depth 6");
        assert_eq!(table(&thought).mib, 1 + second);
        let reported = TableStats::read(&thought.strings(), "evaluation cache");
        assert_eq!(reported.map_or(0, |reported| reported.mib), cache);
    }
    engine.set("EvalHash", "1");
    for policy in HASH_POLICIES {
        accept(&mut engine, "HashPolicy", policy);
        engine.go(&board, "depth 6");
    }
    for policy in EVAL_POLICIES {
        accept(&mut engine, "EvalHashPolicy", policy);
        engine.go(&board, "depth 6");
    }
}

#[test]
fn changes_during_a_search_apply_to_the_next() {
    let mut engine = ready_with(&[("USI_Hash", "2"), ("EvalHash", "2")]);
    let board = engine.position(BUSY);
    let mut lines = engine.send_unanswered("go infinite", ms(50));
    for policy in HASH_POLICIES {
        engine.set("HashPolicy", policy);
    }
    for policy in EVAL_POLICIES {
        engine.set("EvalHashPolicy", policy);
    }
    for size in ["0", "1", "8", "3"] {
        engine.set("HashLevel2", size);
        engine.set("EvalHash", size);
    }
    engine.set("TableStats", "true");
    engine.set("USI_Hash", "1");
    lines.extend(engine.assert_no_answer(ms(150)));
    assert!(lines.iter().all(|line| !line.text.starts_with("info string")), "{lines:#?}");
    let thought = engine.stop(&board);
    assert_eq!(thought.strings(), [""; 0]);
    engine.assert_settled();
    let thought = engine.go(&board, "depth 3");
    assert_eq!((table(&thought).mib, evaluations(&thought).mib), (1 + 3, 3));
}

/// Consecutive searches, each after `prepare`: nodes, best moves, statistics.
///
/// The smallest table, so that evaluations are evicted and the cache has hits.
fn results(engine: &mut Client, prepare: impl Fn(&mut Client, usize)) -> (Vec<(u64, String)>, Vec<Thought>) {
    let searches = [("startpos", 9), (BUSY, 13), (BUSY, 14), (BUSY, 15), ("startpos moves 7g7f 3c3d", 9)];
    let mut thoughts = Vec::new();
    for (number, (root, depth)) in searches.into_iter().enumerate() {
        prepare(engine, number);
        thoughts.push(engine.think(root, &format!("depth {depth}")));
    }
    (thoughts.iter().map(|thought| (thought.nodes(), thought.best().to_owned())).collect(), thoughts)
}

#[test]
fn eval_cache_does_not_change_results() {
    let mut engine = ready_with(&[("USI_Hash", "1")]);
    let (expected, _) = results(&mut engine, |_, _| {});
    engine.set("TableStats", "true");
    let mut ways = HashSet::new();
    for (size, policy) in [("0", "always"), ("16", "two-tier")].into_iter().chain(EVAL_POLICIES.map(|p| ("1", p))) {
        engine.set("EvalHash", size);
        engine.set("EvalHashPolicy", policy);
        clear(&mut engine);
        let (found, thoughts) = results(&mut engine, |_, _| {});
        assert_eq!(found, expected, "EvalHash {size}, {policy}");
        if size != "0" {
            let reported: Vec<_> = thoughts.iter().map(evaluations).collect();
            assert!(reported.iter().map(|reported| reported.of("hits")).sum::<u64>() > 1000, "{reported:#?}");
            // The small table must be full for its policy to matter.
            let replaced = reported.iter().map(TableStats::replaced).sum::<u64>();
            assert!(size != "1" || replaced > 1000, "{reported:#?}");
            assert!(
                ways.insert(reported.iter().map(|reported| reported.of("hits")).collect::<Vec<_>>()),
                "{policy} is another"
            );
        }
    }
}

/// Before each search the table gets another size and is empty, so that the cache that remains has
/// hits whatever the searches are.
#[test]
fn eval_cache_on_and_off_between_searches() {
    let play = |sizes: [&str; 5]| {
        let mut engine = ready_with(&[("TableStats", "true")]);
        let (found, thoughts) = results(&mut engine, |engine, number| {
            engine.set("USI_Hash", ["1", "2"][number % 2]);
            engine.set("EvalHash", sizes[number]);
        });
        let reported = thoughts.iter().filter_map(|thought| TableStats::read(&thought.strings(), "evaluation cache"));
        (found, reported.collect::<Vec<_>>())
    };
    let (with, reported) = play(["1", "0", "16", "16", "0"]);
    assert_eq!(reported.iter().map(|reported| reported.mib).collect::<Vec<_>>(), [1, 16, 16]);
    assert!(reported.iter().all(|reported| reported.probes > 0), "{reported:#?}");
    // The position of the search before, one ply deeper.
    assert!(reported[2].of("hits") > 0, "{reported:#?}");
    let (without, reported) = play(["0"; 5]);
    assert_eq!(reported, []);
    assert_eq!(with, without);
}

/// A repeated search uses other, on the whole fewer, nodes. No mates near: where the first search
/// misses one, the second has more to do.
const ROOTS: [&str; 4] = ["startpos", "startpos moves 7g7f 3c3d", WINNING, "startpos moves 2g2f 8c8d 2f2e 8d8e"];

/// Nodes of each root from empty tables, and again after `between`.
fn nodes_of_repeated_searches(engine: &mut Client, between: impl Fn(&mut Client)) -> (Vec<u64>, Vec<u64>) {
    let search = |root: &str| {
        clear(engine);
        let board = engine.position(root);
        let first = engine.go(&board, "depth 9").nodes();
        between(engine);
        (first, engine.go(&board, "depth 9").nodes())
    };
    ROOTS.into_iter().map(search).unzip()
}

#[test]
fn policy_change_keeps_entries() {
    // Too large to fill, so that policies have no effect.
    let mut engine = ready_with(&[("USI_Hash", "64")]);
    let (first, again) = nodes_of_repeated_searches(&mut engine, |_| {});
    assert!(again.iter().sum::<u64>() < first.iter().sum(), "no effect of learning: {first:?}, then {again:?}");
    for policy in HASH_POLICIES {
        let change = |engine: &mut Client| engine.set("HashPolicy", policy);
        assert_eq!(nodes_of_repeated_searches(&mut engine, change), (first.clone(), again.clone()), "{policy}");
    }
    let (_, cleared) = nodes_of_repeated_searches(&mut engine, clear);
    assert_eq!(cleared, first);
}

/// Exactly equal for every kind of table: nothing may remain in any of them.
#[test]
fn cleared_engine_equals_new_one() {
    let small = [("USI_Hash", "1"), ("HashLevel2", "1"), ("EvalHash", "1"), ("EvalHashPolicy", "aging")];
    let mut engine = ready_with(&[&small[..], &[("TableStats", "true")]].concat());
    let board = engine.position(BUSY);
    let search = |engine: &mut Client| {
        let thought = engine.go(&board, "depth 13");
        assert!(table(&thought).of("second_level_stores") > 0 && evaluations(&thought).of("local_hits") > 0);
        (thought.nodes(), thought.best().to_owned(), thought.strings())
    };
    let first = search(&mut engine);
    assert_ne!(search(&mut engine).2, first.2, "no effect of learning");
    clear(&mut engine);
    assert_eq!(search(&mut engine), first);
    engine.send("usinewgame");
    engine.sync();
    assert_eq!(search(&mut engine), first, "after usinewgame");
    // Repetition changes nothing; names are case-insensitive.
    clear(&mut engine);
    assert!(matches!(&engine.replies("setoption name clear_hash")[..], [line] if is_cleared(line)));
    assert_eq!(search(&mut engine), first);
}

#[test]
fn button_with_value_is_rejected() {
    let mut engine = ready_with(&[]);
    let board = engine.position(BUSY);
    engine.go(&board, "depth 9");
    let known = engine.go(&board, "depth 9").nodes();
    clear(&mut engine);
    let first = engine.go(&board, "depth 9").nodes();
    assert_ne!(first, known);
    for value in ["x", "true", "1"] {
        engine.assert_rejected(&format!("{CLEAR} value {value}"));
    }
    assert_eq!(engine.go(&board, "depth 9").nodes(), known);
}

#[test]
fn clearing_waits_for_end_of_search() {
    let mut engine = ready_with(&[("EvalHash", "1")]);
    let board = engine.position(BUSY);
    let first = engine.go(&board, "depth 8").nodes();
    for (search, end) in [
        ("go infinite", "stop"),
        ("go ponder btime 60000 wtime 60000 byoyomi 0", "stop"),
        ("go ponder depth 2", "ponderhit"),
    ] {
        engine.send_unanswered(search, ms(50));
        engine.send(CLEAR);
        let lines = engine.send_unanswered(CLEAR, ms(100));
        assert!(!lines.iter().any(|line| is_cleared(&line.text)), "{search} was cleared under its feet");
        engine.send(end);
        let thought = engine.bestmove(&board, TIMEOUT);
        assert_eq!(thought.strings(), [""; 0]);
        let after: Vec<_> = engine.reported();
        assert!(after.len() == 2 && after.iter().all(|line| is_cleared(line)), "{search}: {after:?}");
        assert_eq!(engine.go(&board, "depth 8").nodes(), first, "{search}");
    }
    // A second `go` without `stop` ends the first; the tables are cleared in between.
    engine.send_bytes(format!("go infinite\n{CLEAR}\ngo depth 8\n").as_bytes());
    let lines = engine.wait_for("bestmove", TIMEOUT);
    assert!(!lines.iter().any(|line| is_cleared(&line.text)));
    let lines = engine.wait_for("info string", TIMEOUT);
    assert!(matches!(&lines[..], [line] if is_cleared(&line.text)), "{lines:?}");
    assert_eq!(engine.bestmove(&board, TIMEOUT).nodes(), first);
    engine.assert_settled();
}

#[test]
fn nothing_to_clear_at_start() {
    for start in ["", "usi\n", "usi\nsetoption name EvalHash value 1\n"] {
        let mut engine = Client::spawn();
        engine.set("USI_Hash", "1");
        engine.send_bytes(format!("{start}{CLEAR}\ngo depth 1\n").as_bytes());
        let lines = engine.wait_for("bestmove", TIMEOUT);
        assert_eq!(lines.iter().filter(|line| is_cleared(&line.text)).count(), 1, "{start:?}");
        engine.position("startpos");
        engine.go(&Board::startpos(), "depth 1");
    }
}

#[test]
fn no_table_stats_by_default() {
    let mut engine = ready_with(&[("EvalHash", "1"), ("HashLevel2", "1")]);
    let board = engine.position(BUSY);
    let silent = engine.go(&board, "depth 8");
    assert_eq!(silent.strings(), [""; 0]);
    engine.set("TableStats", "true");
    clear(&mut engine);
    let talking = engine.go(&board, "depth 8");
    assert_ne!(talking.strings(), [""; 0]);
    // Counting does not affect the search.
    assert_eq!((talking.nodes(), talking.best()), (silent.nodes(), silent.best()));
    engine.set("TableStats", "false");
    assert_eq!(engine.go(&board, "depth 8").strings(), [""; 0]);
}

/// Short, at the end, depths in order, shares from 0 to 100 %.
fn assert_stats_valid(thought: &Thought) {
    let infos = thought.infos();
    let first = infos.iter().position(|info| info.string.is_some()).expect("table statistics");
    assert!(infos[first..].iter().all(|info| info.string.is_some()), "a line of play after the counts: {infos:#?}");
    let reported = thought.strings();
    for line in &reported {
        assert!(line.chars().all(|c| c == ' ' || c.is_ascii_graphic()) && line.len() <= 400, "{line:?}");
    }
    let depths =
        reported.iter().find_map(|line| line.strip_prefix("table hit rate by depth: ")).expect("a line on depths");
    let depths = depths.split(' ').map(|word| {
        let (depth, share) = word.strip_suffix('%').and_then(|word| word.split_once(':')).expect("depth and share");
        assert!(share.parse::<u64>().is_ok_and(|share| share <= 100), "{word}");
        depth.parse::<u64>().expect("a depth")
    });
    assert!(depths.clone().is_sorted_by(|a, b| a < b) && depths.count() > 1, "{reported:#?}");
}

#[test]
fn table_stats_add_up() {
    let mut engine = ready_with(&[("TableStats", "true"), ("USI_Hash", "1")]);
    let board = engine.position(BUSY);
    let thought = engine.go(&board, "depth 8");
    assert_stats_valid(&thought);
    let reported = table(&thought);
    assert!(
        reported.of("hits") > 0 && reported.of("misses") > 0 && reported.of("free") > 0 && reported.full > 0.0,
        "{reported:?}"
    );
    assert!(reported.probes * 5 > thought.nodes() * 4, "{reported:?}");
    assert_eq!(
        reported.sum(&["second_level_hits", "second_level_stores", "local_hits", "torn", "contended"]),
        0,
        "{reported:?}"
    );
    assert_eq!(TableStats::read(&thought.strings(), "evaluation cache"), None);

    engine.set("EvalHash", "1");
    engine.set("HashLevel2", "1");
    // Nodes, not plies: enough to overfill both levels, whatever the network.
    let thought = engine.go(&board, "nodes 400000");
    assert_stats_valid(&thought);
    let reported = table(&thought);
    assert!(reported.of("second_level_hits") > 0 && reported.of("second_level_stores") > 0, "{reported:?}");
    let cache = evaluations(&thought);
    assert!(cache.of("hits") > 0 && cache.of("local_hits") > 0 && cache.of("misses") > 0, "{cache:?}");
    // Misses of one thread are computed and stored.
    assert_eq!(cache.stores, cache.of("misses"), "{cache:?}");

    // Statistics of the small search exclude the large one before.
    let small = table(&engine.go(&board, "depth 1"));
    assert!(small.probes < reported.probes / 10 && small.probes > 0, "{small:?} after {reported:?}");
}

#[test]
fn table_stats_of_two_threads() {
    let mut engine = ready_with(&[("TableStats", "true"), ("USI_Hash", "1"), ("Threads", "2"), ("EvalHash", "1")]);
    let board = engine.position(BUSY);
    let thought = engine.go(&board, "depth 9");
    assert!(evaluations(&thought).probes > 0);
    for limits in ["depth 10", "nodes 50000", "depth 1"] {
        let thought = engine.go(&board, limits);
        assert_stats_valid(&thought);
        // Nearly every node is probed, by any thread.
        assert!(table(&thought).probes * 5 > thought.nodes() * 4, "{:#?}", thought.strings());
        evaluations(&thought);
    }
    engine.send_unanswered("go infinite", ms(100));
    let thought = engine.stop(&board);
    assert_stats_valid(&thought);
    assert!(table(&thought).probes > 0);
    engine.assert_settled();
}

#[test]
fn no_table_stats_without_search() {
    let mut engine = ready_with(&[("TableStats", "true")]);
    let thought = engine.think(MATED, "depth 5");
    assert_eq!((thought.best(), thought.strings()), ("resign", Vec::new()));
    assert_ne!(engine.think(HOPELESS, "depth 5").strings(), [""; 0]);
}

#[test]
fn rejects_unknown_policies() {
    // So small that the policies of both tables matter.
    let small = [("TableStats", "true"), ("USI_Hash", "1"), ("EvalHash", "1")];
    let mut engine = ready_with(&small);
    let board = engine.position(BUSY);
    let search = |engine: &mut Client| {
        clear(engine);
        let thought = engine.go(&board, "depth 12");
        (table(&thought), evaluations(&thought))
    };
    let usual = search(&mut engine);
    engine.set("HashPolicy", "always");
    let always = search(&mut engine);
    assert_ne!(always.0, usual.0);
    for bad in [" value nonsense", " value ", " value 0", " value two-tier", " value age-based x", ""] {
        engine.assert_rejected(&format!("setoption name HashPolicy{bad}"));
    }
    assert_eq!(search(&mut engine), always);
    engine.set("EvalHashPolicy", "two-tier");
    let both = search(&mut engine);
    assert_eq!(both.0, always.0);
    assert_ne!(both.1, always.1);
    for bad in [" value nonsense", " value ", " value 1", " value exact-preferred", " value age-based", ""] {
        engine.assert_rejected(&format!("setoption name EvalHashPolicy{bad}"));
    }
    assert_eq!(search(&mut engine), both);
}

/// Memory messages name the table and the actual size.
fn rejections(lines: impl IntoIterator<Item = String>) -> Vec<(String, String)> {
    let of_line = |line: String| {
        let (part, _) = line.split_once(':').unwrap_or_else(|| panic!("{line:?} names no part"));
        let (_, kept) =
            line.rsplit_once("; kept at ").unwrap_or_else(|| panic!("{line:?} says nothing of what is left"));
        (part.trim_start_matches("info string ").to_owned(), kept.to_owned())
    };
    lines.into_iter().map(of_line).collect()
}

fn text(lines: Vec<Line>) -> Vec<String> {
    lines.into_iter().map(|line| line.text).collect()
}

const PARTS: [(&str, &str, &str); 3] = [
    ("USI_Hash", "the transposition table", "2"),
    ("HashLevel2", "the second level of the table", "1"),
    ("EvalHash", "the evaluation cache", "3"),
];

#[test]
fn several_sizes_beyond_memory() {
    let mut engine = ready_with(&[("USI_Hash", "2"), ("HashLevel2", "1"), ("EvalHash", "3"), ("TableStats", "true")]);
    for (name, ..) in PARTS {
        engine.set(name, TOO_MUCH);
    }
    engine.set("HashPolicy", "always");
    let mut reported = rejections(text(engine.sync()));
    reported.sort();
    let mut expected = PARTS.map(|(_, part, size)| (part.to_owned(), size.to_owned()));
    expected.sort();
    assert_eq!(reported, expected);
    let board = engine.position(BUSY);
    let thought = engine.go(&board, "depth 4");
    assert_eq!((table(&thought).mib, evaluations(&thought).mib), (2 + 1, 3));
    // Each table is allocated independently.
    engine.set("USI_Hash", "4");
    assert_eq!(rejections(text(engine.sync())).len(), 2);
    assert_eq!(table(&engine.go(&board, "depth 4")).mib, 4 + 1);
}

/// Works, or is rejected with a message where memory is insufficient.
fn assert_threads_work_or_are_rejected(threads: &str) {
    let mut engine = ready_with(&[]);
    let board = engine.position(BUSY);
    engine.set("Threads", threads);
    engine.send("isready");
    let mut lines = engine.wait_for("readyok", TIMEOUT * 3);
    lines.pop();
    lines.retain(|line| !line.text.is_empty()); // keep-alive
    let reported = rejections(text(lines));
    assert!(matches!(&reported[..], [] | [_]), "{reported:?}");
    assert!(reported.iter().all(|(part, kept)| part == "the threads" && kept == "1"), "{reported:?}");
    for limits in ["depth 1", "depth 4", "movetime 100"] {
        engine.go(&board, limits);
    }
    engine.send_unanswered("go infinite", ms(50));
    engine.stop(&board);
    engine.set("Threads", "1");
    engine.assert_settled();
}

#[test]
fn many_threads_work_or_are_rejected() {
    assert_threads_work_or_are_rejected("24");
}

#[test]
#[ignore = "takes gigabytes"]
fn all_threads_work_or_are_rejected() {
    assert_threads_work_or_are_rejected("512");
}

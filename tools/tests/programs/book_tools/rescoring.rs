//! Rescoring and pruning books.

use super::helpers::{Folder, TOOLS, book, fails, played, save, searched, tools, try_tools};
use crate::common::{begin, kill, wait_for};
use sabi::eval::{EvalType, Evaluation};
use sabi_books::{BookMap, BookMove};
use sabi_tools::book::load;
use sabi_tools::checkpoint::Checkpoint;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// Common moves, and one that loses a bishop for a pawn.
fn sample(folder: &Folder) -> String {
    let book = book(&[
        ("", &[played("2g2f", 60, 5200), played("7g7f", 50, 5100)]),
        ("7g7f", &[played("3c3d", 40, 4900), played("8c8d", 30, 4000)]),
        ("7g7f 3c3d", &[played("2g2f", 30, 5100), played("8h4d", 2, 5000)]),
        ("7g7f 8c8d", &[played("2g2f", 20, 5100)]),
        ("2g2f", &[played("3c3d", 40, 4900)]),
        ("2g2f 3c3d", &[played("7g7f", 40, 4900)]),
    ]);
    save(folder, "book.shob", &book)
}

fn moves(path: &str) -> Vec<BookMove> {
    let book: BookMap = load(Path::new(path)).unwrap().book;
    book.values().flat_map(|entry| entry.moves.clone()).collect()
}

fn rescore(input: &str, output: &str, more: &[&str]) -> String {
    tools(&[&["rescore", input, "--output", output, "--nodes", "3000", "--hash", "1"], more].concat())
}

#[test]
fn rescoring_finds_blunder() {
    let folder = Folder::new();
    let (input, output) = (sample(&folder), folder.name("scored.shob"));
    let text = rescore(&input, &output, &[]);
    assert!(text.contains("moves scored 9, positions left 0"), "{text}");
    for known in moves(&output) {
        let score = known.score.expect("a score").get();
        assert!(known.depth.is_some_and(|depth| depth > 1));
        let is_blunder = known.mv.to_string() == "8h4d";
        assert_eq!(score < -400, is_blunder, "{} {score}", known.mv);
    }
    let pruned = folder.name("pruned.shob");
    let text = tools(&["prune", &output, "--output", &pruned, "--max-loss", "300", "--min-score", "-300"]);
    assert!(text.contains("dropped: 1 blunders, 0 lost, 0 illegal; kept without a score: 0"), "{text}");
    assert!(moves(&pruned).iter().all(|known| known.mv.to_string() != "8h4d"));
    assert!(tools(&["validate", &pruned]).contains("the book is valid"));
}

#[test]
fn deterministic_for_threads_and_resuming() {
    let folder = Folder::new();
    let input = sample(&folder);
    let (one, two, parts) = (folder.name("one.shob"), folder.name("two.shob"), folder.name("parts.shob"));
    rescore(&input, &one, &["--threads", "1"]);
    rescore(&input, &two, &["--threads", "4"]);
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
    // So little time that each run searches one position, or few.
    let first = rescore(&input, &parts, &["--time", "0.000001"]);
    assert!(!first.contains("positions left 0"), "{first}");
    let mut runs = 1;
    while !rescore(&parts, &parts, &["--time", "0.000001"]).contains("positions left 0") {
        runs += 1;
        assert!(runs < 20, "every run gets on");
    }
    assert_eq!(fs::read(&one).unwrap(), fs::read(&parts).unwrap());
    // Existing scores are kept unless `--again` is given.
    let other = folder.name("other.shob");
    assert!(rescore(&one, &other, &[]).contains("moves scored 0,"));
    assert_eq!(fs::read(&one).unwrap(), fs::read(&other).unwrap());
    let again = tools(&["rescore", &one, "--output", &other, "--nodes", "500", "--hash", "1", "--again"]);
    assert!(again.contains("moves scored 9,"), "{again}");
    assert_ne!(fs::read(&one).unwrap(), fs::read(&other).unwrap());
}

/// Two moves lead to the same position, and one of them has a score of a deeper search.
#[test]
fn existing_scores_stay() {
    let folder = Folder::new();
    let deep = searched("7g7f", 40, 123, 40);
    let book = book(&[("7g7f 3c3d", &[played("2g2f", 30, 5100)]), ("2g2f 3c3d", std::slice::from_ref(&deep))]);
    let (input, output) = (save(&folder, "book.shob", &book), folder.name("scored.shob"));
    assert!(rescore(&input, &output, &[]).contains("moves scored 1, positions left 0"));
    assert!(moves(&output).contains(&deep));
    assert!(rescore(&input, &output, &["--again"]).contains("moves scored 2, positions left 0"));
    assert!(!moves(&output).contains(&deep));
    // With `--again` moves with a score are left too.
    let (input, output) = (sample(&folder), folder.name("again.shob"));
    rescore(&input, &input, &[]);
    let text = rescore(&input, &output, &["--again", "--time", "0.000001"]);
    assert!(!text.contains("positions left 0"), "{text}");
}

/// The state file remains until all positions are searched.
#[test]
fn timed_runs_continue_in_another_file() {
    let folder = Folder::new();
    let input = sample(&folder);
    let (whole, parts) = (folder.name("whole.shob"), folder.name("parts.shob"));
    rescore(&input, &whole, &[]);
    let mut runs = 1;
    while !rescore(&input, &parts, &["--time", "0.000001"]).contains("positions left 0") {
        assert!(folder.path("parts.shob.rescore").exists());
        runs += 1;
        assert!(runs < 20, "every run gets on");
    }
    assert!(runs > 1);
    assert_eq!(fs::read(&whole).unwrap(), fs::read(&parts).unwrap());
    assert_eq!(folder.files(), ["book.shob", "parts.shob", "whole.shob"]);
}

#[test]
fn unwritable_output_fails_early() {
    let folder = Folder::new();
    let input = sample(&folder);
    for output in [folder.name("no/such/folder.shob"), folder.name("book.txt")] {
        fails(&try_tools(&["rescore", &input, "--output", &output, "--nodes", "1000000000000"]), "book");
    }
    for wrong in [["--nodes", "0"], ["--threads", "0"], ["--time", "0"], ["--time", "soon"], ["--hash", "0"]] {
        fails(&try_tools(&[&["rescore", &input, "--output", &input], wrong.as_slice()].concat()), wrong[0]);
    }
    // The moves not yet searched would be left out.
    let text_book = folder.name("book.db");
    fails(&try_tools(&["rescore", &input, "--output", &text_book, "--time", "1"]), "name a .shob or .json");
    assert_eq!(folder.files(), ["book.shob"]);
}

#[test]
fn empty_result_is_not_written() {
    let folder = Folder::new();
    let (input, output) = (sample(&folder), folder.name("scored.shob"));
    rescore(&input, &output, &[]);
    let before = fs::read(&output).unwrap();
    fails(&try_tools(&["prune", &output, "--output", &output, "--min-score", "20000"]), "no position is left");
    assert_eq!(fs::read(&output).unwrap(), before);
}

/// A state file without results: release and fingerprint, nodes, hash.
#[derive(Serialize, Deserialize)]
struct State(String, u64, u32, Vec<u8>);

impl Checkpoint for State {
    const MAGIC: [u8; 8] = *b"SABIRESC";
    const VERSION: u32 = 3;
    const NAME: &str = "";
}

/// Scores of another release or network are not mixed with new ones.
#[test]
fn state_of_another_release_is_rejected() {
    let folder = Folder::new();
    let (input, output) = (sample(&folder), folder.name("scored.shob"));
    let state = folder.path("scored.shob.rescore");
    let write = |release: &str| State(release.to_owned(), 3000, 1, Vec::new()).write(&state).unwrap();
    let again = || try_tools(&["rescore", &input, "--output", &output, "--nodes", "3000", "--hash", "1"]);
    let (version, fingerprint) = (env!("CARGO_PKG_VERSION"), Evaluation::embedded(EvalType::default()).fingerprint());
    for other in [format!("0.0.0 {fingerprint:08x}"), format!("{version} {:08x}", fingerprint ^ 1)] {
        write(&other);
        let before = fs::read(&state).unwrap();
        fails(&again(), "is of another release or network");
        assert_eq!(fs::read(&state).unwrap(), before);
    }
    write(&format!("{version} {fingerprint:08x}"));
    assert!(again().success);
}

/// Results are stored in a state file, and the output appears when it is complete.
#[test]
fn killed_run_resumes_to_the_same_book() {
    let folder = Folder::new();
    let (input, whole, parts) = (sample(&folder), folder.name("whole.shob"), folder.name("parts.db"));
    let words =
        |output: &str| ["rescore", &input, "--output", output, "--nodes", "200000", "--hash", "1"].map(str::to_owned);
    let run = |output: &str| {
        let outcome = try_tools(&words(output).each_ref().map(String::as_str));
        assert!(outcome.success, "{}", outcome.stderr);
        outcome.stdout
    };
    run(&whole);
    tools(&["export", &whole, "--output", &folder.name("whole.db")]);
    let child = begin(TOOLS, words(&parts));
    wait_for("a result", || folder.path("parts.db.rescore").exists());
    kill(child);
    // The lock of a dead process stays, but does not block.
    assert_eq!(folder.files(), [".parts.db.lock", "book.shob", "parts.db.rescore", "whole.db", "whole.shob"]);
    fails(&try_tools(&["rescore", &input, "--output", &parts, "--nodes", "100"]), "other --nodes or --hash");
    let text = run(&parts);
    assert!(text.starts_with("1 positions are already searched\n"), "{text}");
    assert!(text.contains("moves scored 9, positions left 0"), "{text}");
    assert_eq!(fs::read(&parts).unwrap(), fs::read(folder.path("whole.db")).unwrap());
    assert_eq!(folder.files(), ["book.shob", "parts.db", "whole.db", "whole.shob"]);
}

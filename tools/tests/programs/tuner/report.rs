//! `tuner report`, and `--report`.

use super::helpers::{Folder, TUNER, game_list, tuner};
use crate::common::run;
use std::fs;

/// A folder with games, samples, and a fit of them: `games.usi`, `samples`, `weights.json.fit`,
/// `fit.html`.
fn fitted() -> Folder {
    let folder = Folder::new();
    let games = game_list(&folder, 12);
    let [samples, weights, page] = ["samples", "weights.json", "fit.html"].map(|name| folder.name(name));
    tuner(&["extract", "--dataset", &games, "--output", &samples, "--quiet-margin", "30000"]);
    tuner(&["fit", &samples, "--output", &weights, "--iterations", "4", "--report", &page]);
    folder
}

/// One message, a failure, and an unchanged folder.
fn bad(folder: &Folder, arguments: &[&str], expected: &str) {
    let files = || {
        let file = |name: String| (fs::read(folder.path(&name)).ok(), name);
        folder.files().into_iter().map(file).collect::<Vec<_>>()
    };
    let before = files();
    let outcome = run(TUNER, arguments);
    assert!(!outcome.success, "{arguments:?} succeeds");
    assert_eq!(outcome.stderr.trim_end(), format!("error: {expected}"), "{arguments:?}");
    assert!(outcome.stdout.is_empty() && files() == before, "{arguments:?}");
}

/// [`bad`] for a report of the fit with samples and output in the folder.
fn bad_report(folder: &Folder, samples: &str, output: &str, expected: &str) {
    let [state, samples, output] = ["weights.json.fit", samples, output].map(|name| folder.name(name));
    bad(folder, &["report", &state, "--samples", &samples, "--output", &output], expected);
}

#[test]
fn reports_are_equal() {
    let folder = fitted();
    let [state, samples, report] = ["weights.json.fit", "samples", "report.html"].map(|name| folder.name(name));
    tuner(&["report", &state, "--samples", &samples, "--output", &report]);
    let page = fs::read_to_string(&report).unwrap();
    assert!(
        page.contains("<h1>Tuner report: weights.json.fit</h1>") && page.contains("Adam, rate 1"),
        "{}",
        &page[..900]
    );
    assert!(page.ends_with("</html>\n") && page.len() < 1 << 20, "{} bytes", page.len());
    assert!(folder.read("fit.html") == page.as_bytes());
    let [games, weights, flat] = ["games.usi", "weights.json", "flat.html"].map(|name| folder.name(name));
    let fit = ["--output", &weights, "--iterations", "4", "--report", &flat, "--threads", "3"];
    tuner(&[&["--dataset", &games, "--quiet-margin", "30000"], &fit[..]].concat());
    assert!(folder.read("flat.html") == page.as_bytes());
}

#[test]
fn rejects_invalid_state() {
    let folder = fitted();
    let (state, bytes) = (folder.name("weights.json.fit"), folder.read("weights.json.fit"));
    let bad = |why: &str| {
        bad_report(&folder, "samples", "report.html", &format!("cannot read the fit '{state}': {why}"));
    };
    fs::remove_file(&state).unwrap();
    bad(&std::io::Error::from_raw_os_error(2).to_string());
    fs::copy(folder.path("samples"), &state).unwrap();
    bad("it is no saved fit");
    for damaged in [&bytes[..bytes.len() - 1], &bytes[..20], &[&bytes[..], b"x"].concat()] {
        fs::write(&state, damaged).unwrap();
        bad("it is damaged");
    }
    fs::write(&state, [&bytes[..8], &[9], &bytes[9..]].concat()).unwrap();
    bad("its version is 9, this program reads version 4");
}

#[test]
fn rejects_other_samples() {
    let folder = fitted();
    let [state, games, others] = ["weights.json.fit", "games.usi", "others"].map(|name| folder.name(name));
    tuner(&["extract", "--dataset", &games, "--output", &others, "--quiet-margin", "30000", "--skip-opening", "4"]);
    let other_samples = format!("no report of the fit '{state}': it was fitted to other samples");
    bad_report(&folder, "others", "report.html", &other_samples);
    let no_samples = format!("cannot read the samples '{games}': it is no sample file");
    bad_report(&folder, "games.usi", "report.html", &no_samples);
}

#[test]
fn unwritable_output_fails_early() {
    let folder = fitted();
    let [samples, nowhere, page] = ["samples", "nowhere", "folder.html"].map(|name| folder.name(name));
    let bad_output = |output: &str, expected: &str| bad_report(&folder, "samples", output, expected);
    bad_output("samples", &format!("a report is written as .html, not as '{samples}'"));
    let no_folder = format!("there is no folder '{nowhere}' for the report");
    bad_output("nowhere/report.html", &no_folder);
    fs::create_dir(&page).unwrap();
    bad_output("folder.html", &format!("cannot write the report '{page}': it is a folder"));
    // The report path is checked before the fit.
    let [other, report] = ["other.json", "nowhere/report.html"].map(|name| folder.name(name));
    bad(&folder, &["fit", &samples, "--output", &other, "--report", &report], &no_folder);
}

//! Successful runs.

use super::helpers::{Folder, game_list, tuner};
use sabi::eval::Weights;
use std::fs;

const LOOSE: [&str; 4] = ["--quiet-threshold", "0", "--quiet-margin", "30000"];

#[test]
fn fit_improves_loss() {
    let folder = Folder::new();
    let (games, samples, weights) = (game_list(&folder, 150), folder.name("all.samples"), folder.name("fitted.json"));
    let text = tuner(&[&["extract", "--dataset", &games, "--output", &samples], LOOSE.as_slice()].concat());
    assert!(text.contains("games      150, used 150"), "{text}");
    let text = tuner(&["fit", &samples, "--output", &weights, "--iterations", "40", "--regularization", "0.1"]);
    assert!(text.contains("fit        "), "{text}");
    let fitted = Weights::read(&folder.path("fitted.json")).unwrap();
    assert!(fitted != Weights::untuned());
    // Improves on the validation set.
    let loss = |text: &str| -> f64 {
        let row = text.lines().find(|line| line.starts_with("test")).expect("a row");
        row.split_whitespace().nth(4).unwrap().parse().unwrap()
    };
    let before = loss(&tuner(&["validate", &samples]));
    let after = loss(&tuner(&["validate", &samples, "--weights", &weights]));
    assert!(after < before, "{after} {before}");
    let text = tuner(&["compare", "hand", &weights, "--samples", &samples]);
    assert!(text.contains("material") && text.contains("second") && text.contains("  ->  "), "{text}");
    // All in one run: equal bytes.
    let again = folder.name("again.json");
    let fit = ["--iterations", "40", "--regularization", "0.1", "--threads", "3"];
    let text = tuner(&[&["--dataset", &games, "--output", &again], &fit[..], &LOOSE].concat());
    assert!(text.contains("games      150, used 150"), "{text}");
    assert_eq!(fs::read(&weights).unwrap(), fs::read(&again).unwrap());
    // As Rust source.
    let source = folder.name("fitted.rs");
    tuner(&["fit", &samples, "--output", &source, "--iterations", "2"]);
    assert!(fs::read_to_string(source).unwrap().contains("material"));
}

#[test]
fn interrupted_run_resumes() {
    let folder = Folder::new();
    let (games, samples) = (game_list(&folder, 60), folder.name("all.samples"));
    tuner(&[&["extract", "--dataset", &games, "--output", &samples], LOOSE.as_slice()].concat());
    for method in ["adam", "descent", "lbfgs", "genetic"] {
        let (whole, parts) = (folder.name("whole.json"), folder.name("parts.json"));
        let fit = |output: &str, iterations: &str, more: &[&str]| {
            let fixed = ["fit", &samples, "--method", method, "--patience", "1000", "--output", output];
            tuner(&[&fixed, ["--iterations", iterations].as_slice(), more].concat())
        };
        fit(&whole, "12", &[]);
        fit(&parts, "5", &[]);
        fit(&parts, "12", &["--resume"]);
        assert_eq!(fs::read(&whole).unwrap(), fs::read(&parts).unwrap(), "{method}");
    }
}

#[test]
fn cross_validation() {
    let folder = Folder::new();
    let (games, weights) = (game_list(&folder, 60), folder.name("w.json"));
    let all =
        ["--dataset", &games, "--output", &weights, "--iterations", "5", "--k-fold", "3", "--groups", "material,hands"];
    let text = tuner(&[all.as_slice(), LOOSE.as_slice()].concat());
    let row = text.lines().find(|line| line.starts_with("3 folds")).expect("a row");
    assert!(row.contains('±') && row.contains("improvement"), "{row}");
    let compared = tuner(&["compare", "hand", &weights]);
    let changed = |group: &str| -> usize {
        let row = compared.lines().find(|line| line.starts_with(group)).expect("a row");
        row.split_whitespace().nth(2).unwrap().parse().unwrap()
    };
    assert!(changed("material") > 0 && changed("squares") == 0 && changed("king") == 0, "{compared}");
}

//! Errors.

use super::helpers::{Folder, TUNER, game_list, rejected, tuner};
use std::fs;

#[test]
fn rejects_wrong_arguments() {
    let folder = Folder::new();
    let games = game_list(&folder, 5);
    let weights = folder.name("w.json");
    let all = |more: &[&str]| rejected(&[&["--dataset", &games, "--output", &weights], more].concat());
    assert!(all(&["--groups", "material,knights"]).contains("the groups are material, hands"));
    assert!(all(&["--rate", "NaN"]).contains("--rate"));
    assert!(all(&["--rate", "0"]).contains("--rate"));
    assert!(
        all(&["--regularization", "-1"]).contains("--regularization")
            || all(&["--regularization=-1"]).contains("0 or more")
    );
    assert!(all(&["--test-split", "0.9"]).contains("--test-split"));
    assert!(all(&["--method", "luck"]).contains("--method"));
    assert!(all(&["--k-fold", "2"]).contains("--k-fold"));
    assert!(all(&["--threads", "0"]).contains("--threads"));
    assert!(rejected(&[]).contains("--dataset"));
    assert!(rejected(&["--dataset", &games, "--output", &folder.name("w.txt")]).contains(".json or .rs"));
    assert!(rejected(&["--dataset", &games, "--output", &folder.name("no/w.json")]).contains("no folder"));
    assert!(!folder.path("w.json").exists());
}

#[test]
fn rejects_bad_files() {
    let folder = Folder::new();
    let (missing, junk, output) =
        (folder.name("missing"), folder.with("junk.usi", "nonsense\n"), folder.name("w.json"));
    let samples = folder.name("s.samples");
    assert!(rejected(&["extract", "--dataset", &missing, "--output", &samples]).contains("cannot read games"));
    assert!(rejected(&["extract", "--dataset", &junk, "--output", &samples]).contains("no position is left"));
    assert!(rejected(&["fit", &missing, "--output", &output]).contains("cannot read the samples"));
    assert!(rejected(&["fit", &junk, "--output", &output]).contains("it is no sample file"));
    let games = game_list(&folder, 3);
    tuner(&["extract", "--dataset", &games, "--output", &samples, "--quiet-margin", "30000"]);
    assert!(rejected(&["fit", &samples, "--output", &output, "--test-split", "0.1"]).contains("too few"));
    for command in [&["validate", &samples][..], &["compare", "hand", "hand", "--samples", &samples]] {
        let message = rejected(&[command, &["--test-split", "0.1"]].concat());
        assert!(message.contains("3 games are too few for training, validation and test set"), "{message}");
    }
    assert!(rejected(&["validate", &samples, "--weights", &junk]).contains("cannot read the weights"));
    assert!(rejected(&["compare", "hand", &missing]).contains("cannot read the weights"));
    let mut bytes = fs::read(&samples).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    fs::write(&samples, bytes).unwrap();
    assert!(rejected(&["validate", &samples]).contains("cannot read the samples"));
    assert!(!folder.path("w.json").exists() && !folder.path("w.json.fit").exists());
}

#[test]
fn other_run_is_not_resumed() {
    let folder = Folder::new();
    let (games, samples, output) = (game_list(&folder, 40), folder.name("s.samples"), folder.name("w.json"));
    tuner(&["extract", "--dataset", &games, "--output", &samples, "--quiet-margin", "30000"]);
    let fit = ["fit", &samples, "--output", &output, "--iterations", "3"];
    tuner(&fit);
    let fitted = fs::read(&output).unwrap();
    // A run killed before it saved anything is repeated with the same command.
    fs::remove_file(&output).unwrap();
    fs::remove_file(folder.path("w.json.fit")).unwrap();
    tuner(&[fit.as_slice(), &["--resume"]].concat());
    assert!(fs::read(&output).unwrap() == fitted);
    let with = |more: &[&str]| rejected(&[fit.as_slice(), &["--resume"], more].concat());
    assert!(with(&["--rate", "2"]).contains("other arguments"));
    let fewer = ["fit", &samples, "--output", &output, "--iterations", "2", "--resume"];
    assert!(rejected(&fewer).contains("it has made 3 steps, more than --iterations"));
    assert!(fs::read(&output).unwrap() == fitted);
    assert!(with(&["--test-split", "0.3"]).contains("other samples"));
    assert!(with(&["--method", "lbfgs"]).contains("other arguments"));
    folder.with("w.json.fit", "SABI-FIT");
    assert!(with(&[]).contains("no saved fit"));
}

#[test]
fn inputs_are_not_overwritten() {
    let folder = Folder::new();
    let games = game_list(&folder, 40);
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    folder.keeps("games.usi", TUNER, |output| words(&["extract", "--dataset", &games, "--output", output]));
    let (samples, weights) = (folder.name("s.samples"), folder.name("w.json"));
    tuner(&["extract", "--dataset", &games, "--output", &samples, "--quiet-margin", "30000"]);
    tuner(&["fit", &samples, "--output", &weights, "--iterations", "1"]);
    folder.keeps("w.json", TUNER, |output| words(&["fit", &samples, "--start", &weights, "--output", output]));
    std::fs::rename(&samples, folder.path("s.json")).unwrap();
    folder.keeps("s.json", TUNER, |output| words(&["fit", &folder.name("s.json"), "--output", output]));
    std::fs::rename(folder.path("s.json"), folder.path("s.html")).unwrap();
    let report = ["fit", &folder.name("s.html"), "--output", &folder.name("v.json"), "--report"];
    folder.keeps("s.html", TUNER, |output| words(&[&report[..], &[output]].concat()));
}

//! `trainer` on self-play games.

use super::helpers::{Folder, play, rejected, write_games};
use crate::common::{at_the_same_time, begin, kill, sabi, succeed, wait_for};

const TRAINER: &str = env!("CARGO_BIN_EXE_trainer");

/// A small network.
const SMALL: [&str; 6] = ["--width", "32", "--batch", "256", "--validation", "0.2"];

fn fit(games: &str, output: &str, more: &[&str]) -> String {
    succeed(TRAINER, &[&["fit", games, "--output", output], &SMALL[..], more].concat())
}

fn fit_rejected(games: &str, output: &str, more: &[&str]) -> String {
    one_line(rejected(TRAINER, &[&["fit", games, "--output", output], &SMALL[..], more].concat()))
}

/// A one-line message.
fn one_line(message: String) -> String {
    assert!(message.starts_with("error: ") && message.lines().count() == 1, "{message}");
    message
}

/// A folder with a file of this many games.
fn with_games(count: u64) -> (Folder, String) {
    let folder = Folder::new();
    let games = folder.name("games.sabg");
    play(&games, &format!("0..{count}"), &[]);
    (folder, games)
}

#[test]
fn trains_networks() {
    let cases = [("kp", "K+P"), ("halfkp", "HalfKP"), ("halfka-zones", "HalfKA_z15")];
    at_the_same_time(&cases, |&(features, name)| {
        let (folder, games) = with_games(60);
        let network = folder.name("nn.bin");
        let text = fit(&games, &network, &["--features", features, "--epochs", "3"]);
        let epochs = text.lines().filter(|line| line.starts_with("epoch ")).count();
        assert!(epochs == 3 && text.contains("training positions") && text.contains("quantisation error"), "{text}");
        let option = format!("EvalFile={network}");
        let reported = succeed(sabi(), &["eval", "--option", &option]);
        assert!(reported.contains(name), "{reported}");
        let bench = |more: &[&str]| {
            let text = succeed(sabi(), &[&["bench", "--depth", "2"], more].concat());
            text.lines().last().expect("a signature").to_owned()
        };
        let signature = bench(&["--option", &option]);
        assert!(signature.starts_with("Bench: ") && signature != bench(&[]), "{signature}");
        // A training run from a network continues at its loss, with its shape, also when resumed.
        let output = folder.name("next.bin");
        let next = [&["fit", &games, "--output", &output, "--epochs", "1", "--rate", "1e-9"], &SMALL[2..]].concat();
        succeed(TRAINER, &[&next[..], &["--start", &network]].concat());
        assert!(folder.read("next.bin") == folder.read("nn.bin"));
        let resumed = succeed(TRAINER, &[&next[..], &["--resume"]].concat());
        assert!(!resumed.contains("epoch "), "{resumed}");
    });
}

#[test]
fn zone_network_starts_from_kp() {
    let (folder, games) = with_games(40);
    let [small, zones, spread] = ["small.bin", "zones.bin", "spread.bin"].map(|name| folder.name(name));
    fit(&games, &small, &["--epochs", "1"]);
    fit(&games, &zones, &["--features", "halfka-zones", "--start", &small, "--epochs", "1", "--rate", "1e-9"]);
    let text = succeed(TRAINER, &["export", &zones, "--output", &spread]);
    assert!(text.starts_with(&format!("{spread}: the network as HalfKA1")) && text.lines().count() == 1, "{text}");
    for other in [&small, &spread] {
        let message = one_line(rejected(TRAINER, &["export", other, "--output", &folder.name("no.bin")]));
        assert!(message.contains("no king zones"), "{message}");
    }
    // Both kings where nothing is mirrored.
    let outputs = [small, zones, spread].map(|network| {
        let text = succeed(sabi(), &["eval", "--option", &format!("EvalFile={network}")]);
        let line = text.lines().find(|line| line.contains("to be divided by")).expect("an output");
        line.split(' ').next().expect("a number").to_owned()
    });
    assert!(outputs[0] == outputs[1] && outputs[1] == outputs[2], "{outputs:?}");
}

#[test]
fn networks_are_compared_by_results() {
    let (folder, games) = with_games(40);
    let [first, second] = ["first.bin", "second.bin"].map(|name| folder.name(name));
    fit(&games, &first, &["--epochs", "1"]);
    fit(&games, &second, &["--epochs", "1", "--seed", "2"]);
    let lines = "black\t-\t-\ta\tresign\tstartpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e\n\
                 white\t-\t-\tb\tresign\tstartpos moves 2g2f 3c3d 2f2e 4a3b 7g7f\n";
    let decided = folder.with("decided.usi", lines);
    let text = succeed(TRAINER, &["compare", &first, &second, "--games", &decided, "--from", "2", "--to", "6"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() == 4 && lines[0] == "2 games, 9 quiet positions", "{text}");
    assert!(lines[2].ends_with(&first) && lines[2].contains("+0.00000 +- 0.00000"), "{text}");
    assert!(lines[3].ends_with(&second) && !lines[3].contains("+0.00000 +- 0.00000"), "{text}");
    let undecided = folder.with("draw.usi", "draw\t-\t-\ta\tsennichite\tstartpos moves 7g7f 3c3d\n");
    let empty = folder.with("empty.usi", "");
    for (arguments, why) in [
        (&["compare", &first, "--games", &undecided][..], "no decided game"),
        (&["compare", &first, "--games", &decided, "--from", "7"], "no decided game"),
        (&["compare", &first, "--games", &empty], "no decided game"),
        (&["compare", &first, "--games", &folder.name("none.usi")], "none.usi"),
        (&["compare", &games, "--games", &games], "cannot read the network"),
    ] {
        let message = one_line(rejected(TRAINER, arguments));
        assert!(message.contains(why), "{arguments:?}: {message}");
    }
    assert!(rejected(TRAINER, &["compare", &first]).contains("--games"));
    assert!(rejected(TRAINER, &["compare", "--games", &games]).contains("NETWORK"));
}

#[test]
fn killed_training_resumes() {
    let (folder, games) = with_games(40);
    let (whole, part, state) = (folder.name("whole.bin"), folder.name("part.bin"), folder.path("part.bin.training"));
    let plan = ["--epochs", "30", "--threads", "1"];
    fit(&games, &whole, &plan);
    let child = begin(TRAINER, [&["fit", &games, "--output", &part], &SMALL[..], &plan].concat());
    wait_for("a state", || state.exists());
    assert!(!kill(child).success(), "it was over before it was killed");
    let text = fit(&games, &part, &[&plan[..], &["--resume"]].concat());
    assert!(!text.contains("epoch   1 ") && text.contains("epoch  30 "), "{text}");
    for name in ["bin", "bin.training"] {
        assert!(folder.read(&format!("part.{name}")) == folder.read(&format!("whole.{name}")), "{name}");
    }
}

#[test]
fn reports_are_equal() {
    let (folder, games) = with_games(40);
    let (network, state) = (folder.name("nn.bin"), folder.name("nn.bin.training"));
    let text = fit(&games, &network, &["--epochs", "2", "--report", &folder.name("fit.html")]);
    assert!(text.ends_with("fit.html: report, epochs 2\n"), "{text}");
    let page = String::from_utf8(folder.read("fit.html")).unwrap();
    assert!(page.contains("<h1>Training report: nn.bin.training</h1>") && page.ends_with("</html>\n"));
    let [report, short] = ["report.html", "short.html"].map(|name| folder.name(name));
    let text = succeed(TRAINER, &["report", &state, &games, "--output", &report, "--threads", "1"]);
    assert_eq!(text, format!("{report}: report, epochs 2\n"));
    assert!(folder.read("report.html") == page.as_bytes());
    let text = succeed(TRAINER, &["report", &state, "--output", &short]);
    let without = "without the validation parts, which need the games";
    assert_eq!(text, format!("{short}: report, epochs 2, {without}\n"));
    assert!(folder.read("short.html").len() < page.len());
    // Incompatible files.
    let before = folder.files();
    let other = folder.name("other.sabg");
    play(&other, "100..120", &[]);
    let bad = |arguments: &[&str]| one_line(rejected(TRAINER, &[&["report"], arguments].concat()));
    let (page, missing) = (folder.name("new.html"), folder.name("none"));
    for (arguments, why) in [
        (["--output", &page, &state, &other], "the games differ"),
        (["--output", &page, &missing, &games], "cannot read the training"),
        (["--output", &page, &games, &games], "it is no saved training"),
        (["--output", &page, &state, &missing], "none"),
        (["--output", &network, &state, &games], "a report is written as .html"),
        (["--output", &folder.name("no/new.html"), &state, &games], "there is no folder"),
    ] {
        let message = bad(&arguments);
        assert!(message.contains(why), "{message}");
    }
    assert_eq!(folder.files().len(), before.len() + 1, "{:?}", folder.files());
}

#[test]
fn rejects_bad_games() {
    let (folder, games) = with_games(20);
    let bytes = folder.read("games.sabg");
    let mut changed = bytes.clone();
    *changed.last_mut().unwrap() ^= 1;
    play(&folder.name("one.sabg"), "0..1", &[]);
    let output = folder.name("nn.bin");
    for (file, why) in [
        (folder.name("none.sabg"), "none.sabg"),
        (folder.with("changed.sabg", changed), "the checksum of a block with 20 games is wrong"),
        (folder.with("cut.sabg", &bytes[..bytes.len() - 3]), "the last block is truncated"),
        (folder.with("list.sabg", "startpos moves 7g7f\n"), "not a file of compact games"),
        (folder.name("one.sabg"), "both are needed"),
        (write_games(&folder, "empty.sabg", &[]), "both are needed"),
    ] {
        let message = fit_rejected(&file, &output, &[]);
        assert!(message.contains(why), "{message}");
    }
    // All games in the validation set, or none; with the share that is named there are both sets.
    for (part, takes, bound) in [("0", "none", "more"), ("0.001", "none", "more"), ("1", "all", "less")] {
        let whole = ["fit", &games, "--output", &output, "--width", "32", "--epochs", "1", "--validation", part];
        let message = one_line(rejected(TRAINER, &whole));
        assert!(
            message.contains(&format!("in 20 games, and both are needed: --validation {part} takes {takes} of them"))
        );
        let share = message.trim_end().strip_suffix(&format!(" or {bound}")).and_then(|text| text.rsplit(' ').next());
        let share = share.unwrap_or_else(|| panic!("no share in {message}"));
        let (one, last) = (folder.name("one.bin"), whole.len() - 1);
        succeed(TRAINER, &[&whole[..2], &["--output", &one], &whole[4..last], &[share]].concat());
        let less = share.parse::<f64>().unwrap() + if bound == "more" { -0.001 } else { 0.001 };
        rejected(TRAINER, &[&whole[..last], &[&format!("{less:.3}")]].concat());
        for name in ["one.bin", "one.bin.training"] {
            std::fs::remove_file(folder.path(name)).unwrap();
        }
    }
    let names = folder.files();
    assert!(names.iter().all(|name| name.ends_with(".sabg")), "{names:?}");
}

#[test]
fn rejects_wrong_arguments() {
    let folder = Folder::new();
    let output = folder.name("nn.bin");
    for (option, values, why) in [
        ("--features", &["x", "kpp", ""][..], "[possible values: kp, halfkp, halfka-zones]"),
        ("--width", &["0", "31", "48", "4128", "x", "-32"], "expected a multiple of 32"),
        ("--score-share", &["-0.1", "1.1", "NaN", "x"], "a number from 0 to 1"),
        ("--lambda", &["-0.1", "1.1", "NaN"], "a number from 0 to 1"),
        ("--validation", &["-0.1", "2", "inf"], "a number from 0 to 1"),
        ("--decay", &["-1", "1.5"], "a number from 0 to 1"),
        ("--rate", &["0", "-1", "inf", "NaN", "1.1", "1e45"], "a number above 0, up to 1"),
        ("--scale", &["0", "0.01", "49", "5001", "NaN", "x"], "a number from 50 to 5000"),
        ("--epochs", &["0", "x"], "--epochs"),
        ("--batch", &["0", "99999999"], "--batch"),
        ("--threads", &["0"], "--threads"),
    ] {
        for value in values {
            let set = format!("{option}={value}");
            let message = rejected(TRAINER, &["fit", "games.sabg", "--output", &output, &set]);
            assert!(message.contains(why), "{set}: {message}");
        }
    }
    assert!(rejected(TRAINER, &["fit", "--output", &output]).contains("FILE"));
    assert!(folder.files().is_empty());
}

#[test]
fn other_training_is_not_resumed() {
    let (folder, games) = with_games(20);
    let output = folder.name("nn.bin");
    fit(&games, &output, &["--epochs", "2"]);
    let resume = |games: &str, epochs: &str, more: &[&str]| {
        fit_rejected(games, &output, &[&["--resume", "--epochs", epochs], more].concat())
    };
    let files = ["nn.bin", "nn.bin.training"];
    let before = files.map(|name| folder.read(name));
    // Finished: nothing changes.
    let text = fit(&games, &output, &["--resume", "--epochs", "2"]);
    assert!(!text.contains("epoch ") && text.contains("quantisation error"), "{text}");
    assert!(files.map(|name| folder.read(name)) == before);
    // A network that is missing is written.
    std::fs::remove_file(folder.path("nn.bin")).unwrap();
    fit(&games, &output, &["--resume", "--epochs", "2"]);
    assert!(files.map(|name| folder.read(name)) == before);
    let other = folder.name("other.sabg");
    play(&other, "100..120", &[]);
    assert!(resume(&other, "2", &[]).contains("the games differ"));
    assert!(resume(&games, "3", &[]).contains("other arguments"));
    assert!(resume(&games, "2", &["--rate", "0.5"]).contains("other arguments"));
    assert!(resume(&games, "2", &["--features", "halfkp"]).contains("other arguments"));
    assert!(files.map(|name| folder.read(name)) == before);
    folder.with("nn.bin.training", &before[1][..before[1].len() - 1]);
    assert!(resume(&games, "2", &[]).contains("it is damaged"));
    folder.with("nn.bin.training", "SABITRAN");
    assert!(resume(&games, "2", &[]).contains("it is no saved training"));
}

#[test]
fn rejects_incompatible_start_network() {
    let (folder, games) = with_games(20);
    let network = folder.name("nn.bin");
    fit(&games, &network, &["--epochs", "1"]);
    let before = folder.files();
    let output = folder.name("b.bin");
    for (more, wanted) in [(["--width", "64"], "K+P 64x2-32-32"), (["--features", "halfkp"], "HalfKP 32x2-32-32")] {
        let width = if more[0] == "--width" { &[][..] } else { &["--width", "32"] };
        let whole = ["fit", &games, "--output", &output, "--validation", "0.2", "--start", &network];
        let message = rejected(TRAINER, &[&whole, &more[..], width].concat());
        assert!(message.contains(&format!("the start network is K+P 32x2-32-32, not {wanted}")), "{message}");
    }
    // Before games are read.
    let message = fit_rejected(&folder.name("none.sabg"), &output, &["--features", "halfkp", "--start", &network]);
    assert!(message.contains("the start network is K+P"), "{message}");
    for start in [&games, &folder.name("none.bin")] {
        let message = fit_rejected(&games, &folder.name("b.bin"), &["--start", start]);
        assert!(message.contains("cannot read the network"), "{message}");
    }
    assert_eq!(folder.files(), before);
}

#[test]
fn unwritable_output_fails_early() {
    let (folder, games) = with_games(20);
    std::fs::create_dir_all(folder.path("folder.html")).unwrap();
    std::fs::create_dir_all(folder.path("half.bin.training")).unwrap();
    let before = folder.files();
    let [output, nowhere, page, half, same] =
        ["nn.bin", "no/nn.bin", "folder.html", "half.bin", "nn.html"].map(|name| folder.name(name));
    for (output, more, why) in [
        (&nowhere, &[][..], "there is no folder"),
        (&page, &[], "it is a folder"),
        (&half, &[], "cannot write the training"),
        (&output, &["--report", &page], "it is a folder"),
        (&output, &["--report", "report.txt"], "a report is written as .html, not as 'report.txt'"),
        (&output, &["--report", "no/report.html"], "there is no folder 'no' for the report"),
        (&same, &["--report", &same], "name the same file"),
    ] {
        let message = fit_rejected(&games, output, more);
        assert!(message.contains(why), "{message}");
        assert_eq!(folder.files(), before);
    }
}

/// A run killed before it saved anything is repeated with the same command.
#[test]
fn unsaved_training_starts_from_scratch() {
    let (folder, games) = with_games(20);
    let [plain, resumed, from] = ["plain.bin", "resumed.bin", "from.bin"].map(|name| folder.name(name));
    fit(&games, &plain, &["--epochs", "1"]);
    fit(&games, &resumed, &["--epochs", "1", "--resume"]);
    assert!(folder.read("plain.bin") == folder.read("resumed.bin"));
    // Also one with a start network, which may be omitted on resuming, but not replaced.
    fit(&games, &from, &["--epochs", "1", "--resume", "--start", &plain]);
    let trained = folder.read("from.bin");
    assert!(trained != folder.read("plain.bin"));
    for more in [&["--start", &plain][..], &[]] {
        fit(&games, &from, &[&["--epochs", "1", "--resume"], more].concat());
        assert!(folder.read("from.bin") == trained);
    }
    let other = folder.name("other.bin");
    fit(&games, &other, &["--epochs", "1", "--seed", "2"]);
    let message = fit_rejected(&games, &from, &["--epochs", "1", "--resume", "--start", &other]);
    assert!(message.contains("another start network"), "{message}");
}

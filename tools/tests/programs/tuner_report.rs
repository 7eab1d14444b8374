//! `tuner report`, and `--report`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Openings that are combined to different games.
const BLACK: [&str; 6] = ["7g7f", "2g2f", "3i4h", "4i5h", "9g9f", "1g1f"];
const WHITE: [&str; 6] = ["3c3d", "8c8d", "7a6b", "6a5b", "1c1d", "9c9d"];

/// Twelve short games with different starts or ends.
fn games() -> String {
    let game = |number: usize| {
        let turned = |moves: [&'static str; 6]| (0..6).map(move |at| moves[(at + number) % 6]);
        let moves: Vec<&str> = turned(BLACK).zip(turned(WHITE)).flat_map(|(black, white)| [black, white]).collect();
        let result = ["black", "white", "black", "draw"][number % 4];
        let odd = if number < 6 { "" } else { " 6g6f" };
        format!("{result}\t-\t-\t-\tresign\tstartpos moves {}{odd}\n", moves.join(" "))
    };
    (0..12).map(game).collect()
}

struct ReportFolder(tempfile::TempDir);

impl ReportFolder {
    /// A folder with samples and a fit of them: `games.usi`, `samples`, `weights.json.fit`.
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().expect("a folder"));
        fs::write(folder.path("games.usi"), games()).expect("a file");
        let extraction = ["--dataset", "games.usi", "--skip-opening", "0", "--skip-end", "0"];
        folder.good(&[&["extract", "--output", "samples"], &extraction[..]].concat());
        folder.good(&["fit", "samples", "--output", "weights.json", "--iterations", "4", "--report", "fit.html"]);
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let program = Path::new(env!("CARGO_BIN_EXE_tuner"));
        Command::new(program).args(arguments).current_dir(&self.0).stdin(Stdio::null()).output().expect("it starts")
    }

    fn good(&self, arguments: &[&str]) {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// One message, a failure, and an unchanged folder.
    fn bad(&self, arguments: &[&str], expected: &str) {
        let before = self.files();
        let output = self.run(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{arguments:?} succeeds");
        assert_eq!(message.trim_end(), format!("error: {expected}"), "{arguments:?}");
        assert!(output.stdout.is_empty() && self.files() == before, "{arguments:?}");
    }

    /// Names and contents of all files.
    fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files: Vec<(PathBuf, Vec<u8>)> = fs::read_dir(&self.0)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path())
            .map(|path| (path.clone(), fs::read(path).unwrap_or_default()))
            .collect();
        files.sort();
        files
    }
}

const REPORT: [&str; 6] = ["report", "weights.json.fit", "--samples", "samples", "--output", "report.html"];

#[test]
fn reports_are_equal() {
    let folder = ReportFolder::new();
    folder.good(&REPORT);
    let page = fs::read_to_string(folder.path("report.html")).unwrap();
    assert!(
        page.contains("<h1>Tuner report: weights.json.fit</h1>") && page.contains("Adam, rate 1"),
        "{}",
        &page[..900]
    );
    assert!(page.ends_with("</html>\n") && page.len() < 1 << 20, "{} bytes", page.len());
    assert!(fs::read_to_string(folder.path("fit.html")).unwrap() == page);
    let fit = ["--skip-end", "0", "--output", "weights.json", "--iterations", "4", "--report", "flat.html"];
    folder.good(&[&["--dataset", "games.usi", "--skip-opening", "0", "--threads", "3"], &fit[..]].concat());
    assert!(fs::read_to_string(folder.path("flat.html")).unwrap() == page);
}

#[test]
fn rejects_invalid_state() {
    let folder = ReportFolder::new();
    let state = fs::read(folder.path("weights.json.fit")).unwrap();
    fs::remove_file(folder.path("weights.json.fit")).unwrap();
    let not_found = std::io::Error::from_raw_os_error(2);
    folder.bad(&REPORT, &format!("cannot read the fit 'weights.json.fit': {not_found}"));
    fs::copy(folder.path("samples"), folder.path("weights.json.fit")).unwrap();
    folder.bad(&REPORT, "cannot read the fit 'weights.json.fit': it is no saved fit");
    for damaged in [&state[..state.len() - 1], &state[..20], &[&state[..], b"x"].concat()] {
        fs::write(folder.path("weights.json.fit"), damaged).unwrap();
        folder.bad(&REPORT, "cannot read the fit 'weights.json.fit': it is damaged");
    }
    fs::write(folder.path("weights.json.fit"), [&state[..8], &[9], &state[9..]].concat()).unwrap();
    folder.bad(&REPORT, "cannot read the fit 'weights.json.fit': its version is 9, this program reads version 3");
}

#[test]
fn rejects_other_samples() {
    let folder = ReportFolder::new();
    let extraction = ["--dataset", "games.usi", "--skip-opening", "4", "--skip-end", "0"];
    folder.good(&[&["extract", "--output", "others"], &extraction[..]].concat());
    let with = |samples| [REPORT[0], REPORT[1], REPORT[2], samples, REPORT[4], REPORT[5]];
    folder.bad(&with("others"), "no report of the fit 'weights.json.fit': it was fitted to other samples");
    folder.bad(&with("games.usi"), "cannot read the samples 'games.usi': it is no sample file");
}

#[test]
fn unwritable_output_fails_early() {
    let folder = ReportFolder::new();
    let with = |output| [REPORT[0], REPORT[1], REPORT[2], REPORT[3], REPORT[4], output];
    folder.bad(&with("samples"), "a report is written as .html, not as 'samples'");
    folder.bad(&with("nowhere/report.html"), "there is no folder 'nowhere' for the report");
    fs::create_dir(folder.path("folder.html")).unwrap();
    folder.bad(&with("folder.html"), "cannot write the report 'folder.html': it is a folder");
    // The report path is checked before the fit.
    let fit = ["fit", "samples", "--output", "other.json", "--report", "nowhere/report.html"];
    folder.bad(&fit, "there is no folder 'nowhere' for the report");
}

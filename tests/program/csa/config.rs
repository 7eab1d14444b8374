//! Invalid configurations.

use sabi_test_support::{Folder, run};
use std::fs;

#[test]
fn rejects_bad_configuration() {
    let folder = Folder::new();
    let least = "host = 'localhost'\nuser = 'a'\n";
    for (name, text, reported) in [
        ("a.toml", format!("{least}password = 31337\n"), "password: it must be a text in quotes"),
        ("b.toml", format!("{least}password = 's31337'\nprt = 1\n"), "unknown field `prt`"),
        ("c.toml", format!("{least}password = 's31337'\n[options]\nThreads = 0\n"), "Threads takes 1 to 512"),
        ("d.toml", format!("{least}password = 's31337\n"), "line 3"),
        // PowerShell writes a byte order mark.
        ("e.json", "\u{feff}{\"host\": \"a\"}".to_owned(), "missing field `user`"),
        (
            "g.toml",
            format!("{least}password = 's31337'\nlog = '/no/such/log.txt'\n"),
            "cannot write '/no/such/log.txt'",
        ),
        ("f.json", least.to_owned(), "line 1"),
    ] {
        let file = folder.with(name, text);
        let outcome = run(env!("CARGO_BIN_EXE_sabi"), &["csa", "--config", &file]);
        assert!(!outcome.success && outcome.stderr.contains(reported), "{name}: {}", outcome.stderr);
        assert!(outcome.stderr.lines().count() == 1 && outcome.stdout.is_empty(), "{name}: {}", outcome.stderr);
        assert!(!outcome.stderr.contains("31337"), "{name}: {}", outcome.stderr);
    }
    let missing = run(env!("CARGO_BIN_EXE_sabi"), &["csa", "--config", &folder.name("none.toml")]);
    assert!(!missing.success && missing.stderr.lines().count() == 1, "{}", missing.stderr);
}

#[test]
fn sample_is_written_once() {
    let folder = Folder::new();
    let file = folder.name("csa.toml");
    let init = |file: &str| run(env!("CARGO_BIN_EXE_sabi"), &["csa", "--config", file, "--init"]);
    let first = init(&file);
    assert!(first.success && first.stdout.contains("--check"), "{}", first.stderr);
    let sample = fs::read_to_string(&file).expect("the sample");
    let shown = sample.split_once("\n\n").expect("a title").1;
    assert!(include_str!("../../../docs/servers.md").contains(shown), "{shown}");
    fs::write(&file, "mine").expect("a file");
    for (file, message) in
        [(file.as_str(), "exists"), (&folder.name("a.json"), "TOML"), (&folder.name("no/a.toml"), "cannot write")]
    {
        let again = init(file);
        assert!(!again.success && again.stderr.contains(message), "{}", again.stderr);
    }
    assert_eq!(fs::read_to_string(&file).expect("the file"), "mine");
}

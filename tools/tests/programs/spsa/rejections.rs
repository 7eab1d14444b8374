//! Errors before the first game, without any change.

use super::helpers::{Folder, SPSA, arguments, rejected, tune};
use crate::common::sabi;

#[test]
fn rejects_bad_arguments() {
    let folder = Folder::new();
    let file = folder.name("tuning");
    let plain = ["--engine", sabi(), "--out", &file];
    for (arguments, message) in [
        (&["--params", "ResignValue", "--games", "2"][..], "required"),
        (&["--params", "ResignValue", "--nodes", "9"], "required"),
        (&["--games", "2", "--nodes", "9"], "required"),
        (&["--params", "ResignValue", "--games", "3", "--nodes", "9"], "--games must be even"),
        (&["--params", "ResignValue", "--games", "0", "--nodes", "9"], "--games must be even"),
        (&["--params", "ResignValue", "--games", "200000000", "--nodes", "9"], "too large"),
        (&["--params", "ResignValue", "--games", "2", "--nodes", "9", "--gain", "0"], "a number above 0"),
        (&["--params", "ResignValue", "--games", "2", "--nodes", "9", "--gain", "1e308"], "up to 1000"),
        (&["--params", "ResignValue:step=x", "--games", "2", "--nodes", "9"], "is not a parameter"),
        (&["--params", "ResignValue,ResignValue", "--games", "2", "--nodes", "9"], "is given twice"),
        (&["--params", "Wings", "--games", "2", "--nodes", "9"], "declares no option 'Wings'"),
        (&["--params", "EvalFile", "--games", "2", "--nodes", "9"], "is of type 'filename'"),
        (&["--params", "ResignValue:step=99999", "--games", "2", "--nodes", "9"], "no more than its range, 99998"),
        (
            &["--params", "ResignValue", "--games", "2", "--nodes", "9", "--option", "Wings=1"],
            "declares no option 'Wings'",
        ),
        (&["--params", "ResignValue", "--games", "2", "--nodes", "9", "--option", "ResignValue=1"], "cannot be set by"),
        (&["--params", "ResignValue", "--games", "2", "--nodes", "9", "--openings", "/no/such.sfen"], "/no/such.sfen"),
        (&["show", &file], "cannot be used with"),
    ] {
        let message_told = rejected(&[&plain, arguments].concat());
        assert!(message_told.contains(message), "{arguments:?}: {message_told}");
        assert!(!folder.path("tuning").exists(), "{arguments:?}");
    }
    let engine = ["--params", "ResignValue", "--games", "2", "--nodes", "9"];
    for (more, message) in [
        (["--engine", "/no/such/engine", "--out", &file], "cannot find the engine '/no/such/engine'"),
        (["--engine", sabi(), "--out", "/no/such/folder/tuning"], "cannot use '/no/such/folder/tuning'"),
        (
            ["--engine", SPSA, "--out", &file],
            if cfg!(windows) { "it exited: exit code: 2" } else { "it exited: exit status: 2" },
        ),
    ] {
        let message_told = rejected(&[&engine[..], &more].concat());
        assert!(message_told.contains(message) && message_told.lines().count() == 1, "{message_told}");
    }
    assert!(rejected(&["show", &file]).contains("cannot read the tuning"));
    assert!(rejected(&[]).contains("required"));
}

#[test]
fn other_tuning_is_not_resumed() {
    let folder = Folder::new();
    let file = folder.name("tuning");
    tune(&file, "4", &[]);
    let bytes = std::fs::read(&file).unwrap();
    for change in
        [&["--seed", "2"][..], &["--gain", "0.01"], &["--option", "DrawValueBlack=5"], &["--random-plies", "9"]]
    {
        let reported = rejected(&[&arguments(&file, "4")[..], change].concat());
        assert!(reported.contains("tuning': it holds another tuning"), "{change:?}: {reported}");
    }
    assert!(rejected(&arguments(&file, "6")).contains("holds another tuning"));
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
    for (name, content, message) in [
        ("text", &b"buy rice, and much more than sixteen bytes of it\n"[..], "it is no saved tuning"),
        ("empty", b"", "it is no saved tuning"),
        ("cut", &bytes[..bytes.len() - 3], "it is damaged"),
    ] {
        let other = folder.with(name, content);
        assert!(rejected(&arguments(&other, "4")).contains(message), "{name}");
        assert!(rejected(&["show", &other]).contains(message), "{name}");
        assert_eq!(std::fs::read(&other).unwrap(), content);
    }
}

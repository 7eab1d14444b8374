//! The tools as programs.

mod arena_files;
mod book_tools;
mod common;
mod kills;
mod matches;
mod spsa;
mod training_data;
mod tuner;

/// A report of a problem shows which program it is of; the help has examples.
#[test]
fn versions_and_helps() {
    for program in [
        env!("CARGO_BIN_EXE_book_builder"),
        env!("CARGO_BIN_EXE_book_tools"),
        env!("CARGO_BIN_EXE_data_tools"),
        env!("CARGO_BIN_EXE_match_runner"),
        env!("CARGO_BIN_EXE_selfplay"),
        env!("CARGO_BIN_EXE_spsa"),
        env!("CARGO_BIN_EXE_trainer"),
        env!("CARGO_BIN_EXE_tuner"),
    ] {
        let name = std::path::Path::new(program).file_stem().and_then(|name| name.to_str()).expect("a name");
        let expected = format!("{name} {}\n", env!("CARGO_PKG_VERSION"));
        assert_eq!(common::succeed(program, &["--version"]), expected);
        sabi_test_support::assert_helps(program, std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")));
    }
}

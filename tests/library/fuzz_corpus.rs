//! Runs the fuzz targets on `fuzz/corpus` and on their seed fixtures.

#[path = "../../fuzz/targets/mod.rs"]
mod targets;

use std::fs;
use std::path::{Path, PathBuf};
use targets::TARGETS;

/// Files of a folder and its subfolders.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn corpus_passes_all_targets() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for target in &TARGETS {
        let fixtures = target.fixtures.map(|folder| root.join("tests/fixtures").join(folder));
        let folders = [Some(root.join("fuzz/corpus").join(target.name)), fixtures];
        let inputs: Vec<_> =
            folders.iter().flatten().filter(|folder| folder.exists()).flat_map(|folder| files(folder)).collect();
        assert!(!inputs.is_empty(), "{} has no input", target.name);
        for input in inputs {
            println!("{}: {}", target.name, input.display());
            (target.check)(&fs::read(input).unwrap());
        }
    }
}

//! A temporary folder.

use crate::fail;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A temporary folder, with paths of the files in it.
pub struct Folder(TempDir);

impl Folder {
    #[expect(clippy::new_without_default, reason = "it creates a folder")]
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The path as text.
    pub fn name(&self, name: &str) -> String {
        self.path(name).to_str().expect("UTF-8").to_owned()
    }

    /// Writes a file and its folders, and returns its path.
    pub fn with(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, content).expect("a file");
        self.name(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("a file")
    }

    /// Sorted names of the files in it.
    pub fn files(&self) -> Vec<String> {
        self.files_in("")
    }

    /// Sorted names of the files in a folder in it.
    pub fn files_in(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).expect("a folder");
        let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
        let mut names: Vec<String> = entries.map(|entry| name(entry).into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }

    /// Runs a command that must reject, not overwrite, this file, by any name, with one line.
    pub fn keeps(&self, name: &str, program: &str, arguments: impl Fn(&str) -> Vec<String>) {
        let before = self.read(name);
        let extension = Path::new(name).extension().and_then(|it| it.to_str()).expect("an extension");
        let names = [
            self.name(name),
            self.name(&format!("./{name}")),
            self.name(&format!("hard-link.{extension}")),
            self.name(&format!("symbolic-link.{extension}")),
        ];
        fs::hard_link(self.path(name), &names[2]).expect("a link");
        #[cfg(unix)]
        std::os::unix::fs::symlink(self.path(name), &names[3]).expect("a link");
        for output in names.iter().filter(|name| Path::new(name).exists()) {
            let arguments = arguments(output);
            let message = fail(program, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
            assert!(message.contains("is an input") || message.contains("of another kind"), "{message}");
            assert_eq!(message.lines().count(), 1, "{message}");
            assert!(fs::read(output).expect("a file") == before && self.read(name) == before, "{output} has changed");
        }
        names[2..].iter().for_each(|link| drop(fs::remove_file(link)));
    }
}

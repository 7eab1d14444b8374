//! Outputs that would overwrite inputs.

use super::{Folder, run};
use std::path::Path;

impl Folder {
    /// Runs a command that must refuse to overwrite this file under any of its names, with one
    /// line.
    pub fn keeps(&self, name: &str, program: &str, arguments: impl Fn(&str) -> Vec<String>) {
        let before = std::fs::read(self.path(name)).expect("a file");
        let extension = Path::new(name).extension().and_then(|it| it.to_str()).expect("an extension");
        let names = [
            self.name(name),
            self.name(&format!("./{name}")),
            self.name(&format!("hard-link.{extension}")),
            self.name(&format!("symbolic-link.{extension}")),
        ];
        std::fs::hard_link(self.path(name), &names[2]).expect("a link");
        #[cfg(unix)]
        std::os::unix::fs::symlink(self.path(name), &names[3]).expect("a link");
        for output in names.iter().filter(|name| Path::new(name).exists()) {
            let arguments = arguments(output);
            let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let outcome = run(program, &words);
            assert!(!outcome.success, "{words:?} should fail: {}", outcome.stdout);
            let told = outcome.stderr.contains("is read") || outcome.stderr.contains("of another kind");
            assert!(told && outcome.stderr.lines().count() == 1, "{}", outcome.stderr);
            assert!(std::fs::read(output).expect("a file") == before, "{output} is another");
            assert!(std::fs::read(self.path(name)).expect("a file") == before);
        }
        names[2..].iter().for_each(|link| drop(std::fs::remove_file(link)));
    }
}

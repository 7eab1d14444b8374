//! An engine that does wrong what it is told to.

use super::Folder;
use std::io::Write;
use std::process::{Command, Stdio};

/// Puts the engine of `engine.sh` into a folder, and gives its name.
pub fn script(folder: &Folder) -> String {
    let name = folder.name("engine");
    // Another process writes it: a program that is open for writing anywhere cannot be started, and this process hands
    // what it has open to children that are just being made.
    let mut writer = Command::new("/bin/sh")
        .args(["-c", "cat > \"$0\" && chmod 755 \"$0\"", &name])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let text = format!("#!/bin/sh\n{}", include_str!("engine.sh"));
    writer.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(writer.wait().unwrap().success());
    name
}

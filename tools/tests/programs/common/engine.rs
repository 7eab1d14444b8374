//! A scripted faulty engine.

use super::Folder;
use std::io::Write;
use std::process::{Command, Stdio};

/// Writes `engine.sh` to a folder, and returns its path.
pub fn script(folder: &Folder) -> String {
    let name = folder.name("engine");
    // Written by another process: a file open for writing in any process cannot be executed, and
    // forked children inherit open files.
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

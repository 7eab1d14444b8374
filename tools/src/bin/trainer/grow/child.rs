//! Process of a step.

use super::child_process::ChildProcess;
use anyhow::Context;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus};

/// End of a process.
pub enum Exit {
    Success,
    /// Killed by a signal: can be restarted.
    Killed(String),
    /// Exited with a message.
    Failed(String),
}

/// Starts a command in a folder; its output is appended to a file. Its standard input is the lock
/// file: as long as any part of it runs, no other supervisor starts.
pub fn start(folder: &Path, command: &[String], output: &Path, lock: &File) -> anyhow::Result<ChildProcess> {
    let open = || -> std::io::Result<File> { File::options().create(true).append(true).open(output) };
    let file = open().with_context(|| format!("cannot write '{}'", output.display()))?;
    let program = folder.join(&command[0]);
    let mut command_line = Command::new(&program);
    command_line.args(&command[1..]).current_dir(folder).stdin(lock.try_clone()?);
    command_line.stdout(file.try_clone()?).stderr(file);
    ChildProcess::spawn(&mut command_line).with_context(|| format!("cannot start '{}'", program.display()))
}

/// Interprets an exit status; the message is the last error in the output file.
pub fn exit_of(status: ExitStatus, output: &Path) -> Exit {
    if status.success() {
        return Exit::Success;
    }
    if status.signal().is_some() {
        return Exit::Killed(status.to_string());
    }
    let text = fs::read(output).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let error = text.lines().rev().find_map(|line| line.strip_prefix("error: "));
    Exit::Failed(error.map_or_else(|| status.to_string(), str::to_owned))
}

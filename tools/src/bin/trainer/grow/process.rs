//! Processes of the steps: children that do not outlive the program.

use anyhow::Context;
use rustix::process::{
    Pid, Signal, getpid, getppid, getpriority_process, kill_process_group, set_parent_process_death_signal, setsid,
};
use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};

/// A child process group in its own session. The kernel kills it when this process ends.
#[derive(Debug)]
pub struct ChildProcess {
    child: Child,
    group: Pid,
}

impl ChildProcess {
    /// Starts a command in a folder; its output is appended to a file. Its standard input is the lock
    /// file: as long as any part of it runs, no other supervisor starts.
    pub fn start(folder: &Path, command: &[String], output: &Path, lock: &File) -> anyhow::Result<Self> {
        let file = File::options().create(true).append(true).open(output);
        let file = file.with_context(|| format!("cannot write '{}'", output.display()))?;
        let program = folder.join(&command[0]);
        let mut command_line = Command::new(&program);
        command_line.args(&command[1..]).current_dir(folder).stdin(lock.try_clone()?);
        command_line.stdout(file.try_clone()?).stderr(file);
        Self::spawn(&mut command_line).with_context(|| format!("cannot start '{}'", program.display()))
    }

    /// The calling thread must outlive the child.
    fn spawn(command: &mut Command) -> io::Result<Self> {
        let parent = getpid();
        let set_up = move || {
            setsid()?;
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // The parent may have died before the request.
            if getppid() == Some(parent) { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
        };
        // SAFETY: between fork and exec only three system calls are made; nothing is allocated and
        // no lock is taken.
        unsafe { command.pre_exec(set_up) };
        let child = command.spawn()?;
        let group = Pid::from_child(&child);
        // Linux may schedule sessions as groups; the nice value then counts within the session only
        // (see sched(7), "The autogroup feature"), so set the session's too. Without autogroups
        // there is no such file.
        let nice = getpriority_process(None)?;
        let _ = fs::write(format!("/proc/{}/autogroup", child.id()), nice.to_string());
        Ok(Self { child, group })
    }

    /// Sends a signal to the whole group: `STOP` suspends it, `CONT` resumes it.
    pub fn signal(&self, signal: Signal) -> io::Result<()> {
        Ok(kill_process_group(self.group, signal)?)
    }

    /// Exit status; `None` while it runs.
    pub fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        self.child.try_wait()
    }
}

impl Drop for ChildProcess {
    /// Kills the whole group.
    fn drop(&mut self) {
        // After a wait, the process id may belong to another process.
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.signal(Signal::KILL);
            let _ = self.child.wait();
        }
    }
}

/// The last error message in an output file.
pub fn last_error(output: &Path) -> Option<String> {
    let text = fs::read(output).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    text.lines().rev().find_map(|line| line.strip_prefix("error: ")).map(str::to_owned)
}

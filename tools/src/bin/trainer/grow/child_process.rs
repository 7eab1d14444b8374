//! Child processes that do not outlive the program.

use rustix::process::{
    Pid, Signal, getpid, getppid, getpriority_process, kill_process_group, nice, set_parent_process_death_signal,
    setsid,
};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::{fs, io};

/// Lowers the priority of this process and its future children; 19 is the lowest.
///
/// # Errors
/// Those of the operating system.
pub fn lower_priority(by: u8) -> io::Result<()> {
    nice(by.into())?;
    Ok(())
}

/// A child process group in its own session. The kernel kills it when this process ends.
#[derive(Debug)]
pub struct ChildProcess {
    child: Child,
    group: Pid,
}

impl ChildProcess {
    /// Starts a program. The calling thread must outlive the child.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
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

    /// Suspends the whole group.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn stop(&self) -> io::Result<()> {
        Ok(kill_process_group(self.group, Signal::STOP)?)
    }

    /// Resumes a suspended group.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn resume(&self) -> io::Result<()> {
        Ok(kill_process_group(self.group, Signal::CONT)?)
    }

    /// Exit status; `None` while it runs.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        self.child.try_wait()
    }
}

impl Drop for ChildProcess {
    /// Kills the whole group.
    fn drop(&mut self) {
        // After a wait, the process id may belong to another process.
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = kill_process_group(self.group, Signal::KILL);
            let _ = self.child.wait();
        }
    }
}

//! Child processes that do not outlive the program.

use rustix::process::{
    Pid, Signal, getpid, getppid, getpriority_process, kill_process_group, nice, set_parent_process_death_signal,
    setsid,
};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::{fs, io};

/// Lowers the priority of this process and of all it starts from now on; 19 is as low as it gets.
///
/// # Errors
/// Those of the operating system.
pub fn lower_priority(by: u8) -> io::Result<()> {
    nice(by.into())?;
    Ok(())
}

/// A child process with all that it starts, in a session of its own. The kernel kills it when this process ends, however it ends.
#[derive(Debug)]
pub struct GuardedChild {
    child: Child,
    group: Pid,
}

impl GuardedChild {
    /// Starts a program. The thread that calls this must live as long as the child shall.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        let parent = getpid();
        let tie = move || {
            setsid()?;
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // The parent may have died before the kernel was asked.
            if getppid() == Some(parent) { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
        };
        // SAFETY: between fork and exec only three system calls are made; nothing is allocated and no lock is taken.
        unsafe { command.pre_exec(tie) };
        let child = command.spawn()?;
        let group = Pid::from_child(&child);
        // Linux may share the processors between sessions first, and the nice value of a process then counts within its own
        // session only (see sched(7), "The autogroup feature"): so the session gets it too. Where there is no such file there is
        // nothing to lower.
        let nice = getpriority_process(None)?;
        let _ = fs::write(format!("/proc/{}/autogroup", child.id()), nice.to_string());
        Ok(Self { child, group })
    }

    /// Takes the processors away from the whole group, at once.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn stop(&self) -> io::Result<()> {
        Ok(kill_process_group(self.group, Signal::STOP)?)
    }

    /// Lets a stopped group go on.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn resume(&self) -> io::Result<()> {
        Ok(kill_process_group(self.group, Signal::CONT)?)
    }

    /// How the child has ended; `None` as long as it runs.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        self.child.try_wait()
    }
}

impl Drop for GuardedChild {
    /// Ends the whole group.
    fn drop(&mut self) {
        // Of a child that has been waited for, the number may belong to another process.
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = kill_process_group(self.group, Signal::KILL);
            let _ = self.child.wait();
        }
    }
}

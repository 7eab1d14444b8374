//! File size limits.

/// Makes writing beyond the process's file size limit an error instead of a fatal signal.
pub fn ignore_sigxfsz() {
    // SAFETY: ignoring a signal installs no handler, and nothing else in this process uses it.
    #[cfg(unix)]
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

//! The limit on the size of files.

/// Makes writing beyond the process's limit on the size of files an error, as on a full disk, instead of the end of the process.
pub fn survive_file_size_limit() {
    // SAFETY: to ignore a signal installs no handler, and nothing else in this process asks for this signal.
    #[cfg(unix)]
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

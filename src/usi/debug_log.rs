//! Log messages (crate `log`) in the log of the session.

use super::output::Output;
use env_logger::{Builder, Target};
use log::LevelFilter;
use std::io::{self, Write};
use std::sync::Arc;

/// Sends log messages to the log file of `output`, unless a logger is set already.
pub(super) fn log_to(output: &Arc<Output>) {
    let pipe = Pipe { output: Arc::clone(output), line: Vec::new() };
    let recorder = Builder::new()
        .filter_level(LevelFilter::Debug)
        .target(Target::Pipe(Box::new(pipe)))
        .format(|line, record| writeln!(line, "{} {}: {}", record.level(), record.target(), record.args()))
        .try_init();
    // `RUST_LOG` selects stderr instead.
    drop(recorder);
}

/// Gathers bytes into lines.
struct Pipe {
    output: Arc<Output>,
    line: Vec<u8>,
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if self.line.ends_with(b"\n") {
            self.output.log_message(String::from_utf8_lossy(&self.line).trim_end());
            self.line.clear();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

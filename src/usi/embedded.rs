//! A session inside another program: lines are handed over one by one, and nothing is read from anywhere.

use super::input::Input;
use super::output::Output;
use super::session::Session;
use crate::engine::{Engine, Listener, Worker};
use crate::util::THREADS;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

/// A session that has no standard input and no files.
pub struct Embedded(Session);

impl Embedded {
    /// Starts the engine, which speaks to `sink`. Where there are no threads, it does nothing but when the worker is told to catch up.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn new(sink: impl Write + Send + 'static) -> io::Result<(Self, Option<Worker>)> {
        let output = Arc::new(Output::new(sink, || {}));
        let listener = Arc::clone(&output) as Arc<dyn Listener>;
        let (engine, worker) = if THREADS {
            (Engine::new(listener)?, None)
        } else {
            let (engine, worker) = Engine::without_thread(listener);
            (engine, Some(worker))
        };
        Ok((Self(Session::without_files(engine, output)), worker))
    }

    /// Obeys one line, also while the worker is at work; `quit` breaks.
    pub fn hear(&mut self, line: &[u8]) -> ControlFlow<()> {
        self.0.take(Input::from_bytes(Instant::now(), line))
    }
}

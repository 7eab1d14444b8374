//! A session inside another program: lines are passed in one by one.

use super::input::Input;
use super::output::Output;
use super::session::Session;
use crate::engine::{Engine, JobRunner, Listener};
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

/// A session without standard input and files.
pub struct Embedded(Session);

impl Embedded {
    /// Starts the engine with output to `sink`. Without threads, the runner must be run by its
    /// `catch_up`.
    pub fn new(sink: impl Write + Send + 'static) -> (Self, Option<JobRunner>) {
        let output = Arc::new(Output::new(sink, || {}));
        let listener = Arc::clone(&output) as Arc<dyn Listener>;
        let (engine, runner) = match Engine::new(Arc::clone(&listener)) {
            Ok(engine) => (engine, None),
            Err(_) => {
                let (engine, runner) = Engine::without_thread(listener);
                (engine, Some(runner))
            }
        };
        (Self(Session::embedded(engine, output, runner.is_none())), runner)
    }

    /// Executes one line, also while the runner is running; `quit` breaks.
    pub fn receive(&mut self, line: &[u8]) -> ControlFlow<()> {
        self.0.receive(Input::from_bytes(Instant::now(), line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use std::sync::{Mutex, mpsc};

    /// Forwards each line.
    struct Lines(Mutex<mpsc::Sender<String>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let line = String::from_utf8_lossy(bytes).trim_end().to_owned();
            let sent = self.0.lock().unwrap().send(line);
            sent.map(|()| bytes.len()).map_err(|_| io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn lines() -> (Lines, mpsc::Receiver<String>) {
        let (sender, receiver) = mpsc::channel();
        (Lines(Mutex::new(sender)), receiver)
    }

    #[test]
    fn embedded_session_rejects_files() {
        let (sink, lines) = lines();
        let (mut session, runner) = Embedded::new(sink);
        assert!(runner.is_none());
        for (name, value) in [("EvalFile", "nn.bin"), ("BookDir", "books")] {
            assert!(session.receive(format!("setoption name {name} value {value}").as_bytes()).is_continue());
            let expected = format!("info string setoption: {name} takes no file: no file system available");
            assert_eq!(lines.recv().unwrap(), expected);
        }
        for line in ["setoption name BookFile value no_book", "setoption name EvalFile value <empty>", "go nodes 100"] {
            assert!(session.receive(line.as_bytes()).is_continue());
        }
        assert!(lines.iter().any(|line| line.starts_with("bestmove ")));
        assert!(session.receive(b"\xff\xfe\xfd").is_continue());
        assert!(lines.recv().unwrap().starts_with("info string the line is neither"));
        assert!(session.receive(b"quit").is_break());
    }

    #[test]
    fn threadless_worker_answers_in_catch_up() {
        let (sink, lines) = lines();
        let output = Arc::new(Output::new(sink, || {}));
        let (engine, mut runner) = Engine::without_thread(Arc::clone(&output) as Arc<dyn Listener>);
        let mut session = Embedded(Session::embedded(engine, output, false));
        let mut send = |line: &str| {
            assert!(session.receive(line.as_bytes()).is_continue());
            lines.try_iter().collect::<Vec<_>>()
        };
        assert!(!send("usi").iter().any(|line| line.contains("Threads")));
        assert_eq!(
            send("setoption name Threads value 512"),
            ["info string setoption: Threads takes 1, not '512': no threads available"]
        );
        assert_eq!(send("setoption name USI_Hash value 1"), [""; 0]);
        assert_eq!(send("isready"), [""; 0]);
        assert!(!send("eval").is_empty(), "the evaluation so far, without waiting for the runner");
        runner.catch_up();
        assert_eq!(send("setoption name USI_OwnBook value false"), ["readyok"]);
        // A job stopped before it started answers too, and the next one runs.
        send("go infinite");
        send("stop");
        send("go nodes 500");
        runner.catch_up();
        let answers = send("").into_iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(answers, 2);
    }
}

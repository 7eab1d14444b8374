//! The reader thread.

use super::input::{Input, MAX_LINE};
use super::queue::InputSender;
use super::tokens::tokens;
use sabi_files::read_line;
use std::io::BufRead;
use std::sync::mpsc::Sender;
use std::time::Instant;

/// Sent when the client or the engine quits.
#[derive(Debug)]
pub(super) struct SessionEnd;

/// Reads to the end of input and passes on every line. Ends early when the session is gone. `leave`
/// receives `quit` and end of input before the session, which may be busy or blocked by a client
/// that does not read.
pub(super) fn read(mut source: impl BufRead, inputs: &InputSender, leave: &Sender<SessionEnd>) {
    let mut bytes = Vec::new();
    while let Ok(true) = read_line(&mut source, MAX_LINE + 1, &mut bytes) {
        let at = Instant::now();
        let input = Input::from_bytes(at, bytes.strip_suffix(b"\n").unwrap_or(&bytes));
        if matches!(&input, Input::Line { text, .. } if tokens(text).next() == Some("quit")) {
            let _ = leave.send(SessionEnd);
        }
        bytes.clear();
        // Free the memory of a long line.
        bytes.shrink_to(MAX_LINE / 64);
        if inputs.send(input).is_err() {
            return;
        }
    }
    let _ = leave.send(SessionEnd);
    let _ = inputs.send_now(Input::End);
}

#[cfg(test)]
mod tests {
    use super::super::input::InputError;
    use super::super::queue::queue;
    use super::*;
    use std::io::BufReader;
    use std::sync::mpsc;
    use std::time::Duration;

    fn received(bytes: &[u8]) -> Vec<Result<String, InputError>> {
        let (sender, receiver) = queue();
        read(BufReader::with_capacity(16, bytes), &sender, &mpsc::channel().0);
        let mut inputs: Vec<_> = std::iter::from_fn(|| receiver.recv_timeout(Duration::ZERO).ok()).collect();
        assert_eq!(inputs.pop(), Some(Input::End));
        let text = |input| match input {
            Input::Line { text, .. } => Ok(text),
            Input::Rejected { error, .. } => Err(error),
            Input::End => panic!("the end comes once"),
        };
        inputs.into_iter().map(text).collect()
    }

    #[test]
    fn accepts_all_line_endings() {
        assert_eq!(received(b""), []);
        assert_eq!(received(b"usi\r\n\nquit"), [Ok("usi".to_owned()), Ok(String::new()), Ok("quit".to_owned())]);
        assert_eq!(received(b"\xef\xbb\xbfusi\n"), [Ok("usi".to_owned())]);
    }

    #[test]
    fn decodes_utf8_and_shift_jis() {
        assert_eq!(received("評価\n".as_bytes()), [Ok("評価".to_owned())]);
        assert_eq!(received(b"\x95\x5d\x89\xbf\n"), [Ok("評価".to_owned())]);
        assert_eq!(received(b"\xff\xfe\xfd\n"), [Err(InputError::NoText)]);
        for bytes in [&b"\x00\n"[..], b"go\x00 depth 1\n", b"a\rb\n", b"\x1b[31m\n"] {
            assert_eq!(received(bytes), [Err(InputError::Control)], "{bytes:?}");
        }
        assert_eq!(received(b"\tgo\t\r\n"), [Ok("\tgo\t".to_owned())]);
    }

    #[test]
    fn rejects_overlong_line() {
        let mut bytes = vec![b'x'; MAX_LINE];
        bytes.extend(b"\nusi\n");
        let lines = received(&bytes);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].is_ok());
        bytes.insert(0, b'x');
        assert_eq!(received(&bytes), [Err(InputError::TooLong), Ok("usi".to_owned())]);
    }
}

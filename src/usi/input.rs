//! Input: the queue of lines from the reader to the session, bounded by bytes, so that `quit` is
//! read even when many commands are queued; and the text of a line.

use super::command::CommandError;
use encoding_rs::SHIFT_JIS;
use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum line length, far beyond any game.
pub(super) const MAX_LINE: usize = 4 << 20;

/// A line as received, without its end, with its time of receipt; `None` at the end of input.
pub(super) type Input = Option<(Instant, Vec<u8>)>;

/// Decodes a line without its end: UTF-8, or else the code page of Japanese Windows.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, CommandError> {
    if bytes.len() > MAX_LINE {
        return Err(CommandError::new(format_args!("the line is longer than {MAX_LINE} bytes")));
    }
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    let text = match std::str::from_utf8(bytes) {
        // Some programs begin their output with a byte order mark.
        Ok(text) => Some(text.strip_prefix('\u{feff}').unwrap_or(text).into()),
        Err(_) => SHIFT_JIS.decode_without_bom_handling_and_without_replacement(bytes),
    };
    let text = text.ok_or_else(|| CommandError::new("the line is neither UTF-8 nor Shift_JIS text"))?;
    if text.trim_ascii().chars().any(|c| c.is_control() && c != '\t') {
        return Err(CommandError::new("the line holds control characters"));
    }
    Ok(text)
}

/// Memory of waiting inputs in bytes; the reader waits while there is more.
const MAX_WAITING: usize = 64 << 20;
/// Memory of an input besides its text: its place in the queue and the overhead of an allocation.
const OVERHEAD: usize = 128;
/// Polling interval of a reader that waits.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// An empty queue.
pub(super) fn queue() -> (InputSender, InputReceiver) {
    let (sender, receiver) = mpsc::channel();
    let waiting = Arc::new(AtomicUsize::new(0));
    (InputSender { sender, waiting: Arc::downgrade(&waiting) }, InputReceiver { receiver, waiting })
}

/// The reader's end.
#[derive(Clone, Debug)]
pub(super) struct InputSender {
    sender: Sender<Input>,
    waiting: Weak<AtomicUsize>,
}

/// The session's end.
#[derive(Debug)]
pub(super) struct InputReceiver {
    receiver: Receiver<Input>,
    /// Memory of the waiting inputs.
    waiting: Arc<AtomicUsize>,
}

/// The session has ended.
#[derive(Debug)]
pub(super) struct SessionEnded;

impl InputSender {
    /// Waits until there is room for this input, then sends it.
    pub(super) fn send(&self, input: Input) -> Result<(), SessionEnded> {
        while self.waiting()?.load(Ordering::Relaxed) > MAX_WAITING {
            thread::sleep(POLL_INTERVAL);
        }
        self.send_now(input)
    }

    /// Sends an input without waiting for room.
    pub(super) fn send_now(&self, input: Input) -> Result<(), SessionEnded> {
        self.waiting()?.fetch_add(size(&input), Ordering::Relaxed);
        self.sender.send(input).map_err(|_| SessionEnded)
    }

    fn waiting(&self) -> Result<Arc<AtomicUsize>, SessionEnded> {
        self.waiting.upgrade().ok_or(SessionEnded)
    }
}

impl InputReceiver {
    /// The next input, or an error if none arrives in time or no sender is left.
    pub(super) fn recv_timeout(&self, timeout: Duration) -> Result<Input, RecvTimeoutError> {
        let input = self.receiver.recv_timeout(timeout)?;
        self.waiting.fetch_sub(size(&input), Ordering::Relaxed);
        Ok(input)
    }
}

/// Memory of a waiting input.
fn size(input: &Input) -> usize {
    OVERHEAD + input.as_ref().map_or(0, |(_, line)| line.capacity())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(length: usize) -> Input {
        Some((Instant::now(), vec![b'x'; length]))
    }

    #[test]
    fn sender_waits_for_room() {
        let (sender, receiver) = queue();
        let first = [line(MAX_WAITING), line(1), line(2)];
        let reader = thread::spawn(move || first.into_iter().try_for_each(|input| sender.send(input)));
        for length in [MAX_WAITING, 1, 2] {
            thread::sleep(2 * POLL_INTERVAL);
            let waiting = receiver.waiting.load(Ordering::Relaxed);
            assert!(waiting < MAX_WAITING || waiting == MAX_WAITING + OVERHEAD, "{waiting} bytes");
            let Ok(Some((_, line))) = receiver.recv_timeout(Duration::from_secs(9)) else { panic!("a line") };
            assert_eq!(line.len(), length);
        }
        assert!(reader.join().unwrap().is_ok());
    }

    #[test]
    fn sender_learns_of_the_end() {
        let (sender, receiver) = queue();
        let reader = thread::spawn(move || (0..3).try_for_each(|_| sender.send(line(MAX_WAITING))));
        thread::sleep(2 * POLL_INTERVAL);
        drop(receiver);
        assert!(reader.join().unwrap().is_err());
    }
}

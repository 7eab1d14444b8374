//! WebAssembly interface, called by `sabi.js`.
//!
//! Input is text in one buffer: [`buffer`] allocates it, and [`receive`] (a USI line) or [`ask`] (a
//! question about rules and records) reads it. Output is text by one imported function, line by
//! line. Without threads, [`poll`] runs searches; the script suspends it at each `sched_yield` and
//! `poll_oneoff` of WASI, and other functions may be called meanwhile.

mod questions;
mod reports;

use sabi::engine::JobRunner;
use sabi::usi::Embedded;
use std::cell::RefCell;
use std::io::{self, Write};

/// Kind of text given to [`emit`]: USI lines, and answers to questions.
#[derive(Copy, Clone)]
enum Channel {
    Usi = 0,
    Answer = 1,
}

#[link(wasm_import_module = "sabi")]
unsafe extern "C" {
    /// Passes a text, which is copied before this returns.
    #[link_name = "emit"]
    fn import_say(channel: u32, text: *const u8, length: usize);
}

fn emit(channel: Channel, text: &[u8]) {
    // SAFETY: the text outlives the call.
    unsafe { import_say(channel as u32, text.as_ptr(), text.len()) }
}

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SESSION: RefCell<Option<Embedded>> = const { RefCell::new(None) };
    static RUNNER: RefCell<Option<JobRunner>> = const { RefCell::new(None) };
}

/// Writer of the engine: passes complete lines.
struct Lines;

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        emit(Channel::Usi, bytes.strip_suffix(b"\n").unwrap_or(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(target_family = "wasm")]
unsafe extern "C" {
    /// Static constructors, which the linker would otherwise run in every exported function.
    fn __wasm_call_ctors();
    /// Initialises the C library's threads.
    #[cfg(feature = "threads")]
    fn __wasi_init_tp();
}

/// Starts the engine. Called once, and first.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    #[cfg(target_family = "wasm")]
    // SAFETY: called once, before anything that depends on it.
    unsafe {
        #[cfg(feature = "threads")]
        __wasi_init_tp();
        __wasm_call_ctors();
    }
    let (session, runner) = Embedded::new(Lines);
    SESSION.set(Some(session));
    RUNNER.set(runner);
}

/// Allocates `length` bytes for text; previous contents are lost.
#[unsafe(no_mangle)]
pub extern "C" fn buffer(length: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(length, 0);
        buffer.as_mut_ptr()
    })
}

/// Executes the USI line in the buffer; returns whether the session continues.
#[unsafe(no_mangle)]
pub extern "C" fn receive() -> bool {
    let line = BUFFER.take();
    SESSION.with_borrow_mut(|session| session.as_mut().is_some_and(|session| session.receive(&line).is_continue()))
}

/// Searches until idle.
#[unsafe(no_mangle)]
pub extern "C" fn poll() {
    RUNNER.with_borrow_mut(|runner| runner.iter_mut().for_each(JobRunner::catch_up));
}

/// Answers the question in the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn ask() {
    emit(Channel::Answer, questions::answer(&BUFFER.take()).to_string().as_bytes());
}

/// Leaked memory for the frames of a suspended [`poll`].
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    vec![0; length].leak().as_mut_ptr()
}

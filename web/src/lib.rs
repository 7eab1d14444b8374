//! The engine as a module for JavaScript: what `sabi.js` calls.
//!
//! Text goes in through one buffer: [`buffer`] makes room, and [`hear`] (a line of USI) or [`ask`] (a question about rules and records)
//! takes what was written there. Text comes out through one imported function, line by line. Where there are no threads, [`poll`] is
//! what thinks; the script suspends it at each `sched_yield` and `poll_oneoff` of WASI, and everything else may be called meanwhile.

mod questions;

use sabi::engine::Worker;
use sabi::usi::Embedded;
use std::cell::RefCell;
use std::io::{self, Write};

/// What [`say`] is given: lines of USI, and answers to questions.
#[derive(Copy, Clone)]
enum Channel {
    Usi = 0,
    Answer = 1,
}

#[link(wasm_import_module = "sabi")]
unsafe extern "C" {
    /// Hands over a text; it is copied before this returns.
    #[link_name = "say"]
    fn import_say(channel: u32, text: *const u8, length: usize);
}

fn say(channel: Channel, text: &[u8]) {
    // SAFETY: the text is there as long as the script reads it.
    unsafe { import_say(channel as u32, text.as_ptr(), text.len()) }
}

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SESSION: RefCell<Option<Embedded>> = const { RefCell::new(None) };
    static WORKER: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

/// Where the engine writes: each line comes as a whole.
struct Lines;

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        say(Channel::Usi, bytes.strip_suffix(b"\n").unwrap_or(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(target_family = "wasm")]
unsafe extern "C" {
    /// What the linker would otherwise call around every function, as if each were a program.
    fn __wasm_call_ctors();
    /// Prepares the C library for threads.
    #[cfg(feature = "threads")]
    fn __wasi_init_tp();
}

/// Starts the engine. Called once, and first.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    #[cfg(target_family = "wasm")]
    // SAFETY: nothing has run yet that needs what this prepares.
    unsafe {
        #[cfg(feature = "threads")]
        __wasi_init_tp();
        __wasm_call_ctors();
    }
    let (session, worker) = Embedded::new(Lines);
    SESSION.set(Some(session));
    WORKER.set(worker);
}

/// Room for `length` bytes of text. What was there is gone.
#[unsafe(no_mangle)]
pub extern "C" fn buffer(length: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(length, 0);
        buffer.as_mut_ptr()
    })
}

/// Obeys the line of USI in the buffer; says whether the session goes on.
#[unsafe(no_mangle)]
pub extern "C" fn hear() -> bool {
    let line = BUFFER.take();
    SESSION.with_borrow_mut(|session| session.as_mut().is_some_and(|session| session.hear(&line).is_continue()))
}

/// Thinks until there is nothing left to think about.
#[unsafe(no_mangle)]
pub extern "C" fn poll() {
    WORKER.with_borrow_mut(|worker| worker.iter_mut().for_each(Worker::catch_up));
}

/// Answers the question in the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn ask() {
    say(Channel::Answer, questions::answer(&BUFFER.take()).to_string().as_bytes());
}

/// Memory that is never given back, for the frames of a suspended [`poll`].
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    vec![0; length].leak().as_mut_ptr()
}

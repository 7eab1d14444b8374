//! The native half of the Python package `sabi`: boards, records, training data, evaluations and
//! the engine. The other half, in Python, is beside it in `sabi/`.
//!
//! No input panics: arguments are checked here, and long work runs on a thread of its own, whose
//! panic becomes a `RuntimeError`. Long work releases the interpreter's lock and ends on Ctrl-C.

mod board;
mod data;
mod draw;
mod engine;
mod evaluation;
mod moves;
mod records;

use numpy::{PyArray1, PyArrayMethods};
use pyo3::create_exception;
use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sabi::machine::DEEP_STACK;
use sabi::search::Signals;
use std::any::Any;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

create_exception!(sabi, RecordError, PyValueError, "A game that cannot be read: `file` and `line` say where.");

fn value_error(reason: impl ToString) -> PyErr {
    PyValueError::new_err(reason.to_string())
}

/// An integer argument. One beyond 64 bits is the nearest that fits, so that checks of ranges refuse it.
#[derive(Copy, Clone)]
struct Int(i64);

impl<'a, 'py> FromPyObject<'a, 'py> for Int {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match given.extract() {
            Ok(number) => Ok(Self(number)),
            Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => {
                Ok(Self(if given.lt(0)? { i64::MIN } else { i64::MAX }))
            }
            Err(error) => Err(error),
        }
    }
}

/// The 32 bytes of `bytes`, or of an array of any type.
fn bytes_of(given: &Bound<'_, PyAny>) -> PyResult<[u8; 32]> {
    let wrong = |length: usize| value_error(format!("a packed position has 32 bytes, not {length}"));
    if let Ok(bytes) = given.cast::<PyBytes>() {
        return bytes.as_bytes().try_into().map_err(|_| wrong(bytes.as_bytes().len()));
    }
    if let Ok(array) = given.cast::<PyArray1<u8>>() {
        let array = array.try_readonly().map_err(value_error)?;
        if let Ok(bytes) = array.as_slice() {
            return bytes.try_into().map_err(|_| wrong(bytes.len()));
        }
    }
    let bytes = given.call_method0("tobytes").map_err(|_| PyTypeError::new_err("expected bytes or an array"))?;
    let bytes = bytes.cast::<PyBytes>()?;
    bytes.as_bytes().try_into().map_err(|_| wrong(bytes.as_bytes().len()))
}

/// Writes 32 bytes into an array of any type.
fn write_bytes(out: &Bound<'_, PyAny>, packed: &[u8; 32]) -> PyResult<()> {
    if let Ok(array) = out.cast::<PyArray1<u8>>() {
        let mut array = array.try_readwrite().map_err(value_error)?;
        let length = array.len()?;
        let to = array.as_slice_mut().map_err(value_error)?;
        let to: &mut [u8; 32] =
            to.try_into().map_err(|_| value_error(format!("a packed position has 32 bytes, not {length}")))?;
        *to = *packed;
        return Ok(());
    }
    let view = out.call_method1("view", ("uint8",)).map_err(|_| PyTypeError::new_err("expected an array"))?;
    if view.cast::<PyArray1<u8>>().is_err() {
        return Err(PyTypeError::new_err("expected an array of 32 uint8"));
    }
    write_bytes(&view, packed)
}

/// Interval at which the interpreter is asked for signals.
const SIGNALS: Duration = Duration::from_millis(50);

/// Runs long work on a thread with a deep stack, without the interpreter's lock. On Ctrl-C it is told
/// to stop, and the `KeyboardInterrupt` is raised when it has.
fn interruptible<R: Send>(py: Python<'_>, work: impl FnOnce(&Signals) -> R + Send) -> PyResult<R> {
    let signals = Signals::default();
    py.detach(|| {
        thread::scope(|scope| {
            let (done, waiting) = mpsc::channel::<()>();
            let signals = &signals;
            let worker = thread::Builder::new().stack_size(DEEP_STACK).spawn_scoped(scope, move || {
                // Dropped at the end, also by a panic.
                let _done = done;
                work(signals)
            })?;
            let mut interrupt = None;
            while waiting.recv_timeout(SIGNALS) == Err(RecvTimeoutError::Timeout) {
                if interrupt.is_none()
                    && let Err(raised) = Python::attach(|py| py.check_signals())
                {
                    interrupt = Some(raised);
                    signals.stop();
                }
            }
            let result = worker.join().map_err(|cause| internal_error(cause.as_ref()));
            interrupt.map_or(result, Err)
        })
    })
}

/// The exception of a panic.
fn internal_error(cause: &(dyn Any + Send)) -> PyErr {
    PyRuntimeError::new_err(sabi::engine::InfoMessage::crashed(cause).to_string())
}

/// The native half of the package `sabi`.
#[pymodule]
mod _sabi {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::RecordError;
    #[pymodule_export]
    use super::board::Board;
    #[pymodule_export]
    use super::data::{convert, features, pack_boards, planes, unpack_boards, unpack_hands, validate};
    #[pymodule_export]
    use super::engine::{Book, Core, analyze, classify, option_rows, solve_mate};
    #[pymodule_export]
    use super::evaluation::Evaluation;
    #[pymodule_export]
    use super::moves::{Move, Moves, Piece};
    #[pymodule_export]
    use super::records::{_restore_game, Game, Games, read_bytes_py, read_file_py, read_text, read_tree, write_games};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

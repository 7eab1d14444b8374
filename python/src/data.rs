//! Batches of positions: packing, unpacking, conversion and features, on all cores.

use crate::board::Board;
use crate::records::packed_format;
use crate::{interruptible, value_error};
use numpy::{PyArray1, PyArray3, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyList;
use sabi::eval::nnue::Features;
use sabi::search::Signals;
use sabi_records::{PackedFormat, Positions};
use sabi_shogi::{Color, HandKind, HuffmanCodedPos, PackedSfen, Position, Square};
use std::io::Cursor;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, available_parallelism};

/// Positions of a batch: 32 bytes of each record of an array, or boards.
pub(crate) enum Batch<'a> {
    /// `bytes`, length of a record, and whether the encoding is that of `hcp`, not of PSV.
    Packed {
        bytes: &'a [u8],
        record: usize,
        is_hcp: bool,
    },
    Boards(Vec<&'a Position>),
}

impl Batch<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Packed { bytes, record, .. } => bytes.len() / record,
            Self::Boards(boards) => boards.len(),
        }
    }

    /// Calls `each` with the position of a record; the error has its number.
    #[inline]
    fn with<R>(&self, at: usize, each: impl FnOnce(&Position) -> R) -> Result<R, String> {
        match self {
            Self::Boards(boards) => Ok(each(boards[at])),
            Self::Packed { bytes, record, is_hcp } => {
                let mut packed = [0; 32];
                packed.copy_from_slice(&bytes[at * record..][..32]);
                let position =
                    if *is_hcp { HuffmanCodedPos(packed).position(1) } else { PackedSfen(packed).position(1) };
                position.map(|position| each(&position)).map_err(|error| format!("position {at}: {error}"))
            }
        }
    }

    /// Fills `out`, `width` elements for each position, on all cores. `state` is that of a thread. Stops
    /// at the first position that is none.
    pub(crate) fn fill<T: Send, S>(
        &self,
        out: &mut [T],
        width: usize,
        stop: &Signals,
        state: impl Fn() -> S + Sync,
        each: impl Fn(&mut S, &Position, &mut [T]) + Sync,
    ) -> Result<(), String> {
        /// Positions taken by a thread at a time.
        const CHUNK: usize = 1 << 10;
        let threads = available_parallelism().map_or(1, usize::from).min(self.len().div_ceil(CHUNK)).max(1);
        let chunks = Mutex::new(out.chunks_mut(CHUNK * width).enumerate());
        let failed = Mutex::new(None);
        let work = || {
            let mut state = state();
            loop {
                let next = chunks.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((chunk, out)) = next else { return };
                for (at, out) in (chunk * CHUNK..).zip(out.chunks_mut(width)) {
                    if let Err(error) = self.with(at, |position| each(&mut state, position, out)) {
                        // The first of the batch, whichever thread finds its own first.
                        let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                        if failed.as_ref().is_none_or(|(first, _)| at < *first) {
                            *failed = Some((at, error));
                        }
                        return;
                    }
                }
                if stop.is_stopped() || failed.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
                    return;
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.map_or(Ok(()), |(_, error)| Err(error))
    }
}

/// The name of a packed encoding, `hcp` or `psfen`.
fn is_hcp(encoding: &str) -> PyResult<bool> {
    match encoding {
        "hcp" => Ok(true),
        "psfen" => Ok(false),
        _ => Err(value_error(format!("{encoding:?} is no packed encoding: they are hcp, psfen"))),
    }
}

/// Calls `work` with the positions of a list of boards, or of an array of records.
pub(crate) fn with_batch<'py, R: Send>(
    py: Python<'py>,
    given: &Bound<'py, PyAny>,
    encoding: &str,
    record: usize,
    work: impl FnOnce(&Batch<'_>, &Signals) -> Result<R, String> + Send,
) -> PyResult<R> {
    if let Ok(boards) = given.cast::<PyList>() {
        // Borrowed meanwhile: a board that another thread plays on is an error there.
        let borrow = |board: Bound<'py, PyAny>| Ok(board.cast_into::<Board>()?.try_borrow()?);
        let boards = boards.iter().map(borrow).collect::<PyResult<Vec<_>>>()?;
        let batch = Batch::Boards(boards.iter().map(|board| &board.position).collect());
        return interruptible(py, |stop| work(&batch, stop))?.map_err(value_error);
    }
    let is_hcp = is_hcp(encoding)?;
    let bytes: PyReadonlyArray1<'_, u8> = given.extract()?;
    let bytes = bytes.as_slice().map_err(value_error)?;
    if record < 32 || !bytes.len().is_multiple_of(record) {
        return Err(value_error(format!("{} bytes are not records of {record} bytes", bytes.len())));
    }
    let batch = Batch::Packed { bytes, record, is_hcp };
    interruptible(py, |stop| work(&batch, stop))?.map_err(value_error)
}

/// Packs boards: `uint8 [boards × 32]`.
#[pyfunction]
pub(crate) fn pack_boards<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyList>,
    encoding: &str,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let is_hcp = is_hcp(encoding)?;
    let packed = with_batch(py, boards.as_any(), encoding, 32, |batch, stop| {
        let mut packed: Vec<Option<[u8; 32]>> = vec![None; batch.len()];
        batch.fill(&mut packed, 1, stop, || (), |(), position, out| out[0] = pack(position, is_hcp))?;
        let fits = |(at, packed): (usize, Option<_>)| {
            packed.ok_or_else(|| format!("position {at}: a king is missing, and it does not fit into 32 bytes"))
        };
        packed.into_iter().enumerate().map(fits).collect::<Result<Vec<_>, _>>()
    })?;
    Ok(PyArray1::from_vec(py, packed.into_flattened()))
}

/// 32 bytes in one of the encodings; `None` where a king is missing and the position does not fit.
fn pack(position: &Position, is_hcp: bool) -> Option<[u8; 32]> {
    if is_hcp {
        HuffmanCodedPos::of(position).map(|packed| packed.0)
    } else {
        PackedSfen::of(position).map(|packed| packed.0)
    }
}

/// The boards of packed positions.
#[pyfunction]
pub(crate) fn unpack_boards<'py>(
    py: Python<'py>,
    bytes: &Bound<'py, PyAny>,
    encoding: &str,
    record: usize,
) -> PyResult<Bound<'py, PyList>> {
    let positions = with_batch(py, bytes, encoding, record, |batch, stop| {
        let mut positions: Vec<Option<Position>> = (0..batch.len()).map(|_| None).collect();
        batch.fill(&mut positions, 1, stop, || (), |(), position, out| out[0] = Some(position.clone()))?;
        Ok(positions)
    })?;
    PyList::new(py, positions.into_iter().flatten().map(|position| Board { position }))
}

/// Converts packed positions to the other encoding: `uint8 [positions × 32]`.
#[pyfunction]
pub(crate) fn convert<'py>(
    py: Python<'py>,
    bytes: &Bound<'py, PyAny>,
    encoding: &str,
    record: usize,
    to: &str,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let to_hcp = is_hcp(to)?;
    let (packed, _) = rows(py, bytes, encoding, record, (32, 0), |position, out| {
        // What was packed fits.
        out.copy_from_slice(&pack(position, to_hcp).unwrap_or_default());
    })?;
    Ok(PyArray1::from_vec(py, packed))
}

/// An array of `width` elements for each position, `empty` where `each` leaves them, and the number of
/// positions.
fn rows<'py, T: Copy + Send + Sync>(
    py: Python<'py>,
    given: &Bound<'py, PyAny>,
    encoding: &str,
    record: usize,
    (width, empty): (usize, T),
    each: impl Fn(&Position, &mut [T]) + Send + Sync,
) -> PyResult<(Vec<T>, usize)> {
    with_batch(py, given, encoding, record, |batch, stop| {
        let mut rows = vec![empty; batch.len() * width];
        batch.fill(&mut rows, width, stop, || (), |(), position, out| each(position, out))?;
        Ok((rows, batch.len()))
    })
}

/// The active features of both perspectives, side to move first: `int32 [positions, 2, active]`.
#[pyfunction]
pub(crate) fn features<'py>(
    py: Python<'py>,
    given: &Bound<'py, PyAny>,
    encoding: &str,
    record: usize,
    name: &str,
) -> PyResult<(Bound<'py, PyArray3<i32>>, usize)> {
    let wanted = name.to_ascii_lowercase().replace(['-', '_'], "");
    let plain = |set: Features| set.short_name().to_ascii_lowercase().replace(['-', '_'], "");
    let set = Features::ALL.into_iter().find(|&set| plain(set) == wanted).ok_or_else(|| {
        let all = Features::ALL.map(Features::short_name).join(", ");
        value_error(format!("{name:?} is no set of features: they are {all}"))
    })?;
    let (active, inputs) = (active(set), set.inputs());
    // A missing king leaves places free: they hold the number of inputs.
    let empty = (2 * active, inputs as i32);
    let (indices, count) = rows(py, given, encoding, record, empty, |position, out| {
        let us = position.side_to_move();
        for (color, out) in [us, !us].into_iter().zip(out.chunks_exact_mut(active)) {
            let mut free = out.iter_mut();
            set.for_each_active(position, color, |input| {
                for index in in_file(set, input).into_iter().flatten() {
                    if let Some(to) = free.next() {
                        *to = index as i32;
                    }
                }
            });
        }
    })?;
    Ok((PyArray1::from_vec(py, indices).reshape([count, 2, active])?, inputs))
}

/// Number of active features of a perspective with both kings.
fn active(set: Features) -> usize {
    let kings = match set {
        // A king has two.
        Features::Ka2 => 4,
        set => 2 * usize::from(set.have_kings()),
    };
    38 + kings
}

/// Indices in the order of files, which differs from that in memory for two sets.
fn in_file(set: Features, input: usize) -> [Option<usize>; 2] {
    const PIECES: usize = 1548;
    match set {
        Features::HalfKpe9 => {
            let classes = set.bucket_inputs() / PIECES;
            let (block, piece) = (input / PIECES, input % PIECES);
            let (bucket, class) = (block / classes, block % classes);
            [Some((class * set.king_buckets() + bucket) * PIECES + piece), None]
        }
        Features::Ka2 if input >= PIECES => {
            let king = input - PIECES;
            [Some(PIECES + Square::COUNT + king), Some(PIECES + king % Square::COUNT)]
        }
        _ => [Some(input), None],
    }
}

/// Pieces as planes, `uint8 [positions, 28, 81]`, with the side to move first and on the near side if
/// `relative`.
#[pyfunction]
pub(crate) fn planes<'py>(
    py: Python<'py>,
    given: &Bound<'py, PyAny>,
    encoding: &str,
    record: usize,
    relative: bool,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    const SIZE: usize = 28 * Square::COUNT;
    let (planes, count) = rows(py, given, encoding, record, (SIZE, 0), |position, out| {
        let turned = relative && position.side_to_move() == Color::White;
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                let (piece, square) = if turned { (piece.flipped(), square.rotated()) } else { (piece, square) };
                out[piece.index() * Square::COUNT + square.index()] = 1;
            }
        }
    })?;
    PyArray1::from_vec(py, planes).reshape([count, 28, Square::COUNT])
}

/// Numbers of pieces in hand, `uint8 [positions, 2, 7]`, with the side to move first if `relative`.
#[pyfunction]
pub(crate) fn unpack_hands<'py>(
    py: Python<'py>,
    given: &Bound<'py, PyAny>,
    encoding: &str,
    record: usize,
    relative: bool,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let (hands, count) = rows(py, given, encoding, record, (2 * HandKind::COUNT, 0), |position, out| {
        let first = if relative { position.side_to_move() } else { Color::Black };
        for (color, out) in [first, !first].into_iter().zip(out.chunks_exact_mut(HandKind::COUNT)) {
            for (kind, out) in HandKind::ASCENDING.into_iter().zip(out) {
                *out = position.hand(color).count(kind);
            }
        }
    })?;
    PyArray1::from_vec(py, hands).reshape([count, 2, HandKind::COUNT])
}

/// The first faults of packed records, by number: positions, illegal moves, results.
#[pyfunction]
pub(crate) fn validate(
    py: Python<'_>,
    bytes: PyReadonlyArray1<'_, u8>,
    format: &str,
    most: usize,
) -> PyResult<Vec<(usize, String)>> {
    let format: PackedFormat = packed_format(format)?;
    let bytes = bytes.as_slice().map_err(value_error)?.to_vec();
    interruptible(py, move |stop| {
        let positions = Positions::new("", format, Cursor::new(bytes));
        let going = positions.enumerate().take_while(|_| !stop.is_stopped());
        let faults = going.filter_map(|(at, read)| Some((at, read.err()?.fault.to_string())));
        faults.take(most).collect()
    })
}

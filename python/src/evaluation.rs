//! Evaluations: networks and weights, of single positions and batches.

use crate::board::Board;
use crate::data::with_batch;
use crate::{Int, value_error};
use numpy::PyArray1;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sabi::engine::UnusableEvaluation;
use sabi::eval::nnue::NetworkError;
use sabi::eval::{EvalType, Evaluation as Static, EvaluationError, Evaluator, WeightsError};
use sabi_shogi::{Color, HandKind, Square};
use std::io;
use std::path::PathBuf;

/// A static evaluation, immutable: a network, or hand-crafted with weights.
///
/// `Evaluation()` is the network of the package, `Evaluation(path)` that of a file: any network of
/// the YaneuraOu family (`nn.bin`), or weights (JSON). The output of a network is divided by
/// `scale`, 1 to 128, by default a measured one that makes scores of networks comparable.
///
/// Raises `OSError` if the file cannot be read, `ValueError` if it is neither.
#[pyclass(frozen, module = "sabi")]
pub(crate) struct Evaluation(pub Static);

/// The exception of an evaluation that cannot be read.
pub(crate) fn evaluation_error(name: &str, error: EvaluationError) -> PyErr {
    let text = format!("{name}: {error}");
    match error {
        EvaluationError::Io(cause)
        | EvaluationError::Network(NetworkError::Io(cause))
        | EvaluationError::Weights(WeightsError::Io(cause)) => io::Error::new(cause.kind(), text).into(),
        EvaluationError::Network(NetworkError::Memory(_)) => PyMemoryError::new_err(text),
        _ => value_error(text),
    }
}

/// The exception of the evaluation of an engine.
pub(crate) fn unusable(UnusableEvaluation { name, reason }: UnusableEvaluation) -> PyErr {
    evaluation_error(&name.display().to_string(), reason)
}

#[pymethods]
impl Evaluation {
    #[new]
    #[pyo3(signature = (path = None, *, scale = None))]
    fn new(py: Python<'_>, path: Option<PathBuf>, scale: Option<Int>) -> PyResult<Self> {
        let valid = |Int(scale): Int| i32::try_from(scale).ok().filter(|scale| (1..=128).contains(scale));
        let scale =
            scale.map(|scale| valid(scale).ok_or_else(|| value_error("the scale is from 1 to 128"))).transpose()?;
        let Some(path) = path else {
            let network = Static::embedded(EvalType::Network);
            return match (network, scale) {
                (network, None) => Ok(Self(network)),
                _ => Err(value_error("the network of the package has its scale: give a scale with a file only")),
            };
        };
        let read = py.detach(|| Static::read(&path, scale));
        read.map(Self).map_err(|error| evaluation_error(&path.display().to_string(), error))
    }

    /// The hand-crafted evaluation of the package.
    #[staticmethod]
    fn handcrafted() -> Self {
        Self(Static::embedded(EvalType::HandCrafted))
    }

    /// What it is: the shape of the network, or `hand-crafted`.
    #[getter]
    fn name(&self) -> String {
        match &self.0 {
            Static::Network(network) => network.shape.short_name(),
            Static::HandCrafted(_) => "hand-crafted".to_owned(),
        }
    }

    /// The divisor of the network's output; `None` for the hand-crafted evaluation.
    #[getter]
    fn scale(&self) -> Option<i32> {
        match &self.0 {
            Static::Network(network) => Some(network.scale),
            Static::HandCrafted(_) => None,
        }
    }

    /// A checksum of the evals of a fixed sample of positions: it tells evaluations apart.
    fn fingerprint(&self, py: Python<'_>) -> u32 {
        py.detach(|| self.0.fingerprint())
    }

    /// Static eval in centipawns for the side to move.
    fn evaluate(&self, board: &Bound<'_, Board>) -> PyResult<i32> {
        Ok(self.0.evaluate(&board.try_borrow()?.position))
    }

    /// Static evals of a list of boards or of packed records: `int32 [positions]`.
    fn evaluate_packed<'py>(
        &self,
        py: Python<'py>,
        given: &Bound<'py, PyAny>,
        encoding: &str,
        record: usize,
    ) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let evals = with_batch(py, given, encoding, record, |batch, stop| {
            let mut evals = vec![0; batch.len()];
            let evaluator = || Evaluator::new(&self.0);
            batch.fill(&mut evals, 1, stop, evaluator, |evaluator, position, out| {
                evaluator.reset(position);
                out[0] = evaluator.evaluate(position);
            })?;
            Ok(evals)
        })?;
        Ok(PyArray1::from_vec(py, evals))
    }

    /// The terms of a position's evaluation as text.
    fn explain(&self, board: &Bound<'_, Board>) -> PyResult<String> {
        Ok(self.0.explain(&board.try_borrow()?.position))
    }

    /// What each piece is worth to its side in centipawns: the eval with it less the eval without it.
    ///
    /// Two dicts: by square, without kings, and by side and type for one piece in hand.
    fn contributions<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'py, Board>,
    ) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
        let board = board.try_borrow()?;
        let position = &board.position;
        let eval = self.0.evaluate(position);
        let worth = |rest: &sabi_shogi::Position, color: Color| {
            position.side_to_move().sign() * color.sign() * (eval - self.0.evaluate(rest))
        };
        let (on_board, in_hand) = (PyDict::new(py), PyDict::new(py));
        for square in Square::all() {
            if let (Some(piece), Some(rest)) = (position.piece_at(square), position.without(square)) {
                on_board.set_item(square.index(), worth(&rest, piece.color()))?;
            }
        }
        for color in Color::ALL {
            for kind in HandKind::ALL {
                if let Some(rest) = position.without_in_hand(color, kind) {
                    in_hand.set_item((color.index(), kind.index() + 1), worth(&rest, color))?;
                }
            }
        }
        Ok((on_board, in_hand))
    }

    fn __repr__(&self) -> String {
        format!("<Evaluation {}>", self.name())
    }
}

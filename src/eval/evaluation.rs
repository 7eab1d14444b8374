//! The evaluation in use, and its incremental state in one thread.

use super::handcrafted::{self, Trace, Weights, WeightsError};
use super::nnue::{self, Network, NetworkError, Parameters};
use sabi_files::{crc32, open_regular, without_bom};
use sabi_shogi::{Color, HandKind, Observer, Piece, Position, Square};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// An immutable evaluation, shared by all threads. Equal if all weights are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// Hand-crafted, with these weights.
    HandCrafted(Arc<Weights>),
    /// A network.
    Network(Arc<Network>),
}

/// One of the two embedded evaluations.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum EvalType {
    /// The network `nets/zones.bin`, in browsers `nets/kp.bin`.
    #[default]
    Network,
    /// Hand-crafted, with the weights `nets/weights.json`.
    HandCrafted,
}

impl Evaluation {
    /// An embedded evaluation. If there is no memory for the network, the hand-crafted one.
    pub fn embedded(which: EvalType) -> Self {
        let network = (which == EvalType::Network).then(Network::embedded).flatten();
        network.map_or_else(
            || Self::HandCrafted(Arc::clone(Weights::embedded())),
            |network| Self::Network(Arc::clone(network)),
        )
    }

    /// Static eval in centipawns for the side to move, without an accumulator.
    pub fn evaluate(&self, position: &Position) -> i32 {
        match self {
            Self::HandCrafted(weights) => handcrafted::evaluate(position, weights),
            Self::Network(network) => network.evaluate(position),
        }
    }

    /// Reads a file of either kind, recognised by content. The network output is divided by
    /// `scale`, by default the measured scale.
    ///
    /// # Errors
    /// When it cannot be read or is neither kind.
    pub fn read(path: &Path, scale: Option<i32>) -> Result<Self, EvaluationError> {
        let mut head = Vec::new();
        open_regular(path)?.take(HEAD).read_to_end(&mut head)?;
        if Parameters::detect(&head) {
            let network = Network::read(path)?;
            let scale = scale.unwrap_or_else(|| network.measured_scale());
            return Ok(network.with_scale(scale).into());
        }
        match without_bom(&head).trim_ascii_start().first() {
            Some(b'{' | b'[') => Ok(Weights::read(path)?.into()),
            _ => Err(EvaluationError::Neither),
        }
    }

    /// CRC-32 of the static evals of a fixed sample of positions: tells evaluations apart, also
    /// those with the same file name.
    pub fn fingerprint(&self) -> u32 {
        crc32(&nnue::sample().flat_map(|position| self.evaluate(&position).to_le_bytes()).collect::<Vec<u8>>())
    }

    /// The terms of a position's evaluation as text.
    pub fn explain(&self, position: &Position) -> String {
        match self {
            Self::HandCrafted(weights) => Trace::new(position, weights).to_string(),
            Self::Network(network) => network.explain(position),
        }
    }
}

/// Bytes needed to detect the format of a file, after leading blanks.
const HEAD: u64 = 256;

/// Why an evaluation cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("neither a network (nn.bin) nor weights (JSON)")]
    Neither,
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error(transparent)]
    Weights(#[from] WeightsError),
}

impl From<Weights> for Evaluation {
    fn from(weights: Weights) -> Self {
        Self::HandCrafted(Arc::new(weights))
    }
}

impl From<Network> for Evaluation {
    fn from(network: Network) -> Self {
        Self::Network(Arc::new(network))
    }
}

/// Incremental evaluation of one thread, updated as an observer of the moves made.
///
/// Call [`push`](Self::push) before a move is made with the evaluator as its observer and
/// [`pop`](Self::pop) when it is unmade.
#[derive(Clone, Debug)]
pub enum Evaluator<'e> {
    /// Hand-crafted.
    HandCrafted(handcrafted::Evaluator<'e>),
    /// A network.
    Network(nnue::AccumulatorStack<'e>),
}

/// Delegates to either. The variant never changes during a search, so the branch is predicted.
macro_rules! either {
    ($evaluator:expr, $inner:ident => $what:expr) => {
        match $evaluator {
            Evaluator::HandCrafted($inner) => $what,
            Evaluator::Network($inner) => $what,
        }
    };
}

impl<'e> Evaluator<'e> {
    /// An evaluator without a position: call [`reset`](Self::reset).
    pub fn new(evaluation: &'e Evaluation) -> Self {
        match evaluation {
            Evaluation::HandCrafted(weights) => Self::HandCrafted(handcrafted::Evaluator::new(weights)),
            Evaluation::Network(network) => Self::Network(nnue::AccumulatorStack::new(network)),
        }
    }

    /// Restarts from `position`.
    pub fn reset(&mut self, position: &Position) {
        either!(self, inner => inner.reset(position));
    }

    /// Saves the state before a move.
    #[inline]
    pub fn push(&mut self) {
        either!(self, inner => inner.push());
    }

    /// Updates the accumulators after a move; otherwise [`evaluate`](Self::evaluate) does it.
    #[inline]
    pub fn update(&mut self, position: &Position) {
        if let Self::Network(accumulators) = self {
            accumulators.update(position);
        }
    }

    /// Restores the state before the last move.
    #[inline]
    pub fn pop(&mut self) {
        either!(self, inner => inner.pop());
    }

    /// Static eval of `position`, the result of the moves observed, in centipawns for the side to
    /// move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        either!(self, inner => inner.evaluate(position))
    }
}

impl Observer for Evaluator<'_> {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        either!(self, inner => inner.put(piece, square));
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        either!(self, inner => inner.remove(piece, square));
    }

    #[inline]
    fn hand(&mut self, color: Color, kind: HandKind, before: u8, after: u8) {
        either!(self, inner => inner.hand(color, kind, before, after));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprint_tells_evaluations_apart() {
        let network = Network::embedded().unwrap();
        let all = [
            Evaluation::embedded(EvalType::HandCrafted),
            Evaluation::embedded(EvalType::Network),
            Network::read(Path::new("nets/zones.bin")).unwrap().with_scale(network.scale + 1).into(),
        ];
        let mut fingerprints = all.map(|evaluation| evaluation.fingerprint());
        assert_eq!(fingerprints[1], Evaluation::Network(Arc::clone(network)).fingerprint());
        fingerprints.sort_unstable();
        assert!(fingerprints.is_sorted_by(|a, b| a < b), "{fingerprints:?}");
    }
}

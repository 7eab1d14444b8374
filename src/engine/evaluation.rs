//! The evaluation as the options want it.

use super::{Note, Options};
use crate::eval::{Weights, WeightsError};
use crate::util::places;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The evaluation that is in use, for all to see: what the engine's thread has set up last.
#[derive(Default)]
pub(super) struct InUse(Mutex<Option<Arc<Weights>>>);

impl InUse {
    /// The weights; those that come with the engine until others are set.
    pub fn weights(&self) -> Arc<Weights> {
        let weights = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        weights.unwrap_or_else(|| Arc::clone(Weights::embedded()))
    }

    fn set(&self, weights: Arc<Weights>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(weights);
    }
}

/// The evaluation of the engine's thread.
pub(super) struct Evaluation {
    in_use: Arc<InUse>,
    /// The file that was tried last; empty for the weights that come with the engine.
    file: String,
}

impl Evaluation {
    /// The weights that come with the engine, to be shown in `in_use` when they are others.
    pub(super) fn new(in_use: Arc<InUse>) -> Self {
        Self { in_use, file: String::new() }
    }

    /// The weights in use.
    pub(super) fn weights(&self) -> Arc<Weights> {
        self.in_use.weights()
    }

    /// Reads the weights that are wanted, if they are not in use, and tells what is wrong with them. With `again` the file is read
    /// anew: it may have been replaced. What cannot be used leaves the evaluation as it is.
    pub(super) fn set_up(&mut self, file: &str, again: bool) -> Option<Note> {
        if file == self.file && (!again || file.is_empty()) {
            return None;
        }
        file.clone_into(&mut self.file);
        match read(file) {
            Ok(weights) => {
                self.in_use.set(weights);
                None
            }
            Err(UnusableWeights { name, reason }) => Some(Note::WeightsUnusable { name, reason: reason.to_string() }),
        }
    }
}

/// A file of weights that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the weights {name} cannot be used: {reason}")]
pub struct UnusableWeights {
    /// Its name.
    pub name: String,
    /// Why.
    pub reason: WeightsError,
}

impl Options {
    /// The weights that these options want the engine to evaluate with.
    ///
    /// # Errors
    /// When they are to come from a file that cannot be used.
    pub fn weights(&self) -> Result<Arc<Weights>, UnusableWeights> {
        read(&self.eval_file)
    }
}

/// Reads the first file of this name there is; of none the weights that come with the engine.
fn read(name: &str) -> Result<Arc<Weights>, UnusableWeights> {
    if name.is_empty() {
        return Ok(Arc::clone(Weights::embedded()));
    }
    let path = places(Path::new(name)).into_iter().find(|path| path.exists());
    let weights = Weights::read(path.as_deref().unwrap_or(Path::new(name)));
    weights.map(Arc::new).map_err(|reason| UnusableWeights { name: name.to_owned(), reason })
}

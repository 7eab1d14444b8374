//! The evaluation as the options want it.

use super::{EvalOptions, Note, Options};
use crate::eval::{EvalType, Evaluation, EvaluationError};
use crate::util::{open_regular, places};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The network of a folder.
const USUAL_NAME: &str = "nn.bin";
/// What other engines of the family are told about a network, in the same folder.
const BESIDE: &str = "eval_options.txt";

/// The evaluation that is in use, for all to see: what the engine's thread has set up last.
#[derive(Default)]
pub(super) struct InUse(Mutex<Option<Evaluation>>);

impl InUse {
    /// The one that comes with the engine until another is set.
    pub fn get(&self) -> Evaluation {
        let evaluation = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        evaluation.unwrap_or_else(|| Evaluation::embedded(EvalType::default()))
    }

    fn set(&self, evaluation: Evaluation) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(evaluation);
    }
}

/// The evaluation of the engine's thread.
pub(super) struct EvaluationSlot {
    in_use: Arc<InUse>,
    /// What was tried last.
    tried: EvalOptions,
}

impl EvaluationSlot {
    /// The evaluation that comes with the engine, to be shown in `in_use` when it is another.
    pub(super) fn new(in_use: Arc<InUse>) -> Self {
        Self { in_use, tried: EvalOptions::default() }
    }

    /// The evaluation in use.
    pub(super) fn in_use(&self) -> Evaluation {
        self.in_use.get()
    }

    /// Reads the evaluation that is wanted, if it is not in use, and tells what is wrong with it. With `again` its file is read
    /// anew: it may have been replaced. What cannot be used leaves the evaluation as it is.
    pub(super) fn set_up(&mut self, wanted: &EvalOptions, again: bool) -> Option<Note> {
        if *wanted == self.tried && (!again || wanted.path().is_none()) {
            return None;
        }
        self.tried = wanted.clone();
        match wanted.evaluation() {
            Ok(evaluation) => {
                self.in_use.set(evaluation);
                None
            }
            Err(UnusableEvaluation { name, reason }) => {
                Some(Note::EvaluationUnusable { name: name.display().to_string(), reason: reason.to_string() })
            }
        }
    }
}

/// An evaluation that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the evaluation {name} cannot be used: {reason}", name = name.display())]
pub struct UnusableEvaluation {
    /// Its file.
    pub name: PathBuf,
    /// Why.
    pub reason: EvaluationError,
}

impl Options {
    /// The evaluation that these options want.
    ///
    /// # Errors
    /// When it is to come from a file that cannot be used.
    pub fn evaluation(&self) -> Result<Evaluation, UnusableEvaluation> {
        self.eval.evaluation()
    }
}

impl EvalOptions {
    /// The file that is named, if one is.
    fn path(&self) -> Option<PathBuf> {
        match (self.folder.as_str(), self.file.as_str()) {
            ("", "") => None,
            ("", file) => Some(file.into()),
            (folder, "") => Some(Path::new(folder).join(USUAL_NAME)),
            (folder, file) => Some(Path::new(folder).join(file)),
        }
    }

    /// Reads the first file of the name there is; of none the evaluation that comes with the engine.
    fn evaluation(&self) -> Result<Evaluation, UnusableEvaluation> {
        let Some(name) = self.path() else { return Ok(Evaluation::embedded(self.which)) };
        let path = places(&name).into_iter().find(|path| path.exists()).unwrap_or_else(|| name.clone());
        let scale = self.scale.or_else(|| scale_beside(&path));
        Evaluation::read(&path, scale).map_err(|reason| UnusableEvaluation { name, reason })
    }
}

/// The file beside a network is a few lines; no more of it is read.
const LONGEST_OPTIONS: u64 = 1 << 16;

/// What the file beside a network says that its output is to be divided by.
fn scale_beside(network: &Path) -> Option<i32> {
    let mut text = String::new();
    open_regular(&network.with_file_name(BESIDE)).ok()?.take(LONGEST_OPTIONS).read_to_string(&mut text).ok()?;
    let scale = text.lines().find_map(|line| {
        let (name, value) = line.split_once('=')?;
        if name.trim().eq_ignore_ascii_case("FV_SCALE") { value.trim().parse().ok() } else { None }
    });
    scale.filter(|scale| (1..=128).contains(scale))
}

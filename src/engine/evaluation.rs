//! The evaluation selected by the options.

use super::{EvalOptions, InfoMessage};
use crate::eval::{EvalType, Evaluation, EvaluationError};
use sabi_files::{open_regular, search_paths};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Default network file of `EvalDir`.
const DEFAULT_NAME: &str = "nn.bin";
/// Options file of other engines, next to the network.
const OPTIONS_FILE: &str = "eval_options.txt";

/// The evaluation last set up by the engine's thread, for readers on any thread, and the last
/// options tried.
#[derive(Default)]
pub(super) struct CurrentEvaluation(Mutex<(Option<Evaluation>, EvalOptions)>);

impl CurrentEvaluation {
    fn lock(&self) -> MutexGuard<'_, (Option<Evaluation>, EvalOptions)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The embedded evaluation until another is set up.
    pub(super) fn get(&self) -> Evaluation {
        let evaluation = self.lock().0.clone();
        evaluation.unwrap_or_else(|| Evaluation::embedded(EvalType::default()))
    }

    /// Loads the selected evaluation if it is not in use; returns an error as a note and keeps the
    /// current one. With `reload` the file is reloaded: it may have been replaced.
    pub(super) fn set_up(&self, wanted: &EvalOptions, reload: bool) -> Option<InfoMessage> {
        let tried = std::mem::replace(&mut self.lock().1, wanted.clone());
        if *wanted == tried && (!reload || wanted.path().is_none()) {
            return None;
        }
        match wanted.evaluation() {
            Ok(evaluation) => {
                self.lock().0 = Some(evaluation);
                None
            }
            Err(error) => Some(InfoMessage::EvaluationError(error.to_string())),
        }
    }
}

/// An evaluation that cannot be loaded.
#[derive(Debug, thiserror::Error)]
#[error("the evaluation {name} cannot be used: {reason}", name = name.display())]
pub struct UnusableEvaluation {
    /// Its file.
    pub name: PathBuf,
    /// Why.
    pub reason: EvaluationError,
}

impl EvalOptions {
    /// The selected file, if any.
    fn path(&self) -> Option<PathBuf> {
        match (self.folder.as_str(), self.file.as_str()) {
            ("", "") => None,
            ("", file) => Some(file.into()),
            (folder, "") => Some(Path::new(folder).join(DEFAULT_NAME)),
            (folder, file) => Some(Path::new(folder).join(file)),
        }
    }

    /// Loads the first existing file of the selected name, or the embedded evaluation if no file is
    /// selected.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn evaluation(&self) -> Result<Evaluation, UnusableEvaluation> {
        let Some(name) = self.path() else { return Ok(Evaluation::embedded(self.which)) };
        let path = search_paths(&name).into_iter().find(|path| path.exists()).unwrap_or_else(|| name.clone());
        let scale = self.scale.or_else(|| scale_from_options_file(&path));
        Evaluation::read(&path, scale).map_err(|reason| UnusableEvaluation { name, reason })
    }
}

/// Maximum size of `eval_options.txt`.
const MAX_OPTIONS_SIZE: u64 = 1 << 16;

/// `FV_SCALE` in the options file next to the network: `FV_SCALE=24`, `FV_SCALE 24`, or a line of
/// the protocol that declares the option.
fn scale_from_options_file(network: &Path) -> Option<i32> {
    let mut bytes = Vec::new();
    open_regular(&network.with_file_name(OPTIONS_FILE)).ok()?.take(MAX_OPTIONS_SIZE).read_to_end(&mut bytes).ok()?;
    // Comments may be in any encoding.
    let text = String::from_utf8_lossy(&bytes);
    let scale = text.trim_start_matches('\u{feff}').lines().find_map(|line| {
        let words: Vec<&str> =
            line.split(|c: char| c == '=' || c.is_whitespace()).filter(|word| !word.is_empty()).collect();
        let (name, value) = match words[..] {
            [name, value] => (name, value),
            ["option", "name", name, "type", "spin", "default", value, ..] => (name, value),
            _ => return None,
        };
        if name.eq_ignore_ascii_case("FV_SCALE") { value.parse().ok() } else { None }
    });
    scale.filter(|scale| (1..=128).contains(scale))
}

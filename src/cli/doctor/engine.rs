//! Checks of network and book.

use super::problem::Problem;
use crate::engine::Options;
use crate::eval::{EvalType, Evaluation};
use sabi_books::formats::{PlyRule, ReadReport};
use sabi_shogi::Position;
use serde::Serialize;
use std::fmt;

/// Result of a check.
#[derive(Serialize)]
pub struct FileCheck {
    /// Source of the file.
    source: String,
    is_valid: bool,
    /// Description, or the error.
    about: String,
}

impl fmt::Display for FileCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}, {}", self.source, if self.is_valid { "valid" } else { "not usable" }, self.about)
    }
}

/// Maximum plausible evaluation of the start position, in centipawns.
const EVEN: i32 = 300;

/// The evaluation, and whether it is plausible. If it cannot be used, returns the embedded one, as
/// the engine does.
pub fn network(options: &Options, problems: &mut Vec<Problem>) -> (FileCheck, Evaluation) {
    let (file, folder) = (&options.eval.file, &options.eval.folder);
    let is_file = !(file.is_empty() && folder.is_empty());
    let source = if is_file { [folder.as_str(), file].join(" ").trim().to_owned() } else { "embedded".to_owned() };
    match options.eval.evaluation() {
        Ok(evaluation) => {
            let value = evaluation.evaluate(&Position::startpos());
            let is_valid = value.abs() <= EVEN;
            if !is_valid {
                problems.push(Problem::new(
                    format!("the evaluation of the start position is {value}"),
                    "use another network, or check FV_SCALE",
                ));
            }
            let kind = match &evaluation {
                Evaluation::HandCrafted(_) => "hand-crafted".to_owned(),
                Evaluation::Network(network) => network.shape().to_string(),
            };
            if !is_file && options.eval.which == EvalType::Network && matches!(evaluation, Evaluation::HandCrafted(_)) {
                problems.push(Problem::new(
                    "out of memory for the network; the hand-crafted evaluation is used",
                    "end other programs",
                ));
            }
            (FileCheck { source, is_valid, about: format!("{kind}, start {value} cp") }, evaluation)
        }
        Err(error) => {
            problems.push(Problem::new(error.to_string(), "correct EvalFile and EvalDir, or leave them empty"));
            let check = FileCheck { source, is_valid: false, about: error.reason.to_string() };
            (check, Evaluation::embedded(options.eval.which))
        }
    }
}

/// The book, and whether it has moves for the start position.
pub fn book(options: &Options, problems: &mut Vec<Problem>) -> FileCheck {
    let book = &options.book;
    let source = match (book.file.as_str(), book.folder.as_str()) {
        ("", _) => "embedded".to_owned(),
        (file, "") => file.to_owned(),
        (file, folder) => format!("{folder} {file}"),
    };
    let lookup = book.open().and_then(|open| {
        let probe = |open: &sabi_books::OpenBook| {
            open.lookup_either_way(&Position::startpos(), PlyRule::Any, &mut ReadReport::default())
        };
        open.as_ref().map(probe).transpose()
    });
    match lookup {
        Ok(None) => FileCheck { source: "none".to_owned(), is_valid: true, about: "switched off".to_owned() },
        Ok(Some(moves)) => {
            let about = format!("moves for the start: {}", moves.len());
            if moves.is_empty() {
                problems.push(Problem::new(
                    format!("the book {source} has no move for the start position"),
                    "it may be meant for other positions; otherwise choose another BookFile",
                ));
            }
            FileCheck { source, is_valid: true, about }
        }
        Err(error) => {
            problems.push(Problem::new(
                format!("the book {source} cannot be used: {error}"),
                "correct BookFile and BookDir, or leave them empty",
            ));
            FileCheck { source, is_valid: false, about: error.to_string() }
        }
    }
}

//! Options of the evaluation.

use super::{OptionKind, OptionRow, spin};
use crate::eval::EvalType;

/// Options of the evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvalOptions {
    /// Embedded evaluation, if no file is given.
    pub which: EvalType,
    /// File name; empty: `nn.bin` in `folder`, or the embedded evaluation if that is empty too.
    pub file: String,
    /// Folder of the file.
    pub folder: String,
    /// Divisor of the network output; `None`: from `eval_options.txt` next to the network, else
    /// measured.
    pub scale: Option<i32>,
}

pub(super) const ROWS: &[OptionRow] = &[
    OptionRow {
        name: "EvalType",
        kind: combo!("network", EvalType { "network" => Network, "hand" => HandCrafted }, |o, value| o.eval.which = value),
        help: "Embedded evaluation, if no file is given: the network, or the weaker hand-crafted one with readable \
               terms (`eval`).",
    },
    OptionRow {
        name: "EvalFile",
        kind: OptionKind::Filename { default: "", set: |o, name| o.eval.file = name.to_owned() },
        help: "Evaluation file: a network (`nn.bin`: HalfKP, HalfKA, K+P, SFNN and others) or weights in JSON, \
               recognised by content. A relative name is looked up in the engine's folder, then in the working \
               folder. Loaded by `isready`, and by `go` after a change; a new evaluation clears tables and histories. \
               On error the current evaluation is kept. Empty: `nn.bin` in `EvalDir`, else the embedded one \
               (`EvalType`).",
    },
    OptionRow {
        name: "EvalDir",
        kind: OptionKind::Text { default: "", set: |o, name| o.eval.folder = name.to_owned() },
        help: "Folder of a relative `EvalFile`; without `EvalFile` its `nn.bin` is used.",
    },
    OptionRow {
        name: "FV_SCALE",
        kind: spin(0, 0..=128, |o, n| o.eval.scale = i32::try_from(n).ok().filter(|&n| n > 0)),
        help: "Divisor of the output of the network `EvalFile`: larger values give smaller scores. 0: the \
               value in `eval_options.txt` next to the network, such as `FV_SCALE=24`, else measured, so that the search margins fit \
               networks with any output size.",
    },
];

//! Weights from and to files.

use anyhow::Context;
use sabi::eval::Weights;
use sabi::util::replace_with_bytes;
use std::path::Path;

/// How the weights set by hand are named where a file could be.
const BY_HAND: &str = "hand";

/// The weights of a file; those set by hand where there is none, or where `hand` stands for it.
pub fn load(path: Option<&Path>) -> anyhow::Result<Weights> {
    match path.filter(|path| *path != Path::new(BY_HAND)) {
        Some(path) => Weights::read(path).with_context(|| format!("cannot read the weights '{}'", path.display())),
        None => Ok(Weights::by_hand()),
    }
}

/// Writes weights as the extension says.
pub fn save(weights: &Weights, origin: &str, path: &Path) -> anyhow::Result<()> {
    let is_source = path.extension().is_some_and(|extension| extension == "rs");
    let text = if is_source { weights.to_rust(origin) } else { weights.to_json(origin) };
    replace_with_bytes(path, text.as_bytes()).with_context(|| format!("cannot write the weights '{}'", path.display()))
}

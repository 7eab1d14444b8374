//! Reading and writing weights.

use anyhow::Context;
use sabi::eval::Weights;
use sabi_files::replace_with_bytes;
use std::path::Path;

/// Name of the untuned weights in place of a file.
const BY_HAND: &str = "hand";

/// Weights of a file; the untuned ones without a file or for `hand`.
pub fn load(path: Option<&Path>) -> anyhow::Result<Weights> {
    match path.filter(|path| *path != Path::new(BY_HAND)) {
        Some(path) => Weights::read(path).with_context(|| format!("cannot read the weights '{}'", path.display())),
        None => Ok(Weights::untuned()),
    }
}

/// Writes weights in the format of the extension.
pub fn save(weights: &Weights, origin: &str, path: &Path) -> anyhow::Result<()> {
    let is_source = path.extension().is_some_and(|extension| extension == "rs");
    let text = if is_source { weights.to_rust(origin) } else { weights.to_json(origin) };
    replace_with_bytes(path, text.as_bytes()).with_context(|| format!("cannot write the weights '{}'", path.display()))
}

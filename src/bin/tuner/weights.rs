//! Weights from and to files.

use sabi::eval::Weights;
use std::path::Path;

pub fn load(path: Option<&Path>) -> anyhow::Result<Weights> {
    let _ = path;
    Ok(Weights::default())
}

pub fn save(weights: &Weights, origin: &str, path: &Path) -> anyhow::Result<()> {
    let _ = (weights, origin, path);
    Ok(())
}

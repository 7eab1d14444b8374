//! Problems found.

use serde::Serialize;

/// A problem and its remedy.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Trouble {
    pub trouble: String,
    pub advice: String,
}

impl Trouble {
    pub fn new(trouble: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { trouble: trouble.into(), advice: advice.into() }
    }
}

//! What is wrong.

use serde::Serialize;

/// Something that is wrong, and what to do.
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

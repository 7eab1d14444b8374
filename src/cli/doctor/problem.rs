//! Problems found.

use serde::Serialize;

/// A problem and its remedy.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub problem: String,
    pub advice: String,
}

impl Problem {
    pub fn new(problem: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { problem: problem.into(), advice: advice.into() }
    }
}

//! Weight files: JSON, one row of a term per line.
//!
//! ```json
//! {
//!   "format": "sabi weights",
//!   "version": 1,
//!   "origin": "how they were made, in free text",
//!   "terms": {
//!     "material": [
//!       [[80, 95], [245, 260]]
//!     ]
//!   }
//! }
//! ```
//!
//! A term has the rows and columns of its [`Block`]; each weight is a pair of
//! centipawns: opening and endgame. Terms may be in any order, but all must be present once, and
//! nothing else.

use super::weights::{BLOCKS, Block, Weight, Weights};
use sabi_files::{JsonError, open_regular, without_bom};
use sabi_shogi::excerpt;
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use std::fmt;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// Embedded file; `nets/README.md` documents its origin.
const EMBEDDED_FILE: &[u8] = include_bytes!("../../../nets/weights.json");

const FORMAT: &str = "sabi weights";
const VERSION: u64 = 1;

/// Maximum file size.
const MAX_SIZE: u64 = 4 << 20;

/// Why weights cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("it is longer than {} MiB", MAX_SIZE >> 20)]
    TooLong,
    #[error("not a weight file: it does not begin with \"format\": \"{FORMAT}\"")]
    NotWeights,
    #[error("its version is {0}, not {VERSION}")]
    Version(u64),
    /// Invalid JSON, or not exactly the terms of this evaluation.
    #[error(transparent)]
    Content(#[from] JsonError),
}

/// The header, checked first.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    format: serde_json::Value,
    #[serde(default)]
    version: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the head has been looked at, and the origin is for people")]
struct Document {
    format: String,
    version: u64,
    origin: String,
    #[serde(deserialize_with = "terms")]
    terms: Weights,
}

impl Weights {
    /// The embedded weights `nets/weights.json`, parsed on first use.
    pub fn embedded() -> &'static Arc<Self> {
        static EMBEDDED: LazyLock<Arc<Weights>> = LazyLock::new(|| {
            let weights = Weights::from_json(EMBEDDED_FILE);
            // A test proves that the file parses; fall back rather than abort.
            Arc::new(weights.unwrap_or_else(|_| Weights::untuned()))
        });
        &EMBEDDED
    }

    /// Whether a file that starts like this is a weight file.
    pub fn detect(head: &[u8]) -> bool {
        let mark = format!("\"{FORMAT}\"");
        head.trim_ascii_start().starts_with(b"{") && head.windows(mark.len()).any(|part| part == mark.as_bytes())
    }

    /// Reads a weight file.
    ///
    /// # Errors
    /// When it cannot be read or does not hold exactly the weights of this evaluation.
    pub fn read(path: &Path) -> Result<Self, WeightsError> {
        let mut json = Vec::new();
        open_regular(path)?.take(MAX_SIZE + 1).read_to_end(&mut json)?;
        Self::from_json(&json)
    }

    /// Parses a weight file.
    ///
    /// # Errors
    /// Those of [`Weights::read`].
    pub fn from_json(json: &[u8]) -> Result<Self, WeightsError> {
        if json.len() as u64 > MAX_SIZE {
            return Err(WeightsError::TooLong);
        }
        let json = without_bom(json);
        // Serde would accept an array for a structure.
        if json.trim_ascii_start().first().is_some_and(|&first| first != b'{') {
            return Err(WeightsError::NotWeights);
        }
        let head: Head = serde_json::from_slice(json).map_err(JsonError::from)?;
        if head.format != FORMAT {
            return Err(WeightsError::NotWeights);
        }
        if head.version != VERSION {
            return Err(WeightsError::Version(head.version));
        }
        Ok(serde_json::from_slice::<Document>(json).map_err(JsonError::from)?.terms)
    }

    /// Formats a weight file. `origin`: how the weights were made.
    pub fn to_json(&self, origin: &str) -> String {
        let head = format!(
            "  \"format\": \"{FORMAT}\",\n  \"version\": {VERSION},\n  \"origin\": {}",
            serde_json::Value::from(origin)
        );
        let terms = BLOCKS.iter().map(|block| {
            let rows = self.table[block.start..block.end()].chunks_exact(block.columns).map(|row| {
                let pairs: Vec<_> = row.iter().map(|weight| format!("[{}, {}]", weight.mg, weight.eg)).collect();
                format!("      [{}]", pairs.join(", "))
            });
            format!("    \"{}\": [\n{}\n    ]", block.name, rows.collect::<Vec<_>>().join(",\n"))
        });
        let terms = terms.collect::<Vec<_>>().join(",\n");
        format!("{{\n{head},\n  \"terms\": {{\n{terms}\n  }}\n}}\n")
    }
}

/// Reads the terms, by name.
fn terms<'de, D: Deserializer<'de>>(source: D) -> Result<Weights, D::Error> {
    source.deserialize_map(Terms)
}

struct Terms;

impl<'de> Visitor<'de> for Terms {
    type Value = Weights;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the terms by name")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut source: A) -> Result<Weights, A::Error> {
        let mut weights = Weights::zero();
        let mut seen = [false; BLOCKS.len()];
        while let Some(name) = source.next_key::<String>()? {
            let Some(number) = BLOCKS.iter().position(|block| block.name == name) else {
                return Err(Error::custom(format_args!("there is no term '{}'", excerpt(&name))));
            };
            if std::mem::replace(&mut seen[number], true) {
                return Err(Error::custom(format_args!("the term '{name}' is there twice")));
            }
            let read = source.next_value().map_err(|error| error.to_string());
            let filled = read.and_then(|rows: Vec<Vec<(i16, i16)>>| fill(&mut weights, &BLOCKS[number], &rows));
            filled.map_err(|error| Error::custom(format_args!("the term '{name}': {error}")))?;
        }
        match BLOCKS.iter().zip(seen).find(|(_, seen)| !seen) {
            Some((missing, _)) => Err(Error::custom(format_args!("the term '{}' is missing", missing.name))),
            None => Ok(weights),
        }
    }
}

/// Copies the rows of a block, if the shape matches.
fn fill(weights: &mut Weights, block: &Block, rows: &[Vec<(i16, i16)>]) -> Result<(), String> {
    if rows.len() != block.rows {
        return Err(format!("{} rows instead of {}", rows.len(), block.rows));
    }
    for (number, row) in rows.iter().enumerate() {
        if row.len() != block.columns {
            return Err(format!("{} columns instead of {} in row {number}", row.len(), block.columns));
        }
        for (column, &(middle, end)) in row.iter().enumerate() {
            weights.table[block.at(number, column)] = Weight::new(middle, end);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_weights_round_trip() {
        let weights = Weights::from_json(EMBEDDED_FILE).unwrap();
        assert_eq!(**Weights::embedded(), weights);
        let file: serde_json::Value = serde_json::from_slice(EMBEDDED_FILE).unwrap();
        let text = weights.to_json(file["origin"].as_str().unwrap());
        assert!(text.as_bytes() == EMBEDDED_FILE, "nets/weights.json has another layout than the writer gives it");
    }
}

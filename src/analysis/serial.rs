//! Moves and scores as data.

use crate::types::Move;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

/// Moves as the protocol spells them, with blanks between them.
pub(super) mod moves {
    use super::*;

    pub fn serialize<S: Serializer>(moves: &[Move], out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(&spelled(moves).join(" "))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(text: D) -> Result<Vec<Move>, D::Error> {
        let text = String::deserialize(text)?;
        text.split_whitespace().map(|word| word.parse().map_err(|_| D::Error::custom("no move"))).collect()
    }
}

/// A score as its number.
pub(super) mod score {
    use super::*;
    use crate::types::Score;

    pub fn serialize<S: Serializer>(score: &Score, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_i32(score.get())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(number: D) -> Result<Score, D::Error> {
        Ok(Score::raw(i32::deserialize(number)?))
    }
}

pub(super) fn spelled(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

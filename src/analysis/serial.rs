//! Serialization of moves.

use sabi_shogi::{Move, usi_moves};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

/// Moves in USI notation, separated by blanks.
pub(super) mod moves {
    use super::*;

    pub fn serialize<S: Serializer>(moves: &[Move], out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(&usi_moves(moves).join(" "))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(text: D) -> Result<Vec<Move>, D::Error> {
        let text = String::deserialize(text)?;
        text.split_whitespace().map(|word| word.parse().map_err(|_| D::Error::custom("no move"))).collect()
    }
}

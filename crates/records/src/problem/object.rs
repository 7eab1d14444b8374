//! A JSON array of objects in the format of tanuki-tsume-shogi
//! (<https://github.com/tokuhirom/tanuki-tsume-shogi>): pieces, both hands in full, and the length
//! of the mate. The attacker is Black, to move.

use super::Problem;
use super::error::{Misplaced, ProblemFault};
use crate::setup::Setup;
use sabi_files::{JsonError, without_bom};
use sabi_shogi::{Color, HandKind, Piece, PieceKind, Square, excerpt};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    id: Option<u64>,
    mate_length: Option<u32>,
    initial: Initial,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Initial {
    pieces: Vec<Placed>,
    hands: Hands,
    #[serde(rename = "sideToMove")]
    _side: Attacker,
}

#[derive(Deserialize)]
struct Placed {
    x: Coordinate,
    y: Coordinate,
    owner: Owner,
    #[serde(rename = "type")]
    kind: Kind,
}

#[derive(Deserialize)]
struct Hands {
    attacker: BTreeMap<Held, u8>,
    defender: BTreeMap<Held, u8>,
}

#[derive(Copy, Clone, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Owner {
    Attacker,
    Defender,
}

/// The side to move is fixed.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Attacker {
    Attacker,
}

/// A file or rank, 1 to 9 in the text and 0 to 8 here.
#[derive(Copy, Clone, Deserialize)]
#[serde(try_from = "u64")]
struct Coordinate(u8);

/// SFEN letter, upper case for both sides.
#[derive(Copy, Clone, Deserialize)]
#[serde(try_from = "String")]
struct Kind(PieceKind);

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
struct Held(HandKind);

impl TryFrom<u64> for Coordinate {
    type Error = String;

    fn try_from(number: u64) -> Result<Self, String> {
        let index = u8::try_from(number).ok().and_then(|number| number.checked_sub(1)).filter(|&index| index < 9);
        index.map(Self).ok_or_else(|| format!("there is no file or rank {number}"))
    }
}

impl TryFrom<String> for Kind {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (letter, promoted) = text.strip_prefix('+').map_or((text.as_str(), false), |letter| (letter, true));
        let mut letters = letter.chars();
        let kind = letters.next().and_then(PieceKind::from_letter).filter(|_| letters.next().is_none());
        let kind = kind.filter(|kind| !promoted || kind.can_promote());
        let kind = kind.ok_or_else(|| format!("there is no piece '{}'", excerpt(&text)))?;
        Ok(Self(if promoted { kind.promoted() } else { kind }))
    }
}

impl TryFrom<String> for Held {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let held = Kind::try_from(text.clone()).ok().filter(|kind| !kind.0.is_promoted());
        let held = held.and_then(|kind| kind.0.in_hand());
        held.map(Self).ok_or_else(|| format!("'{}' is not held in hand", excerpt(&text)))
    }
}

impl From<Owner> for Color {
    fn from(owner: Owner) -> Self {
        match owner {
            Owner::Attacker => Self::Black,
            Owner::Defender => Self::White,
        }
    }
}

/// Whether a file is of this format: by its name, or by a bracket that begins an array of objects.
pub(super) fn detect(name: &Path, bytes: &[u8]) -> bool {
    let within = without_bom(bytes).trim_ascii_start().strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
    name.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
        || within.is_some_and(|within| matches!(within, [b'{' | b']', ..]))
}

pub(super) fn read(text: &str) -> Result<Vec<Problem>, Misplaced> {
    let objects: Vec<Object> = serde_json::from_str(text).map_err(|error| {
        let error = JsonError::from(error);
        ProblemFault::Json(error.reason).at(format!("line {}", error.line))
    })?;
    let problem = |(number, object): (u64, Object)| {
        let place = object.id.map_or_else(|| format!("number {number}"), |id| format!("id {id}"));
        object.problem(place.clone()).map_err(|fault| fault.at(place))
    };
    (1..).zip(objects).map(problem).collect()
}

impl Object {
    fn problem(self, place: String) -> Result<Problem, ProblemFault> {
        let mut setup = Setup::empty();
        for Placed { x, y, owner, kind } in self.initial.pieces {
            // A coordinate is always on the board.
            let Some(square) = Square::at(x.0, y.0) else { continue };
            if setup.piece_at(square).is_some() {
                return Err(ProblemFault::TwoPieces(square));
            }
            setup.put(square, Some(Piece::new(owner.into(), kind.0)));
        }
        let Hands { attacker, defender } = self.initial.hands;
        for (color, hand) in [(Color::Black, attacker), (Color::White, defender)] {
            for (Held(kind), count) in hand {
                (0..count).try_for_each(|_| setup.add_to_hand(color, kind))?;
            }
        }
        Problem::new(setup.position(Color::Black)?, self.mate_length, place)
    }
}

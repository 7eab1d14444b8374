//! `position`: read as a whole or not at all.

use super::words::{excerpt, words};
use crate::position::{Position, PositionError, SfenError};

/// What is wrong with a `position`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionCommandError {
    /// It begins with neither word.
    #[error("it begins with 'startpos' or 'sfen', not '{0}'")]
    Root(String),
    /// Something other than moves follows the root.
    #[error("'moves' must follow, not '{0}'")]
    Trailing(String),
    /// The root or a move is wrong.
    #[error("{0}")]
    Position(#[from] PositionError),
}

/// Parses what follows the word `position`.
pub(super) fn parse(text: &str) -> Result<Position, PositionCommandError> {
    let mut rest = words(text);
    let root = match rest.next() {
        Some("startpos") => match rest.next() {
            None | Some("moves") => Position::startpos(),
            Some(other) => return Err(PositionCommandError::Trailing(excerpt(other))),
        },
        Some("sfen") => {
            let mut sfen = String::new();
            for word in rest.by_ref().take_while(|&word| word != "moves") {
                sfen.push_str(word);
                sfen.push(' ');
            }
            Position::from_sfen(&sfen).map_err(|error: SfenError| PositionError::from(error))?
        }
        other => {
            return Err(PositionCommandError::Root(excerpt(other.unwrap_or_default())));
        }
    };
    Ok(root.with_moves(rest)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_and_moves() {
        assert_eq!(parse("startpos").unwrap().sfen(), Position::startpos().sfen());
        assert_eq!(parse(" startpos  moves").unwrap().ply(), 1);
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
        assert_eq!(parse(&format!("sfen {start} b - moves 7g7f 3c3d")).unwrap().ply(), 3);
        assert_eq!(parse(&format!("sfen {start} w - 12")).unwrap().ply(), 12);
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(parse("").unwrap_err(), PositionCommandError::Root(String::new()));
        assert_eq!(parse("startpos 7g7f").unwrap_err(), PositionCommandError::Trailing("7g7f".to_owned()));
        for bad in ["sfen", "sfen moves 7g7f", "startpos moves 7g7f 7g7f", "startpos moves x"] {
            assert!(matches!(parse(bad), Err(PositionCommandError::Position(_))), "{bad}");
        }
    }
}

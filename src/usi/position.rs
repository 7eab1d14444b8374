//! Parsing of `position`, all or nothing.

use super::tokens::tokens;
use sabi_shogi::{Position, PositionError, excerpt};

/// Why a `position` is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum PositionCommandError {
    #[error("expected 'startpos' or 'sfen', not '{0}'")]
    Root(String),
    #[error("expected 'moves', not '{0}'")]
    Trailing(String),
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// Parses the text after `position`.
///
/// # Errors
/// When it is not a position, or a move is illegal.
pub fn parse(text: &str) -> Result<Position, PositionCommandError> {
    let mut rest = tokens(text);
    let root = match rest.next() {
        Some("startpos") => match rest.next() {
            None | Some("moves") => Position::startpos(),
            Some(other) => return Err(PositionCommandError::Trailing(excerpt(other))),
        },
        Some("sfen") => sfen("", &mut rest)?,
        // Some clients omit `sfen`.
        Some(board) if board.contains('/') => sfen(board, &mut rest)?,
        other => {
            return Err(PositionCommandError::Root(excerpt(other.unwrap_or_default())));
        }
    };
    Ok(root.with_moves(rest)?)
}

/// Parses an SFEN that begins with `first`, up to the moves.
fn sfen<'a>(first: &str, rest: &mut impl Iterator<Item = &'a str>) -> Result<Position, PositionError> {
    let mut sfen = String::from(first);
    for word in rest.take_while(|&word| word != "moves") {
        sfen.push(' ');
        sfen.push_str(word);
    }
    Ok(Position::from_sfen(&sfen)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_fault() {
        assert_eq!(parse("").unwrap_err(), PositionCommandError::Root(String::new()));
        assert_eq!(parse("startpos 7g7f").unwrap_err(), PositionCommandError::Trailing("7g7f".to_owned()));
        for bad in ["sfen", "sfen moves 7g7f", "startpos moves 7g7f 7g7f", "startpos moves x"] {
            assert!(matches!(parse(bad), Err(PositionCommandError::Position(_))), "{bad}");
        }
    }
}

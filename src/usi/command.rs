//! Command parsing.

use super::go::{self, Go};
use super::go_error::GoError;
use super::position::{self, PositionCommandError};
use super::setoption::{self, SetOptionError};
use super::tokens::tokens;
use crate::engine::{NotPondering, Outcome};
use crate::search::TimeControl;
use sabi_shogi::{Position, excerpt};

/// A parsed command.
#[derive(Debug)]
pub enum Command<'a> {
    /// Identify and list the options.
    Usi,
    /// Set up and answer `readyok`.
    IsReady,
    /// New game.
    NewGame,
    /// Set an option.
    SetOption {
        /// Its name.
        name: &'a str,
        /// Its value; `None` for a button.
        value: Option<&'a str>,
    },
    /// Set the position.
    Position(Box<Position>),
    /// `go` in all its forms.
    Go(Box<Go>),
    /// The ponder move was played; new clocks, if given.
    PonderHit(Option<TimeControl>),
    /// Stop the current job.
    Stop,
    /// Game over, with the outcome if it is a word of the protocol.
    GameOver(Option<Outcome>),
    /// Leave.
    Quit,
    /// Show the position.
    Show,
    /// Explain the evaluation of the position.
    Eval,
    /// Search the fixed positions of `sabi bench`.
    Bench,
    /// List the commands.
    Help,
}

/// Why a line is rejected.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum CommandError {
    #[error("unknown command '{0}', try 'help'")]
    Unknown(String),
    #[error("position: {0}")]
    Position(#[from] PositionCommandError),
    #[error("go: {0}")]
    Go(#[from] GoError),
    #[error("setoption: {0}")]
    SetOption(#[from] SetOptionError),
    #[error("ponderhit: {0}")]
    PonderHitWords(GoError),
    #[error("bench: no arguments here, not '{0}'; see 'sabi bench --help'")]
    Bench(String),
    #[error("ponderhit: {0}")]
    PonderHit(#[from] NotPondering),
}

/// Commands with descriptions.
pub(super) const HELP: &[(&str, &str)] = &[
    ("usi", "name and options of the engine"),
    ("isready", "set up; answered by readyok"),
    ("usinewgame", "start a new game"),
    ("setoption name NAME value VALUE", "see usi_options.md"),
    ("position startpos|sfen SFEN [moves MOVE...]", "set the position"),
    ("go [btime MS wtime MS] [byoyomi MS] [binc MS winc MS]", "search by the game clocks"),
    ("go movetime MS | rtime MS | depth N | nodes N | infinite", "search with a fixed limit"),
    ("go ... ponder | searchmoves MOVE...", "ponder; search only these moves"),
    ("go mate [infinite|N] [movetime MS] [nodes N] [depth N]", "search for a mate"),
    ("go perft N, perft N", "count the leaves of the game tree"),
    ("ponderhit [btime MS wtime MS ...]", "the ponder move was played"),
    ("stop", "stop and answer"),
    ("gameover win|lose|draw", "the game is over"),
    ("d", "show the position"),
    ("eval", "explain the evaluation of the position"),
    ("bench", "search 20 fixed positions: the signature of the search and its speed"),
    ("quit", "exit"),
];

impl<'a> Command<'a> {
    /// Parses a line; `None` when it is blank.
    ///
    /// # Errors
    /// When the command is invalid.
    pub fn parse(line: &'a str) -> Result<Option<Self>, CommandError> {
        let line = line.trim_ascii();
        let (word, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
        Ok(Some(match word {
            "" => return Ok(None),
            "usi" => Self::Usi,
            "isready" => Self::IsReady,
            "usinewgame" => Self::NewGame,
            "setoption" => {
                let (name, value) = setoption::parse(rest)?;
                Self::SetOption { name, value }
            }
            "position" => Self::Position(Box::new(position::parse(rest)?)),
            "go" => Self::Go(Box::new(go::parse(rest)?)),
            "perft" => Self::Go(Box::new(go::parse(&format!("perft {rest}"))?)),
            "ponderhit" => Self::PonderHit(go::parse_ponder_hit(rest).map_err(CommandError::PonderHitWords)?),
            "stop" => Self::Stop,
            // The game is over even if the result is an unknown word.
            "gameover" => Self::GameOver(outcome(rest)),
            "quit" => Self::Quit,
            "d" => Self::Show,
            "eval" => Self::Eval,
            "bench" => match tokens(rest).next() {
                None => Self::Bench,
                Some(word) => return Err(CommandError::Bench(excerpt(word))),
            },
            "help" => Self::Help,
            other => return Err(CommandError::Unknown(excerpt(other))),
        }))
    }
}

fn outcome(rest: &str) -> Option<Outcome> {
    match tokens(rest).next()? {
        "win" => Some(Outcome::Win),
        "lose" => Some(Outcome::Lose),
        "draw" => Some(Outcome::Draw),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_perft_without_go() {
        assert!(matches!(Command::parse("perft 2"), Ok(Some(Command::Go(go))) if matches!(*go, Go::Perft(2))));
        assert!(matches!(Command::parse("perft 2 nodes 5"), Err(CommandError::Go(_))));
    }
}

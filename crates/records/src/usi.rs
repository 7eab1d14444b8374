//! USI lines: `startpos moves …`, `sfen … moves …`, either after the word `position`, moves alone,
//! also after the word `moves`, a position alone, and tab-separated lists of games.

use super::builder::{Builder, Ending, WordResult};
use super::error::Fault;
use super::game::{EndReason, Game, GameResult};
use sabi_shogi::{Move, Position, SfenError, excerpt};
use std::iter::Peekable;

/// Words after the last move, as ShogiHome writes them.
const ENDINGS: [(&str, Ending); 6] = [
    ("resign", (EndReason::Resign, WordResult::MoverLoses)),
    ("win", (EndReason::Declaration, WordResult::MoverWins)),
    ("timeout", (EndReason::Timeout, WordResult::MoverLoses)),
    ("rep_draw", (EndReason::Repetition, WordResult::Draw)),
    ("draw", (EndReason::Unknown, WordResult::Draw)),
    ("break", (EndReason::Aborted, WordResult::Unknown)),
];

/// Whether a line is one of these, for files of unknown format.
pub(super) fn detect(line: &str) -> bool {
    line.split('\t').any(|text| match text.split_ascii_whitespace().next() {
        Some("position" | "startpos" | "sfen" | "moves") => true,
        Some(word) => word.parse::<Move>().is_ok() || is_board(word),
        None => false,
    })
}

fn is_board(word: &str) -> bool {
    word.matches('/').count() == 8 && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '/' || c == '+')
}

/// Parses the game of one line; `None` if the line is empty or a comment.
pub(super) fn read_line(line: &str, number: usize) -> Result<Option<Game>, Fault> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let columns: Vec<&str> = line.split('\t').collect();
    let [result, black, white, event, end, text] = columns[..] else {
        // A name may precede the game, remarks may follow it.
        let text = columns.iter().find(|column| detect(column)).or(columns.first()).copied().unwrap_or_default();
        return read_moves(text, number).map(|builder| Some(builder.finish()));
    };
    let mut builder = read_moves(text, number)?;
    let rating = |text: &str| text.parse().ok().filter(|rating: &f64| rating.is_finite());
    let game = &mut builder.game;
    game.headers.ratings = [rating(black), rating(white)];
    game.headers.event = (event != "-" && !event.is_empty()).then(|| event.to_owned());
    let mut game = builder.finish();
    let results = [GameResult::BlackWins, GameResult::WhiteWins, GameResult::Draw, GameResult::Unknown];
    game.result = results
        .into_iter()
        .find(|known| known.name() == result)
        .ok_or_else(|| Fault::NotAStatement(excerpt(result)))?;
    // A question mark marks a guess.
    let end = end.strip_suffix('?').unwrap_or(end);
    let known = EndReason::ALL.into_iter().find(|reason| reason.name() == end);
    if known.is_none() && !["", "-", "draw"].contains(&end) {
        game.warnings.note(number, end);
    }
    game.end = known.unwrap_or_default();
    Ok(Some(game))
}

/// The position of the words up to `moves`.
pub(super) fn read_sfen<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Result<Position, SfenError> {
    let mut sfen = String::new();
    while let Some(word) = words.next_if(|&word| word != "moves") {
        sfen.push_str(word);
        sfen.push(' ');
    }
    Position::from_sfen(&sfen)
}

fn read_moves(text: &str, number: usize) -> Result<Builder, Fault> {
    let mut words = text.split('#').next().unwrap_or_default().split_ascii_whitespace().peekable();
    words.next_if_eq(&"position");
    let start = match words.peek().copied() {
        Some("startpos") => {
            words.next();
            Position::startpos()
        }
        Some(word) if word == "sfen" || is_board(word) => {
            words.next_if_eq(&"sfen");
            read_sfen(&mut words)?
        }
        Some(word) if word == "moves" || word.parse::<Move>().is_ok() => Position::startpos(),
        other => return Err(Fault::NotAStatement(excerpt(other.unwrap_or_default()))),
    };
    let mut builder = Builder::new(start, number);
    words.next_if_eq(&"moves");
    for word in words {
        if let Some(&(_, ending)) = ENDINGS.iter().find(|(name, _)| *name == word) {
            builder.end(ending);
            continue;
        }
        let parse = |_: &Builder| word.parse().map_err(|_| Fault::NotAMove(excerpt(word)));
        builder.read_move(word, number, parse).map_err(|located| located.fault)?;
    }
    Ok(builder)
}

//! Questions of a page about rules and records: a command word, its arguments, and possibly a text:
//!
//! - `look POSITION`, as in the command `position`: the position and the moves to it;
//! - `read NAME`, a line feed, and the bytes of a record: its first game;
//! - `write FORMAT BLACK<tab>WHITE<tab>POSITION`, and possibly `<tab>RESULT<tab>END` as in the
//!   answer to `read`: the game as a record.
//!
//! The answer is a JSON object, with `error` for invalid questions.

use sabi::usi::parse_position;
use sabi_records::{EndReason, Game, GameResult, Notation, is_handicap, japanese_move, read_bytes};
use sabi_shogi::{Color, Position, Repetition, has_legal_move, legal_moves};
use serde_json::{Value, json};
use std::path::Path;

const RESULTS: [GameResult; 4] = [GameResult::BlackWins, GameResult::WhiteWins, GameResult::Draw, GameResult::Unknown];

pub(crate) fn answer(question: &[u8]) -> Value {
    let answered = match split(question, b' ') {
        (b"look", position) => look(position),
        (b"read", rest) => {
            let (name, bytes) = split(rest, b'\n');
            read(&String::from_utf8_lossy(name), bytes)
        }
        (b"write", rest) => write(rest),
        _ => Err("there is no such question".to_owned()),
    };
    answered.unwrap_or_else(|error| json!({ "error": error }))
}

fn split(bytes: &[u8], at: u8) -> (&[u8], &[u8]) {
    let mut parts = bytes.splitn(2, |&byte| byte == at);
    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
}

fn position(text: &[u8]) -> Result<Position, String> {
    parse_position(&String::from_utf8_lossy(text)).map_err(|error| error.to_string())
}

fn look(text: &[u8]) -> Result<Value, String> {
    let position = position(text)?;
    let legal: Vec<_> = legal_moves(&position).iter().map(ToString::to_string).collect();
    let mut value = game_value(&Game::before(&position));
    value["sfen"] = position.sfen().into();
    value["legal"] = legal.into();
    value["check"] = position.in_check().into();
    value["over"] = over(&position);
    Ok(value)
}

/// Start position, and moves in USI and in Japanese.
fn game_value(game: &Game) -> Value {
    let mut position = game.start.clone();
    let texts = game.moves.iter().map(|&mv| {
        let text = japanese_move(&position, mv);
        position.play(mv);
        text
    });
    let texts: Vec<_> = texts.collect();
    let moves: Vec<_> = game.moves.iter().map(ToString::to_string).collect();
    json!({
        "start": game.start.sfen(),
        "handicap": is_handicap(&game.start),
        "moves": moves,
        "texts": texts,
        "usi": game.usi(),
    })
}

/// End of the game by the rules, if any.
fn over(position: &Position) -> Value {
    let us = position.side_to_move();
    let (reason, result) = match position.repetition() {
        _ if !has_legal_move(position) => ("checkmate", GameResult::won_by(!us)),
        Some(Repetition::Draw) => ("repetition", GameResult::Draw),
        Some(Repetition::Win) => ("perpetual check", GameResult::won_by(us)),
        Some(Repetition::Loss) => ("perpetual check", GameResult::won_by(!us)),
        _ => return Value::Null,
    };
    json!({ "reason": reason, "result": result.name() })
}

fn read(name: &str, bytes: &[u8]) -> Result<Value, String> {
    // A position without game, as from a clipboard.
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(position) = parse_position(text.trim().strip_prefix("position ").unwrap_or(text.trim()))
    {
        return Ok(game_value(&Game::before(&position)));
    }
    let game = match read_bytes(Path::new(name), bytes.to_vec()).next() {
        Some(game) => game.map_err(|error| match error.line {
            0 => error.fault.to_string(),
            line => format!("{line}: {}", error.fault),
        })?,
        None => return Err("there is no game in it".to_owned()),
    };
    let mut value = game_value(&game);
    value["names"] = Color::ALL.map(|color| game.headers.names[color].clone()).as_slice().into();
    value["result"] = game.result.name().into();
    value["end"] = game.end.name().into();
    value["kif"] = Notation::Kif.write(&game).into();
    Ok(value)
}

fn write(text: &[u8]) -> Result<Value, String> {
    let (format, rest) = split(text, b' ');
    let notation = Notation::of_path(Path::new(&format!("game.{}", String::from_utf8_lossy(format))));
    let notation = notation.ok_or("there is no such format")?;
    let (black, rest) = split(rest, b'\t');
    let (white, rest) = split(rest, b'\t');
    let (moves, end) = split(rest, b'\t');
    let mut game = Game::before(&position(moves)?);
    game.headers.names =
        [black, white].map(|name| Some(String::from_utf8_lossy(name).into_owned()).filter(|n| !n.is_empty()));
    if !end.is_empty() {
        let (result, reason) = split(end, b'\t');
        let result = RESULTS.into_iter().find(|known| known.name().as_bytes() == result);
        let reason = EndReason::ALL.into_iter().find(|known| known.name().as_bytes() == reason);
        game.result = result.ok_or("there is no such result")?;
        game.end = reason.ok_or("there is no such end")?;
    }
    Ok(json!({ "text": notation.write(&game) }))
}

//! Questions of a page about rules and records: a command word, its arguments, and possibly a text:
//!
//! - `look POSITION`, as in the command `position`: the position and the moves to it;
//! - `read NAME`, a line feed, and the bytes of a record: its first game;
//! - `write FORMAT BLACK<tab>WHITE<tab>POSITION`, and possibly `<tab>RESULT<tab>END` as in the
//!   answer to `read`: the game as a record;
//! - `write FORMAT {…}`: the same of a [`DescribedGame`], with times and branches;
//! - `analyze {…}` and `report {…}`: one position, and the whole game, analysed; see `reports`.
//!
//! The answer is a JSON object, with `error` for invalid questions.

use crate::reports;
use sabi::analysis::Language;
use sabi::usi::parse_position;
use sabi_records::{Branch, EndReason, Game, GameResult, Notation, is_handicap, read_bytes};
use sabi_shogi::{Color, Position, Repetition, has_legal_move, legal_moves};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

const RESULTS: [GameResult; 4] = [GameResult::BlackWins, GameResult::WhiteWins, GameResult::Draw, GameResult::Unknown];

pub(crate) fn answer(question: &[u8]) -> Value {
    let answered = match split(question, b' ') {
        (b"look", position) => look(position),
        (b"read", rest) => {
            let (name, bytes) = split(rest, b'\n');
            read(&String::from_utf8_lossy(name), bytes)
        }
        (b"write", rest) => write(rest),
        (b"analyze", rest) => reports::analyze(rest),
        (b"report", rest) => reports::report(rest),
        _ => Err("there is no such question".to_owned()),
    };
    answered.unwrap_or_else(|error| json!({ "error": error }))
}

fn split(bytes: &[u8], at: u8) -> (&[u8], &[u8]) {
    let mut parts = bytes.splitn(2, |&byte| byte == at);
    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
}

pub(crate) fn position(text: &[u8]) -> Result<Position, String> {
    parse_position(&String::from_utf8_lossy(text)).map_err(|error| error.to_string())
}

/// A game as the page holds it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DescribedGame {
    /// The last position with the moves to it, as in the command `position`.
    position: String,
    #[serde(default)]
    names: [Option<String>; 2],
    /// As in the answer to `read`.
    result: Option<String>,
    end: Option<String>,
    /// Seconds of each move; missing ones are unknown.
    #[serde(default)]
    times: Vec<Option<f64>>,
    #[serde(default)]
    branches: Vec<DescribedBranch>,
    /// The record that was read, as KIF: its headers, and the comments up to the first other move.
    record: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DescribedBranch {
    /// Number of moves before it.
    after: usize,
    moves: Vec<String>,
}

impl DescribedGame {
    pub(crate) fn game(&self) -> Result<Game, String> {
        let mut game = Game::before(&position(self.position.as_bytes())?);
        if let Some(record) = &self.record {
            let read = first_game("record.kifu", record.as_bytes())?;
            game.headers = read.headers;
            let same = game.moves.iter().zip(&read.moves).take_while(|(own, other)| own == other).count();
            game.times[..same].copy_from_slice(&read.times[..same]);
            game.scores[..same].copy_from_slice(&read.scores[..same]);
            game.comments = read.comments.into_iter().take(same + 1).collect();
            if same == game.moves.len() && same == read.moves.len() {
                (game.result, game.end) = (read.result, read.end);
            }
        }
        for (known, name) in game.headers.names.iter_mut().zip(&self.names) {
            *known = name.clone().filter(|name| !name.is_empty()).or(known.take());
        }
        for (known, &seconds) in game.times.iter_mut().zip(&self.times) {
            *known = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).or(*known);
        }
        if let (Some(result), Some(end)) = (&self.result, &self.end) {
            set_end(&mut game, result, end)?;
        }
        Ok(game)
    }

    fn branches(&self, game: &Game) -> Result<Vec<Branch>, String> {
        let branch = |DescribedBranch { after, moves }: &DescribedBranch| {
            if *after > game.moves.len() {
                return Err(format!("a branch begins after move {after} of {}", game.moves.len()));
            }
            let words = moves.iter().map(String::as_str);
            let end = game.position_at(*after).with_moves(words).map_err(|error| error.to_string())?;
            let moves = Game::before(&end).moves.split_off(*after);
            Ok(Branch { after: *after, moves, comment: Vec::new() })
        };
        self.branches.iter().map(branch).collect()
    }
}

fn set_end(game: &mut Game, result: &str, end: &str) -> Result<(), String> {
    let result = RESULTS.into_iter().find(|known| known.name() == result);
    let reason = EndReason::ALL.into_iter().find(|known| known.name() == end);
    game.result = result.ok_or("there is no such result")?;
    game.end = reason.ok_or("there is no such end")?;
    Ok(())
}

/// The first game of a record.
fn first_game(name: &str, bytes: &[u8]) -> Result<Game, String> {
    match read_bytes(Path::new(name), bytes.to_vec()).next() {
        Some(game) => game.map_err(|error| match error.line {
            0 => error.fault.to_string(),
            line => format!("{line}: {}", error.fault),
        }),
        None => Err("there is no game in it".to_owned()),
    }
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

/// Start position, and moves in USI and in both languages.
fn game_value(game: &Game) -> Value {
    let [texts, english] =
        [Language::Japanese, Language::English].map(|language| language.line(&game.start, &game.moves));
    let moves: Vec<_> = game.moves.iter().map(ToString::to_string).collect();
    json!({
        "start": game.start.sfen(),
        "handicap": is_handicap(&game.start),
        "moves": moves,
        "texts": texts,
        "english": english,
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
    let game = first_game(name, bytes)?;
    let mut value = game_value(&game);
    value["names"] = Color::ALL.map(|color| game.headers.names[color].clone()).as_slice().into();
    value["result"] = game.result.name().into();
    value["end"] = game.end.name().into();
    value["times"] = game.times.iter().map(|time| time.map(|time| time.as_secs_f64())).collect::<Vec<_>>().into();
    value["comments"] = (0..=game.moves.len()).map(|ply| game.comments_at(ply).join("\n")).collect::<Vec<_>>().into();
    let (branches, unreadable) = branches(bytes, &game);
    value["branches"] = branches.into();
    value["unreadable_branches"] = unreadable.into();
    value["kif"] = Notation::Kif.write(&game).into();
    Ok(value)
}

/// The branches (変化) of a KIF, which readers of records skip, from where they leave the game; and how
/// many cannot be read. Each follows the one before it up to its first move.
fn branches(bytes: &[u8], game: &Game) -> (Vec<Value>, usize) {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => encoding_rs::SHIFT_JIS.decode(bytes).0,
    };
    let number = |line: &str| line.split_whitespace().next()?.parse::<usize>().ok();
    let start = |line: &str| {
        let rest = line.trim_start().strip_prefix("変化")?.trim_start_matches(['：', ':', ' ']);
        rest.trim_end().strip_suffix('手')?.trim().parse::<usize>().ok().filter(|&first| first > 0)
    };
    let (mut head, mut moves) = (String::new(), Vec::<&str>::new());
    let (mut found, mut unreadable, mut is_branch) = (Vec::new(), 0, false);
    // The last branch ends with the text.
    for line in text.lines().chain(["変化：1手"]) {
        if let Some(first) = start(line) {
            if is_branch {
                let branch = first_game("branch.kifu", (head.clone() + &moves.join("\n")).as_bytes());
                match branch.ok().filter(|branch| branch.start.sfen() == game.start.sfen()) {
                    Some(branch) => {
                        let same = branch.moves.iter().zip(&game.moves).take_while(|(own, other)| own == other).count();
                        let others: Vec<_> = branch.moves[same..].iter().map(ToString::to_string).collect();
                        found.extend((!others.is_empty()).then(|| json!({ "after": same, "moves": others })));
                    }
                    None => unreadable += 1,
                }
            }
            moves.truncate(first - 1);
            is_branch = true;
        } else if number(line).is_some_and(|number| number == moves.len() + 1) {
            moves.push(line);
        } else if moves.is_empty() && !is_branch && !line.starts_with('*') {
            head += line;
            head.push('\n');
        }
    }
    (found, unreadable)
}

fn write(text: &[u8]) -> Result<Value, String> {
    let (format, rest) = split(text, b' ');
    let notation = Notation::of_path(Path::new(&format!("game.{}", String::from_utf8_lossy(format))));
    let notation = notation.ok_or("there is no such format")?;
    if rest.starts_with(b"{") {
        let described: DescribedGame = parse(rest)?;
        let game = described.game()?;
        return Ok(json!({ "text": notation.write_with(&game, &described.branches(&game)?) }));
    }
    let (black, rest) = split(rest, b'\t');
    let (white, rest) = split(rest, b'\t');
    let (moves, end) = split(rest, b'\t');
    let mut game = Game::before(&position(moves)?);
    game.headers.names =
        [black, white].map(|name| Some(String::from_utf8_lossy(name).into_owned()).filter(|n| !n.is_empty()));
    if !end.is_empty() {
        let (result, reason) = split(end, b'\t');
        set_end(&mut game, &String::from_utf8_lossy(result), &String::from_utf8_lossy(reason))?;
    }
    Ok(json!({ "text": notation.write(&game) }))
}

/// The JSON object of a question.
pub(crate) fn parse<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice(text).map_err(|error| error.to_string())
}

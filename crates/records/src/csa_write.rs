//! Games, moves and lines in CSA.

use super::csa::{name, reason_name};
use super::game::{EndReason, Game, GameResult};
use super::text::{comment_line, one_line, say_score};
use sabi_shogi::{Color, Move, Piece, Position, STARTPOS_SFEN, Square};
use std::fmt::{self, Write};
use std::time::Duration;

/// A game, without the end of its last line, which is always the summary.
pub(super) fn write(game: &Game) -> String {
    let version = if needs_version_3(game) { "V3.0" } else { "V2.2" };
    let mut text = format!("'CSA encoding=UTF-8\n{version}\n");
    // Writing to a string cannot fail.
    let _ = write_game(game, &mut text);
    text
}

/// Whether a game has what only CSA 3.0 specifies: fractions of a second, `$TIME`, `%MAX_MOVES`.
/// Other games are written as 2.2, because Kifu for JS rejects 3.0.
fn needs_version_3(game: &Game) -> bool {
    game.headers.clocks.iter().any(Option::is_some)
        || game.times.iter().flatten().any(|time| time.subsec_millis() > 0)
        || game.end == EndReason::MaxMoves && game.result.winner().is_none()
}

fn write_game(game: &Game, out: &mut String) -> fmt::Result {
    write_headers(game, out)?;
    write_start(&game.start, out)?;
    write_comment(game.comments_at(0), out)?;
    let mut position = game.start.clone();
    for (((number, &mv), time), score) in (1..).zip(&game.moves).zip(&game.times).zip(&game.scores) {
        writeln!(out, "{}", csa_move(&position, mv))?;
        if let Some(time) = time {
            writeln!(out, "T{}", seconds(*time))?;
        }
        let comments = game.comments_after(number);
        if let Some(score) = score.filter(|score| !say_score(comments, *score)) {
            writeln!(out, "'** {}", score.get())?;
        }
        write_comment(comments, out)?;
        position.play(mv);
    }
    write_end(game, position.side_to_move(), out)
}

/// Comments for programs begin with `'*`; others are dropped by most of them.
fn write_comment(lines: &[String], out: &mut String) -> fmt::Result {
    lines.iter().try_for_each(|line| writeln!(out, "'*{}", comment_line(line)))
}

fn write_headers(game: &Game, out: &mut String) -> fmt::Result {
    for color in Color::ALL {
        if let Some(name) = &game.headers.names[color] {
            writeln!(out, "N{}{}", sign(color), one_line(name))?;
        }
    }
    for (key, value) in [("EVENT", &game.headers.event), ("START_TIME", &game.headers.date)] {
        if let Some(value) = value {
            writeln!(out, "${key}:{}", one_line(value))?;
        }
    }
    for (color, clock) in game.headers.stated_clocks() {
        writeln!(out, "$TIME{}:{}", color.map_or("", sign), clock.csa())?;
    }
    for (side, rating) in ["black", "white"].into_iter().zip(game.headers.ratings) {
        if let Some(rating) = rating {
            writeln!(out, "'{side}_rate:{rating}")?;
        }
    }
    Ok(())
}

const fn sign(color: Color) -> &'static str {
    match color {
        Color::Black => "+",
        Color::White => "-",
    }
}

fn write_start(start: &Position, out: &mut String) -> fmt::Result {
    if start.sfen() == STARTPOS_SFEN {
        return out.write_str("PI\n+\n");
    }
    for rank in 0..9 {
        write!(out, "P{}", rank + 1)?;
        for square in (0..9).rev().filter_map(|file| Square::at(file, rank)) {
            match start.piece_at(square) {
                Some(piece) => write!(out, "{}{}", sign(piece.color()), name(piece.kind()))?,
                None => out.write_str(" * ")?,
            }
        }
        out.write_char('\n')?;
    }
    for color in Color::ALL.into_iter().filter(|&color| !start.hand(color).is_empty()) {
        write!(out, "P{}", sign(color))?;
        for (kind, count) in start.hand(color).iter() {
            (0..count).try_for_each(|_| write!(out, "00{}", name(kind.on_board())))?;
        }
        out.write_char('\n')?;
    }
    writeln!(out, "{}", sign(start.side_to_move()))
}

/// A move in CSA, with the piece after it: `+7776FU`.
pub fn csa_move(position: &Position, mv: Move) -> String {
    let square = |square: Option<Square>| square.map_or((0, 0), |square| (square.file() + 1, square.rank() + 1));
    let ((from_file, from_rank), (file, rank)) = (square(mv.from()), square(Some(mv.to())));
    let piece = position.moved_piece_after(mv).map_or("", |piece: Piece| name(piece.kind()));
    format!("{}{from_file}{from_rank}{file}{rank}{piece}", sign(position.side_to_move()))
}

/// A line as in floodgate comments, a space before each move: ` +7776FU -3334FU`.
pub fn csa_line(position: &Position, moves: &[Move]) -> String {
    let mut position = position.clone();
    let mut text = String::new();
    for &mv in moves {
        text += &format!(" {}", csa_move(&position, mv));
        position.play(mv);
    }
    text
}

/// Seconds with as many decimals as needed for milliseconds.
fn seconds(time: Duration) -> String {
    match time.subsec_millis() {
        0 => time.as_secs().to_string(),
        rest => format!("{}.{rest:03}", time.as_secs()),
    }
}

/// The special move, and the server summary, which has reasons and winners that no special move
/// expresses.
fn write_end(game: &Game, mover: Color, out: &mut String) -> fmt::Result {
    if let Some(word) = word(game, mover) {
        writeln!(out, "%{word}")?;
        write_comment(game.comments_around_end().1, out)?;
    }
    let reason = reason_name(game.end, game.result);
    let results = match game.result {
        GameResult::BlackWins => ["win", "lose"],
        GameResult::WhiteWins => ["lose", "win"],
        GameResult::Draw => ["draw", "draw"],
        GameResult::Unknown => return write!(out, "'summary:{reason}"),
    };
    // Without names the results are in order.
    let named = !game.headers.names.iter().flatten().any(|name| name.contains(':'));
    let name = |color: Color| game.headers.names[color].as_deref().filter(|_| named).map(one_line).unwrap_or_default();
    let (black, white) = (name(Color::Black), name(Color::White));
    write!(out, "'summary:{reason}:{black} {}:{white} {}", results[0], results[1])
}

fn word(game: &Game, mover: Color) -> Option<&'static str> {
    Some(match (game.result.winner(), game.end) {
        (Some(winner), end) if winner != mover => match end {
            // Without a reason too: other programs know the winner only by the word.
            EndReason::Resign | EndReason::Adjudication | EndReason::MaxMoves | EndReason::Unknown => "TORYO",
            EndReason::Checkmate => "TSUMI",
            EndReason::Timeout => "TIME_UP",
            EndReason::Illegal => "ILLEGAL_MOVE",
            EndReason::Repetition => illegal_action(mover),
            _ => "CHUDAN",
        },
        (Some(_), EndReason::Declaration) => "KACHI",
        (Some(_), EndReason::Illegal | EndReason::Repetition) => illegal_action(!mover),
        // No special move lets the side to move win; the summary does.
        (Some(_), _) => "CHUDAN",
        (None, EndReason::Repetition) => "SENNICHITE",
        (None, EndReason::Impasse) => "JISHOGI",
        (None, EndReason::MaxMoves) => "MAX_MOVES",
        (None, EndReason::Aborted) => "CHUDAN",
        (None, _) if game.result == GameResult::Draw => "HIKIWAKE",
        (None, _) => return None,
    })
}

/// Perpetual check, and an illegal move of the side not to move.
const fn illegal_action(loser: Color) -> &'static str {
    match loser {
        Color::Black => "+ILLEGAL_ACTION",
        Color::White => "-ILLEGAL_ACTION",
    }
}

//! Games and lines in KIF.

use super::game::{Branch, EndReason, Game, GameResult};
use super::japanese::{self, RANKS, name_of_start, square_name, target};
use super::ki2;
use super::text::{comment_line, one_line, say_score, score_comment};
use sabi_shogi::{Color, Move, PieceKind, Position, Square, has_legal_move};
use std::cmp::Reverse;
use std::fmt::{self, Write};
use std::time::Duration;

/// Start positions written by name; others are a diagram. ShogiHome takes an unknown name for an
/// even game, and programs differ in the pieces of 三枚落ち and 五枚落ち.
const NAMED: &str = "平手 香落ち 右香落ち 角落ち 飛車落ち 飛香落ち 二枚落ち 四枚落ち 六枚落ち 八枚落ち 十枚落ち";

/// A game, up to the empty line before the next.
pub(super) fn write(game: &Game, branches: &[Branch]) -> String {
    let mut text = String::from("#KIF version=2.0 encoding=UTF-8\n");
    // Writing to a string cannot fail.
    let _ = write_game(game, branches, &mut text);
    text
}

/// A line as in KIF comments, `▲７六歩(77)△３四歩(33)`. The first move names its square, because the
/// move before may be unknown to the reader.
pub fn kif_line(position: &Position, moves: &[Move]) -> String {
    let mut position = position.clone();
    let mut text = String::new();
    for (at, &mv) in moves.iter().enumerate() {
        let target = if at > 0 { target(&position, mv) } else { square_name(mv.to()) };
        text += &format!("{}{target}{}", ki2::mark(&position), piece_text(&position, mv));
        position.play(mv);
    }
    text
}

fn write_game(game: &Game, branches: &[Branch], out: &mut String) -> fmt::Result {
    for (key, value) in [("棋戦", &game.headers.event), ("開始日時", &game.headers.date)] {
        if let Some(value) = value {
            writeln!(out, "{key}：{}", one_line(value))?;
        }
    }
    let name = name_of_start(&game.start);
    let sides = if matches!(name, Some("平手") | None) { ["先手", "後手"] } else { ["下手", "上手"] };
    match name.filter(|name| NAMED.split(' ').any(|named| named == *name)) {
        Some(name) => writeln!(out, "手合割：{name}")?,
        None => write_diagram(&game.start, out)?,
    }
    for color in Color::ALL {
        if let Some(name) = &game.headers.names[color] {
            writeln!(out, "{}：{}", sides[color], one_line(name))?;
        }
    }
    for (color, clock) in game.headers.stated_clocks() {
        writeln!(out, "{}持ち時間：{}", color.map_or("", |color| sides[color]), clock.kif())?;
    }
    out.write_str("手数----指手---------消費時間--\n")?;
    let last = write_moves(game, branches, out)?;
    let has_word = write_end(game, &last, sides, out)?;
    write_branches(game, branches, has_word, out)
}

/// A position without name. No 手合割：その他 stands before it, as in files of ShogiHome: python-shogi and
/// cshogi refuse a file with it, and no program needs it.
fn write_diagram(start: &Position, out: &mut String) -> fmt::Result {
    let edge = "+---------------------------+";
    writeln!(out, "後手の持駒：{}", hand(start, Color::White))?;
    writeln!(out, "  ９ ８ ７ ６ ５ ４ ３ ２ １\n{edge}")?;
    for (rank, name) in (0..).zip(RANKS) {
        out.write_char('|')?;
        for square in (0..9).rev().filter_map(|file| Square::at(file, rank)) {
            match start.piece_at(square) {
                Some(piece) => {
                    let side = if piece.color() == Color::White { 'v' } else { ' ' };
                    write!(out, "{side}{}", diagram_name(piece.kind()))?;
                }
                None => out.write_str(" ・")?,
            }
        }
        writeln!(out, "|{name}")?;
    }
    writeln!(out, "{edge}\n先手の持駒：{}", hand(start, Color::Black))?;
    if start.side_to_move() == Color::White { out.write_str("後手番\n") } else { Ok(()) }
}

/// In a diagram every piece is one character.
fn diagram_name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::ProLance => "杏",
        PieceKind::ProKnight => "圭",
        PieceKind::ProSilver => "全",
        kind => japanese::piece_name(kind),
    }
}

fn hand(position: &Position, color: Color) -> String {
    let mut held: Vec<String> = position
        .hand(color)
        .iter()
        .map(|(kind, count)| format!("{}{}", japanese::piece_name(kind.on_board()), count_name(count)))
        .collect();
    // The strongest first.
    held.reverse();
    if held.is_empty() { "なし".to_owned() } else { held.join("　") }
}

/// A count in kanji; empty for one.
fn count_name(count: u8) -> String {
    let one = |digit: u8| RANKS.get(usize::from(digit).wrapping_sub(1)).map(char::to_string).unwrap_or_default();
    match count {
        1 => String::new(),
        10.. => format!("十{}", one(count - 10)),
        _ => one(count),
    }
}

/// Writes the moves, and returns the position after them.
fn write_moves(game: &Game, branches: &[Branch], out: &mut String) -> Result<Position, fmt::Error> {
    let mut position = game.start.clone();
    write_comment(game.comments_at(0), out)?;
    let mut totals = [Duration::ZERO; 2];
    for (((number, &mv), time), score) in (1..).zip(&game.moves).zip(&game.times).zip(&game.scores) {
        write!(out, "{number:>4} {}", move_text(&position, mv))?;
        if let Some(time) = time {
            let total = &mut totals[position.side_to_move()];
            *total = total.saturating_add(Duration::from_secs(time.as_secs()));
            let (spent, total) = (time.as_secs(), total.as_secs());
            write!(out, "   ({:>2}:{:02}/", spent / 60, spent % 60)?;
            write!(out, "{:02}:{:02}:{:02})", total / 3600, total / 60 % 60, total % 60)?;
        }
        // Readers that show branches look for this mark.
        let has_branch = branches.iter().any(|branch| branch.after + 1 == number);
        out.write_str(if has_branch { "+\n" } else { "\n" })?;
        let comments = game.comments_after(number);
        if let Some(score) = score.filter(|score| !say_score(comments, *score)) {
            writeln!(out, "*{}", score_comment(score))?;
        }
        write_comment(comments, out)?;
        position.play(mv);
    }
    Ok(position)
}

fn write_comment(lines: &[String], out: &mut String) -> fmt::Result {
    lines.iter().try_for_each(|line| writeln!(out, "*{}", comment_line(line)))
}

/// The branches, the last first: a reader goes back from the end of the current line. A branch
/// takes the place of a move or of the end word; where there is neither, Kifu for JS rejects the
/// file.
fn write_branches(game: &Game, branches: &[Branch], has_word: bool, out: &mut String) -> fmt::Result {
    let places = game.moves.len() + usize::from(has_word);
    let mut branches: Vec<_> = branches.iter().filter(|branch| branch.after < places).collect();
    branches.sort_by_key(|branch| Reverse(branch.after));
    for branch in branches {
        let mut position = game.position_at(branch.after);
        writeln!(out, "\n変化：{}手", branch.after + 1)?;
        for (at, &mv) in branch.moves.iter().enumerate() {
            writeln!(out, "{:>4} {}", branch.after + 1 + at, move_text(&position, mv))?;
            if at == 0 {
                write_comment(&branch.comment, out)?;
            }
            position.play(mv);
        }
    }
    Ok(())
}

fn move_text(position: &Position, mv: Move) -> String {
    target(position, mv) + &piece_text(position, mv)
}

/// The text after the target square in KIF.
fn piece_text(position: &Position, mv: Move) -> String {
    match (mv.from(), mv.drop_kind()) {
        (Some(from), _) => {
            let piece = position.piece_at(from).map_or("", |piece| japanese::piece_name(piece.kind()));
            let promotion = if mv.is_promotion() { "成" } else { "" };
            format!("{piece}{promotion}({}{})", from.file() + 1, from.rank() + 1)
        }
        (None, kind) => format!("{}打", kind.map_or("", |kind| japanese::piece_name(kind.on_board()))),
    }
}

/// The word in place of a move, and the result line; returns whether there is a word. Kifu for
/// JS takes any word, but rejects the whole file for a result line other than these.
fn write_end(game: &Game, last: &Position, sides: [&str; 2], out: &mut String) -> Result<bool, fmt::Error> {
    let count = game.moves.len();
    let word = word(game, last, sides);
    if let Some(word) = &word {
        writeln!(out, "{:>4} {word}", count + 1)?;
        write_comment(game.comments_around_end().1, out)?;
    }
    match (game.result.winner(), game.end) {
        (Some(winner), EndReason::Timeout) => writeln!(out, "まで{count}手で時間切れにより{}の勝ち", sides[winner]),
        (Some(winner), _) => writeln!(out, "まで{count}手で{}の勝ち", sides[winner]),
        (None, EndReason::Repetition | EndReason::Impasse) => writeln!(out, "まで{count}手で{}", reason(game.end)),
        (None, EndReason::Aborted) if game.result == GameResult::Unknown => {
            writeln!(out, "まで{count}手で{}", reason(game.end))
        }
        (None, _) => Ok(()),
    }?;
    Ok(word.is_some())
}

/// The word in place of a move. Where the field has none it says reason and result; without a reason
/// it is that which readers take from the last position, because tsshogi knows the winner only by it.
fn word(game: &Game, last: &Position, sides: [&str; 2]) -> Option<String> {
    let mover = last.side_to_move();
    let reason = reason(game.end);
    let Some(winner) = game.result.winner() else {
        return match game.end {
            EndReason::Repetition | EndReason::Impasse | EndReason::MaxMoves => Some(reason.to_owned()),
            EndReason::Unknown if game.result == GameResult::Draw => Some("引き分け".to_owned()),
            _ if game.result == GameResult::Draw => Some(format!("{reason}により引き分け")),
            EndReason::Aborted => Some(reason.to_owned()),
            _ => None,
        };
    };
    let word = match (winner == mover, game.end) {
        (true, EndReason::Declaration) => "入玉勝ち",
        (true, EndReason::Aborted) => "不戦勝",
        (true, EndReason::Illegal | EndReason::Repetition) => "反則勝ち",
        (false, EndReason::Resign | EndReason::Checkmate) => reason,
        (false, EndReason::Timeout) => "切れ負け",
        (false, EndReason::Aborted) => "不戦敗",
        (false, EndReason::Illegal | EndReason::Repetition) => "反則負け",
        (false, EndReason::Unknown) if has_legal_move(last) => self::reason(EndReason::Resign),
        (false, EndReason::Unknown) => self::reason(EndReason::Checkmate),
        (true, EndReason::Unknown) => return None,
        _ => return Some(format!("{reason}により{}の勝ち", sides[winner])),
    };
    Some(word.to_owned())
}

/// An end reason in Japanese; empty if unknown.
const fn reason(end: EndReason) -> &'static str {
    match end {
        EndReason::Resign => "投了",
        EndReason::Checkmate => "詰み",
        EndReason::Timeout => "時間切れ",
        EndReason::Illegal => "反則",
        EndReason::Repetition => "千日手",
        EndReason::Declaration => "入玉勝ち",
        EndReason::Impasse => "持将棋",
        EndReason::MaxMoves => "最大手数",
        EndReason::Adjudication => "裁定",
        EndReason::Aborted => "中断",
        EndReason::Unknown => "",
    }
}

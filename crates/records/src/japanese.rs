//! The words of KIF and KI2: pieces, squares, handicaps, ends of games; read and written.

use super::builder::{Ending, Setup, UNKNOWN_END, WordResult};
use super::game::EndReason;
use super::text::digit;
use sabi_shogi::{Color, HandKind, Move, PieceKind, Position, STARTPOS_SFEN, SfenError, Square};

/// Longer names before their prefixes.
const PIECES: [(&str, PieceKind); 21] = [
    ("成銀", PieceKind::ProSilver),
    ("成桂", PieceKind::ProKnight),
    ("成香", PieceKind::ProLance),
    ("歩", PieceKind::Pawn),
    ("香", PieceKind::Lance),
    ("桂", PieceKind::Knight),
    ("銀", PieceKind::Silver),
    ("金", PieceKind::Gold),
    ("角", PieceKind::Bishop),
    ("飛", PieceKind::Rook),
    ("玉", PieceKind::King),
    ("王", PieceKind::King),
    ("と", PieceKind::ProPawn),
    ("杏", PieceKind::ProLance),
    ("圭", PieceKind::ProKnight),
    ("全", PieceKind::ProSilver),
    ("馬", PieceKind::Horse),
    ("龍", PieceKind::Dragon),
    ("竜", PieceKind::Dragon),
    ("个", PieceKind::ProPawn),
    ("ト", PieceKind::ProPawn),
];

/// Squares of the pieces removed in a handicap; White holds three pawns in 歩三兵. Without a side in
/// the name it is the left one, except that 五枚落ち keeps the left knight, and 七枚落ち and 九枚落ち, names
/// of lishogi, the left silver and the left gold.
const HANDICAPS: [(&str, &[&str]); 25] = [
    ("平手", &[]),
    ("香落ち", &["1a"]),
    ("左香落ち", &["1a"]),
    ("右香落ち", &["9a"]),
    ("両香落ち", &["1a", "9a"]),
    ("角落ち", &["2b"]),
    ("飛車落ち", &["8b"]),
    ("飛香落ち", &["8b", "1a"]),
    ("二枚落ち", &["8b", "2b"]),
    ("三枚落ち", &["8b", "2b", "1a"]),
    ("四枚落ち", &["8b", "2b", "1a", "9a"]),
    ("五枚落ち", &["8b", "2b", "1a", "9a", "8a"]),
    ("左五枚落ち", &["8b", "2b", "1a", "9a", "2a"]),
    ("六枚落ち", &["8b", "2b", "1a", "9a", "2a", "8a"]),
    ("七枚落ち", &["8b", "2b", "1a", "9a", "2a", "8a", "7a"]),
    ("左七枚落ち", &["8b", "2b", "1a", "9a", "2a", "8a", "3a"]),
    ("右七枚落ち", &["8b", "2b", "1a", "9a", "2a", "8a", "7a"]),
    ("八枚落ち", &["8b", "2b", "1a", "9a", "2a", "8a", "3a", "7a"]),
    ("九枚落ち", &["8b", "2b", "1a", "9a", "2a", "8a", "3a", "7a", "6a"]),
    ("十枚落ち", &["8b", "2b", "1a", "9a", "2a", "8a", "3a", "7a", "4a", "6a"]),
    ("トンボ＋桂香", &["3a", "7a", "4a", "6a"]),
    ("トンボ＋香", &["2a", "8a", "3a", "7a", "4a", "6a"]),
    ("トンボ", &["1a", "9a", "2a", "8a", "3a", "7a", "4a", "6a"]),
    ("裸玉", LONE_KING),
    ("歩三兵", LONE_KING),
];

/// All but the king.
const LONE_KING: &[&str] =
    &["8b", "2b", "1a", "9a", "2a", "8a", "3a", "7a", "4a", "6a", "1c", "2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c"];

/// Words in place of a move. A word precedes the words it contains.
const ENDINGS: [(&str, Ending); 27] = [
    ("投了", (EndReason::Resign, WordResult::MoverLoses)),
    ("不詰", UNKNOWN_END),
    ("詰み", (EndReason::Checkmate, WordResult::MoverLoses)),
    ("詰", (EndReason::Checkmate, WordResult::MoverLoses)),
    ("切れ負け", (EndReason::Timeout, WordResult::MoverLoses)),
    ("切れ勝ち", (EndReason::Timeout, WordResult::MoverWins)),
    ("時間切れ", (EndReason::Timeout, WordResult::MoverLoses)),
    ("反則勝ち", (EndReason::Illegal, WordResult::MoverWins)),
    ("反則負け", (EndReason::Illegal, WordResult::MoverLoses)),
    ("反則", (EndReason::Illegal, WordResult::MoverLoses)),
    ("入玉勝ち", (EndReason::Declaration, WordResult::MoverWins)),
    ("入玉宣言", (EndReason::Declaration, WordResult::MoverWins)),
    ("勝ち宣言", (EndReason::Declaration, WordResult::MoverWins)),
    ("宣言勝ち", (EndReason::Declaration, WordResult::MoverWins)),
    // The king of the side that moved has reached its goal.
    ("トライ", (EndReason::Declaration, WordResult::MoverLoses)),
    ("千日手", (EndReason::Repetition, WordResult::Draw)),
    ("持将棋", (EndReason::Impasse, WordResult::Draw)),
    ("引き分け", (EndReason::Unknown, WordResult::Draw)),
    ("引分け", (EndReason::Unknown, WordResult::Draw)),
    ("引分", (EndReason::Unknown, WordResult::Draw)),
    ("最大手数", (EndReason::MaxMoves, WordResult::Draw)),
    ("裁定", (EndReason::Adjudication, WordResult::Unknown)),
    ("中断", (EndReason::Aborted, WordResult::Unknown)),
    ("封じ手", (EndReason::Aborted, WordResult::Unknown)),
    ("不戦勝", (EndReason::Aborted, WordResult::MoverWins)),
    ("不戦敗", (EndReason::Aborted, WordResult::MoverLoses)),
    ("エラー", (EndReason::Aborted, WordResult::Unknown)),
];

/// Words after a side that won, looked for first, and after one that lost.
const WON: [&str; 10] =
    ["勝", "反則勝", "時間切れ勝", "切れ勝", "詰み勝", "入玉勝", "入玉宣言勝", "宣言勝", "トライ勝", "不戦勝"];

const LOST: [&str; 6] = ["負", "反則", "時間切れ", "切れ負", "不戦敗", "投了"];

/// Names of the sides, the last of them in mate problems.
const SIDES: [(Color, &[&str]); 2] = [
    (Color::Black, &["先手", "下手", "攻方", "攻め方", "詰方", "詰め方"]),
    (Color::White, &["後手", "上手", "玉方", "受方", "受け方", "守方"]),
];

fn sides() -> impl Iterator<Item = (&'static str, Color)> {
    SIDES.iter().flat_map(|&(color, names)| names.iter().map(move |&name| (name, color)))
}

/// The piece at the start of a text, and the rest.
pub(super) fn piece(text: &str) -> Option<(PieceKind, &str)> {
    PIECES.iter().find_map(|&(name, kind)| Some((kind, text.strip_prefix(name)?)))
}

/// Name of a piece in messages.
pub(super) fn piece_name(kind: PieceKind) -> &'static str {
    PIECES.iter().find(|&&(_, other)| other == kind).map_or("", |&(name, _)| name)
}

/// The end at the start of a text: a word, or reason and result, `裁定により引き分け`. There may be
/// blanks in it (`投 了`) and points before it (`27点宣言勝ち`).
pub(super) fn ending(text: &str) -> Option<Ending> {
    let text: String = text.split_whitespace().collect();
    let text = text.trim_start_matches(|c| digit(c).is_some()).strip_prefix('点').unwrap_or(&text);
    if side(text).is_some() {
        return result_and_reason(text).filter(|(_, outcome)| matches!(outcome, WordResult::Wins(_)));
    }
    let Some(&(word, (reason, outcome))) = ENDINGS.iter().find(|(word, _)| text.starts_with(word)) else {
        // The result alone.
        let results = [("勝ち", WordResult::MoverWins), ("負け", WordResult::MoverLoses)];
        return results.into_iter().find(|(word, _)| text.starts_with(word)).map(|(_, won)| (EndReason::Unknown, won));
    };
    if text.contains("により") {
        return result_and_reason(text).or(Some((reason, outcome)));
    }
    // Words of a loss and of a win may say the contrary: 時間切れ勝ち.
    let outcome = match (&text[word.len()..], outcome) {
        (rest, WordResult::MoverLoses) if rest.starts_with('勝') && word == "トライ" => WordResult::Tried,
        (rest, WordResult::MoverLoses) if rest.starts_with('勝') => WordResult::MoverWins,
        (rest, WordResult::MoverWins) if rest.starts_with('負') => WordResult::MoverLoses,
        _ => outcome,
    };
    Some((reason, outcome))
}

/// The side at the start of a text, and the rest.
pub(super) fn side(text: &str) -> Option<(Color, &str)> {
    sides().find_map(|(name, color)| Some((color, text.strip_prefix(name)?)))
}

/// The result line: まで161手で先手の勝ち, まで98手で時間切れにより後手の勝ち, まで後手の反則負け.
pub(super) fn summary(sentence: &str) -> Option<Ending> {
    let said = sentence.strip_prefix("まで")?.trim_start_matches('、').trim_start();
    let is_count = |c: char| "十百千".contains(c) || digit(c).is_some();
    let counted = said.trim_start_matches(is_count).trim_start().strip_prefix('手');
    result_and_reason(counted.unwrap_or(said).trim_start_matches('で'))
}

/// Reason and result.
fn result_and_reason(said: &str) -> Option<Ending> {
    let winner = sides().find_map(|(name, color)| {
        let (_, result) = said.split_once(name)?;
        let result = result.trim_start_matches('の');
        let begins = |words: &[&str]| words.iter().any(|word| result.starts_with(word));
        if begins(&WON) { Some(color) } else { begins(&LOST).then_some(!color) }
    });
    let (cause, draw) = said.split_once("により引き分け").map_or((said, false), |(cause, _)| (cause, true));
    let reason = ENDINGS.iter().find(|(word, _)| cause.contains(word)).map(|&(_, ending)| ending);
    match (winner, reason) {
        (None, reason) if draw => Some((reason.map_or(EndReason::Unknown, |ending| ending.0), WordResult::Draw)),
        (Some(color), reason) => Some((reason.map_or(EndReason::Unknown, |ending| ending.0), WordResult::Wins(color))),
        (None, reason) => reason,
    }
}

/// The square at the start of a text, `７六`, `76` or `７6`, and the rest.
pub(super) fn square(text: &str) -> Option<(Square, &str)> {
    let mut chars = text.chars();
    let file = digit(chars.next()?)?.checked_sub(1)?;
    let rank = digit(chars.next()?)?.checked_sub(1)?;
    Some((Square::at(file, rank)?, chars.as_str()))
}

/// The start position of a handicap; `None` if its name is unknown.
pub(super) fn start(handicap: &str) -> Option<Result<Position, SfenError>> {
    let mut setup = Setup::even();
    let removed = HANDICAPS.iter().find(|(known, _)| *known == handicap)?.1;
    removed.iter().filter_map(|square| Square::from_usi(square)).for_each(|square| setup.put(square, None));
    if handicap == "歩三兵" {
        (0..3).try_for_each(|_| setup.add_to_hand(Color::White, HandKind::Pawn)).ok()?;
    }
    Some(setup.position(if handicap == "平手" { Color::Black } else { Color::White }))
}

/// Whether a start position is that of a handicap game, whose sides are 下手 and 上手.
pub fn is_handicap(start: &Position) -> bool {
    name_of_start(start).is_some_and(|name| name != "平手")
}

/// The name of a start position.
pub(super) fn name_of_start(start: &Position) -> Option<&'static str> {
    // Most games are even; in a handicap game White begins.
    if start.sfen() == STARTPOS_SFEN {
        return Some("平手");
    }
    let is_start =
        |name: &str| self::start(name).and_then(Result::ok).is_some_and(|named| named.sfen() == start.sfen());
    (start.side_to_move() == Color::White)
        .then(|| HANDICAPS.iter().map(|&(name, _)| name).find(|name| is_start(name)))?
}

const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
pub(super) const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

pub(super) fn square_name(square: Square) -> String {
    [FILES[usize::from(square.file())], RANKS[usize::from(square.rank())]].iter().collect()
}

/// The target square, or 同.
pub(super) fn target(position: &Position, mv: Move) -> String {
    match position.last_move() {
        Some(last) if last.to() == mv.to() => "同　".to_owned(),
        _ => square_name(mv.to()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_end_sentences() {
        use EndReason::*;
        for (sentence, expected) in [
            ("まで161手で先手の勝ち", Some((Unknown, WordResult::Wins(Color::Black)))),
            ("まで98手で上手の勝ち", Some((Unknown, WordResult::Wins(Color::White)))),
            ("まで3手で時間切れにより先手の勝ち", Some((Timeout, WordResult::Wins(Color::Black)))),
            ("まで2手で先手の反則負け", Some((Illegal, WordResult::Wins(Color::White)))),
            ("まで3手で後手の反則勝ち", Some((Illegal, WordResult::Wins(Color::White)))),
            ("まで100手で千日手", Some((Repetition, WordResult::Draw))),
            ("まで90手で詰みにより上手の勝ち", Some((Checkmate, WordResult::Wins(Color::White)))),
            ("まで90手で裁定により引き分け", Some((Adjudication, WordResult::Draw))),
            ("まで90手で引き分け", Some((Unknown, WordResult::Draw))),
            ("まで100手で持将棋", Some((Impasse, WordResult::Draw))),
            ("まで3手で中断", Some((Aborted, WordResult::Unknown))),
            ("まで7手詰", Some((Checkmate, WordResult::MoverLoses))),
            ("まで3手で不詰", Some((Unknown, WordResult::Unknown))),
            ("まで3手", None),
            ("まで", None),
            ("まで後手の反則負け", Some((Illegal, WordResult::Wins(Color::Black)))),
            ("まで先手の勝ち", Some((Unknown, WordResult::Wins(Color::Black)))),
            ("まで千日手", Some((Repetition, WordResult::Draw))),
            ("まで、百十二手で先手の勝ち", Some((Unknown, WordResult::Wins(Color::Black)))),
            ("まで3手で後手の反則により先手の勝ち", Some((Illegal, WordResult::Wins(Color::Black)))),
            ("まで3手で先手の時間切れ負け", Some((Timeout, WordResult::Wins(Color::White)))),
            ("まで3手で先手の時間切れ勝ち", Some((Timeout, WordResult::Wins(Color::Black)))),
            ("まで3手で後手の入玉宣言勝ち", Some((Declaration, WordResult::Wins(Color::White)))),
            ("まで3手で後手の宣言勝ち", Some((Declaration, WordResult::Wins(Color::White)))),
            ("まで3手で後手のトライ勝ち", Some((Declaration, WordResult::Wins(Color::White)))),
            ("まで3手で先手の不戦勝", Some((Aborted, WordResult::Wins(Color::Black)))),
            ("まで3手で先手の不戦敗", Some((Aborted, WordResult::Wins(Color::White)))),
        ] {
            assert_eq!(summary(sentence), expected, "{sentence}");
        }
    }

    #[test]
    fn longest_name_matches() {
        assert_eq!(piece("成銀成"), Some((PieceKind::ProSilver, "成")));
        assert_eq!(piece("銀成"), Some((PieceKind::Silver, "成")));
        assert_eq!(ending("不詰"), Some(UNKNOWN_END));
        assert_eq!(ending("27点宣言勝ち"), ending("宣言勝ち"));
        assert_eq!(ending("投 了   ( 0:05/00:00:05)"), ending("投了"));
        assert_eq!(ending("27歩(28)"), None);
        assert_eq!(ending("裁定により後手の勝ち"), Some((EndReason::Adjudication, WordResult::Wins(Color::White))));
        assert_eq!(ending("先手の勝ち"), Some((EndReason::Unknown, WordResult::Wins(Color::Black))));
        assert_eq!(ending("後手時間切れ負け"), Some((EndReason::Timeout, WordResult::Wins(Color::Black))));
        assert_eq!(ending("時間切れ勝ち"), Some((EndReason::Timeout, WordResult::MoverWins)));
        assert_eq!(ending("宣言負け"), None);
        assert_eq!(ending("入玉宣言負け"), Some((EndReason::Declaration, WordResult::MoverLoses)));
        assert_eq!(ending("先手後手"), None);
    }
}

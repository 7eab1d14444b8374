//! Scores in comments.

use sabi_shogi::{MAX_PLY, Score};

/// The score of a comment, for Black: the player's evaluation when choosing the move before the
/// comment. The text begins after the comment sign, `*` in KIF and `'*` in CSA.
///
/// Four formats: floodgate's `* -152 -3334FU` (0 for book moves), `*対局 … 評価値 60 読み筋 …` of ShogiGUI,
/// and `*評価値=80` and `*詰み=先手勝ち:5手` of ShogiHome. Scores of later analysis, `*解析` and
/// `#評価値=`, are ignored: programs differ in whether they refer to the position before or after
/// the move.
pub fn score(comment: &str) -> Option<Score> {
    let text = comment.strip_prefix('*')?;
    if let Some(number) = text.strip_prefix("評価値=") {
        centipawns(number)
    } else if let Some(mate) = text.strip_prefix("詰み=") {
        mate_of(mate)
    } else if let Some(rest) = text.strip_prefix("対局") {
        let (_, value) = rest.split_once(" 評価値 ")?;
        match value.chars().take_while(|c| !c.is_whitespace()).collect::<String>().as_str() {
            "+詰" => Some(UNKNOWN_MATE),
            "-詰" => Some(-UNKNOWN_MATE),
            number => centipawns(number),
        }
    } else if text.starts_with(' ') {
        centipawns(text)
    } else {
        None
    }
}

/// A score as comment in ShogiHome's format, readable by [`score`].
pub(super) fn of_score(score: Score) -> String {
    match score.mate_plies() {
        Some(plies) => format!("*詰み={}勝ち:{}手", if score.is_mate_win() { "先手" } else { "後手" }, plies.abs()),
        None => format!("*評価値={}", score.get()),
    }
}

/// A mate of unknown length.
const UNKNOWN_MATE: Score = Score::MATE_IN_MAX_PLY;

/// Parses the first word as a number.
fn centipawns(text: &str) -> Option<Score> {
    let value: f64 = text.split_whitespace().next()?.parse().ok()?;
    // Clamped to the range of scores.
    value.is_finite().then(|| Score::cp(value.round() as i32))
}

/// `先手勝ち:5手`, or without the length.
fn mate_of(text: &str) -> Option<Score> {
    let (winner, plies) =
        text.trim().split_once(':').map_or((text.trim(), None), |(winner, plies)| (winner, Some(plies)));
    let plies = plies.and_then(|plies| plies.strip_suffix('手')?.parse::<usize>().ok());
    let mate = plies.map_or(UNKNOWN_MATE, |plies| Score::mate_in(plies.min(MAX_PLY)));
    match winner {
        "先手勝ち" => Some(mate),
        "後手勝ち" => Some(-mate),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_every_spelling() {
        for (comment, score) in [
            ("* -152 -3334FU +2726FU", Score::cp(-152)),
            ("* 0", Score::ZERO),
            ("* 0 joseki", Score::ZERO),
            ("* -488281", -Score::MAX_NON_MATE),
            ("*対局 候補1 時間 00:03.0 深さ 21/30 ノード数 15909354 評価値 60 読み筋 ▲３三角成(88)", Score::cp(60)),
            ("*対局 深さ 5 評価値 -詰 読み筋", -Score::MATE_IN_MAX_PLY),
            ("*評価値=80", Score::cp(80)),
            ("*評価値=-12.6", Score::cp(-13)),
            ("*詰み=先手勝ち:5手", Score::mate_in(5)),
            ("*詰み=後手勝ち", -Score::MATE_IN_MAX_PLY),
        ] {
            assert_eq!(super::score(comment), Some(score), "{comment}");
        }
    }

    #[test]
    fn ignores_other_comments() {
        let plain = ["", "10", " 10 minutes", "*", "* ", "*10", "* nan", "* inf", "* joseki"];
        let named = ["*評価値=", "*評価値=abc", "*詰み=", "*詰み=両方", "*対局 評価値 ", "#評価値=-102"];
        let long = ["*対局 文字列 BookEvalDiff = 30", "*解析 0 時間 00:03.8 評価値 113 読み筋"];
        for comment in plain.into_iter().chain(named).chain(long) {
            assert_eq!(super::score(comment), None, "{comment}");
        }
    }
}

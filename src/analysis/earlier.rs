//! Comments of an earlier analysis, which a new one replaces.

/// Starts of comments on a position, in the formats of ShogiHome and ShogiGUI and of this program.
/// `N` stands for a number, `$` for the end of the line.
const POSITION: [&str; 25] = [
    "#評価値=",
    "#詰み=",
    "#読み筋=",
    "#深さ=",
    "#ノード数=",
    "#エンジン=",
    "*解析",
    "【緩手】勝率 N %",
    "【疑問手】勝率 N %",
    "【悪手】勝率 N %",
    "[inaccuracy] win rate N %",
    "[mistake] win rate N %",
    "[blunder] win rate N %",
    "形勢逆転$",
    "turning point$",
    "詰み逃し (N手詰): ",
    "自玉に詰みが生じた (N手詰): ",
    "missed mate in N pl",
    "allows mate in N pl",
    "定跡はN手目まで$",
    "book up to move N$",
    "入玉: ",
    "entering king: ",
    "候補N ",
    "candidate N: ",
];

/// Starts of the summaries of the players.
const SUMMARY: [&str; 6] = [
    "先手: 正確さ N %",
    "後手: 正確さ N %",
    "下手: 正確さ N %",
    "上手: 正確さ N %",
    "Black: accuracy N %",
    "White: accuracy N %",
];

/// Whether a comment line belongs to the analysis of a position.
pub(super) fn is_of_position(line: &str) -> bool {
    POSITION.iter().any(|start| begins(line, start))
}

/// Whether a comment line is the summary of a player.
pub(super) fn is_summary(line: &str) -> bool {
    SUMMARY.iter().any(|start| begins(line, start))
}

fn begins(line: &str, start: &str) -> bool {
    let (start, whole) = start.strip_suffix('$').map_or((start, false), |start| (start, true));
    let rest = match start.split_once('N') {
        Some((before, after)) => line.strip_prefix(before).and_then(|rest| {
            let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            digits.strip_prefix(after).filter(|_| digits.len() < rest.len())
        }),
        None => line.strip_prefix(start),
    };
    rest.is_some_and(|rest| !whole || rest.is_empty())
}

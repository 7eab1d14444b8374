//! Comments of an earlier analysis, which a new one replaces.

/// How they begin: in the formats of ShogiHome and ShogiGUI, and the sentences of this program.
const STARTS: [&str; 26] = [
    "#評価値=",
    "#詰み=",
    "#読み筋=",
    "#深さ=",
    "#ノード数=",
    "#エンジン=",
    "*解析",
    "【緩手】勝率 ",
    "【疑問手】勝率 ",
    "【悪手】勝率 ",
    "[inaccuracy] win rate ",
    "[mistake] win rate ",
    "[blunder] win rate ",
    "詰み逃し (",
    "自玉に詰みが生じた (",
    "missed mate in ",
    "allows mate in ",
    "先手: 正確さ ",
    "後手: 正確さ ",
    "下手: 正確さ ",
    "上手: 正確さ ",
    "Black: accuracy ",
    "White: accuracy ",
    "入玉: ",
    "entering king: ",
    "book up to move ",
];
/// Starts before a number.
const NUMBERED: [&str; 3] = ["定跡は", "候補", "candidate "];
const WHOLE: [&str; 2] = ["形勢逆転", "turning point"];

/// Whether a comment line belongs to an analysis.
pub(super) fn is_of_analysis(line: &str) -> bool {
    let numbered = |start| line.strip_prefix(start).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    STARTS.iter().any(|start| line.starts_with(start)) || NUMBERED.into_iter().any(numbered) || WHOLE.contains(&line)
}

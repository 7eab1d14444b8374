//! Texts of the page script.

use crate::analysis::class::Class;
use crate::analysis::language::Language;
use sabi_shogi::Color;
use serde_json::{Map, Value, json};

/// By their keys in the script, for an even or a handicap game.
pub(super) fn words(language: Language, handicap: bool) -> Value {
    let say = |japanese, english| language.choose(japanese, english);
    let class = |class: Class| (class.name().to_owned(), Value::from(language.class(class)));
    json!({
        "allowed": say("自玉に詰みが生じた", "allows mate"),
        "back": say("本譜に戻る", "back to the game"),
        "better": say("最善手順", "better line"),
        "black": language.side(Color::Black, handicap),
        "book": say("定跡はここまで", "last move of the book"),
        "classes": Class::ALL.map(class).into_iter().collect::<Map<_, _>>(),
        "entering": say("入玉", "entering king"),
        "games": say("局数", "games"),
        "lines": say("読み筋", "Best lines"),
        "loss": say("勝率", "win rate"),
        "missed": say("詰みを逃した", "a mate was missed"),
        "none": say("なし", "none"),
        "pieces": say("枚", "pieces"),
        "points": say("点", "points"),
        "ranks": say("一二三四五六七八九", "abcdefghi").chars().map(String::from).collect::<Vec<_>>(),
        "start": say("開始局面", "start"),
        "turning": say("形勢逆転", "turning point"),
        "white": language.side(Color::White, handicap),
    })
}

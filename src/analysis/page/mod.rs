//! Self-contained HTML pages: board, pieces and graph are drawn by an embedded script.

mod index;
mod words;

pub use index::{IndexEntry, index_page};

use super::analyzed::AnalyzedGame;
use super::class::Class;
use super::json::to_json;
use super::language::Language;
use super::player::PlayerSummary;
use crate::util::{escape_html as escape, html_page};
use sabi_records::{Game, is_handicap};
use sabi_shogi::Color;
use serde_json::json;
use words::words;

const STYLE: &str = include_str!("game.css");
const SCRIPT: &str = concat!(include_str!("board.js"), include_str!("game.js"));

/// The page of a game; `made_by` names engine and settings.
pub fn game_page(analyzed: &AnalyzedGame, language: Language, made_by: &str) -> String {
    let game = &analyzed.game;
    let data = json!({ "game": to_json(analyzed, language), "words": words(language, is_handicap(&game.start)) });
    // Keep the data from closing its script element.
    let data = data.to_string().replace('<', "\\u003c");
    let [controls, graph, list] =
        [language.choose("操作", "controls"), language.choose("勝率", "win rate"), language.choose("指し手", "moves")];
    let summary = summary(analyzed, language);
    let body = format!(
        "<p class=\"faint\">{facts}</p>\n<main>\n<div>\n<div id=\"above\" class=\"side\"></div>\n\
         <svg id=\"board\" viewBox=\"0 0 410 434\" role=\"img\" aria-label=\"{board}\"></svg>\n\
         <div id=\"below\" class=\"side\"></div>\n<div id=\"controls\" aria-label=\"{controls}\">\
         <button id=\"first\">|◀</button><button id=\"back\">◀</button><button id=\"next\">▶</button>\
         <button id=\"last\">▶|</button><button id=\"flip\">⇅</button></div>\n<p class=\"faint hint\">{hint}</p>\n</div>\n\
         <div>\n<svg id=\"graph\" viewBox=\"0 0 600 180\" role=\"img\" aria-label=\"{graph}\"></svg>\n<div id=\"now\"></div>\n\
         <h2>{turning}</h2>\n<div id=\"turning\"></div>\n<h2>{players}</h2>\n{summary}</div>\n\
         <div id=\"list\">\n<h2>{list}</h2>\n<div id=\"moves\"><table><tbody></tbody></table></div>\n</div>\n<div id=\"errors\"></div>\n</main>\n\
         <p class=\"faint\">{made_by}</p>\n<script type=\"application/json\" id=\"data\">{data}</script>\n<script>\n{SCRIPT}</script>\n",
        facts = escape(&facts(game, language)),
        board = language.choose("盤面", "board"),
        hint = language.choose(
            "← → で一手ずつ、Home End で最初と最後へ、グラフも押せます",
            "← → steps, Home and End jump, and the graph can be clicked"
        ),
        turning = language.choose("形勢逆転", "Turning points"),
        players = language.choose("成績", "Players"),
        made_by = escape(made_by),
    );
    html_page(language.code(), &title(game, language), STYLE, &body)
}

/// The players.
pub(super) fn title(game: &Game, language: Language) -> String {
    let handicap = is_handicap(&game.start);
    let name =
        |color: Color| game.headers.names[color].clone().unwrap_or_else(|| language.side(color, handicap).to_owned());
    format!("☗{} {} ☖{}", name(Color::Black), language.choose("対", "–"), name(Color::White))
}

fn facts(game: &Game, language: Language) -> String {
    let end = language.end(game.end);
    let moves = match language {
        Language::Japanese => format!("{}手", game.moves.len()),
        Language::English => format!("{} moves", game.moves.len()),
    };
    let parts = [
        game.headers.event.clone(),
        game.headers.date.clone(),
        Some(moves),
        Some(language.result(game.result, is_handicap(&game.start))),
    ];
    let end = Some(end.to_owned()).filter(|end| !end.is_empty());
    parts.into_iter().chain([end]).flatten().collect::<Vec<_>>().join(" · ")
}

/// The summaries of both players, side by side.
fn summary(analyzed: &AnalyzedGame, language: Language) -> String {
    type Value = fn(&PlayerSummary) -> String;
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let cells = |value: &dyn Fn(&PlayerSummary) -> String| -> String {
        let values = Color::ALL.map(|color| analyzed.players[color].as_ref().map_or_else(|| "–".to_owned(), value));
        values.map(|cell| format!("<td>{cell}</td>")).concat()
    };
    let mut rows = String::new();
    let mut row = |name: &str, value: &dyn Fn(&PlayerSummary) -> String| {
        rows += &format!("<tr><th scope=\"row\">{name}</th>{}</tr>\n", cells(value));
    };
    row(language.choose("正確さ", "accuracy"), &|player| percent(player.accuracy));
    row(language.choose("平均損失 (勝率)", "mean loss (win rate)"), &|player| percent(player.mean_loss));
    row(language.choose("平均損失 (評価値)", "mean loss (cp)"), &|player| {
        format!("{:.0}", player.mean_centipawn_loss)
    });
    for class in Class::ALL {
        row(language.class(class), &|player| player.count(class).to_string());
    }
    let mates: [(&str, Value); 2] = [
        (language.choose("詰み逃し", "missed mates"), |player| player.missed_mates.to_string()),
        (language.choose("自玉の詰みを許した手", "allowed mates"), |player| player.allowed_mates.to_string()),
    ];
    mates.iter().for_each(|(name, value)| row(name, value));
    let [black, white] = Color::ALL.map(|color| language.side(color, is_handicap(&analyzed.game.start)));
    format!(
        "<table class=\"summary\"><thead><tr><th></th><th scope=\"col\">☗{black}</th><th scope=\"col\">☖{white}</th></tr></thead>\n\
         <tbody>\n{rows}</tbody></table>\n"
    )
}

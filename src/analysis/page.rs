//! HTML: the frame of every page of this project, and the pages of analysed games.
//!
//! Pages are self-contained. In that of a game, board, pieces and graph are drawn by an embedded
//! script.

use super::analyzed::AnalyzedGame;
use super::class::{Class, PlayerSummary};
use super::json::to_json;
use super::language::{Language, percent};
use sabi_records::{FormationKind, Game, is_handicap};
use sabi_shogi::Color;
use serde_json::{Map, Value, json};

/// Distinguishes these pages from those of others.
const GENERATOR: &str = "<meta name=\"generator\" content=\"Sabi\">";

/// A page of a title, as heading too, and a body; `language` is a code of BCP 47.
pub fn html_page(language: &str, title: &str, style: &str, body: &str) -> String {
    let title = escape_html(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n{GENERATOR}\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{style}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}</body>\n</html>\n"
    )
}

/// Whether a file that starts like this is a page of [`html_page`].
pub fn is_html_page(head: &[u8]) -> bool {
    head.starts_with(b"<!DOCTYPE html>") && head.windows(GENERATOR.len()).any(|part| part == GENERATOR.as_bytes())
}

/// Escapes text for element content and attributes.
pub fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

const STYLE: &str = include_str!("page/game.css");
/// Sorts the index by a column: numbers first large ones, text from its start; a second click turns it.
const SORT: &str = r#"document.querySelectorAll(".index th button").forEach((button, column) => {
  button.onclick = () => {
    const body = document.querySelector(".index tbody"), text = (row) => row.cells[column].textContent;
    const compare = (a, b) => parseFloat(text(b)) - parseFloat(text(a)) || text(a).localeCompare(text(b), document.documentElement.lang);
    const down = button.classList.toggle("down"), rows = [...body.rows].sort(compare);
    body.append(...(down ? rows : rows.reverse()));
  };
});
"#;
const SCRIPT: &str = concat!(include_str!("page/board.js"), include_str!("page/game.js"));

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
        "<p class=\"faint\">{facts}</p>\n{formations}<main>\n<div>\n<div id=\"above\" class=\"side\"></div>\n\
         <svg id=\"board\" viewBox=\"0 0 410 434\" role=\"img\" aria-label=\"{board}\"></svg>\n\
         <div id=\"below\" class=\"side\"></div>\n<div id=\"controls\" aria-label=\"{controls}\">\
         <button id=\"first\">|◀</button><button id=\"back\">◀</button><button id=\"next\">▶</button>\
         <button id=\"last\">▶|</button><button id=\"flip\">⇅</button></div>\n<p class=\"faint hint\">{hint}</p>\n</div>\n\
         <div>\n<svg id=\"graph\" viewBox=\"0 0 600 180\" role=\"img\" aria-label=\"{graph}\"></svg>\n<div id=\"now\"></div>\n\
         <h2>{turning}</h2>\n<div id=\"turning\"></div>\n<h2>{players}</h2>\n{summary}</div>\n\
         <div id=\"list\">\n<h2>{list}</h2>\n<div id=\"moves\"><table><tbody></tbody></table></div>\n</div>\n<div id=\"errors\"></div>\n</main>\n\
         <p class=\"faint\">{made_by}</p>\n<script type=\"application/json\" id=\"data\">{data}</script>\n<script>\n{SCRIPT}</script>\n",
        facts = escape_html(&facts(game, language)),
        formations = formations(analyzed, language),
        board = language.choose("盤面", "board"),
        hint = language.choose(
            "← → で一手ずつ、Home End で最初と最後へ、グラフも押せます",
            "← → steps, Home and End jump, and the graph can be clicked"
        ),
        turning = language.choose("形勢逆転", "Turning points"),
        players = language.choose("成績", "Players"),
        made_by = escape_html(made_by),
    );
    html_page(language.code(), &title(game, language), STYLE, &body)
}

/// The players.
fn title(game: &Game, language: Language) -> String {
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

/// A line for each player with its openings and castles, and where they stand.
fn formations(analyzed: &AnalyzedGame, language: Language) -> String {
    let of_player = |(mark, color): (&str, Color)| {
        let of_kind = |kind| {
            let counted =
                analyzed.formations[color].iter().filter(|one| one.kind == kind && one.replaced != Some(one.ply));
            let names: Vec<String> = counted.map(|one| format!("{} ({})", language.formation(one), one.ply)).collect();
            (!names.is_empty()).then(|| format!("{}: {}", language.formation_kind(kind), names.join(" → ")))
        };
        let kinds: Vec<String> =
            [FormationKind::Opening, FormationKind::Castle].into_iter().filter_map(of_kind).collect();
        let line = format!("<p class=\"formations\">{mark} {}</p>\n", escape_html(&kinds.join(" · ")));
        (!kinds.is_empty()).then_some(line)
    };
    ["☗", "☖"].into_iter().zip(Color::ALL).filter_map(of_player).collect()
}

/// The summaries of both players, side by side.
fn summary(analyzed: &AnalyzedGame, language: Language) -> String {
    let mut rows = String::new();
    let mut row = |name: &str, value: &dyn Fn(&PlayerSummary) -> String| {
        let cells = analyzed.of_players("–", value).map(|cell| format!("<td>{cell}</td>")).concat();
        rows += &format!("<tr><th scope=\"row\">{name}</th>{cells}</tr>\n");
    };
    row(language.choose("正確さ", "accuracy"), &|player| percent(player.accuracy));
    row(language.choose("平均損失 (勝率)", "mean loss (win rate)"), &|player| percent(player.mean_loss));
    row(language.choose("平均損失 (評価値)", "mean loss (cp)"), &|player| {
        format!("{:.0}", player.mean_centipawn_loss)
    });
    for class in Class::ALL {
        row(language.class(class), &|player| player.count(class).to_string());
    }
    row(language.choose("詰み逃し", "missed mates"), &|player| player.missed_mates.to_string());
    row(language.choose("自玉の詰みを許した手", "allowed mates"), &|player| player.allowed_mates.to_string());
    let [black, white] = Color::ALL.map(|color| language.side(color, is_handicap(&analyzed.game.start)));
    format!(
        "<table class=\"summary\"><thead><tr><th></th><th scope=\"col\">☗{black}</th><th scope=\"col\">☖{white}</th></tr></thead>\n\
         <tbody>\n{rows}</tbody></table>\n"
    )
}

/// Texts of the page script by their keys, for an even or a handicap game.
fn words(language: Language, handicap: bool) -> Value {
    let say = |japanese, english| language.choose(japanese, english);
    let class = |class: Class| (class.name().to_owned(), Value::from(language.class(class)));
    json!({
        "allowed": say("自玉に詰みが生じた", "allows mate"),
        "back": say("本譜に戻る", "back to the game"),
        "better": say("最善手順", "better line"),
        "black": language.side(Color::Black, handicap),
        "castles": language.formation_kind(FormationKind::Castle),
        "book": say("定跡はここまで", "last move of the book"),
        "classes": Class::ALL.map(class).into_iter().collect::<Map<_, _>>(),
        "entering": say("入玉", "entering king"),
        "games": say("局数", "games"),
        "lines": say("読み筋", "Best lines"),
        "loss": say("勝率", "win rate"),
        "missed": say("詰みを逃した", "a mate was missed"),
        "none": say("なし", "none"),
        "openings": language.formation_kind(FormationKind::Opening),
        "pieces": say("枚", "pieces"),
        "points": say("点", "points"),
        "ranks": say("一二三四五六七八九", "abcdefghi").chars().map(String::from).collect::<Vec<_>>(),
        "start": say("開始局面", "start"),
        "turning": say("形勢逆転", "turning point"),
        "white": language.side(Color::White, handicap),
    })
}

/// The row of the index for a game whose page is `file`, next to the index.
pub fn index_row(analyzed: &AnalyzedGame, file: &str, language: Language) -> String {
    let game = &analyzed.game;
    let accuracy = analyzed.of_players("?", |player| format!("{:.1}", 100.0 * player.accuracy));
    let count = |class| analyzed.of_players("0", |player| player.count(class).to_string()).join(" – ");
    let formation = |kind| {
        let names = |color| {
            let names: Vec<&str> = analyzed.final_formations(color, kind).map(|one| language.formation(one)).collect();
            if names.is_empty() { "–".to_owned() } else { names.join(language.choose("・", ", ")) }
        };
        Color::ALL.map(names).join(" / ")
    };
    let cells = [
        game.headers.event.clone().unwrap_or_default(),
        game.headers.date.clone().unwrap_or_default(),
        language.result(game.result, is_handicap(&game.start)),
        formation(FormationKind::Opening),
        formation(FormationKind::Castle),
        game.moves.len().to_string(),
        format!("{} %", accuracy.join(" – ")),
        count(Class::Mistake),
        count(Class::Blunder),
        analyzed.turning_points().count().to_string(),
    ];
    let cells = cells.map(|cell| format!("<td>{}</td>", escape_html(&cell))).concat();
    let title = escape_html(&title(game, language));
    format!("<tr><th scope=\"row\"><a href=\"{}\">{title}</a></th>{cells}</tr>\n", link(file))
}

/// The page with links to the games, of rows by [`index_row`].
pub fn index_page(rows: &[String], language: Language, made_by: &str) -> String {
    let say = |japanese, english| language.choose(japanese, english);
    let heads = [
        say("対局", "game"),
        say("棋戦", "event"),
        say("日時", "date"),
        say("結果", "result"),
        language.formation_kind(FormationKind::Opening),
        language.formation_kind(FormationKind::Castle),
        say("手数", "moves"),
        say("正確さ", "accuracy"),
        say("疑問手", "mistakes"),
        say("悪手", "blunders"),
        say("形勢逆転", "turning points"),
    ];
    let heads: String = heads.map(|head| format!("<th scope=\"col\"><button>{head}</button></th>")).concat();
    let rows = rows.concat();
    let body = format!(
        "<div class=\"index\"><table class=\"summary\"><thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n\
         <p class=\"faint\">{}</p>\n<script>\n{SORT}</script>\n",
        escape_html(made_by)
    );
    html_page(language.code(), say("棋譜解析", "Analysed games"), STYLE, &body)
}

/// A file name as link target.
fn link(name: &str) -> String {
    let spell = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    name.bytes().map(spell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_escaped_in_links() {
        assert_eq!(link("game-1.html"), "game-1.html");
        assert_eq!(link("a b\"#%?.html"), "a%20b%22%23%25%3F.html");
        assert_eq!(link("局.html"), "%E5%B1%80.html");
    }

    #[test]
    fn only_own_pages_are_recognised() {
        let page = html_page("en", GENERATOR, "", "");
        assert!(is_html_page(page.as_bytes()) && page.matches(GENERATOR).count() == 1);
        let other = page.replacen(GENERATOR, "<meta name=\"generator\" content=\"Hugo\">", 1);
        assert!(!is_html_page(other.as_bytes()) && !is_html_page(GENERATOR.as_bytes()) && !is_html_page(b""));
    }
}

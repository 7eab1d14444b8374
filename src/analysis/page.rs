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

pub(super) const STYLE: &str = include_str!("page/game.css");
/// Of a page of tables. A click on a head sorts its table by that column: the largest number first,
/// text from its start; a second click turns it.
const TABLE_SCRIPT: &str = concat!(
    include_str!("page/language.js"),
    r#"
const NUMBER = /^[\d?]+(\.\d+)?( %)?( – .*)?$/;
const compare = (a, b) => (NUMBER.test(a) && NUMBER.test(b)
  ? (parseFloat(b) || 0) - (parseFloat(a) || 0) : a.localeCompare(b, page.lang, { numeric: true }));
for (const button of document.querySelectorAll(".index th button")) {
  button.onclick = () => {
    const head = button.parentNode, table = button.closest("table"), [body] = table.tBodies, turned = head.ariaSort;
    // What is shown, in one language.
    const text = (row) => row.cells[head.cellIndex].innerText;
    const rows = turned ? [...body.rows].reverse() : [...body.rows].sort((a, b) => compare(text(a), text(b)));
    for (const other of table.tHead.rows[0].cells) other.ariaSort = null;
    const falls = turned ? turned !== "descending" : NUMBER.test(text(rows[0]));
    head.ariaSort = falls ? "descending" : "ascending";
    body.append(...rows);
  };
}
"#
);
const SCRIPT: &str = concat!(
    include_str!("page/board.js"),
    include_str!("page/language.js"),
    include_str!("page/graph.js"),
    include_str!("page/game.js")
);

/// A text in both languages, of which a page shows one.
pub(super) fn both(text: impl Fn(Language) -> String) -> String {
    let one =
        |language: Language| format!("<span lang=\"{}\">{}</span>", language.code(), escape_html(&text(language)));
    Language::ALL.map(one).concat()
}

/// The same of two texts.
pub(super) fn said(japanese: &'static str, english: &'static str) -> String {
    both(|language| language.choose(japanese, english).to_owned())
}

/// The line below the heading of a page: facts, and the switch of its language; it has the heading
/// in both languages.
fn bar(title: impl Fn(Language) -> String, facts: &str) -> String {
    let titles =
        Language::ALL.map(|language| format!(" data-{}=\"{}\"", language.code(), escape_html(&title(language))));
    format!(
        "<nav class=\"bar\"{}><p class=\"faint\">{facts}</p><button id=\"language\" title=\"日本語 / English\">{}</button></nav>\n",
        titles.concat(),
        said("English", "日本語")
    )
}

/// A page without a board: title, facts, body.
pub(super) fn plain_page(
    language: Language,
    title: impl Fn(Language) -> String,
    facts: &str,
    body: &str,
    made_by: &str,
) -> String {
    page_with(language, title, facts, body, made_by, STYLE, TABLE_SCRIPT)
}

/// A page with a switch of its language.
pub(super) fn page_with(
    language: Language,
    title: impl Fn(Language) -> String,
    facts: &str,
    body: &str,
    made_by: &str,
    style: &str,
    script: &str,
) -> String {
    let (bar, made_by) = (bar(&title, facts), escape_html(made_by));
    let body = format!("{bar}{body}<p class=\"faint\">{made_by}</p>\n<script>\n{script}</script>\n");
    html_page(language.code(), &title(language), style, &body)
}

/// The page of a game; `made_by` names engine and settings.
pub fn game_page(analyzed: &AnalyzedGame, language: Language, made_by: &str) -> String {
    let game = &analyzed.game;
    let by_language = |of: &dyn Fn(Language) -> Value| {
        Language::ALL.map(|language| (language.code().to_owned(), of(language))).into_iter().collect::<Map<_, _>>()
    };
    let data = json!({
        "game": to_json(analyzed, language),
        "texts": by_language(&|language| texts(&to_json(analyzed, language))),
        "words": by_language(&|language| words(game, language)),
    });
    // Keep the data from closing its script element.
    let data = data.to_string().replace('<', "\\u003c");
    let head = |id: &str, text: &str| format!("<th scope=\"col\" id=\"head-{id}\">{text}</th>");
    let body = format!(
        "{formations}<main>\n<div>\n<div id=\"above\" class=\"side\"></div>\n\
         <svg id=\"board\" viewBox=\"0 0 410 434\" role=\"img\"></svg>\n\
         <div id=\"below\" class=\"side\"></div>\n<div id=\"legend\"></div>\n<div id=\"controls\">\
         <button id=\"first\">|◀</button><button id=\"back\">◀</button><button id=\"next\">▶</button>\
         <button id=\"last\">▶|</button><button id=\"worse\">▶✕</button><button id=\"flip\">⇅</button></div>\n\
         <h2 id=\"mistakes-head\">{mistakes}</h2>\n<div id=\"mistakes\"></div>\n\
         <h2 id=\"turning-head\">{turning}</h2>\n<div id=\"turning\"></div>\n<p class=\"faint hint\">{hint}</p>\n</div>\n\
         <div>\n<h2>{graph}</h2>\n<svg id=\"graph\" role=\"img\"></svg>\n\
         <h2 class=\"timed\">{times}</h2>\n<svg id=\"times\" class=\"timed\" role=\"img\"></svg>\n<div id=\"now\"></div>\n\
         <h2>{players}</h2>\n{summary}</div>\n\
         <div id=\"list\">\n<h2>{list} <button id=\"view\"></button></h2>\n<div id=\"moves\"><table><thead><tr>{heads}</tr></thead>\
         <tbody></tbody></table></div>\n</div>\n<div id=\"errors\"></div>\n</main>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n",
        formations = formations(analyzed),
        hint = said(
            "← → で一手ずつ、Home End で最初と最後、n p で次と前の疑問手・悪手、f で盤を反転、Esc で手順から戻る。グラフや指し手も押せます",
            "← → steps, Home and End jump, n and p show the next and the last mistake, f flips the board, Esc leaves a line; graph and moves can be clicked"
        ),
        graph = both(|language| {
            let black = language.side(Color::Black, is_handicap(&game.start));
            match language {
                Language::Japanese => format!("勝率グラフ（{black}から見た勝率）"),
                Language::English => format!("Win rate ({black}'s view)"),
            }
        }),
        times = said("消費時間", "Time of each move"),
        mistakes = said("疑問手・悪手", "Mistakes"),
        turning = said("形勢逆転", "Turning points"),
        players = said("成績", "Players"),
        summary = summary(analyzed),
        list = said("指し手", "Moves"),
        heads = [
            head("number", &said("手数", "no.")),
            head("move", &said("指し手", "move")),
            head("class", &said("評価", "class")),
            head("rate", &said("勝率", "win rate")),
            head("loss", &said("損失", "loss")),
            head("time\" class=\"timed", &said("時間", "time")),
        ]
        .concat(),
    );
    let facts = both(|language| facts(game, language));
    page_with(language, |language| title(game, language), &facts, &body, made_by, STYLE, SCRIPT)
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

/// A line for each player with its openings and castles, and where they stand.
fn formations(analyzed: &AnalyzedGame) -> String {
    let of_player = |(mark, color): (&str, Color)| {
        let counted = || analyzed.formations[color].iter().filter(|one| one.replaced != Some(one.ply));
        let of_kind = |kind, language: Language| {
            let names = counted().filter(|one| one.kind == kind);
            let names: Vec<String> = names.map(|one| format!("{} ({})", language.formation(one), one.ply)).collect();
            (!names.is_empty()).then(|| format!("{}: {}", language.formation_kind(kind), names.join(" → ")))
        };
        let line = |language: Language| {
            let kinds = [FormationKind::Opening, FormationKind::Castle].into_iter();
            kinds.filter_map(|kind| of_kind(kind, language)).collect::<Vec<_>>().join(" · ")
        };
        counted().next().map(|_| format!("<p>{mark} {}</p>\n", both(line)))
    };
    ["☗", "☖"].into_iter().zip(Color::ALL).filter_map(of_player).collect()
}

/// The summaries of both players, side by side.
fn summary(analyzed: &AnalyzedGame) -> String {
    let mut rows = String::new();
    let mut row = |name: &str, value: &dyn Fn(&PlayerSummary) -> String| {
        let cells = analyzed.of_players("–", value).map(|cell| format!("<td>{cell}</td>")).concat();
        rows += &format!("<tr><th scope=\"row\">{name}</th>{cells}</tr>\n");
    };
    row(&said("正確さ", "accuracy"), &|player| percent(player.accuracy));
    row(&said("平均損失 (勝率)", "mean loss (win rate)"), &|player| percent(player.mean_loss));
    row(&said("平均損失 (評価値)", "mean loss (cp)"), &|player| format!("{:.0}", player.mean_centipawn_loss));
    for class in Class::ALL {
        let name = both(|language| language.class(class).to_owned());
        row(&format!("<span class=\"{}\">{name}</span>", class.name()), &|player| player.count(class).to_string());
    }
    row(&said("詰み逃し", "missed mates"), &|player| player.missed_mates.to_string());
    row(&said("自玉の詰みを許した手", "allowed mates"), &|player| player.allowed_mates.to_string());
    let heads = [(Color::Black, '☗'), (Color::White, '☖')].map(|(color, mark)| {
        let side = both(|language| format!("{mark}{}", language.side(color, is_handicap(&analyzed.game.start))));
        format!("<th scope=\"col\">{side}</th>")
    });
    format!(
        "<table class=\"summary\"><thead><tr><th></th>{}</tr></thead>\n<tbody>\n{rows}</tbody></table>\n",
        heads.concat()
    )
}

/// What changes with the language in the data of a game, in the order of its moves and positions.
fn texts(game: &Value) -> Value {
    let list =
        |value: &Value, of: fn(&Value) -> Value| Value::from_iter(value.as_array().into_iter().flatten().map(of));
    let line = |line: &Value| json!({ "text": line["text"], "texts": line["texts"] });
    let positions = game["positions"].as_array().into_iter().flatten();
    json!({
        "positions": positions.map(|at| json!({ "text": at["text"], "lines": list(&at["lines"], line) })).collect::<Vec<_>>(),
        "moves": list(&game["moves"], |mv| json!({ "text": mv["text"], "sentence": mv["judgement"]["sentence"] })),
    })
}

/// Texts of the page script by their keys.
fn words(game: &Game, language: Language) -> Value {
    let (say, handicap) = (|japanese, english| language.choose(japanese, english), is_handicap(&game.start));
    let class = |class: Class| (class.name().to_owned(), Value::from(language.class(class)));
    let black = language.side(Color::Black, handicap);
    json!({
        "allowed": say("自玉に詰みが生じた", "allows mate"),
        "back": say("本譜に戻る (Esc)", "back to the game (Esc)"),
        "better": say("最善手順", "better line"),
        "better_move": say("最善", "best"),
        "black": black,
        "castles": language.formation_kind(FormationKind::Castle),
        "book": say("定跡はここまで", "last move of the book"),
        "classes": Class::ALL.map(class).into_iter().collect::<Map<_, _>>(),
        "entering": say("入玉", "entering king"),
        "games": say("局数", "games"),
        "go_on": say("進める", "go on"),
        "here": say("この局面で指された手", "played in this position"),
        "lines": say("読み筋", "Best lines"),
        "look": say("指す前の局面を見る", "show where it was played"),
        "missed": say("詰みを逃した", "a mate was missed"),
        "mover_rate": say("指した側の勝率", "win rate of the mover"),
        "next_mistake": say("次の疑問手・悪手", "next mistake"),
        "none": say("なし", "none"),
        "of_black": match language {
            Language::Japanese => format!("勝率: {black}から"),
            Language::English => format!("win rate: {black}'s view"),
        },
        "of_mover": say("勝率: 指した側から", "win rate: mover's view"),
        "openings": language.formation_kind(FormationKind::Opening),
        "pieces": say("枚", "pieces"),
        "played_move": say("本譜", "played"),
        "points": say("点", "points"),
        "ranks": say("一二三四五六七八九", "abcdefghi").chars().map(String::from).collect::<Vec<_>>(),
        "reply": say("本譜の後の読み筋", "after the move played"),
        "start": say("開始局面", "start"),
        "time": say("消費時間", "time"),
        "titles": {
            "back": say("一手戻る (←)", "one move back (←)"),
            "board": say("盤面", "board"),
            "controls": say("操作", "controls"),
            "first": say("最初へ (Home)", "to the start (Home)"),
            "flip": say("盤を反転 (f)", "flip the board (f)"),
            "graph": say("勝率グラフ: 押した手へ", "win rate: click to go to a move"),
            "language": say("English に切り替え", "日本語に切り替え"),
            "last": say("最後へ (End)", "to the end (End)"),
            "next": say("一手進む (→)", "one move on (→)"),
            "view": say("勝率を先手側から見るか、指した側から見るか", "win rates from Black's view or from the mover's"),
            "worse": say("次の疑問手・悪手へ (n)", "next mistake (n)"),
        },
        "turning": say("形勢逆転", "turning point"),
        "white": language.side(Color::White, handicap),
    })
}

/// The row of the index for a game whose page is `file`, next to the index.
pub fn index_row(analyzed: &AnalyzedGame, file: &str) -> String {
    let game = &analyzed.game;
    let accuracy = analyzed.of_players("?", |player| format!("{:.1}", 100.0 * player.accuracy));
    let count = |class| analyzed.of_players("0", |player| player.count(class).to_string()).join(" – ");
    let formation = |kind| {
        both(|language| {
            let names = |color| {
                let names: Vec<_> = analyzed.final_formations(color, kind).map(|one| language.formation(one)).collect();
                if names.is_empty() { "–".to_owned() } else { names.join(language.choose("・", ", ")) }
            };
            let names = Color::ALL.map(names).join(" / ");
            if names == "– / –" { String::new() } else { names }
        })
    };
    let cells = [
        escape_html(&game.headers.event.clone().unwrap_or_default()),
        escape_html(&game.headers.date.clone().unwrap_or_default()),
        both(|language| language.result(game.result, is_handicap(&game.start))),
        formation(FormationKind::Opening),
        formation(FormationKind::Castle),
        game.moves.len().to_string(),
        format!("{} %", accuracy.join(" – ")),
        count(Class::Mistake),
        count(Class::Blunder),
        count(Class::MajorBlunder),
        analyzed.turning_points().count().to_string(),
    ];
    let cells = cells.map(|cell| format!("<td>{cell}</td>")).concat();
    let title = both(|language| title(game, language));
    format!("<tr><th scope=\"row\"><a href=\"{}\">{title}</a></th>{cells}</tr>\n", link(file))
}

/// The page with links to the games, of rows by [`index_row`]; `players` is the table of the
/// players.
pub fn index_page(rows: &[String], players: &str, language: Language, made_by: &str) -> String {
    let heads = [
        said("対局", "game"),
        said("棋戦", "event"),
        said("日時", "date"),
        said("結果", "result"),
        both(|language| language.formation_kind(FormationKind::Opening).to_owned()),
        both(|language| language.formation_kind(FormationKind::Castle).to_owned()),
        said("手数", "moves"),
        said("正確さ", "accuracy"),
        said("疑問手", "mistakes"),
        said("悪手", "blunders"),
        said("大悪手", "major blunders"),
        said("形勢逆転", "turning points"),
    ];
    let games = table(&heads, &rows.concat());
    let body = format!("<div class=\"index games\">{games}</div>\n{players}");
    let title = |language: Language| language.choose("棋譜解析", "Analysed games").to_owned();
    plain_page(language, title, &both(|language| counted_games(rows.len(), language)), &body, made_by)
}

pub(super) fn counted_games(count: usize, language: Language) -> String {
    match (language, count) {
        (Language::Japanese, _) => format!("{count}局"),
        (Language::English, 1) => "1 game".to_owned(),
        (Language::English, _) => format!("{count} games"),
    }
}

/// A table with these heads, which sort it, and rows.
pub(super) fn table(heads: &[String], rows: &str) -> String {
    let heads: String = heads.iter().map(|head| format!("<th scope=\"col\"><button>{head}</button></th>")).collect();
    format!("<table class=\"summary\"><thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table>")
}

/// A file name as link target.
pub(super) fn link(name: &str) -> String {
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

//! The index page of many games.

use super::{STYLE, title};
use crate::analysis::analyzed::AnalyzedGame;
use crate::analysis::class::Class;
use crate::analysis::language::Language;
use crate::util::{escape_html as escape, html_page};
use sabi_records::is_handicap;
use sabi_shogi::Color;

/// A row of the index.
#[derive(Clone, Debug)]
pub struct IndexEntry {
    file: String,
    cells: Vec<String>,
}

impl IndexEntry {
    /// The row of a game whose page is `file`, next to the index.
    pub fn new(analyzed: &AnalyzedGame, file: &str, language: Language) -> Self {
        let game = &analyzed.game;
        let player = |color: Color| analyzed.players[color].as_ref();
        let accuracy =
            |color| player(color).map_or_else(|| "?".to_owned(), |player| format!("{:.1}", 100.0 * player.accuracy));
        let count = |class| {
            let counts = Color::ALL.map(|color| player(color).map_or(0, |player| player.count(class)).to_string());
            counts.join(" – ")
        };
        let cells = vec![
            title(game, language),
            game.headers.event.clone().unwrap_or_default(),
            game.headers.date.clone().unwrap_or_default(),
            language.result(game.result, is_handicap(&game.start)),
            game.moves.len().to_string(),
            format!("{} – {} %", accuracy(Color::Black), accuracy(Color::White)),
            count(Class::Mistake),
            count(Class::Blunder),
            analyzed.turning_points().count().to_string(),
        ];
        Self { file: file.to_owned(), cells }
    }
}

/// The page with links to the games.
pub fn index_page(entries: &[IndexEntry], language: Language, made_by: &str) -> String {
    let say = |japanese, english| language.choose(japanese, english);
    let heads = [
        say("対局", "game"),
        say("棋戦", "event"),
        say("日時", "date"),
        say("結果", "result"),
        say("手数", "moves"),
        say("正確さ", "accuracy"),
        say("疑問手", "mistakes"),
        say("悪手", "blunders"),
        say("形勢逆転", "turning points"),
    ];
    let heads: String = heads.map(|head| format!("<th scope=\"col\">{head}</th>")).concat();
    let rows: String = entries.iter().map(row).collect();
    let body = format!(
        "<div class=\"index\"><table class=\"summary\"><thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n\
         <p class=\"faint\">{}</p>\n",
        escape(made_by)
    );
    html_page(language.code(), say("棋譜解析", "Analysed games"), STYLE, &body)
}

fn row(entry: &IndexEntry) -> String {
    let cell = |(at, cell): (usize, &String)| match at {
        0 => format!("<th scope=\"row\"><a href=\"{}\">{}</a></th>", link(&entry.file), escape(cell)),
        _ => format!("<td>{}</td>", escape(cell)),
    };
    format!("<tr>{}</tr>\n", entry.cells.iter().enumerate().map(cell).collect::<String>())
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
}

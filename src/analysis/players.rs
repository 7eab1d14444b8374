//! The players of a folder of games: accuracy by phase, openings with results, typical mistakes,
//! time trouble, and a page for each.

use super::analyzed::{AnalyzedGame, replay};
use super::class::{Class, accuracy};
use super::explain::{Cause, Explanation};
use super::language::{Language, percent};
use super::page::{both, counted_games, link, plain_page, said, table, title};
use sabi_records::{FormationKind, Game};
use sabi_shogi::{Color, PieceKind, Position};
use std::collections::BTreeMap;

/// Share of the main time below which a player is in time trouble.
const TROUBLE: f64 = 0.1;
/// Seconds below which a move is a quick one.
const QUICK: f64 = 5.0;
/// Number of mistakes on a page.
const WORST: usize = 20;

/// Part of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Phase {
    /// Until anything but a pawn or a bishop is captured.
    Opening,
    Middlegame,
    /// From the first check after the opening.
    Endgame,
}

impl Phase {
    const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Endgame];

    const fn name(self, language: Language) -> &'static str {
        match self {
            Self::Opening => language.choose("序盤", "opening"),
            Self::Middlegame => language.choose("中盤", "middlegame"),
            Self::Endgame => language.choose("終盤", "endgame"),
        }
    }

    /// The phase after a move, by what it captures and whether it gives check.
    const fn next(self, captured: Option<PieceKind>, is_check: bool) -> Self {
        let exchanges = !matches!(captured, None | Some(PieceKind::Pawn | PieceKind::Bishop));
        match (self, exchanges, is_check) {
            (Self::Opening, true, _) => Self::Middlegame,
            (Self::Middlegame, _, true) => Self::Endgame,
            _ => self,
        }
    }
}

/// The openings of a side, each with the result of the game.
fn openings(analyzed: &AnalyzedGame, color: Color) -> Vec<[String; 2]> {
    let named = analyzed.final_formations(color, FormationKind::Opening);
    let names: Vec<_> = named.map(|one| [one.japanese.clone(), one.english.clone()]).collect();
    if names.is_empty() { vec![["その他".to_owned(), "other".to_owned()]] } else { names }
}

/// A classified move of the player.
struct PlayerMove {
    number: usize,
    phase: Phase,
    loss: f64,
    class: Class,
    /// Of a mistake or worse.
    cause: Option<Cause>,
    seconds: Option<f64>,
    /// Where time and clock are known.
    in_trouble: Option<bool>,
    /// Move and sentence of a mistake or worse, by language.
    texts: [[String; 2]; 2],
}

/// A game of the player.
struct PlayerGame {
    file: String,
    title: [String; 2],
    date: String,
    color: Color,
    /// 1, 0.5 or 0; `None` if unknown.
    points: Option<f64>,
    /// Names of the openings that nothing replaces, by language.
    openings: Vec<[String; 2]>,
    moves: Vec<PlayerMove>,
}

impl PlayerGame {
    fn new(analyzed: &AnalyzedGame, color: Color, file: &str) -> Self {
        let game = &analyzed.game;
        let positions: Vec<Position> = replay(game).collect();
        let mut phase = Phase::Opening;
        let phases: Vec<Phase> = (0..game.moves.len())
            .map(|at| {
                let captured = positions[at].piece_at(game.moves[at].to()).map(|piece| piece.kind());
                phase = phase.next(captured, positions[at + 1].in_check());
                phase
            })
            .collect();
        let main = game.headers.clocks[color].map(|clock| clock.main.as_secs_f64()).filter(|&main| main > 0.0);
        let (mut used, mut moves) = (0.0, Vec::new());
        for at in (0..game.moves.len()).filter(|&at| positions[at].side_to_move() == color) {
            let seconds = game.times[at].map(|time| time.as_secs_f64());
            let left = main.map(|main| 1.0 - used / main);
            used += seconds.unwrap_or(0.0);
            let Some(classification) = &analyzed.classifications[at] else { continue };
            let explained = Explanation::new(analyzed, at, &positions[at]).filter(|_| is_mistake(classification.class));
            let texts = Language::ALL.map(|language| {
                let sentence = explained.as_ref().map(|told| told.sentence(&positions[at], language));
                [language.mv(&positions[at], game.moves[at]), sentence.unwrap_or_default()]
            });
            moves.push(PlayerMove {
                number: at + 1,
                phase: phases[at],
                loss: classification.loss,
                class: classification.class,
                cause: explained.map(|told| told.cause()),
                seconds,
                in_trouble: seconds.and(left).map(|left| left <= TROUBLE),
                texts,
            });
        }
        Self {
            file: file.to_owned(),
            title: Language::ALL.map(|language| title(game, language)),
            date: game.headers.date.clone().unwrap_or_default(),
            color,
            points: game.result.half_points(color).map(|points| f64::from(points) / 2.0),
            openings: openings(analyzed, color),
            moves,
        }
    }
}

fn is_mistake(class: Class) -> bool {
    class >= Class::Mistake
}

/// Sums over moves.
#[derive(Default)]
struct Tally {
    moves: usize,
    accuracy: f64,
    loss: f64,
    mistakes: usize,
}

impl Tally {
    fn of<'a>(moves: impl Iterator<Item = &'a PlayerMove>) -> Self {
        moves.fold(Self::default(), |sum, mv| Self {
            moves: sum.moves + 1,
            accuracy: sum.accuracy + accuracy(mv.loss),
            loss: sum.loss + mv.loss,
            mistakes: sum.mistakes + usize::from(is_mistake(mv.class)),
        })
    }

    fn accuracy(&self) -> String {
        if self.moves == 0 { "–".to_owned() } else { percent(self.accuracy / self.moves as f64) }
    }

    /// A row of a table; empty without moves.
    fn row(&self, name: &str) -> String {
        if self.moves == 0 {
            return String::new();
        }
        let moves = self.moves as f64;
        row(
            name,
            &[
                self.moves.to_string(),
                self.accuracy(),
                percent(self.loss / moves),
                self.mistakes.to_string(),
                percent(self.mistakes as f64 / moves),
            ],
        )
    }
}

fn row(name: &str, cells: &[String]) -> String {
    let cells: String = cells.iter().map(|cell| format!("<td>{cell}</td>")).collect();
    format!("<tr><th scope=\"row\">{name}</th>{cells}</tr>\n")
}

/// Wins, losses and draws.
fn results<'a>(games: impl Iterator<Item = &'a PlayerGame>) -> [usize; 3] {
    games.fold([0; 3], |mut sum, game| {
        match game.points {
            Some(points) if points > 0.75 => sum[0] += 1,
            Some(points) if points < 0.25 => sum[1] += 1,
            Some(_) => sum[2] += 1,
            None => {}
        }
        sum
    })
}

fn results_text([won, lost, drawn]: [usize; 3], language: Language) -> String {
    match language {
        Language::Japanese => format!("{won}勝{lost}敗{drawn}分"),
        Language::English => format!("won {won}, lost {lost}, drawn {drawn}"),
    }
}

/// Players with at least two games, by name, and their games.
#[derive(Default)]
pub struct Players {
    files: BTreeMap<String, String>,
    games: BTreeMap<String, Vec<PlayerGame>>,
}

impl Players {
    /// The players of these games, and the files of their pages, none of which is one of `others`.
    pub fn new(games: &[Game], others: &[String]) -> Self {
        let mut counts = BTreeMap::<&str, usize>::new();
        for name in games.iter().flat_map(|game| game.headers.names.iter().flatten()) {
            *counts.entry(name.as_str()).or_default() += 1;
        }
        let mut used: Vec<String> = others.iter().map(|file| file.to_lowercase()).collect();
        let mut files = BTreeMap::new();
        for (name, _) in counts.into_iter().filter(|&(name, count)| count >= 2 && !name.trim().is_empty()) {
            let safe = |c: char| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
            let stem: String = name.trim().chars().map(safe).take(40).collect();
            let numbered = (2..).map(|number| format!("player-{stem}-{number}.html"));
            let free = std::iter::once(format!("player-{stem}.html")).chain(numbered);
            if let Some(file) = { free }.find(|file| !used.contains(&file.to_lowercase())) {
                used.push(file.to_lowercase());
                files.insert(name.to_owned(), file);
            }
        }
        Self { files, games: BTreeMap::new() }
    }

    /// The files of the pages.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.values().map(String::as_str)
    }

    /// Adds a game, whose page is `file`.
    pub fn add(&mut self, analyzed: &AnalyzedGame, file: &str) {
        for color in Color::ALL {
            let name = analyzed.game.headers.names[color].as_ref();
            if let Some(name) = name.filter(|&name| self.files.contains_key(name)) {
                self.games.entry(name.clone()).or_default().push(PlayerGame::new(analyzed, color, file));
            }
        }
    }

    /// The pages: files and contents.
    pub fn pages(&self, language: Language, made_by: &str) -> Vec<(String, String)> {
        let page = |(name, games): (&String, &Vec<PlayerGame>)| {
            (self.files[name].clone(), player_page(name, games, language, made_by))
        };
        self.games.iter().map(page).collect()
    }

    /// A table of the players for the index; empty without players.
    pub fn table(&self) -> String {
        if self.games.is_empty() {
            return String::new();
        }
        let line = |(name, games): (&String, &Vec<PlayerGame>)| {
            let tally = Tally::of(games.iter().flat_map(|game| &game.moves));
            let anchor = format!("<a href=\"{}\">{}</a>", link(&self.files[name]), super::page::escape_html(name));
            let results = results(games.iter());
            let told = both(|language| results_text(results, language));
            row(&anchor, &[games.len().to_string(), told, tally.accuracy(), tally.mistakes.to_string()])
        };
        let rows: String = self.games.iter().map(line).collect();
        let heads = [
            said("対局者", "player"),
            said("局数", "games"),
            said("成績", "result"),
            said("正確さ", "accuracy"),
            said("疑問手・悪手", "mistakes"),
        ];
        format!("<h2>{}</h2>\n<div class=\"index\">{}</div>\n", said("対局者", "Players"), table(&heads, &rows))
    }
}

fn player_page(name: &str, games: &[PlayerGame], language: Language, made_by: &str) -> String {
    let moves = || games.iter().flat_map(|game| &game.moves);
    let sums = [
        said("手数", "moves"),
        said("正確さ", "accuracy"),
        said("平均損失", "mean loss"),
        said("疑問手・悪手", "mistakes"),
        said("その割合", "their share"),
    ];
    let sums = |first: String| [&[first], &sums[..]].concat();
    let section_of = |kind, japanese, english, heads: &[String], rows: &str| {
        if rows.is_empty() {
            return String::new();
        }
        format!("<h2>{}</h2>\n<div class=\"{kind}\">{}</div>\n", said(japanese, english), table(heads, rows))
    };
    let section = |japanese, english, heads: &[String], rows: &str| section_of("index", japanese, english, heads, rows);
    let phases: String = Phase::ALL
        .map(|phase| {
            let name = both(|language| phase.name(language).to_owned());
            Tally::of(moves().filter(|mv| mv.phase == phase)).row(&name)
        })
        .concat();
    let timed = || moves().filter(|mv| mv.seconds.is_some());
    let quick = |mv: &&PlayerMove| mv.seconds.is_some_and(|seconds| seconds < QUICK);
    let times = [
        (said("持ち時間に余裕あり", "time left"), Tally::of(moves().filter(|mv| mv.in_trouble == Some(false)))),
        (
            said("残り1割以下・秒読み", "last tenth of the main time, or none"),
            Tally::of(moves().filter(|mv| mv.in_trouble == Some(true))),
        ),
        (said("5秒未満の手", "moves in less than 5 seconds"), Tally::of(timed().filter(quick))),
        (said("5秒以上の手", "moves in 5 seconds and more"), Tally::of(timed().filter(|mv| !quick(mv)))),
    ];
    let times: String = times.iter().map(|(name, tally)| tally.row(name)).collect();
    let body = [
        section("局面別の正確さ", "Accuracy by phase", &sums(said("局面", "phase")), &phases),
        section("戦型", "Openings", &opening_heads(), &opening_rows(games)),
        section("間違いの傾向", "Typical mistakes", &cause_heads(), &cause_rows(games)),
        section("時間", "Time trouble", &sums(said("時間", "time")), &times),
        section_of("index worst", "大きな間違い", "Worst mistakes", &worst_heads(), &worst_rows(games)),
        section("対局", "Games", &game_heads(), &game_rows(games)),
        format!("<p><a href=\"index.html\">{}</a></p>\n", said("全対局の一覧", "all games")),
    ];
    let facts = both(|language| {
        let accuracy = Tally::of(moves()).accuracy();
        let parts = [
            counted_games(games.len(), language),
            results_text(results(games.iter()), language),
            format!("{} {accuracy}", language.choose("正確さ", "accuracy")),
        ];
        parts.join(" · ")
    });
    plain_page(language, |_| name.to_owned(), &facts, &body.concat(), made_by)
}

fn opening_heads() -> Vec<String> {
    let heads = [("戦型", "opening"), ("手番", "side"), ("局数", "games"), ("成績", "result"), ("正確さ", "accuracy")];
    heads.map(|(japanese, english)| said(japanese, english)).to_vec()
}

fn opening_rows(games: &[PlayerGame]) -> String {
    let mut groups = BTreeMap::<(usize, &[String; 2]), Vec<&PlayerGame>>::new();
    for game in games {
        for opening in &game.openings {
            groups.entry((game.color.index(), opening)).or_default().push(game);
        }
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|((side, _), games)| (std::cmp::Reverse(games.len()), *side));
    let line = |((side, name), games): ((usize, &[String; 2]), Vec<&PlayerGame>)| {
        let results = results(games.iter().copied());
        row(
            &both(|language| name[language as usize].clone()),
            &[
                both(|language| language.side(Color::ALL[side], false).to_owned()),
                games.len().to_string(),
                both(|language| results_text(results, language)),
                Tally::of(games.iter().flat_map(|game| &game.moves)).accuracy(),
            ],
        )
    };
    groups.into_iter().map(line).collect()
}

fn cause_heads() -> Vec<String> {
    let heads = [("種類", "kind"), ("回数", "number"), ("平均損失", "mean loss")];
    heads.map(|(japanese, english)| said(japanese, english)).to_vec()
}

/// Kinds of mistakes, the most frequent first.
fn cause_rows(games: &[PlayerGame]) -> String {
    let mut causes = Cause::ALL.map(|cause| {
        let own = games.iter().flat_map(|game| &game.moves).filter(|mv| mv.cause == Some(cause));
        (cause, Tally::of(own))
    });
    causes.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.moves));
    let line = |(cause, tally): &(Cause, Tally)| {
        let name = both(|language| cause.name(language).to_owned());
        row(&name, &[tally.moves.to_string(), percent(tally.loss / tally.moves as f64)])
    };
    causes.iter().filter(|(_, tally)| tally.moves > 0).map(line).collect()
}

fn worst_heads() -> Vec<String> {
    let heads = [("手", "move"), ("評価", "class"), ("損失", "loss"), ("説明", "in words")];
    heads.map(|(japanese, english)| said(japanese, english)).to_vec()
}

fn worst_rows(games: &[PlayerGame]) -> String {
    let mistakes = |game: &'_ PlayerGame| game.moves.iter().filter(|mv| is_mistake(mv.class)).count();
    let mut worst: Vec<(&PlayerGame, &PlayerMove)> = Vec::with_capacity(games.iter().map(mistakes).sum());
    for game in games {
        worst.extend(game.moves.iter().filter(|mv| is_mistake(mv.class)).map(|mv| (game, mv)));
    }
    worst.sort_by(|(_, one), (_, other)| other.loss.total_cmp(&one.loss));
    let line = |(game, mv): &(&PlayerGame, &PlayerMove)| {
        let text = both(|language| format!("{}. {}", mv.number, mv.texts[language as usize][0]));
        let class = both(|language| language.class(mv.class).to_owned());
        row(
            &format!("<a href=\"{}#{}\">{text}</a>", link(&game.file), mv.number),
            &[
                format!("<span class=\"{}\">{class}</span>", mv.class.name()),
                percent(mv.loss),
                both(|language| mv.texts[language as usize][1].clone()),
            ],
        )
    };
    worst.iter().take(WORST).map(line).collect()
}

fn game_heads() -> Vec<String> {
    let heads = [("対局", "game"), ("日時", "date"), ("手番", "side"), ("結果", "result"), ("正確さ", "accuracy")];
    heads.map(|(japanese, english)| said(japanese, english)).to_vec()
}

fn game_rows(games: &[PlayerGame]) -> String {
    let line = |game: &PlayerGame| {
        let title = both(|language| game.title[language as usize].clone());
        let result = match game.points {
            Some(points) if points > 0.75 => said("勝ち", "won"),
            Some(points) if points < 0.25 => said("負け", "lost"),
            Some(_) => said("引き分け", "draw"),
            None => said("不明", "unknown"),
        };
        row(
            &format!("<a href=\"{}\">{title}</a>", link(&game.file)),
            &[
                super::page::escape_html(&game.date),
                both(|language| language.side(game.color, false).to_owned()),
                result,
                Tally::of(game.moves.iter()).accuracy(),
            ],
        )
    };
    games.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_follow_captures_and_checks() {
        use PieceKind as K;
        let mut phase = Phase::Opening;
        for (captured, check, expected) in [
            (None, true, Phase::Opening),
            (Some(K::Pawn), false, Phase::Opening),
            (Some(K::Bishop), false, Phase::Opening),
            (Some(K::Silver), true, Phase::Middlegame),
            (Some(K::Rook), false, Phase::Middlegame),
            (None, true, Phase::Endgame),
            (Some(K::Gold), false, Phase::Endgame),
        ] {
            phase = phase.next(captured, check);
            assert_eq!(phase, expected, "{captured:?} {check}");
        }
    }

    #[test]
    fn pages_of_players_have_free_names() {
        let game = |black: &str, white: &str| {
            let mut game = Game::new(Position::startpos());
            game.headers.names = [black, white].map(|name| Some(name.to_owned()));
            game
        };
        let games = [game("A/b", "A b"), game("A b", "once"), game("A/b", "X"), game("X", "Y")];
        let players = Players::new(&games, &["Player-X.html".to_owned()]);
        let files: Vec<_> = players.files.iter().map(|(name, file)| (name.as_str(), file.as_str())).collect();
        assert_eq!(files, [("A b", "player-A-b.html"), ("A/b", "player-A-b-2.html"), ("X", "player-X-2.html")]);
    }
}

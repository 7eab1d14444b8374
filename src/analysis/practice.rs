//! One's own mistakes as next-move problems, and missed mates as mate problems: lines of SFEN, games
//! for KIF, and a page that asks.

use super::analyzed::AnalyzedGame;
use super::class::Class;
use super::explain::Explanation;
use super::language::Language;
use super::page::{STYLE as PAGE_STYLE, both, counted_games, page_with, said, title};
use super::position::{AnalysisScore, PositionAnalysis};
use sabi_records::{EndReason, Game, GameResult, is_handicap};
use sabi_shogi::{Color, Move, Position, legal_moves, usi_moves};
use serde_json::{Map, Value, json};

/// Win rate by which the answer is better than any other move.
const CLEAR: f64 = 0.10;
/// Win rate below which a position is too lost to be a problem.
const LOST: f64 = 0.10;

/// A problem.
#[derive(Clone, Debug)]
pub struct PracticeProblem {
    position: Position,
    /// The right moves, the main one first.
    answers: Vec<Move>,
    line: Vec<Move>,
    score: AnalysisScore,
    /// Plies of the mate that was missed.
    mate: Option<u32>,
    /// The move of the game.
    played: Move,
    /// Number of that move.
    number: usize,
    /// The game, by language.
    title: [String; 2],
    /// The best move of the analysis.
    best: Option<Move>,
    /// What was wrong with the move of the game if that is the answer, by language.
    sentence: [String; 2],
}

impl PracticeProblem {
    /// The problem of the position before the move with this index, without its answers, if the
    /// move is a mistake or misses a mate, and is a move of `player`, if given.
    pub fn candidates(analyzed: &AnalyzedGame, player: Option<&str>) -> Vec<(usize, Self)> {
        let game = &analyzed.game;
        let mut found = Vec::new();
        for (at, position) in super::analyzed::replay(game).enumerate().take(game.moves.len()) {
            let Some(classification) = &analyzed.classifications[at] else { continue };
            let is_wrong = classification.missed_mate || classification.class >= Class::Mistake;
            let name = game.headers.names[position.side_to_move()].as_deref();
            if !is_wrong || player.is_some_and(|player| name != Some(player)) {
                continue;
            }
            let explained = Explanation::new(analyzed, at, &position);
            let sentence = |language| explained.as_ref().map(|told| told.sentence(&position, language));
            let problem = Self {
                answers: Vec::new(),
                line: Vec::new(),
                score: classification.before,
                mate: None,
                played: game.moves[at],
                best: classification.best,
                number: at + 1,
                title: Language::ALL.map(|language| title(game, language)),
                sentence: Language::ALL.map(|language| sentence(language).unwrap_or_default()),
                position,
            };
            found.push((at, problem));
        }
        found
    }

    /// The same with the answer of a deeper analysis with two lines; `mating` are the moves that mate.
    /// `None` unless there is one clearly best move, or a mate, and the move played is another one.
    pub fn answered(self, found: &PositionAnalysis, mating: &[Move]) -> Option<Self> {
        let [first, others @ ..] = &found.lines[..] else { return None };
        let best = *first.moves.first()?;
        let rate = |score: AnalysisScore| score.score.expected_score();
        let mate = if found.mates { found.score.mate().map(i32::unsigned_abs) } else { None };
        let is_clear = match (mate, others.first()) {
            (Some(_), _) => true,
            (None, Some(second)) => rate(first.score) >= LOST && rate(first.score) - rate(second.score) >= CLEAR,
            // The only legal move is no question.
            (None, None) => false,
        };
        let mut answers = vec![best];
        answers.extend(mating.iter().filter(|&&mv| mate.is_some() && mv != best));
        let is_problem = is_clear && !answers.contains(&self.played);
        let sentence = if self.best == Some(best) { self.sentence.clone() } else { Default::default() };
        is_problem.then(|| Self { answers, line: first.moves.clone(), score: first.score, mate, sentence, ..self })
    }

    /// The position in which it is asked.
    pub fn position(&self) -> &Position {
        &self.position
    }

    fn question(&self, language: Language) -> String {
        let side = language.side(self.position.side_to_move(), is_handicap(&self.position));
        match (language, self.mate) {
            (Language::Japanese, Some(plies)) => format!("{side}番。{plies}手詰の初手は？"),
            (Language::English, Some(plies)) => format!("{side} to move: the first move of a mate in {plies}?"),
            (Language::Japanese, None) => format!("{side}番。次の一手は？"),
            (Language::English, None) => format!("{side} to move: the best move?"),
        }
    }

    fn source(&self, language: Language) -> String {
        let title = &self.title[language as usize];
        match language {
            Language::Japanese => format!("{title} {}手目", self.number),
            Language::English => format!("{title}, move {}", self.number),
        }
    }

    /// Source and move of the game, which is wrong.
    fn solved_source(&self, language: Language) -> String {
        let (source, played) = (self.source(language), language.mv(&self.position, self.played));
        format!("{source} ({} {played})", language.choose("本譜", "played:"))
    }

    fn answer(&self, language: Language) -> String {
        language.line(&self.position, &self.line).join(language.choose("", " "))
    }
}

/// The problems as lines of SFEN, each after a comment with source and answer.
pub fn problem_lines(problems: &[PracticeProblem], language: Language) -> String {
    let text = |problem: &PracticeProblem| {
        let answer = language.choose("正解", "answer");
        let comment = format!(
            "{} {}; {answer}: {}",
            problem.question(language),
            problem.solved_source(language),
            problem.answer(language)
        );
        format!("# {}\nsfen {}\n", comment.replace(char::is_control, " "), problem.position.sfen())
    };
    problems.iter().map(text).collect()
}

/// The problems as games: the question as comment of the position, the answer as moves.
pub fn problem_games(problems: &[PracticeProblem], language: Language) -> Vec<Game> {
    let game = |(number, problem): (usize, &PracticeProblem)| {
        let start = problem.position.without_history().unwrap_or_else(|| problem.position.clone());
        let mut game = Game::new(start);
        game.headers.event = Some(format!("{} {number}", language.choose("問題", "problem")));
        // Shift_JIS has only these characters.
        let source = problem.source(language).replace('☗', "▲").replace('☖', "△").replace('–', "-");
        game.comments.push(vec![problem.question(language), source]);
        problem.line.iter().for_each(|&mv| game.push(mv, None, None));
        if problem.mate.is_some() {
            let us = problem.position.side_to_move();
            game.end = EndReason::Checkmate;
            game.result = if us == Color::Black { GameResult::BlackWins } else { GameResult::WhiteWins };
        }
        let sentence = &problem.sentence[language as usize];
        game.comments.resize(game.moves.len() + 1, Vec::new());
        game.comments[1].extend(Some(sentence.clone()).filter(|sentence| !sentence.is_empty()));
        game
    };
    (1..).zip(problems).map(game).collect()
}

const STYLE: &str = include_str!("page/practice.css");
const SCRIPT: &str =
    concat!(include_str!("page/board.js"), include_str!("page/language.js"), include_str!("page/practice.js"));

/// The page that asks the problems, takes a move and answers.
pub fn practice_page(problems: &[PracticeProblem], language: Language, made_by: &str) -> String {
    let problem = |problem: &PracticeProblem| {
        let texts = |language: Language| {
            json!({
                "question": problem.question(language),
                "source": problem.source(language),
                "solved": problem.solved_source(language),
                "sentence": problem.sentence[language as usize],
                "line": language.line(&problem.position, &problem.line),
                "value": language.evaluation(
                    problem.score.for_black(problem.position.side_to_move()),
                    is_handicap(&problem.position)
                ),
            })
        };
        json!({
            "sfen": problem.position.sfen(),
            "legal": usi_moves(&legal_moves(&problem.position).iter().copied().collect::<Vec<_>>()),
            "answers": usi_moves(&problem.answers),
            "line": usi_moves(&problem.line),
            "played": problem.played.to_string(),
            "texts": by_language(texts),
        })
    };
    let problems_data: Vec<Value> = problems.iter().map(problem).collect();
    let data = json!({ "problems": problems_data, "words": by_language(words) }).to_string().replace('<', "\\u003c");
    let title = |language: Language| language.choose("自分の次の一手", "Problems from own games").to_owned();
    let count = both(|language| match language {
        Language::Japanese => format!("{}問", problems.len()),
        Language::English => format!("{} problems", problems.len()),
    });
    let body = format!(
        "<main class=\"practice\">\n<div>\n<div id=\"above\" class=\"side\"></div>\n\
         <svg id=\"board\" viewBox=\"0 0 410 434\" role=\"img\"></svg>\n<div id=\"below\" class=\"side\"></div>\n</div>\n\
         <div>\n<p id=\"place\" class=\"faint\"></p>\n<h2 id=\"question\"></h2>\n<p id=\"choice\"></p>\n\
         <div id=\"verdict\" aria-live=\"polite\"></div>\n<p class=\"acts\"><button class=\"act\" id=\"previous\">◀</button>\
         <button class=\"act\" id=\"solve\">{solve}</button><button class=\"act\" id=\"following\">▶</button></p>\n\
         <p class=\"faint hint\">{hint}</p>\n</div>\n</main>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n",
        solve = said("答えを見る", "show the answer"),
        hint = said(
            "駒 (または持ち駒) を押し、次に行き先を押します。← → で前と次の問題",
            "Click a piece, on the board or in hand, then where it goes. ← → last and next problem"
        ),
    );
    page_with(language, title, &count, &body, made_by, &[PAGE_STYLE, STYLE].concat(), SCRIPT)
}

fn by_language(of: impl Fn(Language) -> Value) -> Map<String, Value> {
    Language::ALL.map(|language| (language.code().to_owned(), of(language))).into_iter().collect()
}

fn words(language: Language) -> Value {
    let say = |japanese, english| language.choose(japanese, english);
    json!({
        "ranks": say("一二三四五六七八九", "abcdefghi").chars().map(String::from).collect::<Vec<_>>(),
        "none": say("なし", "none"),
        "black": language.side(Color::Black, false),
        "white": language.side(Color::White, false),
        "right": say("正解！", "Right!"),
        "wrong": say("不正解。もう一度どうぞ", "No. Try again"),
        "as_played": say("本譜と同じ手です。もう一度どうぞ", "That is the move of the game. Try again"),
        "answer": say("正解手順", "answer"),
        "promote": say("成る", "promote"),
        "stay": say("成らない", "do not promote"),
        "solved": say("正解数", "solved"),
        "titles": {
            "board": say("盤面", "board"),
            "previous": say("前の問題 (←)", "last problem (←)"),
            "following": say("次の問題 (→)", "next problem (→)"),
            "language": say("English に切り替え", "日本語に切り替え"),
        },
    })
}

/// What a finished search for problems says.
pub fn counted_problems(problems: &[PracticeProblem], games: usize, language: Language) -> String {
    let mates = problems.iter().filter(|problem| problem.mate.is_some()).count();
    let next = problems.len() - mates;
    match language {
        Language::Japanese => format!("次の一手 {next}問、詰将棋 {mates}問 ({})", counted_games(games, language)),
        Language::English => {
            let counted = |count: usize, kind: &str| {
                format!("{count} {kind} {}", if count == 1 { "problem" } else { "problems" })
            };
            format!("{}, {} ({})", counted(next, "next-move"), counted(mates, "mate"), counted_games(games, language))
        }
    }
}

//! An analysed game as text: records in KIF and CSA with comments and branches, and USI lines.
//!
//! The comments have the formats of ShogiHome and ShogiGUI. Comments on a move describe the position
//! after it; scores are for Black. In ShogiHome's format `#` marks an analysis, `*` what the player's
//! own program thought. The comments of the record stay, except those of an earlier analysis of the
//! same positions.

use super::analyzed::{AnalyzedGame, replay};
use super::class::{Class, MoveClassification, PlayerSummary};
use super::explain::{Cause, Explanation};
use super::language::{Language, counted_plies, percent};
use super::position::{AnalysisScore, PvLine};
use sabi_records::{Branch, Formation, Game, Notation, comment_score, csa_line, is_handicap, kif_line, usi_line};
use sabi_shogi::{Color, DeclarationProgress, Position, usi_moves, usi_score};
use std::fmt::Write;

/// The game with an analysis as comments in this notation, and the branches. In CSA the comments
/// replace the scores of players, which have the same form. `engine` is the name of the analysing
/// program.
pub fn annotated(analyzed: &AnalyzedGame, notation: Notation, language: Language, engine: &str) -> (Game, Vec<Branch>) {
    let positions: Vec<Position> = replay(&analyzed.game).collect();
    let handicap = is_handicap(&analyzed.game.start);
    let writer = Writer { analyzed, positions: &positions, handicap, notation, language, engine };
    let mut game = analyzed.game.clone();
    for (score, found) in game.scores.iter_mut().zip(&analyzed.positions[1..]) {
        *score = score.filter(|_| notation == Notation::Kif || found.is_none());
    }
    game.comments.resize(positions.len(), Vec::new());
    for (ply, lines) in game.comments.iter_mut().enumerate() {
        let new = writer.comment(ply);
        let is_searched = analyzed.positions[ply].is_some();
        let is_replaced = |line: &String| {
            is_searched && (is_of_position(line) || notation == Notation::Csa && comment_score(line).is_some())
                || FORMATION.iter().any(|start| begins(line, start)) && (is_searched || !new.contains(line))
                || is_summary(line) && new.iter().any(|new| is_summary(new))
        };
        lines.retain(|line| !is_replaced(line));
        let new: Vec<String> = new.into_iter().filter(|line| !lines.contains(line)).collect();
        lines.extend(new);
    }
    let branches = (0..positions.len()).filter_map(|ply| writer.branch(ply)).collect();
    (game, branches)
}

struct Writer<'a> {
    analyzed: &'a AnalyzedGame,
    positions: &'a [Position],
    handicap: bool,
    notation: Notation,
    language: Language,
    engine: &'a str,
}

impl Writer<'_> {
    fn comment(&self, ply: usize) -> Vec<String> {
        let mut lines = Vec::new();
        if ply == 0 {
            lines.extend(Color::ALL.into_iter().filter_map(|color| self.player(color)));
        } else if let Some(classification) = &self.analyzed.classifications[ply - 1] {
            lines.extend(self.classification(ply - 1, classification));
        }
        lines.extend(self.analyzed.formations_at(ply).map(|(color, one)| self.formation(color, one)));
        if ply > 0 && ply == self.analyzed.book.moves {
            lines.push(self.book(ply));
        }
        lines.extend(self.analyzed.declaration_progress[ply].map(|progress| self.declaration_progress(&progress)));
        if let Some(found) = &self.analyzed.positions[ply] {
            lines.extend(found.lines.first().into_iter().flat_map(|line| self.search(ply, line, found.nodes)));
            lines.extend((2..).zip(found.lines.iter().skip(1)).map(|(number, line)| self.candidate(ply, number, line)));
        }
        lines
    }

    fn side(&self, color: Color) -> &'static str {
        self.language.side(color, self.handicap)
    }

    fn player(&self, color: Color) -> Option<String> {
        let player = self.analyzed.players[color]?;
        let PlayerSummary { mean_loss, accuracy, .. } = player;
        let ([accuracy, loss], side) = ([percent(accuracy), percent(mean_loss)], self.side(color));
        let errors = self.language.errors(&player, Class::Inaccuracy);
        Some(match self.language {
            Language::Japanese => format!("{side}: 正確さ {accuracy}、平均損失 {loss}、{errors}"),
            Language::English => format!("{side}: accuracy {accuracy}, mean loss {loss}, {errors}"),
        })
    }

    fn formation(&self, color: Color, formation: &Formation) -> String {
        let (kind, name) = (self.language.formation_kind(formation.kind), self.language.formation(formation));
        match self.language {
            Language::Japanese => format!("【{kind}】{}: {name}", self.side(color)),
            Language::English => format!("[{kind}] {}: {name}", self.side(color)),
        }
    }

    fn classification(&self, at: usize, classification: &MoveClassification) -> Vec<String> {
        let (language, position) = (self.language, &self.positions[at]);
        let mut lines = Vec::new();
        if classification.class.is_error() {
            // None where the game was over by the rules, or could have been declared won.
            let best = classification.best.map_or_else(String::new, |mv| {
                let (mv, words) = (language.mv(position, mv), language.choose("、最善は", ", best was "));
                format!("{words}{mv}")
            });
            let [before, after] =
                [classification.before, classification.after].map(|own| percent(own.score.expected_score()));
            let (class, loss) = (language.class(classification.class), percent(classification.loss));
            let told = Explanation::new(self.analyzed, at, position).filter(|told| told.cause() != Cause::Other);
            let told = told.map_or_else(String::new, |told| {
                format!("{}{}", language.choose("。", ". "), told.sentence(position, language))
            });
            lines.push(match language {
                Language::Japanese => format!("【{class}】勝率 {before} → {after} (損失 {loss}){best}{told}"),
                Language::English => format!("[{class}] win rate {before} -> {after} (loss {loss}){best}{told}"),
            });
        }
        if classification.turning_point {
            lines.push(language.choose("形勢逆転", "turning point").to_owned());
        }
        let mate = |ply: usize| -> Option<(u32, String)> {
            let line = self.analyzed.positions[ply].as_ref()?.lines.first()?;
            let moves = language.line(&self.positions[ply], &line.moves);
            Some((line.score.mate()?.unsigned_abs(), moves.join(language.choose("", " "))))
        };
        for (is_there, ply, japanese, english) in [
            (classification.missed_mate, at, "詰み逃し", "missed mate"),
            (classification.allowed_mate, at + 1, "自玉に詰みが生じた", "allows mate"),
        ] {
            if let Some((plies, line)) = mate(ply).filter(|_| is_there) {
                lines.push(match language {
                    Language::Japanese => format!("{japanese} ({plies}手詰): {line}"),
                    Language::English => format!("{english} in {}: {line}", counted_plies(plies)),
                });
            }
        }
        lines
    }

    fn book(&self, moves: usize) -> String {
        match self.language {
            Language::Japanese => format!("定跡は{moves}手目まで"),
            Language::English => format!("book up to move {moves}"),
        }
    }

    fn declaration_progress(&self, progress: &[DeclarationProgress; 2]) -> String {
        let sides = Color::ALL.map(|color| {
            let DeclarationProgress { points, points_needed, pieces_in_camp, .. } = progress[color];
            match self.language {
                Language::Japanese => {
                    format!("{} {points}/{points_needed}点 敵陣{pieces_in_camp}枚", self.side(color))
                }
                Language::English => {
                    format!("{} {points} of {points_needed} points, {pieces_in_camp} pieces in camp", self.side(color))
                }
            }
        });
        let [name, between] = [self.language.choose("入玉: ", "entering king: "), self.language.choose("、", "; ")];
        name.to_owned() + &sides.join(between)
    }

    /// Score for Black.
    fn for_black(&self, ply: usize, line: &PvLine) -> AnalysisScore {
        line.score.for_black(self.positions[ply].side_to_move())
    }

    /// The search result of a position, in the format of the notation.
    fn search(&self, ply: usize, line: &PvLine, nodes: u64) -> Vec<String> {
        let score = self.for_black(ply, line);
        if self.notation == Notation::Csa {
            if ply == 0 {
                // Server comments belong to moves, and some readers crash if no move precedes them.
                return vec![self.candidate(ply, 1, line)];
            }
            let moves = csa_line(&self.positions[ply], &line.moves);
            return vec![format!("* {}{moves} #{nodes}", score.score.get())];
        }
        vec![
            score_of_shogihome(score),
            format!("#読み筋={}", kif_line(&self.positions[ply], &line.moves)),
            format!("#深さ={}", line.depth),
            format!("#ノード数={nodes}"),
            format!("#エンジン={}", self.engine),
        ]
    }

    fn candidate(&self, ply: usize, number: usize, line: &PvLine) -> String {
        let score = self.language.evaluation(self.for_black(ply, line), self.handicap);
        let moves = self.language.line(&self.positions[ply], &line.moves);
        match self.language {
            Language::Japanese => format!("候補{number} {score} {}", moves.concat()),
            Language::English => format!("candidate {number}: {score} {}", moves.join(" ")),
        }
    }

    /// The line that was better than the move after `ply` moves, or the mate there.
    fn branch(&self, ply: usize) -> Option<Branch> {
        let line = self.analyzed.positions[ply].as_ref()?.lines.first()?;
        let played = self.analyzed.game.moves.get(ply);
        let next = self.analyzed.classifications.get(ply).copied().flatten();
        let was_bad = next.is_some_and(|classification| classification.class.is_error() || classification.missed_mate);
        let before = ply.checked_sub(1).and_then(|at| self.analyzed.classifications[at]);
        let was_allowed = before.is_some_and(|classification| classification.allowed_mate);
        let leaves = line.moves.first() != played && (was_bad || was_allowed);
        leaves.then(|| Branch {
            after: ply,
            moves: line.moves.clone(),
            comment: vec![score_of_shogihome(self.for_black(ply, line))],
        })
    }
}

fn score_of_shogihome(score: AnalysisScore) -> String {
    match score.mate() {
        Some(plies) => format!("#詰み={}勝ち:{}手", if plies > 0 { "先手" } else { "後手" }, plies.abs()),
        None => format!("#評価値={}", score.score.get()),
    }
}

/// Starts of comments on a position, in the formats of ShogiHome and ShogiGUI and of this program.
/// `N` stands for a number, `$` for the end of the line.
const POSITION: [&str; 27] = [
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
    "【大悪手】勝率 N %",
    "[inaccuracy] win rate N %",
    "[mistake] win rate N %",
    "[blunder] win rate N %",
    "[major blunder] win rate N %",
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

/// Starts of openings and castles.
const FORMATION: [&str; 4] = ["【戦型】", "【囲い】", "[opening] ", "[castle] "];

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

/// The game as `position …` and `info …` lines, scores for the side to move.
pub fn usi_log(analyzed: &AnalyzedGame) -> String {
    let game = &analyzed.game;
    let mut text = String::new();
    for (ply, found) in analyzed.positions.iter().enumerate() {
        let Some(found) = found else { continue };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "position {}", usi_line(&game.start, &game.moves[..ply]));
        for (number, PvLine { score, depth, moves }) in (1..).zip(&found.lines) {
            let (score, moves) = (usi_score(score.score, score.proved), usi_moves(moves).join(" "));
            let _ =
                writeln!(text, "info depth {depth} multipv {number} score {score} nodes {} pv {moves}", found.nodes);
        }
    }
    text
}

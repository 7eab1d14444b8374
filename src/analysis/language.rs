//! The languages of an analysis.

use super::class::{Class, PlayerSummary};
use super::position::AnalysisScore;
use sabi_records::{EndReason, Formation, FormationKind, Game, GameResult, is_handicap, japanese_move};
use sabi_shogi::{Color, Move, Position, Score, legal_moves};

/// A language.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Language {
    Japanese,
    English,
}

impl Language {
    /// Both languages.
    pub const ALL: [Self; 2] = [Self::Japanese, Self::English];

    /// Language code in HTML.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Japanese => "ja",
            Self::English => "en",
        }
    }

    /// The Japanese or the English text.
    pub const fn choose(self, japanese: &'static str, english: &'static str) -> &'static str {
        match self {
            Self::Japanese => japanese,
            Self::English => english,
        }
    }

    /// Name of a class.
    pub const fn class(self, class: Class) -> &'static str {
        match class {
            Class::Great => self.choose("好手", "great"),
            Class::Best => self.choose("最善手", "best"),
            // A loss of a few per cent: 好手 would praise it.
            Class::Good => self.choose("次善手", "good"),
            Class::Inaccuracy => self.choose("緩手", "inaccuracy"),
            Class::Mistake => self.choose("疑問手", "mistake"),
            Class::Blunder => self.choose("悪手", "blunder"),
            Class::MajorBlunder => self.choose("大悪手", "major blunder"),
        }
    }

    /// Name of an opening or castle.
    pub fn formation(self, formation: &Formation) -> &str {
        match self {
            Self::Japanese => &formation.japanese,
            Self::English => &formation.english,
        }
    }

    /// What a formation is.
    pub const fn formation_kind(self, kind: FormationKind) -> &'static str {
        match kind {
            FormationKind::Opening => self.choose("戦型", "opening"),
            FormationKind::Castle => self.choose("囲い", "castle"),
        }
    }

    /// The numbers of errors of a player from this class on: `mistakes 2, blunders 0, …`.
    pub fn errors(self, player: &PlayerSummary, from: Class) -> String {
        let classes = Class::ALL.into_iter().filter(|&class| class >= from);
        let told = classes.map(|class| {
            let (name, count) = (self.class(class), player.count(class));
            match self {
                Self::Japanese => format!("{name} {count}"),
                Self::English => format!("{} {count}", plural(name)),
            }
        });
        told.collect::<Vec<_>>().join(self.choose("、", ", "))
    }

    /// The player's name and side: `先手 (羽生善治)`, `Black (Habu)`, or the side alone.
    pub fn player(self, game: &Game, color: Color) -> String {
        let side = self.side(color, is_handicap(&game.start));
        game.headers.names[color].as_ref().map_or_else(|| side.to_owned(), |name| format!("{side} ({name})"))
    }

    /// Default name of a player, in an even or a handicap game.
    pub const fn side(self, color: Color, handicap: bool) -> &'static str {
        match (color, handicap) {
            (Color::Black, false) => self.choose("先手", "Black"),
            (Color::White, false) => self.choose("後手", "White"),
            (Color::Black, true) => self.choose("下手", "Black"),
            (Color::White, true) => self.choose("上手", "White"),
        }
    }

    /// Text of a result.
    pub fn result(self, result: GameResult, handicap: bool) -> String {
        match result.winner() {
            Some(winner) => format!("{}{}", self.side(winner, handicap), self.choose("の勝ち", " wins")),
            None if result == GameResult::Draw => self.choose("引き分け", "draw").to_owned(),
            None => self.choose("結果不明", "result unknown").to_owned(),
        }
    }

    /// Text of an end reason; empty if unknown.
    pub const fn end(self, end: EndReason) -> &'static str {
        match end {
            EndReason::Resign => self.choose("投了", "resignation"),
            EndReason::Checkmate => self.choose("詰み", "checkmate"),
            EndReason::Timeout => self.choose("時間切れ", "time"),
            EndReason::Illegal => self.choose("反則", "illegal move"),
            EndReason::Repetition => self.choose("千日手", "repetition"),
            EndReason::Declaration => self.choose("入玉宣言", "declaration"),
            EndReason::Impasse => self.choose("持将棋", "impasse"),
            EndReason::MaxMoves => self.choose("最大手数", "longest game"),
            EndReason::Adjudication => self.choose("裁定", "adjudication"),
            EndReason::Aborted => self.choose("中断", "aborted"),
            EndReason::Unknown => "",
        }
    }

    /// A move, with its colour mark in Japanese.
    pub fn mv(self, position: &Position, mv: Move) -> String {
        match self {
            Self::Japanese => japanese_move(position, mv),
            Self::English => western(position, mv),
        }
    }

    /// The moves of a line.
    pub fn line(self, position: &Position, moves: &[Move]) -> Vec<String> {
        let mut position = position.clone();
        let spell = |&mv| {
            let text = self.mv(&position, mv);
            position.play(mv);
            text
        };
        moves.iter().map(spell).collect()
    }

    /// An evaluation for Black: `+120`, `先手 5手詰`, `Black mates in 5 plies`. A question mark marks
    /// an unproved mate.
    pub fn evaluation(self, evaluation: AnalysisScore, handicap: bool) -> String {
        let AnalysisScore { score, proved } = evaluation;
        let winner = self.side(if score > Score::ZERO { Color::Black } else { Color::White }, handicap);
        match score.mate_plies().map(i32::unsigned_abs) {
            Some(0) => self.choose("詰み", "mate").to_owned(),
            Some(plies) => {
                let doubt = if proved { "" } else { "?" };
                match self {
                    Self::Japanese => format!("{winner} {plies}手詰{doubt}"),
                    Self::English => format!("{winner} mates in {}{doubt}", counted_plies(plies)),
                }
            }
            None if score.is_decisive() => format!("{winner}{}", self.choose("勝ち", " wins")),
            None => format!("{:+}", score.get()),
        }
    }
}

/// The plural of the name of a class of errors.
fn plural(name: &str) -> String {
    name.strip_suffix('y').map_or_else(|| format!("{name}s"), |stem| format!("{stem}ies"))
}

/// A percentage.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A number of plies in English.
pub(super) fn counted_plies(plies: u32) -> String {
    format!("{plies} {}", if plies == 1 { "ply" } else { "plies" })
}

/// A move in Western notation: `P-7f`, `Bx3c+`, `G6i-5h`, `S*5b`, `N-2c=`.
fn western(position: &Position, mv: Move) -> String {
    let us = position.side_to_move();
    if let Some(kind) = mv.drop_kind() {
        return format!("{}*{}", kind.on_board().letter(), mv.to());
    }
    let Some((from, piece)) = mv.from().and_then(|from| Some((from, position.piece_at(from)?))) else {
        return mv.to_string();
    };
    let kind = piece.kind();
    let plus = if kind.is_promoted() { "+" } else { "" };
    let letter = kind.letter();
    let is_other = |other: &Move| {
        let same_piece = other.from().and_then(|from| position.piece_at(from)) == Some(piece);
        other.to() == mv.to() && other.from() != Some(from) && same_piece
    };
    let source = if legal_moves(position).iter().any(is_other) { from.to_string() } else { String::new() };
    let sign = if position.is_capture(mv) { 'x' } else { '-' };
    let may_promote = kind.can_promote() && (from.in_promotion_zone(us) || mv.to().in_promotion_zone(us));
    let end = match (mv.is_promotion(), may_promote) {
        (true, _) => "+",
        (false, true) => "=",
        (false, false) => "",
    };
    format!("{plus}{letter}{source}{sign}{}{end}", mv.to())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(sfen: &str, mv: &str) -> [String; 2] {
        let position = Position::from_sfen(sfen).unwrap();
        let mv = mv.parse().unwrap();
        assert!(position.is_legal(mv), "{mv}");
        [Language::Japanese, Language::English].map(|language| language.mv(&position, mv))
    }

    #[test]
    fn moves_in_japanese_and_english() {
        let golds = "4k4/9/9/9/9/9/9/9/3GGG2K b - 1";
        let big = "4k4/9/9/9/9/9/9/+R7+R/4K4 b - 1";
        for (sfen, mv, japanese, english) in [
            (golds, "4i5h", "▲５八金右", "G4i-5h"),
            (golds, "5i5h", "▲５八金直", "G5i-5h"),
            (golds, "6i5h", "▲５八金左", "G6i-5h"),
            (golds, "6i7h", "▲７八金", "G-7h"),
            (big, "9h5h", "▲５八龍左", "+R9h-5h"),
            ("4k4/9/9/9/9/9/9/9/4K4 b 2P 1", "P*5e", "▲５五歩", "P*5e"),
            ("4k4/9/9/9/9/4P4/9/9/4K3R b R 1", "R*1e", "▲１五飛打", "R*1e"),
            ("4k4/6b2/9/4S4/9/9/9/9/4K4 b - 1", "5d5c", "▲５三銀不成", "S-5c="),
            ("4k4/4p4/9/4R4/9/9/9/9/4K4 b - 1", "5d5b+", "▲５二飛成", "Rx5b+"),
            ("4k4/9/9/9/9/9/9/9/4K4 w - 1", "5a5b", "△５二玉", "K-5b"),
        ] {
            assert_eq!(spelled(sfen, mv), [japanese, english], "{mv} in {sfen}");
        }
    }

    #[test]
    fn recapture_square_is_written_as_same() {
        let position = Position::startpos().with_moves("7g7f 3c3d 8h2b+".split(' ')).unwrap();
        let mv = "3a2b".parse().unwrap();
        assert_eq!(Language::Japanese.mv(&position, mv), "△同　銀");
    }

    #[test]
    fn mate_evaluations_name_the_winner() {
        let told = |score, proved| Language::English.evaluation(AnalysisScore { score, proved }, false);
        assert_eq!(told(Score::cp(34), false), "+34");
        assert_eq!(told(Score::cp(-34), false), "-34");
        assert_eq!(told(Score::mate_in(5), true), "Black mates in 5 plies");
        assert_eq!(told(Score::mate_in(1), true), "Black mates in 1 ply");
        assert_eq!(told(Score::mated_in(4), true), "White mates in 4 plies");
        assert_eq!(told(Score::mate_in(5), false), "Black mates in 5 plies?");
        assert_eq!(told(-Score::RULE_WIN, false), "White wins");
    }
}

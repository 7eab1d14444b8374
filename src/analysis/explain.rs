//! A mistake in words: what the better line wins, and what the move played allows.
//!
//! Every statement is a fact of the lines: a proved mate, pieces that fall, a dragon or horse that
//! is made, generals that fall beside a king.

use super::analyzed::AnalyzedGame;
use super::class::MoveClassification;
use super::language::{Language, counted_plies, percent};
use sabi_shogi::{Color, Move, PieceKind, Position, Square, legal_moves};

/// Plies of a line that are looked at.
const HORIZON: usize = 10;
/// Difference in material, in pawns, that is worth a word.
const GAIN: i32 = 2;

/// Traditional values of the pieces, in pawns.
const fn value(kind: PieceKind) -> i32 {
    use PieceKind as K;
    match kind {
        K::Pawn => 1,
        K::Lance => 3,
        K::Knight => 4,
        K::Silver => 5,
        K::Gold | K::ProLance | K::ProKnight | K::ProSilver => 6,
        K::ProPawn => 7,
        K::Bishop => 8,
        K::Rook | K::Horse => 10,
        K::Dragon => 12,
        K::King => 0,
    }
}

/// A captured piece.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Captured {
    kind: PieceKind,
    square: Square,
}

/// What a line brings one of the players, up to the end of its exchanges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct LineFacts {
    /// By colour: pieces this side captures, the dearest first, without what the other captures too.
    captures: [Vec<Captured>; 2],
    /// By colour: a dragon or horse made.
    made: [Option<PieceKind>; 2],
    /// By colour: generals of the other side that fall beside its king.
    generals: [usize; 2],
}

impl LineFacts {
    fn new(position: &Position, moves: &[Move]) -> Self {
        let mut facts = Self::default();
        let kings = Color::ALL.map(|color| position.king(color));
        let mut now = position.clone();
        // Where pieces stand that were promoted in the line: they are lost as what they were.
        let mut promoted = Vec::new();
        for &mv in &moves[..quiet_length(position, moves)] {
            let us = now.side_to_move();
            if let Some(taken) = now.piece_at(mv.to()) {
                let kind = if promoted.contains(&mv.to()) { taken.kind().unpromoted() } else { taken.kind() };
                facts.captures[us].push(Captured { kind, square: mv.to() });
                let is_general = matches!(taken.kind(), PieceKind::Gold | PieceKind::Silver);
                let was_there = position.piece_at(mv.to()) == Some(taken);
                let beside = kings[!us].is_some_and(|king| distance(king, mv.to()) <= 2);
                facts.generals[us] += usize::from(is_general && was_there && beside);
            }
            let moved = mv.is_promotion() || mv.from().is_some_and(|from| promoted.contains(&from));
            promoted.retain(|&square| square != mv.to() && Some(square) != mv.from());
            promoted.extend(moved.then(|| mv.to()));
            now.play(mv);
        }
        for color in Color::ALL {
            let more = |kind| now.pieces(color, kind).count() > position.pieces(color, kind).count();
            facts.made[color] = [PieceKind::Dragon, PieceKind::Horse].into_iter().find(|&kind| more(kind));
        }
        facts.cancel();
        facts
    }

    /// Removes equal pieces that both sides capture, and sorts the others.
    fn cancel(&mut self) {
        let [black, white] = &mut self.captures;
        black.retain(|own| {
            let equal = white.iter().position(|other| other.kind == own.kind);
            equal.map(|at| white.remove(at)).is_none()
        });
        self.captures.iter_mut().for_each(|list| list.sort_by_key(|captured| -value(captured.kind)));
    }

    /// Gain of a side in material.
    fn net(&self, color: Color) -> i32 {
        let sum = |color: Color| self.captures[color].iter().map(|captured| value(captured.kind)).sum::<i32>();
        sum(color) - sum(!color)
    }
}

fn distance(a: Square, b: Square) -> u8 {
    a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank()))
}

/// Length of the longest start of a line, within the horizon, after which no exchange goes on.
fn quiet_length(position: &Position, moves: &[Move]) -> usize {
    let (mut now, mut quiet) = (position.clone(), 0);
    for (at, &mv) in moves.iter().enumerate().take(HORIZON) {
        let was_capture = now.is_capture(mv);
        now.play(mv);
        let ends = match moves.get(at + 1) {
            Some(&next) => !now.is_capture(next),
            None => !was_capture || legal_moves(&now).iter().all(|reply| reply.to() != mv.to()),
        };
        if ends {
            quiet = at + 1;
        }
    }
    quiet
}

/// Why a move was a mistake, by its weightiest fact.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// A mate was missed.
    MissedMate,
    /// A mate of the opponent was allowed.
    AllowedMate,
    /// It loses material.
    LostMaterial,
    /// Another move won material.
    MissedMaterial,
    /// A dragon or horse that the opponent makes, or that the player does not.
    Promotion,
    /// Generals beside a king: own ones fall, or the opponent's do not.
    Castle,
    /// None of these.
    Other,
}

impl Cause {
    /// Every cause, the weightiest first.
    pub const ALL: [Self; 7] = [
        Self::MissedMate,
        Self::AllowedMate,
        Self::LostMaterial,
        Self::MissedMaterial,
        Self::Promotion,
        Self::Castle,
        Self::Other,
    ];

    /// Its name.
    pub const fn name(self, language: Language) -> &'static str {
        match self {
            Self::MissedMate => language.choose("詰み逃し", "a mate missed"),
            Self::AllowedMate => language.choose("頓死・詰みを許した", "a mate allowed"),
            Self::LostMaterial => language.choose("駒損", "material lost"),
            Self::MissedMaterial => language.choose("駒得を逃した", "a gain missed"),
            Self::Promotion => language.choose("龍・馬", "dragon or horse"),
            Self::Castle => language.choose("囲いの崩れ", "castle opened"),
            Self::Other => language.choose("その他", "other"),
        }
    }
}

/// What can be said of one side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fact {
    Mate(u32),
    /// Pieces for pieces, from the view of the side that gains.
    Material(Vec<Captured>, Vec<Captured>),
    Made(PieceKind),
    Generals(usize),
}

/// The facts of a mistake.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    best: Move,
    /// What the better line brings the player.
    better: Vec<Fact>,
    /// What the move played brings the opponent.
    played: Vec<Fact>,
    /// Win rates of both.
    win_rates: [f64; 2],
}

impl Explanation {
    /// The facts of the move with this index, played in `position`; `None` unless it is an error
    /// with a better line.
    pub fn new(analyzed: &AnalyzedGame, at: usize, position: &Position) -> Option<Self> {
        let classification = analyzed.classifications[at].as_ref()?;
        let MoveClassification { class, missed_mate, allowed_mate, .. } = classification;
        if !(class.is_error() || *missed_mate || *allowed_mate) {
            return None;
        }
        let mv = analyzed.game.moves[at];
        let line = |ply: usize| analyzed.positions[ply].as_ref()?.lines.first().map(|line| &*line.moves);
        let better = line(at).filter(|line| line.first() != Some(&mv))?;
        let played = [&[mv], line(at + 1).unwrap_or_default()].concat();
        Some(Self::of_lines(position, classification, better, &played))
    }

    fn of_lines(position: &Position, classification: &MoveClassification, better: &[Move], played: &[Move]) -> Self {
        let us = position.side_to_move();
        let [before, after] = [classification.before, classification.after];
        let win_rates = [before, after].map(|own| own.score.expected_score());
        let mates = |plies: Option<i32>, sign: i32| {
            let plies = plies.filter(|plies| plies * sign > 0);
            plies.map(|plies| Fact::Mate(plies.unsigned_abs()))
        };
        let (won, lost) = (mates(before.mate(), 1), mates(after.mate(), -1));
        let lost = lost.filter(|_| before.mate().is_none_or(|plies| plies > 0));
        let [best, real] = [better, played].map(|line| LineFacts::new(position, line));
        let differs = best.net(us) - real.net(us) >= GAIN;
        let facts = |mate: Option<Fact>, facts: &LineFacts, other: &LineFacts, side: Color| {
            // Beside a mate nothing else counts.
            if let Some(mate) = mate {
                return vec![mate];
            }
            let [won, lost] = [side, !side].map(|color| facts.captures[color].clone());
            let material = (differs && facts.net(side) >= GAIN).then_some(Fact::Material(won, lost));
            let made = facts.made[side].filter(|_| other.made[side].is_none()).map(Fact::Made);
            let fallen = facts.generals[side];
            let generals = (fallen >= 2 && fallen > other.generals[side]).then_some(Fact::Generals(fallen));
            material.into_iter().chain(made).chain(generals).take(2).collect()
        };
        Self {
            best: better[0],
            better: facts(won, &best, &real, us),
            played: facts(lost, &real, &best, !us),
            win_rates,
        }
    }

    /// The weightiest fact.
    pub fn cause(&self) -> Cause {
        let causes = |facts: &[Fact], own: bool| {
            let cause = |fact: &Fact| match fact {
                Fact::Mate(_) if own => Cause::MissedMate,
                Fact::Mate(_) => Cause::AllowedMate,
                Fact::Material(..) if own => Cause::MissedMaterial,
                Fact::Material(..) => Cause::LostMaterial,
                Fact::Made(_) => Cause::Promotion,
                Fact::Generals(_) => Cause::Castle,
            };
            facts.iter().map(cause).min().unwrap_or(Cause::Other)
        };
        causes(&self.better, true).min(causes(&self.played, false))
    }

    /// One sentence; `position` is that before the move.
    pub fn sentence(&self, position: &Position, language: Language) -> String {
        let best = language.mv(position, self.best);
        let (better, played) = (told(&self.better, language, true), told(&self.played, language, false));
        let [before, after] = self.win_rates.map(percent);
        match (language, better, played) {
            (Language::Japanese, Some(better), Some(played)) => format!("{best}なら{better}が、本譜は{played}。"),
            (Language::Japanese, Some(better), None) => format!("{best}なら{better}。"),
            (Language::Japanese, None, Some(played)) => format!("最善は{best}で、本譜は{played}。"),
            (Language::Japanese, None, None) => format!("最善は{best}で、勝率は{before}から{after}に下がった。"),
            (Language::English, Some(better), Some(played)) => format!("{best} {better}; the move played {played}."),
            (Language::English, Some(better), None) => format!("{best} {better}."),
            (Language::English, None, Some(played)) => format!("{best} was better: the move played {played}."),
            (Language::English, None, None) => format!("{best} was better: win rate {before}, now {after}."),
        }
    }
}

/// The facts of one side as the end of a sentence: those of the better line (`own`), or those of the
/// move played, which brings them to the opponent.
fn told(facts: &[Fact], language: Language, own: bool) -> Option<String> {
    let (last, first) = facts.split_last()?;
    let clause = |fact: &Fact, is_last: bool| match language {
        Language::Japanese => japanese(fact, own, is_last),
        Language::English => english(fact, own),
    };
    let first: Vec<String> = first.iter().map(|fact| clause(fact, false)).collect();
    let joined = first.into_iter().chain([clause(last, true)]);
    Some(joined.collect::<Vec<_>>().join(language.choose("、", " and ")))
}

fn english(fact: &Fact, own: bool) -> String {
    match fact {
        Fact::Mate(plies) if own => format!("mates in {}", counted_plies(*plies)),
        Fact::Mate(plies) => format!("allows mate in {}", counted_plies(*plies)),
        Fact::Material(won, lost) => {
            let verb = if own { "wins" } else { "loses" };
            match (&won[..], &lost[..]) {
                ([one], []) => format!("{verb} the {} on {}", name(one.kind, Language::English), one.square),
                (won, []) => format!("{verb} {}", listed(won, Language::English)),
                (won, lost) => {
                    format!("{verb} {} for {}", listed(won, Language::English), listed(lost, Language::English))
                }
            }
        }
        Fact::Made(kind) if own => format!("makes a {}", name(*kind, Language::English)),
        Fact::Made(kind) => format!("lets the opponent make a {}", name(*kind, Language::English)),
        Fact::Generals(count) if own => format!("takes {count} generals beside the king"),
        Fact::Generals(count) => format!("loses {count} generals beside the king"),
    }
}

fn japanese(fact: &Fact, own: bool, is_last: bool) -> String {
    let end = |[own_last, own_more, other_last, other_more]: [&'static str; 4]| match (own, is_last) {
        (true, true) => own_last,
        (true, false) => own_more,
        (false, true) => other_last,
        (false, false) => other_more,
    };
    match fact {
        Fact::Mate(plies) if own => format!("{plies}手詰だった"),
        Fact::Mate(plies) => format!("自玉に{plies}手詰が生じた"),
        Fact::Material(won, lost) => match (&won[..], &lost[..]) {
            ([one], []) => {
                let square = square_in_japanese(one.square);
                let end = end(["を取れた", "を取り", "を取られる", "を取られ"]);
                format!("{square}の{}{end}", name(one.kind, Language::Japanese))
            }
            (won, []) => {
                format!("{}{}", listed(won, Language::Japanese), end(["を取れた", "を取り", "を取られる", "を取られ"]))
            }
            (won, lost) => {
                // The player names the own piece first: 「飛と銀桂の交換」.
                let [own_pieces, others] = if own { [lost, won] } else { [won, lost] };
                let end = end(["で駒得できた", "で駒得し", "で駒損になる", "で駒損になり"]);
                let (own_pieces, others) = (listed(own_pieces, Language::Japanese), listed(others, Language::Japanese));
                let pause = if others.starts_with('と') { "、" } else { "" };
                format!("{own_pieces}と{pause}{others}の交換{end}")
            }
        },
        Fact::Made(kind) => {
            let end = end(["を作れた", "を作り", "を作られる", "を作られ"]);
            format!("{}{end}", name(*kind, Language::Japanese))
        }
        Fact::Generals(count) if own => {
            format!("相手玉の守りの金銀を{count}枚{}", end(["はがせた", "はがし", "", ""]))
        }
        Fact::Generals(count) => format!("自玉の守りの金銀を{count}枚{}", end(["", "", "はがされる", "はがされ"])),
    }
}

/// Pieces as a list: 「飛・銀」, `rook and silver`.
fn listed(pieces: &[Captured], language: Language) -> String {
    let names: Vec<_> = pieces.iter().map(|piece| name(piece.kind, language)).collect();
    match (language, &names[..]) {
        (Language::English, [first @ .., last]) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.join("・"),
    }
}

/// Name of a piece.
const fn name(kind: PieceKind, language: Language) -> &'static str {
    use PieceKind as K;
    match kind {
        K::Pawn => language.choose("歩", "pawn"),
        K::Lance => language.choose("香", "lance"),
        K::Knight => language.choose("桂", "knight"),
        K::Silver => language.choose("銀", "silver"),
        K::Gold => language.choose("金", "gold"),
        K::Bishop => language.choose("角", "bishop"),
        K::Rook => language.choose("飛車", "rook"),
        K::King => language.choose("玉", "king"),
        K::ProPawn => language.choose("と金", "tokin"),
        K::ProLance => language.choose("成香", "promoted lance"),
        K::ProKnight => language.choose("成桂", "promoted knight"),
        K::ProSilver => language.choose("成銀", "promoted silver"),
        K::Horse => language.choose("馬", "horse"),
        K::Dragon => language.choose("龍", "dragon"),
    }
}

/// 「７六」.
fn square_in_japanese(square: Square) -> String {
    let file = "１２３４５６７８９".chars().nth(usize::from(square.file()));
    let rank = "一二三四五六七八九".chars().nth(usize::from(square.rank()));
    file.into_iter().chain(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{AnalysisScore, Class};
    use sabi_shogi::Score;

    fn classification(before: (Score, bool), after: (Score, bool)) -> MoveClassification {
        let [before, after] = [before, after].map(|(score, proved)| AnalysisScore { score, proved });
        MoveClassification {
            before,
            after,
            best: None,
            loss: 0.3,
            centipawn_loss: 300,
            class: Class::Blunder,
            missed_mate: false,
            allowed_mate: false,
            turning_point: false,
        }
    }

    /// What is said of `played` instead of `better` in a position, in Japanese and English.
    fn said(sfen: &str, better: &str, played: &str, scores: [(Score, bool); 2]) -> ([String; 2], Cause) {
        let position = Position::from_sfen(sfen).unwrap();
        let [better, played]: [Vec<Move>; 2] = [better, played].map(|line| {
            position.with_moves(line.split(' ')).expect(line);
            line.split(' ').map(|mv| mv.parse().unwrap()).collect()
        });
        let told = Explanation::of_lines(&position, &classification(scores[0], scores[1]), &better, &played);
        let sentences = [Language::Japanese, Language::English].map(|language| told.sentence(&position, language));
        (sentences, told.cause())
    }

    #[test]
    fn sentences_are_facts_of_the_lines() {
        let cp = |score| (Score::cp(score), false);
        let even = [cp(100), cp(-200)];
        for (sfen, better, played, scores, japanese, english, cause) in [
            (
                "4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
                "G*5b",
                "5i5h 5a4a",
                [(Score::mate_in(1), true), cp(-900)],
                "▲５二金なら1手詰だった。",
                "G*5b mates in 1 ply.",
                Cause::MissedMate,
            ),
            (
                "4k4/9/9/9/9/9/4p4/9/4K4 b g 1",
                "5i4h",
                "5i4i G*5h",
                [cp(-300), (Score::mated_in(1), true)],
                "最善は▲４八玉で、本譜は自玉に1手詰が生じた。",
                "K-4h was better: the move played allows mate in 1 ply.",
                Cause::AllowedMate,
            ),
            (
                "4k4/9/7s1/9/9/9/PPPPPPP1P/7R1/4K4 b - 1",
                "2h2c+ 5a5b 7g7f",
                "7g7f 2c2d",
                even,
                "▲２三飛成なら２三の銀を取り、龍を作れた。",
                "Rx2c+ wins the silver on 2c and makes a dragon.",
                Cause::MissedMaterial,
            ),
            // The silver is lost as a silver, though it was promoted in the line.
            (
                "4k4/6g2/7r1/7S1/9/9/9/9/4K4 b - 1",
                "2d2c+ 3b2c 5i5h",
                "5i5h 2c2d 5h5g",
                even,
                "▲２三銀成なら銀と飛車の交換で駒得できたが、本譜は２四の銀を取られる。",
                "Sx2c+ wins rook for silver; the move played loses the silver on 2d.",
                Cause::LostMaterial,
            ),
            (
                "4k4/9/9/9/9/9/9/7R1/4K4 w - 1",
                "5a4b 5i5h",
                "5a6b 2h2b+ 6b7c 5i5h",
                even,
                "最善は△４二玉で、本譜は龍を作られる。",
                "K-4b was better: the move played lets the opponent make a dragon.",
                Cause::Promotion,
            ),
            (
                "8k/2r6/9/9/9/2p6/2S6/1KG6/9 b - 1",
                "7g7f 1a1b 7h7g",
                "8h9h 7f7g+ 9h9i 7g7h",
                even,
                "最善は▲７六銀で、本譜は金・銀を取られ、自玉の守りの金銀を2枚はがされる。",
                "Sx7f was better: the move played loses gold and silver and loses 2 generals beside the king.",
                Cause::LostMaterial,
            ),
            // What may be taken back is not won, and what the move played wins is not told.
            (
                "4k4/7g1/7s1/9/9/9/PPPPPPP1P/7R1/4K4 b - 1",
                "2h2c+",
                "7g7f 2c2d",
                even,
                "最善は▲２三飛成で、勝率は54.2 %から41.7 %に下がった。",
                "Rx2c+ was better: win rate 54.2 %, now 41.7 %.",
                Cause::Other,
            ),
            (
                "4k4/9/7s1/9/9/9/PPPPPPP1P/7R1/4K4 b - 1",
                "7g7f 2c2d 6g6f",
                "2h2c+ 5a5b 2c2h",
                even,
                "最善は▲７六歩で、勝率は54.2 %から41.7 %に下がった。",
                "P-7f was better: win rate 54.2 %, now 41.7 %.",
                Cause::Other,
            ),
        ] {
            let (sentences, found) = said(sfen, better, played, scores);
            assert_eq!((sentences, found), ([japanese.to_owned(), english.to_owned()], cause), "{sfen} {played}");
        }
    }
}

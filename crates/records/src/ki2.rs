//! Moves without a source square, as in KI2: the piece follows from the position and from words like
//! 右 or 引.

use super::japanese::{piece_name, target};
use sabi_shogi::{Color, HandKind, Move, PieceKind, Position, Square, attacks};

/// The words after the piece.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Disambiguation {
    right: bool,
    left: bool,
    /// 上 行 入: towards the far side.
    forward: bool,
    /// 引: back.
    backward: bool,
    /// 寄: sideways.
    sideways: bool,
    /// 直: straight ahead.
    straight: bool,
    /// 打.
    pub(super) drop: bool,
    promotion: Option<bool>,
}

impl Disambiguation {
    /// Parses the words at the start of a text; also returns the rest.
    pub(super) fn read(text: &str) -> (Self, &str) {
        let mut disambiguation = Self::default();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            match c {
                '右' => disambiguation.right = true,
                '左' => disambiguation.left = true,
                '上' | '行' | '入' => disambiguation.forward = true,
                '引' => disambiguation.backward = true,
                '寄' => disambiguation.sideways = true,
                '直' => disambiguation.straight = true,
                '打' => disambiguation.drop = true,
                '成' => disambiguation.promotion = Some(true),
                '生' => disambiguation.promotion = Some(false),
                '不' if rest.starts_with("不成") => {
                    disambiguation.promotion = Some(false);
                    rest = rest.trim_start_matches('不');
                }
                _ => break,
            }
            rest = rest.get(rest.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
        }
        (disambiguation, rest)
    }

    pub(super) fn promotes(&self) -> bool {
        self.promotion == Some(true)
    }

    /// Whether the direction words allow this step.
    fn allow_step(&self, position: &Position, from: Square, to: Square) -> bool {
        let us = position.side_to_move();
        let (from, to) = (from.relative_to(us), to.relative_to(us));
        (!self.forward || to.rank() < from.rank())
            && (!self.backward || to.rank() > from.rank())
            && (!self.sideways || to.rank() == from.rank())
            && (!self.straight || to.rank() < from.rank() && to.file() == from.file())
    }

    /// Filters the source squares by the words.
    fn select(&self, position: &Position, to: Square, sources: &mut Vec<Square>) {
        let us = position.side_to_move();
        sources.retain(|&from| self.allow_step(position, from, to));
        if self.right || self.left {
            let side = |from: &Square| {
                let file = from.relative_to(us).file();
                if self.right { file } else { 8 - file }
            };
            let outermost = sources.iter().map(side).min();
            sources.retain(|from| Some(side(from)) == outermost);
        }
    }
}

/// Source squares of a kind for a target, pinned or not.
fn sources(position: &Position, kind: PieceKind, to: Square) -> Vec<Square> {
    let us = position.side_to_move();
    let goes = |from: &Square| attacks(us, kind, *from, position.occupied()).has(to);
    position.pieces(us, kind).into_iter().filter(goes).collect()
}

/// Disambiguations of a piece, in order of preference.
const DIRECTIONS: [&str; 13] = ["", "上", "寄", "引", "直", "右", "左", "右上", "左上", "右寄", "左寄", "右引", "左引"];

/// The text after the target square: piece, disambiguation, promotion. Pinned pieces count, because
/// not every reader knows pins; [`resolve`] finds the same move again.
pub(super) fn spell(position: &Position, mv: Move) -> String {
    let (us, to) = (position.side_to_move(), mv.to());
    if let Some(kind) = mv.drop_kind().map(HandKind::on_board) {
        let word = if sources(position, kind, to).is_empty() { "" } else { "打" };
        return format!("{}{word}", piece_name(kind));
    }
    let Some((from, kind)) = mv.from().and_then(|from| Some((from, position.piece_at(from)?.kind()))) else {
        return String::new();
    };
    let may_promote = kind.can_promote() && (from.in_promotion_zone(us) || to.in_promotion_zone(us));
    let promotion = match (mv.is_promotion(), may_promote) {
        (true, _) => "成",
        (false, true) => "不成",
        (false, false) => "",
    };
    let is_big = matches!(kind, PieceKind::Horse | PieceKind::Dragon);
    let mut disambiguation = DIRECTIONS.iter().filter(|word| !(is_big && **word == "直"));
    let word = disambiguation.find(|word| {
        let mut named = sources(position, kind, to);
        Disambiguation::read(word).0.select(position, to, &mut named);
        named == [from]
    });
    let source = || format!("({}{})", from.file() + 1, from.rank() + 1);
    // With more than two equal pieces no word may be sufficient.
    let (word, source) = word.map_or_else(|| ("", source()), |word| (*word, String::new()));
    format!("{}{word}{promotion}{source}", piece_name(kind))
}

/// The move. The error is the number of matching pieces.
pub(super) fn resolve(
    position: &Position,
    kind: PieceKind,
    to: Square,
    disambiguation: Disambiguation,
) -> Result<Move, usize> {
    let drop = kind.in_hand().filter(|_| !kind.is_promoted()).map(|held| Move::drop(held, to));
    if disambiguation.drop {
        return drop.ok_or(0);
    }
    let mut candidates = sources(position, kind, to);
    let can_move = !candidates.is_empty();
    let legal =
        |&from: &Square| Move::board(from, to, disambiguation.promotes()).is_some_and(|mv| position.is_legal(mv));
    // Pinned pieces do not count, unless nothing else matches: illegal moves are recorded too.
    if candidates.iter().any(legal) {
        candidates.retain(legal);
    } else if drop.is_some_and(|drop| position.is_legal(drop)) {
        candidates.clear();
    }
    disambiguation.select(position, to, &mut candidates);
    let moves: Vec<Move> =
        candidates.into_iter().filter_map(|from| Move::board(from, to, disambiguation.promotes())).collect();
    match (moves.as_slice(), drop) {
        ([mv], _) => Ok(*mv),
        // If no piece on the board matches, 打 is omitted.
        ([], Some(drop)) if !can_move || position.is_legal(drop) => Ok(drop),
        ([], _) => Err(0),
        (several, _) => Err(several.len()),
    }
}

/// A move in Japanese, as in KI2: `▲７六歩`, `△同　銀`, `▲５八金右`.
pub fn japanese_move(position: &Position, mv: Move) -> String {
    format!("{}{}{}", mark(position), target(position, mv), spell(position, mv))
}

pub(super) fn mark(position: &Position) -> char {
    if position.side_to_move() == Color::Black { '▲' } else { '△' }
}

//! Entering king (nyugyoku) rules.
//!
//! The point rules are those of the Computer Shogi Association: the king is in the promotion zone
//! and not in check, at least ten other own pieces are there too, and these pieces with the hand
//! total enough points: five for each rook and bishop, one for every other piece.

use super::Position;
use crate::bitboard::Bitboard;
use crate::types::{Color, HandKind, Move, PieceKind, Square};

/// Entering king rule.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum EnteringKingRule {
    /// No declaration.
    None,
    /// 31 points win.
    Points24,
    /// 31 points win; pieces missing in a handicap game count for White, the giver.
    Points24Handicap,
    /// 28 points win for Black, 27 for White.
    #[default]
    Points27,
    /// [`EnteringKingRule::Points27`]; pieces missing in a handicap game count for White, the
    /// giver.
    Points27Handicap,
    /// The king wins by reaching the enemy king's start square.
    Try,
}

/// How the side to move wins at once.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Declaration {
    /// By declaring.
    Points,
    /// By this king move.
    Try(Move),
}

/// Progress of a side towards a declaration by points.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct DeclarationProgress {
    /// Current points: see [`Position::declaration_points`].
    pub points: u32,
    /// Points needed.
    pub points_needed: u32,
    /// Own pieces in the enemy camp, without the king.
    pub pieces_in_camp: u32,
    /// Whether the king is in the enemy camp.
    pub king_in_camp: bool,
}

/// Points of a full set without the kings.
const FULL_SET: u32 = 54;

impl DeclarationProgress {
    /// Own pieces besides the king needed in the enemy camp.
    pub const PIECES_NEEDED: u32 = 10;

    /// Whether a declaration wins, if on move and not in check.
    pub const fn is_enough(&self) -> bool {
        self.king_in_camp && self.pieces_in_camp >= Self::PIECES_NEEDED && self.points >= self.points_needed
    }

    /// Missing points.
    pub const fn points_missing(&self) -> u32 {
        self.points_needed.saturating_sub(self.points)
    }

    /// Missing pieces in the camp.
    pub const fn pieces_missing(&self) -> u32 {
        Self::PIECES_NEEDED.saturating_sub(self.pieces_in_camp)
    }
}

impl EnteringKingRule {
    /// Every rule.
    pub const ALL: [Self; 6] =
        [Self::None, Self::Points24, Self::Points24Handicap, Self::Points27, Self::Points27Handicap, Self::Try];

    /// Points that `color` needs.
    const fn points_needed(self, color: Color) -> u32 {
        match (self, color) {
            (Self::Points24 | Self::Points24Handicap, _) => 31,
            (_, Color::Black) => 28,
            (_, Color::White) => 27,
        }
    }
}

impl Position {
    /// Whether the side to move wins now under `rule`.
    #[inline]
    pub fn declaration(&self, rule: EnteringKingRule) -> Option<Declaration> {
        let us = self.side;
        let king = self.kings[us]?;
        match rule {
            EnteringKingRule::None => None,
            EnteringKingRule::Try => {
                let mv = Move::board(king, goal(us)?, false).filter(|&mv| self.is_legal(mv));
                mv.map(Declaration::Try)
            }
            _ if !Bitboard::promotion_zone(us).has(king) || self.in_check() => None,
            _ => self.declaration_progress(us, rule)?.is_enough().then_some(Declaration::Points),
        }
    }

    /// Progress of `color` under `rule`; `None` unless it is a point rule.
    pub fn declaration_progress(&self, color: Color, rule: EnteringKingRule) -> Option<DeclarationProgress> {
        (!matches!(rule, EnteringKingRule::None | EnteringKingRule::Try)).then(|| {
            let camp = Bitboard::promotion_zone(color);
            DeclarationProgress {
                points: self.declaration_points(color, rule),
                points_needed: rule.points_needed(color),
                pieces_in_camp: (self.colors[color] & camp).and_not(self.kinds[PieceKind::King]).count(),
                king_in_camp: self.kings[color].is_some_and(|king| king.in_promotion_zone(color)),
            }
        })
    }

    /// Progress of both sides under `rule`, Black first; `None` while no king is near the enemy
    /// camp, and unless it is a point rule.
    pub fn declaration_progress_of_both(&self, rule: EnteringKingRule) -> Option<[DeclarationProgress; 2]> {
        let is_near = Color::ALL.into_iter().any(|color| self.king_nears_camp(color));
        let progress = |color| self.declaration_progress(color, rule).filter(|_| is_near);
        Some([progress(Color::Black)?, progress(Color::White)?])
    }

    /// Whether the king of `color` is in the enemy camp or on the rank before it.
    #[inline]
    pub fn king_nears_camp(&self, color: Color) -> bool {
        self.kings[color].is_some_and(|king| Bitboard::far_ranks(color, 4).has(king))
    }

    /// Whether the king of `color` is within `moves` king moves of its goal square
    /// ([`EnteringKingRule::Try`]), on an empty board.
    pub fn king_nears_goal(&self, color: Color, moves: usize) -> bool {
        self.kings[color].zip(goal(color)).is_some_and(|(king, goal)| {
            usize::from(king.file().abs_diff(goal.file()).max(king.rank().abs_diff(goal.rank()))) <= moves
        })
    }

    /// Points of `color`: pieces in the enemy camp and in hand, without the king.
    pub fn declaration_points(&self, color: Color, rule: EnteringKingRule) -> u32 {
        let camp = self.colors[color] & Bitboard::promotion_zone(color);
        let kings = self.kinds[PieceKind::King];
        let majors = self.bishops_and_horses() | self.rooks_and_dragons();
        let points = camp.and_not(kings).count() + 4 * (camp & majors).count() + hand_points(self, color);
        match (rule, color) {
            (EnteringKingRule::Points24Handicap | EnteringKingRule::Points27Handicap, Color::White) => {
                points + self.missing_points()
            }
            _ => points,
        }
    }

    fn missing_points(&self) -> u32 {
        let on_board = self.occupied().and_not(self.kinds[PieceKind::King]).count()
            + 4 * (self.bishops_and_horses() | self.rooks_and_dragons()).count();
        FULL_SET.saturating_sub(on_board + hand_points(self, Color::Black) + hand_points(self, Color::White))
    }
}

/// The goal square of the king of `color` under [`EnteringKingRule::Try`].
fn goal(color: Color) -> Option<Square> {
    Square::at(4, 0).map(|goal| goal.relative_to(color))
}

fn hand_points(position: &Position, color: Color) -> u32 {
    let hand = position.hand(color);
    hand.total() + 4 * u32::from(hand.count(HandKind::Bishop) + hand.count(HandKind::Rook))
}

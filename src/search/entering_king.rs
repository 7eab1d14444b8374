//! Bonus for a king entering the enemy camp under a point rule; no evaluation includes it.

use super::params as p;
use sabi_shogi::{Color, DeclarationProgress, EnteringKingRule, Position};

/// Bonus of the side to move on the way to a declaration, in centipawns.
#[inline]
pub(super) fn bonus(position: &Position, rule: EnteringKingRule) -> i32 {
    let us = position.side_to_move();
    side_bonus(position, us, rule) - side_bonus(position, !us, rule)
}

/// Bonus of `color`; 0 while its king is far from the camp, as in nearly all positions.
#[inline]
fn side_bonus(position: &Position, color: Color, rule: EnteringKingRule) -> i32 {
    if !position.king_nears_camp(color) {
        return 0;
    }
    position.declaration_progress(color, rule).map_or(0, |progress| declaration_bonus(&progress))
}

/// Full bonus less a penalty for each missing point and piece.
fn declaration_bonus(progress: &DeclarationProgress) -> i32 {
    let missing = p::declaration_point() * progress.points_missing() as i32
        + p::declaration_piece() * progress.pieces_missing() as i32
        + p::declaration_king() * i32::from(!progress.king_in_camp);
    (p::declaration_base() - missing).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kings in and before the camp, with many and few other pieces.
    const ENTERING: [&str; 5] = [
        "+R3KBBsk/2+P3p1l/g6s1/p5+rlp/1p1P5/P7P/LP5P1/9/1N4sg1 w 2GSNL5P2n3p 154",
        "1G2B4/1GS5L/Pp+P5n/s2BL4/1n2p4/3P1P3/+lPpKP2+rk/3G1+p3/2G6 w SN3Prsnl5p 180",
        "5G3/2+N1K1l2/+p5P2/+P2+SS4/9/2P1+PP+sp1/1lg6/+r+n+p2p1g+P/+pk1+b3+P1 w RG2L4Pbs2n2p 1",
        "+R+B+P+P+PK+P+P1/+P+P+P+P5/9/9/9/9/9/9/4k4 b RB 1",
        "9/9/9/+R+B+P+P+PK+P+P1/9/9/9/9/4k4 b 2S 1",
    ];

    fn position(sfen: &str) -> Position {
        Position::from_sfen(sfen).unwrap()
    }

    /// The same with the other side to move.
    fn passed(sfen: &str) -> Position {
        let words: Vec<&str> = sfen.split(' ').collect();
        let side = if words[1] == "b" { "w" } else { "b" };
        position(&[words[0], side, words[2], words[3]].join(" "))
    }

    #[test]
    fn bonus_is_antisymmetric() {
        let mut felt = 0;
        for sfen in ENTERING {
            for rule in EnteringKingRule::ALL {
                let here = bonus(&position(sfen), rule);
                assert_eq!(bonus(&passed(sfen), rule), -here, "{sfen} {rule:?}");
                felt += i32::from(here != 0);
            }
            // Both sides need the same number of points.
            let rule = EnteringKingRule::Points24;
            assert_eq!(bonus(&position(sfen).rotated(), rule), bonus(&position(sfen), rule), "{sfen}");
        }
        assert!(felt > 8, "{felt}");
    }

    #[test]
    fn bonus_only_near_camp_under_point_rules() {
        for sfen in ENTERING {
            for rule in [EnteringKingRule::None, EnteringKingRule::Try] {
                assert_eq!(bonus(&position(sfen), rule), 0);
            }
        }
        let far = "+R+B+P+P+P1+P+P1/+P+P+P+P5/9/9/5K2k/9/9/9/9 b RB 1";
        for rule in EnteringKingRule::ALL {
            assert_eq!(bonus(&position(far), rule), 0);
        }
    }

    #[test]
    fn bonus_grows_with_each_condition() {
        let (rule, all) = (EnteringKingRule::Points27, p::declaration_base());
        let of = |sfen: &str| bonus(&position(sfen), rule);
        assert_eq!(of("+R+B+P+P+PK+P+P1/+P+P+P6/9/9/8k/9/9/9/9 b RB 1"), all, "28 points and ten pieces");
        assert_eq!(of("+R+B+P+P+PK+P+P1/+P+P+P+P5/9/9/8k/9/9/9/9 b RBGS 1"), all, "more than that");
        let (piece, point) = (p::declaration_piece(), p::declaration_point());
        assert_eq!(of("+R+B+P+P+PK+P2/+P+P+P6/9/9/8k/9/9/9/9 b RBG 1"), all - piece, "one of them still in hand");
        assert_eq!(of("+R+B+P+P+PK+P2/+P+P+P6/9/9/8k/9/9/9/9 b RB 1"), all - piece - point, "and not even there");
        let before = "+R+B+P+P+P1+P+P1/+P+P+P6/9/5K3/8k/9/9/9/9 b RB 1";
        assert_eq!(of(before), all - p::declaration_king(), "the king before the camp");
        assert_eq!(of("5K3/9/9/9/8k/9/9/9/9 b - 1"), 0, "too far from it to be worth anything");
    }
}

//! Attacks of cheaper pieces on more valuable ones.

use sabi_shogi::{self as bb, Bitboard, PieceKind, Position};

/// Squares that the opponent attacks with cheap pieces.
pub(super) struct Threats {
    /// By class of the piece attacked: nothing is cheaper than a pawn; pawns; pawns, promoted
    /// pawns, lances and knights; all but bishops, rooks and the king.
    by_lesser: [Bitboard; 4],
}

/// Index of the threats to each kind, in the order of [`PieceKind`].
const THREATENED: [u8; PieceKind::COUNT] = [0, 1, 1, 2, 3, 3, 2, 0, 0, 0, 0, 0, 3, 3];

impl Threats {
    /// The threats against the side to move.
    #[inline]
    pub(super) fn new(position: &Position) -> Self {
        use PieceKind as K;
        let them = !position.side_to_move();
        let theirs = |kind| position.pieces(them, kind);
        let occupied = position.occupied();
        let by_pawns = theirs(K::Pawn).forward(them);
        let mut by_minors = by_pawns;
        theirs(K::ProPawn).for_each(|square| by_minors |= bb::gold_attacks(them, square));
        theirs(K::Knight).for_each(|square| by_minors |= bb::knight_attacks(them, square));
        theirs(K::Lance).for_each(|square| by_minors |= bb::lance_attacks(them, square, occupied));
        let mut by_generals = by_minors;
        theirs(K::Silver).for_each(|square| by_generals |= bb::silver_attacks(them, square));
        (position.golds() & position.color(them)).for_each(|square| by_generals |= bb::gold_attacks(them, square));
        Self { by_lesser: [Bitboard::EMPTY, by_pawns, by_minors, by_generals] }
    }

    /// Squares where a piece of this kind is attacked by a cheaper one.
    #[inline]
    pub(super) fn on(&self, kind: PieceKind) -> Bitboard {
        // The remainder spares a bounds check.
        self.by_lesser[usize::from(THREATENED[kind]) % 4]
    }

    /// Whether a piece of the side to move is attacked by a cheaper one.
    #[inline]
    pub(super) fn any(&self, position: &Position) -> bool {
        use PieceKind as K;
        let minors = position.kind(K::Lance) | position.kind(K::Knight);
        let generals = position.kind(K::Silver) | position.kind(K::Gold);
        let majors = position.bishops_and_horses() | position.rooks_and_dragons();
        let [_, by_pawns, by_minors, by_generals] = self.by_lesser;
        let attacked = minors & by_pawns | generals & by_minors | majors & by_generals;
        attacked.intersects(position.color(position.side_to_move()))
    }
}

/// Squares from which a quiet move attacks a more valuable piece of the opponent.
pub(super) struct Targets {
    /// By the way the piece moves: none, pawn, knight, silver, gold.
    by_step: [Bitboard; 5],
}

/// Index of the targets of each kind, in the order of [`PieceKind`].
const STEPS: [u8; PieceKind::COUNT] = [1, 0, 2, 3, 0, 0, 4, 0, 4, 4, 4, 4, 0, 0];

impl Targets {
    /// The targets of the side to move.
    #[inline]
    pub(super) fn new(position: &Position) -> Self {
        use PieceKind as K;
        let them = !position.side_to_move();
        let theirs = |kind| position.pieces(them, kind);
        let majors = (position.bishops_and_horses() | position.rooks_and_dragons()) & position.color(them);
        let generals = theirs(K::Silver) | theirs(K::Gold);
        let pawn = (majors | generals | theirs(K::Lance) | theirs(K::Knight)).forward(them);
        let (mut knight, mut silver, mut gold) = Default::default();
        (majors | generals).for_each(|square| knight |= bb::knight_attacks(them, square));
        majors.for_each(|square| {
            silver |= bb::silver_attacks(them, square);
            gold |= bb::gold_attacks(them, square);
        });
        Self { by_step: [Bitboard::EMPTY, pawn, knight, silver, gold] }
    }

    /// Squares from which a piece of this kind attacks a more valuable one.
    #[inline]
    pub(super) fn of(&self, kind: PieceKind) -> Bitboard {
        // The remainder spares a bounds check.
        self.by_step[usize::from(STEPS[kind]) % 5]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabi_shogi::Square;

    /// Classes of pieces by value; a class attacks all later ones but its own.
    fn class(kind: PieceKind) -> usize {
        use PieceKind as K;
        match kind {
            K::Pawn | K::ProPawn => 0,
            K::Lance | K::Knight => 1,
            K::Silver | K::Gold => 2,
            K::ProLance | K::ProKnight | K::ProSilver => 2,
            K::Bishop | K::Rook | K::Horse | K::Dragon => 3,
            K::King => 4,
        }
    }

    const MIDDLE_GAMES: [&str; 3] = [
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
        "lr4knl/3g2g2/2nsp2p1/p1pp2S2/1pP3sPp/P2PB4/1PS1P+pN1P/1K2G4/LN6L w BG2Prp 66",
        "1p5kl/2g2+B1g1/2np1+B1pp/1Pp3Ps1/7n1/r4P2P/+p1NPPp3/2G3SK1/+p1S2G1NL w LPrsl3p 124",
    ];

    /// Squares from which `by` attacks `square` with a piece of a lower class.
    fn lesser_attackers(position: &Position, square: Square, kind: PieceKind) -> usize {
        let them = !position.side_to_move();
        let attackers = position.attackers(them, square, position.occupied());
        attackers.into_iter().filter(|&from| class(position.piece_at(from).unwrap().kind()) < class(kind)).count()
    }

    #[test]
    fn threats_match_attackers() {
        for sfen in MIDDLE_GAMES {
            let position = Position::from_sfen(sfen).unwrap();
            let threats = Threats::new(&position);
            for kind in [PieceKind::Knight, PieceKind::Silver, PieceKind::Gold, PieceKind::Rook, PieceKind::Horse] {
                for square in Square::all() {
                    let pawns_alone = kind == PieceKind::Knight && {
                        let pawn = bb::pawn_attacks(position.side_to_move(), square);
                        !pawn.intersects(position.pieces(!position.side_to_move(), PieceKind::Pawn))
                    };
                    let expected = !pawns_alone && lesser_attackers(&position, square, kind) > 0;
                    assert_eq!(threats.on(kind).has(square), expected, "{kind:?} on {square} in {sfen}");
                }
            }
            let us = position.color(position.side_to_move());
            let attacked =
                us.into_iter().any(|square| threats.on(position.piece_at(square).unwrap().kind()).has(square));
            assert_eq!(threats.any(&position), attacked, "{sfen}");
        }
    }

    #[test]
    fn targets_attack_a_more_valuable_piece() {
        for sfen in MIDDLE_GAMES {
            let position = Position::from_sfen(sfen).unwrap();
            let targets = Targets::new(&position);
            let (us, them) = (position.side_to_move(), !position.side_to_move());
            for kind in [PieceKind::Pawn, PieceKind::Knight, PieceKind::Silver, PieceKind::Gold] {
                for square in Square::all() {
                    let attacks = bb::attacks(us, kind, square, position.occupied()) & position.color(them);
                    let valuable = attacks.into_iter().any(|target| {
                        let target = position.piece_at(target).unwrap().kind();
                        let promoted =
                            matches!(class(target), 2) && !matches!(target, PieceKind::Silver | PieceKind::Gold);
                        class(target) > class(kind) && target != PieceKind::King && !promoted
                    });
                    assert_eq!(targets.of(kind).has(square), valuable, "{kind:?} on {square} in {sfen}");
                }
            }
        }
    }
}

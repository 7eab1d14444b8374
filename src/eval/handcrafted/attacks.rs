//! Attack maps of both sides, and the terms made of them: mobility, threats, pawns, promotion and
//! space.

use super::weights::{
    Block, CONTROL, FeatureVisitor, GOLD_THREAT, HANGING, HEAD_DROP, INVASION, KING_ATTACKER, LANCE_BEHIND_ROOK,
    MINOR_THREAT, MOBILITY, OPEN_FILE, PAWN_FILES, PAWN_THREAT, PRESSED, TOKIN_THREAT,
};
use PieceKind as K;
use sabi_shogi::{Bitboard, Color, HandKind, PieceKind, Position, Square};

/// Attack maps of one side.
#[derive(Default)]
pub(super) struct Attacks {
    /// By pawns.
    pub pawns: Bitboard,
    /// By lances, knights and silvers.
    pub minors: Bitboard,
    /// By gold-like pieces.
    pub golds: Bitboard,
    /// By unpromoted bishops.
    pub bishops: Bitboard,
    /// By unpromoted rooks.
    pub rooks: Bitboard,
    /// By any piece but the king.
    pub pieces: Bitboard,
    /// By any piece.
    pub all: Bitboard,
    /// At least twice.
    pub twice: Bitboard,
    /// Number of pieces that attack the enemy king's zone.
    pub attackers: u32,
}

/// Data of the other side needed for attack maps.
pub(super) struct Target {
    /// Squares attacked by its pawns.
    pub pawns: Bitboard,
    /// Its king zone.
    pub zone: Bitboard,
}

impl Target {
    #[inline(always)]
    pub fn new(position: &Position, color: Color) -> Self {
        Self { pawns: position.pieces(color, K::Pawn).forward(color), zone: zone(color, position.king(color)) }
    }
}

/// King zone: the king's square, its neighbours and the three squares ahead of those.
#[inline(always)]
fn zone(color: Color, king: Option<Square>) -> Bitboard {
    king.map_or(Bitboard::EMPTY, |king| {
        let ring = sabi_shogi::king_attacks(king);
        ring | ring.forward(color)
    })
}

/// Collects the attack maps of one side.
struct Collector<'s, S> {
    color: Color,
    zone: Bitboard,
    /// Mobility area: not blocked by own pieces and not attacked by pawns.
    open: Bitboard,
    attacks: Attacks,
    visitor: &'s mut S,
}

impl<S: FeatureVisitor> Collector<'_, S> {
    #[inline(always)]
    fn add(&mut self, kind: PieceKind, attack: Bitboard) {
        self.attacks.twice |= self.attacks.pieces & attack;
        self.attacks.pieces |= attack;
        if attack.intersects(self.zone) {
            self.attacks.attackers += 1;
            self.visitor.add(self.color, KING_ATTACKER.at(0, kind.index()), 1);
        }
    }

    #[inline(always)]
    fn add_mobile(&mut self, row: usize, kind: PieceKind, attack: Bitboard) {
        self.visitor.add(self.color, MOBILITY.capped(row, (attack & self.open).count()), 1);
        self.add(kind, attack);
    }

    #[inline(always)]
    fn short_range(&mut self, position: &Position) {
        let color = self.color;
        position.pieces(color, K::Knight).for_each(|square| {
            let attack = sabi_shogi::knight_attacks(color, square);
            self.attacks.minors |= attack;
            self.add(K::Knight, attack);
        });
        position.pieces(color, K::Silver).for_each(|square| {
            let attack = sabi_shogi::silver_attacks(color, square);
            self.attacks.minors |= attack;
            self.add(K::Silver, attack);
        });
        (position.golds() & position.color(color)).for_each(|square| {
            let attack = sabi_shogi::gold_attacks(color, square);
            self.attacks.golds |= attack;
            self.add(K::Gold, attack);
        });
    }

    #[inline(always)]
    fn long_range(&mut self, position: &Position, occupied: Bitboard) {
        let color = self.color;
        let own_rooks = position.rooks_and_dragons() & position.color(color);
        let own_pawns = position.pieces(color, K::Pawn);
        position.pieces(color, K::Lance).for_each(|square| {
            let attack = sabi_shogi::lance_attacks(color, square, occupied);
            self.attacks.minors |= attack;
            self.visitor.add(color, LANCE_BEHIND_ROOK.at(0, 0), i32::from(attack.intersects(own_rooks)));
            self.add_mobile(0, K::Lance, attack);
        });
        (position.bishops_and_horses() & position.color(color)).for_each(|square| {
            let attack = sabi_shogi::bishop_attacks(square, occupied);
            if position.kind(K::Bishop).has(square) {
                self.attacks.bishops |= attack;
                self.add_mobile(1, K::Bishop, attack);
            } else {
                self.add_mobile(3, K::Horse, attack | sabi_shogi::king_attacks(square));
            }
        });
        own_rooks.for_each(|square| {
            let attack = sabi_shogi::rook_attacks(square, occupied);
            let open_file = !own_pawns.intersects(Bitboard::file(square.file()));
            self.visitor.add(color, OPEN_FILE.at(0, 0), i32::from(open_file));
            if position.kind(K::Rook).has(square) {
                self.attacks.rooks |= attack;
                self.add_mobile(2, K::Rook, attack);
            } else {
                self.add_mobile(4, K::Dragon, attack | sabi_shogi::king_attacks(square));
            }
        });
    }
}

impl Attacks {
    /// Attack maps of `color`, with pawn attacks `pawns`. Adds the mobility terms.
    #[inline(always)]
    pub fn new<S: FeatureVisitor>(
        position: &Position,
        color: Color,
        pawns: Bitboard,
        target: &Target,
        visitor: &mut S,
    ) -> Self {
        let occupied = position.occupied();
        let ours = position.color(color);
        let near_king = (pawns & target.zone).count();
        let attacks = Self { pawns, pieces: pawns, attackers: near_king, ..Self::default() };
        let open = !(ours | target.pawns);
        let mut collector = Collector { color, zone: target.zone, open, attacks, visitor };
        collector.visitor.add(color, KING_ATTACKER.at(0, K::Pawn.index()), near_king as i32);
        collector.short_range(position);
        collector.long_range(position, occupied);
        let mut attacks = collector.attacks;
        attacks.all = attacks.pieces;
        if let Some(king) = position.king(color) {
            let attack = sabi_shogi::king_attacks(king);
            attacks.twice |= attacks.pieces & attack;
            attacks.all |= attack;
        }
        attacks
    }
}

/// Threat terms of `color`. Threats of the side to move have their own weights.
#[inline(always)]
pub(super) fn threats(
    position: &Position,
    color: Color,
    ours: &Attacks,
    theirs: &Attacks,
    visitor: &mut impl FeatureVisitor,
) {
    let row = usize::from(position.side_to_move() == color);
    let targets = position.color(!color).and_not(position.kind(K::King));
    let majors = targets & (position.bishops_and_horses() | position.rooks_and_dragons());
    let beyond_minors = majors | (targets & position.kind(K::Gold));
    let mut each = |block: Block, set: Bitboard| {
        set.for_each(|square| {
            if let Some(piece) = position.piece_at(square) {
                visitor.add(color, block.at(row, piece.kind().index()), 1);
            }
        });
    };
    each(PAWN_THREAT, targets & ours.pawns);
    each(MINOR_THREAT, beyond_minors & ours.minors);
    each(GOLD_THREAT, majors & ours.golds);
    each(HANGING, (targets & ours.all).and_not(theirs.all));
    each(PRESSED, (targets & ours.twice & theirs.all).and_not(theirs.twice));
}

/// Pawn, promotion and space terms of `color`.
#[inline(always)]
pub(super) fn structure(
    position: &Position,
    color: Color,
    ours: &Attacks,
    theirs: &Attacks,
    visitor: &mut impl FeatureVisitor,
) {
    let on_move = usize::from(position.side_to_move() == color);
    let own = position.color(color);
    let zone = Bitboard::promotion_zone(color);

    let home = Bitboard::promotion_zone(!color);
    for (column, region) in [(0, home), (1, !(home | zone)), (2, zone)] {
        visitor.add(color, CONTROL.at(0, column), (ours.all & region).count() as i32);
    }

    let entrance = zone.and_not(own | theirs.all);
    for (row, attack) in [(0, ours.bishops), (1, ours.rooks)] {
        visitor.add(color, INVASION.at(row, on_move), i32::from(attack.intersects(entrance)));
    }
    let tokins = position.pieces(color, K::Pawn).forward(color) & entrance;
    visitor.add(color, TOKIN_THREAT.at(0, on_move), tokins.count() as i32);

    if position.hand(color).has(HandKind::Pawn) {
        let files = position.pieces(color, K::Pawn).files_without();
        visitor.add(color, PAWN_FILES.capped(0, (files & Bitboard::rank(0)).count()), 1);
        // Squares below an enemy piece that a pawn drop there would attack.
        let heads = files.and_not(position.occupied() | theirs.pawns);
        for (column, kind) in [K::Knight, K::Silver, K::Bishop, K::Rook].into_iter().enumerate() {
            let exposed = position.pieces(!color, kind).forward(!color) & heads;
            visitor.add(!color, HEAD_DROP.at(0, column), exposed.count() as i32);
        }
    }
}

//! Staged move picker. Captures and quiet moves are scored as they are generated.

use super::history::{Histories, PieceTo, Quiet, QuietContext, QuietOrder, piece_to};
use super::params as p;
use arrayvec::ArrayVec;
use sabi_shogi::{
    Bitboard, CheckInfo, Color, HandKind, MAX_MOVES, Move, MoveList, NonPromotions, Piece, PieceKind, Position, Sink,
    Square,
};

/// Where the moves come from.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Stage {
    Start,
    TtMove,
    GoodCaptures,
    GoodQuiets,
    BadCaptures,
    BadQuiets,
    Evasions,
    Done,
}

/// Kind of search. Pawn promotions count as captures.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// All moves.
    Search,
    /// Captures.
    Quiescence,
    /// ProbCut: captures with SEE of at least this.
    ProbCut(i32),
}

/// Returns the moves of one node, best first.
pub(super) struct Picker {
    stage: Stage,
    purpose: Purpose,
    tt_move: Option<Move>,
    non_promotions: NonPromotions,
    scored: ScoredMoves,
    bad_captures: ArrayVec<Move, MAX_MOVES>,
    next_bad: usize,
    skip_quiets: bool,
}

impl Picker {
    /// A picker for `purpose`. The tt move must be legal.
    pub(super) fn new(
        position: &Position,
        purpose: Purpose,
        tt_move: Option<Move>,
        non_promotions: NonPromotions,
    ) -> Self {
        let tt_move = tt_move.filter(|&mv| match purpose {
            Purpose::Search => true,
            _ if position.in_check() => true,
            Purpose::Quiescence => position.is_tactical(mv),
            Purpose::ProbCut(threshold) => position.is_tactical(mv) && position.see_ge(mv, threshold),
        });
        Self {
            stage: Stage::Start,
            purpose,
            tt_move,
            non_promotions,
            scored: ScoredMoves::default(),
            bad_captures: ArrayVec::new(),
            next_bad: 0,
            skip_quiets: false,
        }
    }

    /// Skips quiet moves from now on, except evasions.
    #[inline]
    pub(super) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move; each is returned once.
    pub(super) fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &QuietContext,
        info: &CheckInfo,
    ) -> Option<Move> {
        loop {
            if let Some(mv) = self.next_of_stage(position) {
                return Some(mv);
            }
            self.stage = self.next_stage(position);
            match self.stage {
                Stage::GoodCaptures => self.generate_captures(position, histories),
                Stage::GoodQuiets => self.generate_quiets(position, histories, context, info),
                Stage::Evasions => self.generate_evasions(position, histories, context),
                Stage::Start | Stage::TtMove | Stage::BadCaptures | Stage::BadQuiets => {}
                Stage::Done => return None,
            }
        }
    }

    /// The stage after the current one.
    fn next_stage(&self, position: &Position) -> Stage {
        match self.stage {
            Stage::Start | Stage::TtMove if position.in_check() => Stage::Evasions,
            Stage::Start | Stage::TtMove => Stage::GoodCaptures,
            Stage::GoodCaptures if self.purpose == Purpose::Search => Stage::GoodQuiets,
            Stage::GoodQuiets => Stage::BadCaptures,
            Stage::BadCaptures => Stage::BadQuiets,
            Stage::GoodCaptures | Stage::BadQuiets | Stage::Evasions | Stage::Done => Stage::Done,
        }
    }

    /// The next move of the current stage.
    fn next_of_stage(&mut self, position: &Position) -> Option<Move> {
        match self.stage {
            Stage::Start => {
                self.stage = Stage::TtMove;
                self.tt_move
            }
            Stage::TtMove => None,
            Stage::GoodCaptures => self.next_good_capture(position),
            Stage::GoodQuiets => self.next_quiet(GOOD_QUIET),
            Stage::BadCaptures => {
                let mv = self.bad_captures.get(self.next_bad).copied();
                self.next_bad += 1;
                mv
            }
            Stage::BadQuiets => self.next_quiet(i32::MIN),
            Stage::Evasions => self.scored.take_best().and_then(Scored::mv),
            Stage::Done => None,
        }
    }

    // Generators are not inlined: what they need would be computed for every move returned.

    #[inline(never)]
    fn generate_captures(&mut self, position: &Position, histories: &Histories) {
        let (tt_move, moves) = (self.tt_move, &mut self.scored);
        sabi_shogi::tactical_moves(
            position,
            self.non_promotions,
            &mut ScoredCaptures { position, histories, tt_move, moves },
        );
        self.scored.finish();
    }

    fn next_good_capture(&mut self, position: &Position) -> Option<Move> {
        loop {
            let best = self.scored.take_best()?;
            let mv = best.mv()?;
            let threshold = match self.purpose {
                Purpose::ProbCut(threshold) => threshold,
                // A good capture history lowers the SEE threshold.
                Purpose::Search => -best.score() / 19,
                Purpose::Quiescence => return Some(mv),
            };
            if position.see_ge(mv, threshold) {
                return Some(mv);
            }
            if self.purpose == Purpose::Search {
                self.bad_captures.push(mv);
            }
        }
    }

    #[inline(never)]
    fn generate_quiets(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &QuietContext,
        info: &CheckInfo,
    ) {
        self.scored.clear();
        if self.skip_quiets {
            return;
        }
        let order = histories.quiet_order(context);
        let (tt_move, moves) = (self.tt_move, &mut self.scored);
        let (threats, targets) = (Threats::new(position), Targets::new(position));
        let mut quiets = ScoredQuiets { position, info, order, threats, targets, tt_move, moves };
        sabi_shogi::quiet_moves(position, self.non_promotions, &mut quiets);
        self.scored.finish();
    }

    /// The next quiet move if it scores at least `threshold`.
    #[inline]
    fn next_quiet(&mut self, threshold: i32) -> Option<Move> {
        let best = self.scored.best().filter(|best| !self.skip_quiets && best.score() >= threshold)?;
        self.scored.take(best);
        best.mv()
    }

    #[inline(never)]
    fn generate_evasions(&mut self, position: &Position, histories: &Histories, context: &QuietContext) {
        let mut list = MoveList::new();
        sabi_shogi::moves(position, self.non_promotions, &mut list);
        for &mv in list.iter().filter(|&&mv| Some(mv) != self.tt_move) {
            let score = if position.is_tactical(mv) {
                EVASION_CAPTURE + position.move_gain(mv)
            } else {
                let moved = position.moved_piece_after(mv).map_or(0, |piece| piece_to(piece, mv.to()));
                histories.main(context.color, mv) + histories.continuation(context.cont_hist[0], moved)
            };
            self.scored.push(mv, score);
        }
        self.scored.finish();
    }
}

/// Quiet moves with at least this score come before bad captures.
const GOOD_QUIET: i32 = -13_420;
/// In check, captures come first.
const EVASION_CAPTURE: i32 = 1 << 20;

/// The kind that a tactical move captures; a pawn promotion counts as capturing a pawn.
#[inline]
pub(super) fn captured_kind(position: &Position, mv: Move) -> PieceKind {
    position.piece_at(mv.to()).map_or(PieceKind::Pawn, |piece| piece.kind())
}

/// Score of a capture.
#[inline]
pub(super) fn capture_score(position: &Position, histories: &Histories, mv: Move, moved: PieceTo) -> i32 {
    mvv_and_history(position.move_gain(mv), histories.capture(moved, captured_kind(position, mv)))
}

/// The score above the bits of the move above its index in the list: the best move and where it
/// is are one maximum of integers, found by vector instructions.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Scored(i64);

impl Scored {
    /// No move: the bits of a move are not 0.
    const NONE: Self = Self(i64::MIN);

    #[inline]
    fn new(mv: Move, score: i32, index: usize) -> Self {
        Self(i64::from(score) << 32 | i64::from(mv.bits()) << 16).at(index)
    }

    #[inline]
    fn at(self, index: usize) -> Self {
        Self(self.0 & !0xffff | index as i64)
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(self.0 as u16)
    }

    #[inline]
    fn mv(self) -> Option<Move> {
        Move::from_bits((self.0 >> 16) as u16)
    }

    #[inline]
    fn score(self) -> i32 {
        (self.0 >> 32) as i32
    }
}

/// Moves compared at once.
const LANES: usize = 8;

/// The moves of a node; the first `taken` slots are no longer used.
#[derive(Default)]
struct ScoredMoves {
    moves: ArrayVec<Scored, { MAX_MOVES + LANES - 1 }>,
    taken: usize,
}

impl ScoredMoves {
    fn clear(&mut self) {
        self.moves.clear();
        self.taken = 0;
    }

    #[inline]
    fn push(&mut self, mv: Move, score: i32) {
        self.moves.push(Scored::new(mv, score, self.moves.len()));
    }

    /// Completes the list, before the first move is taken: the comparison needs no special case for
    /// the last moves.
    #[inline]
    fn finish(&mut self) {
        self.moves.extend([Scored::NONE; LANES - 1]);
    }

    /// The best of the remaining moves; ties go to the larger move bits.
    #[inline]
    fn best(&self) -> Option<Scored> {
        let (rest, _) = self.moves.get(self.taken..)?.as_chunks::<LANES>();
        let lanes =
            rest.iter().fold([i64::MIN; LANES], |best, moves| std::array::from_fn(|at| best[at].max(moves[at].0)));
        let best = Scored(lanes.into_iter().fold(i64::MIN, i64::max));
        (best != Scored::NONE).then_some(best)
    }

    /// Takes the move that `best` returned.
    #[inline]
    fn take(&mut self, best: Scored) {
        let (to, from) = (self.taken, best.index());
        self.moves[from] = self.moves[to].at(from);
        self.taken += 1;
    }

    /// Takes the best of the remaining moves.
    #[inline]
    fn take_best(&mut self) -> Option<Scored> {
        let best = self.best()?;
        self.take(best);
        Some(best)
    }
}

/// Collects captures with their scores.
struct ScoredCaptures<'a> {
    position: &'a Position,
    histories: &'a Histories,
    tt_move: Option<Move>,
    moves: &'a mut ScoredMoves,
}

impl ScoredCaptures<'_> {
    /// `promotion` is the gain by promotion.
    #[inline(always)]
    fn step(&mut self, piece: Piece, promotion: i32, mv: Move) {
        if Some(mv) == self.tt_move {
            return;
        }
        let taken = self.position.piece_at(mv.to()).map(Piece::kind);
        let gain = promotion + taken.map_or(0, PieceKind::exchange_value);
        let history = self.histories.capture(piece_to(piece, mv.to()), taken.unwrap_or(PieceKind::Pawn));
        self.moves.push(mv, mvv_and_history(gain, history));
    }
}

/// Score of a capture: MVV plus capture history.
#[inline]
fn mvv_and_history(gain: i32, history: i32) -> i32 {
    11 * gain / 2 + history
}

/// Gain of a promotion, if it is one.
#[inline]
fn promotion_gain(before: Piece, after: Piece) -> i32 {
    after.kind().exchange_value() - before.kind().exchange_value()
}

impl Sink for ScoredCaptures<'_> {
    #[inline]
    fn board(&mut self, from: Square, targets: Bitboard, promote: bool) {
        let Some(before) = self.position.piece_at(from) else { return };
        let piece = if promote { before.promoted() } else { before };
        let promotion = promotion_gain(before, piece);
        targets.for_each(|to| self.step(piece, promotion, Move::step(from, to, promote)));
    }

    #[inline]
    fn pawns(&mut self, color: Color, targets: Bitboard, promote: bool) {
        let pawn = Piece::new(color, PieceKind::Pawn);
        let piece = if promote { pawn.promoted() } else { pawn };
        let promotion = promotion_gain(pawn, piece);
        targets.for_each(|to| {
            if let Some(from) = to.behind(color) {
                self.step(piece, promotion, Move::step(from, to, promote));
            }
        });
    }

    /// Captures are no drops.
    #[inline]
    fn drops(&mut self, _kind: HandKind, _targets: Bitboard) {}
}

/// Quiet checks get the bonus with an SEE of at least this.
const CHECK_SEE_THRESHOLD: i32 = -80;

/// Collects quiet moves with their scores.
struct ScoredQuiets<'a> {
    position: &'a Position,
    info: &'a CheckInfo,
    order: QuietOrder<'a>,
    threats: Threats,
    targets: Targets,
    tt_move: Option<Move>,
    moves: &'a mut ScoredMoves,
}

/// What the moves of a group have in common: a piece, and the square it leaves.
struct Group {
    /// Targets of the sets below.
    special: Bitboard,
    checks: Bitboard,
    /// Targets attacked by a cheaper piece.
    threatened: Bitboard,
    /// Targets from which it attacks a more valuable piece.
    attacking: Bitboard,
    /// Bonus for leaving a square attacked by a cheaper piece.
    escape: i32,
    kind: PieceKind,
}

impl ScoredQuiets<'_> {
    /// The group of a piece that becomes `after` by moving from a square or the hand.
    #[inline]
    fn group(&self, from: Option<(Square, PieceKind)>, after: PieceKind) -> Group {
        let escapes = |(from, before): (Square, PieceKind)| {
            if self.threats.on(before).has(from) { p::threat_escape() * before.exchange_value() / 64 } else { 0 }
        };
        let (checks, threatened, attacking) =
            (self.info.check_squares(after), self.threats.on(after), self.targets.of(after));
        Group {
            special: checks | threatened | attacking,
            checks,
            threatened,
            attacking,
            escape: from.map_or(0, escapes),
            kind: after,
        }
    }

    #[inline(always)]
    fn push(&mut self, mv: Move, group: &Group, mut score: i32) {
        if Some(mv) == self.tt_move {
            return;
        }
        score += group.escape;
        if group.special.has(mv.to()) {
            score += self.bonus(mv, group);
        }
        self.moves.push(mv, score);
    }

    /// Bonus of a move to a special target.
    #[inline]
    fn bonus(&self, mv: Move, group: &Group) -> i32 {
        let gives_check = group.checks.has(mv.to()) && self.position.see_ge(mv, CHECK_SEE_THRESHOLD);
        let check = i32::from(gives_check) * p::check_order_bonus();
        if group.threatened.has(mv.to()) {
            check - p::threat_into() * group.kind.exchange_value() / 64
        } else {
            check + i32::from(group.attacking.has(mv.to())) * p::threat_attack()
        }
    }

    #[inline(always)]
    fn step(&mut self, piece: Piece, group: &Group, mv: Move) {
        let score = self.order.score(Quiet { mv, moved: piece_to(piece, mv.to()) });
        self.push(mv, group, score);
    }
}

impl Sink for ScoredQuiets<'_> {
    #[inline]
    fn board(&mut self, from: Square, targets: Bitboard, promote: bool) {
        let Some(before) = self.position.piece_at(from) else { return };
        let piece = if promote { before.promoted() } else { before };
        let group = self.group(Some((from, before.kind())), piece.kind());
        targets.for_each(|to| self.step(piece, &group, Move::step(from, to, promote)));
    }

    #[inline]
    fn pawns(&mut self, color: Color, targets: Bitboard, promote: bool) {
        if targets.is_empty() {
            return;
        }
        let pawn = Piece::new(color, PieceKind::Pawn);
        let piece = if promote { pawn.promoted() } else { pawn };
        // Nothing is cheaper than a pawn.
        let group = self.group(None, piece.kind());
        targets.for_each(|to| {
            if let Some(from) = to.behind(color) {
                self.step(piece, &group, Move::step(from, to, promote));
            }
        });
    }

    #[inline]
    fn drops(&mut self, kind: HandKind, targets: Bitboard) {
        if targets.is_empty() {
            return;
        }
        let scores = self.order.drop_scores(self.position.side_to_move(), kind);
        let group = self.group(None, kind.on_board());
        let special = targets & group.special;
        special.for_each(|to| self.push(Move::drop(kind, to), &group, scores[to.index()]));
        let tt_target =
            self.tt_move.filter(|mv| mv.drop_kind() == Some(kind)).map_or(Bitboard::EMPTY, |mv| Bitboard::of(mv.to()));
        targets.and_not(special | tt_target).for_each(|to| self.moves.push(Move::drop(kind, to), scores[to.index()]));
    }
}

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
        theirs(K::ProPawn).for_each(|square| by_minors |= sabi_shogi::gold_attacks(them, square));
        theirs(K::Knight).for_each(|square| by_minors |= sabi_shogi::knight_attacks(them, square));
        theirs(K::Lance).for_each(|square| by_minors |= sabi_shogi::lance_attacks(them, square, occupied));
        let mut by_generals = by_minors;
        theirs(K::Silver).for_each(|square| by_generals |= sabi_shogi::silver_attacks(them, square));
        (position.golds() & position.color(them))
            .for_each(|square| by_generals |= sabi_shogi::gold_attacks(them, square));
        Self { by_lesser: [Bitboard::EMPTY, by_pawns, by_minors, by_generals] }
    }

    /// Squares where a piece of this kind is attacked by a cheaper one.
    #[inline]
    fn on(&self, kind: PieceKind) -> Bitboard {
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
struct Targets {
    /// By the way the piece moves: none, pawn, knight, silver, gold.
    by_step: [Bitboard; 5],
}

/// Index of the targets of each kind, in the order of [`PieceKind`].
const STEPS: [u8; PieceKind::COUNT] = [1, 0, 2, 3, 0, 0, 4, 0, 4, 4, 4, 4, 0, 0];

impl Targets {
    /// The targets of the side to move.
    #[inline]
    fn new(position: &Position) -> Self {
        use PieceKind as K;
        let them = !position.side_to_move();
        let theirs = |kind| position.pieces(them, kind);
        let majors = (position.bishops_and_horses() | position.rooks_and_dragons()) & position.color(them);
        let generals = theirs(K::Silver) | theirs(K::Gold);
        let pawn = (majors | generals | theirs(K::Lance) | theirs(K::Knight)).forward(them);
        let (mut knight, mut silver, mut gold) = Default::default();
        (majors | generals).for_each(|square| knight |= sabi_shogi::knight_attacks(them, square));
        majors.for_each(|square| {
            silver |= sabi_shogi::silver_attacks(them, square);
            gold |= sabi_shogi::gold_attacks(them, square);
        });
        Self { by_step: [Bitboard::EMPTY, pawn, knight, silver, gold] }
    }

    /// Squares from which a piece of this kind attacks a more valuable one.
    #[inline]
    fn of(&self, kind: PieceKind) -> Bitboard {
        // The remainder spares a bounds check.
        self.by_step[usize::from(STEPS[kind]) % 5]
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::NO_CONT_HIST;
    use super::*;
    use std::collections::BTreeSet;

    const MIDDLE: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";

    fn pick_all(position: &Position, purpose: Purpose, tt_move: Option<Move>) -> Vec<Move> {
        let histories = Histories::new().unwrap();
        let info = position.check_info();
        let context = QuietContext {
            color: position.side_to_move(),
            in_check: position.in_check(),
            ply: 0,
            pawn_slot: Histories::pawn_slot(position),
            cont_hist: [NO_CONT_HIST; 6],
        };
        let mut picker = Picker::new(position, purpose, tt_move, NonPromotions::All);
        std::iter::from_fn(|| picker.next(position, &histories, &context, &info)).collect()
    }

    #[test]
    fn every_legal_move_once() {
        for sfen in [sabi_shogi::STARTPOS_SFEN, MIDDLE] {
            let position = Position::from_sfen(sfen).unwrap();
            let legal: BTreeSet<Move> = sabi_shogi::legal_moves(&position).iter().copied().collect();
            for tt_move in legal.iter().copied().step_by(3).map(Some).chain([None]) {
                let picked = pick_all(&position, Purpose::Search, tt_move);
                assert_eq!(picked.len(), legal.len());
                assert!(tt_move.is_none() || picked.first().copied() == tt_move);
                assert_eq!(picked.into_iter().collect::<BTreeSet<_>>(), legal);
            }
        }
    }

    #[test]
    fn quiescence_picks_captures() {
        let position = Position::from_sfen(MIDDLE).unwrap();
        let picked: BTreeSet<Move> = pick_all(&position, Purpose::Quiescence, None).into_iter().collect();
        let expected: BTreeSet<Move> =
            sabi_shogi::legal_moves(&position).iter().copied().filter(|&mv| position.is_tactical(mv)).collect();
        assert_eq!(picked, expected);
    }

    #[test]
    fn best_score_first() {
        let scores = [-3, i32::MIN, 40_000, -40_000, 0, i32::MAX, 7, -1, -2];
        let mut moves = ScoredMoves::default();
        for round in 0..2 {
            for (at, score) in scores.into_iter().enumerate() {
                moves.push(Move::step(Square::clamped(at), Square::clamped(80 - at), at % 2 == round), score);
            }
            moves.finish();
            let taken: Vec<_> = std::iter::from_fn(|| moves.take_best()).collect();
            assert!(taken.is_sorted_by(|a, b| a.score() > b.score()) && taken.len() == scores.len());
            for scored in taken {
                let from = scored.mv().and_then(Move::from).unwrap();
                assert_eq!(scored.score(), scores[from.index()]);
            }
            moves.clear();
        }
    }

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
                        let pawn = sabi_shogi::pawn_attacks(position.side_to_move(), square);
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
                    let attacks = sabi_shogi::attacks(us, kind, square, position.occupied()) & position.color(them);
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

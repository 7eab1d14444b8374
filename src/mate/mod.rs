//! Mate search.
//!
//! [`mate_in_one`] works without search; [`solver`] finds longer mates.
//!
//! ```
//! use sabi::mate::solver::{MateQuestion, MateResult, MateSolver};
//! use sabi_shogi::Position;
//!
//! let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1")?;
//! let question = MateQuestion::about(&position);
//! let (result, _nodes) = MateSolver::new(16)?.solve(&position, &question, &mut |_| true);
//! let MateResult::Mate(mate) = result else { panic!("there is a mate") };
//! assert_eq!(mate.line, ["G*5b".parse()?]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod estimate;
mod line;
mod search;
pub mod solver;
mod table;

use sabi_shogi::{
    Bitboard, CheckInfo, HandKind, Move, NonPromotions, PieceKind, Position, Sink, Square, checking_moves,
};

/// A move that mates at once, if there is one. All checking moves count, non-promotions included.
pub fn mate_in_one(position: &Position, info: &CheckInfo) -> Option<Move> {
    let king = position.king(!position.side_to_move())?;
    let mut checks = Checks { position, king, flights: None, mate: None };
    checking_moves(position, info, NonPromotions::All, &mut checks);
    checks.mate
}

/// Searches checking moves for a mate. Most are rejected early: they leave the king a flight square
/// that can be found without computing the board after the move.
struct Checks<'a> {
    position: &'a Position,
    king: Square,
    /// Flight squares before the move; computed with the first check.
    flights: Option<Bitboard>,
    mate: Option<Move>,
}

impl Checks<'_> {
    fn flights(&mut self) -> Bitboard {
        *self.flights.get_or_insert_with(|| {
            let us = self.position.side_to_move();
            let without_king = self.position.occupied() ^ Bitboard::of(self.king);
            let around = sabi_shogi::king_attacks(self.king).and_not(self.position.color(!us));
            self.position.unattacked(us, around, without_king)
        })
    }

    /// Tries moves of a `kind` piece to `targets`. It must attack all of `flights`; `left` are the
    /// squares vacated.
    fn try_moves(
        &mut self,
        kind: PieceKind,
        targets: Bitboard,
        flights: Bitboard,
        left: Bitboard,
        mv: impl Fn(Square) -> Move,
    ) {
        let them = !self.position.side_to_move();
        let around = self.position.occupied().and_not(left | Bitboard::of(self.king));
        // A piece attacks all flights if it stands where a reversed piece on each of them would
        // attack it.
        let mut covering = targets;
        for flight in flights {
            covering &= sabi_shogi::attacks(them, kind, flight, around);
            if covering.is_empty() {
                return;
            }
        }
        covering.for_each(|to| {
            if self.mate.is_none() && is_mate_after(self.position, mv(to)) {
                self.mate = Some(mv(to));
            }
        });
    }
}

impl Sink for Checks<'_> {
    fn board(&mut self, from: Square, targets: Bitboard, promote: bool) {
        let Some(piece) = self.position.piece_at(from) else { return };
        if self.mate.is_some() {
            return;
        }
        let kind = if promote { piece.kind().promoted() } else { piece.kind() };
        // Sliders behind the piece may attack more when it leaves.
        let mut flights = self.flights();
        if flights.any() {
            flights = flights.and_not(self.position.lines_through(piece.color(), from));
        }
        self.try_moves(kind, targets, flights, Bitboard::of(from), |to| Move::step(from, to, promote));
    }

    fn drops(&mut self, kind: HandKind, targets: Bitboard) {
        if targets.is_empty() || self.mate.is_some() {
            return;
        }
        let flights = self.flights();
        self.try_moves(kind.on_board(), targets, flights, Bitboard::EMPTY, |to| Move::drop(kind, to));
    }
}

/// Whether a legal checking move is mate.
pub fn is_mate_after(position: &Position, mv: Move) -> bool {
    AfterMove::new(position, mv).is_some_and(|after| after.is_mate())
}

/// Initial proof number after a legal checking move: one per flight square, two for capturing the
/// checker, one for interpositions. 0: mate.
fn initial_proof_after(position: &Position, mv: Move) -> u32 {
    AfterMove::new(position, mv).map_or(0, |after| after.proof_number())
}

/// The board after a move that is not made.
struct AfterMove<'a> {
    position: &'a Position,
    king: Square,
    to: Square,
    kind: PieceKind,
    occupied: Bitboard,
    /// All own pieces but the one that moves.
    others: Bitboard,
}

impl<'a> AfterMove<'a> {
    fn new(position: &'a Position, mv: Move) -> Option<Self> {
        let us = position.side_to_move();
        let to = mv.to();
        let left = mv.from().map_or(Bitboard::EMPTY, Bitboard::of);
        Some(Self {
            position,
            king: position.king(!us)?,
            to,
            kind: position.moved_piece_after(mv)?.kind(),
            occupied: position.occupied().and_not(left) | Bitboard::of(to),
            others: position.color(us).and_not(left),
        })
    }

    fn is_mate(&self) -> bool {
        if self.escapes().next().is_some() {
            return false;
        }
        let checkers = self.checkers();
        match checkers.first() {
            None => false,
            Some(_) if checkers.more_than_one() => true,
            Some(checker) => !self.defender_reaches(checker) && !self.can_interpose(checker),
        }
    }

    fn proof_number(&self) -> u32 {
        let escapes = self.escapes().count() as u32;
        let checkers = self.checkers();
        match checkers.first().filter(|_| !checkers.more_than_one()) {
            Some(checker) => {
                escapes + 2 * u32::from(self.defender_reaches(checker)) + u32::from(self.can_interpose(checker))
            }
            None => escapes,
        }
    }

    /// Flight squares of the king.
    fn escapes(&self) -> impl Iterator<Item = Square> {
        let us = self.position.side_to_move();
        let defenders = self.position.color(!us).and_not(Bitboard::of(self.to));
        let without_king = self.occupied ^ Bitboard::of(self.king);
        let attacked = sabi_shogi::attacks(us, self.kind, self.to, without_king);
        let around = sabi_shogi::king_attacks(self.king).and_not(defenders | attacked);
        around.into_iter().filter(move |&to| !self.position.attackers(us, to, without_king).intersects(self.others))
    }

    fn checkers(&self) -> Bitboard {
        let us = self.position.side_to_move();
        let mut checkers = self.position.attackers(us, self.king, self.occupied) & self.others;
        if sabi_shogi::attacks(us, self.kind, self.to, self.occupied).has(self.king) {
            checkers |= Bitboard::of(self.to);
        }
        checkers
    }

    /// Whether a defender other than the king can move to `square` without exposing its king.
    fn defender_reaches(&self, square: Square) -> bool {
        let them = !self.position.side_to_move();
        let defenders = self.position.color(them).and_not(Bitboard::of(self.to) | Bitboard::of(self.king));
        let sources = self.position.attackers(them, square, self.occupied) & defenders;
        sources.into_iter().any(|from| {
            let after = self.occupied.and_not(Bitboard::of(from)) | Bitboard::of(square);
            !self.slider_reaches_king(after, square)
        })
    }

    /// Whether a slider of the mover attacks the king with `occupied` blocked and its piece on
    /// `gone` removed.
    fn slider_reaches_king(&self, occupied: Bitboard, gone: Square) -> bool {
        let us = self.position.side_to_move();
        self.to != gone && sabi_shogi::attacks(us, self.kind, self.to, occupied).has(self.king)
            || self.position.attackers(us, self.king, occupied).intersects(self.others.and_not(Bitboard::of(gone)))
    }

    fn can_interpose(&self, checker: Square) -> bool {
        let gap = sabi_shogi::between(self.king, checker);
        if gap.is_empty() {
            return false;
        }
        // Any attacker of an empty square may move there: where it must promote, it may.
        self.can_drop_into(gap) || gap.into_iter().any(|square| self.defender_reaches(square))
    }

    fn can_drop_into(&self, gap: Bitboard) -> bool {
        let them = !self.position.side_to_move();
        self.position.hand(them).iter().any(|(kind, _)| {
            let dead = Bitboard::far_ranks(them, usize::from(kind.on_board().dead_ranks()));
            let mut squares = gap.and_not(dead);
            if kind == HandKind::Pawn {
                let pawns = self.position.pieces(them, PieceKind::Pawn).and_not(Bitboard::of(self.to));
                squares &= pawns.files_without();
            }
            squares.any()
        })
    }
}

//! Making and unmaking moves: after setup, the only place where a position changes.

use super::keys::{self, Keys};
use super::sfen::MAX_MOVE_NUMBER;
use super::{Position, State};
use crate::types::{Color, HandKind, Move, Piece, PieceKind, Square};

impl Position {
    #[inline]
    fn flip(&mut self, piece: Piece, square: Square) {
        let bit = crate::bitboard::Bitboard::of(square);
        self.kinds[piece.kind()] ^= bit;
        self.colors[piece.color()] ^= bit;
        if piece.kind().moves_like_gold() {
            self.golds ^= bit;
        }
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.board[square].is_none());
        self.board[square] = Some(piece);
        self.flip(piece, square);
        if piece.kind() == PieceKind::King {
            self.kings[piece.color()] = Some(square);
        }
    }

    /// Removes a piece from its square.
    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.board[square] == Some(piece));
        self.board[square] = None;
        self.flip(piece, square);
    }

    /// Adds a piece to a hand; returns the previous count.
    #[inline]
    pub(super) fn add_to_hand(&mut self, color: Color, kind: HandKind) -> u8 {
        let before = self.hands[color].count(kind);
        self.hands[color] = self.hands[color].plus(kind);
        before
    }

    /// Removes a piece from a hand; returns the previous count.
    #[inline]
    fn take_from_hand(&mut self, color: Color, kind: HandKind) -> u8 {
        let before = self.hands[color].count(kind);
        self.hands[color] = self.hands[color].minus(kind);
        before
    }

    /// Makes a legal move.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        self.play_observed(mv, &mut ());
    }

    /// The position after a legal move.
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        let mut next = self.clone();
        next.play(mv);
        next
    }

    /// Makes a legal move and notifies `observer` of every change.
    ///
    /// # Panics
    /// May panic, or leave an inconsistent position, if the move is illegal: check moves from
    /// outside first.
    #[inline]
    pub fn play_observed<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        self.play_with_keys(mv, self.keys_after(mv), observer);
    }

    /// [`Position::play_observed`] with the move's [`Position::keys_after`].
    #[inline]
    pub fn play_with_keys<O: Observer>(&mut self, mv: Move, keys: Keys, observer: &mut O) {
        let us = self.side;
        self.push_state();
        self.state.keys = keys;
        let to = mv.to();
        self.state.captured = None;
        match mv.from() {
            Some(from) => {
                let piece = self.board[from].expect("a legal move starts from a piece");
                if let Some(taken) = self.board[to] {
                    self.remove(taken, to);
                    observer.remove(taken, to);
                    let kind = taken.kind().in_hand().expect("a legal move takes no king");
                    let before = self.add_to_hand(us, kind);
                    observer.hand(us, kind, before, before + 1);
                    self.state.captured = Some(taken);
                }
                self.remove(piece, from);
                observer.remove(piece, from);
                let piece = if mv.is_promotion() { piece.promoted() } else { piece };
                self.put(piece, to);
                observer.put(piece, to);
            }
            None => {
                let kind = mv.drop_kind().expect("a move without source square is a drop");
                let before = self.take_from_hand(us, kind);
                observer.hand(us, kind, before, before - 1);
                let piece = Piece::new(us, kind.on_board());
                self.put(piece, to);
                observer.put(piece, to);
            }
        }
        self.side = !us;
        self.ply += 1;
        self.state.last_move = Some(mv);
        self.state.plies_from_null = self.state.plies_from_null.saturating_add(1);
        self.refresh_state();
        self.state.continuous_checks[us] =
            if self.in_check() { self.state.continuous_checks[us].saturating_add(1) } else { 0 };
    }

    /// The keys after a legal move.
    // Always inlined, so that unused keys cost nothing.
    #[inline(always)]
    pub fn keys_after(&self, mv: Move) -> Keys {
        let (us, to) = (self.side, mv.to());
        let mut keys = self.state.keys;
        keys.board ^= keys::WHITE_TO_MOVE;
        let held = |kind| self.hands[us].count(kind);
        match (mv.from(), mv.drop_kind()) {
            (Some(from), _) => {
                let Some(piece) = self.board[from] else { return keys };
                keys.toggle(piece, from);
                keys.toggle(if mv.is_promotion() { piece.promoted() } else { piece }, to);
                if let Some(taken) = self.board[to] {
                    keys.toggle(taken, to);
                    if let Some(kind) = taken.kind().in_hand() {
                        keys.change_hand(us, kind, held(kind), held(kind) + 1);
                    }
                }
            }
            (None, Some(kind)) => {
                keys.change_hand(us, kind, held(kind), held(kind) - 1);
                keys.toggle(Piece::new(us, kind.on_board()), to);
            }
            (None, None) => {}
        }
        keys
    }

    /// Computes the state of the side to move from squares and hands.
    #[inline]
    pub(super) fn refresh_state(&mut self) {
        self.state.hand = self.hands[self.side];
        (self.state.checkers, self.state.pinned) = match self.kings[self.side] {
            Some(king) => self.checkers_and_blockers(king, !self.side),
            None => Default::default(),
        };
        self.state.pinned &= self.colors[self.side];
    }

    /// Unmakes the last move.
    ///
    /// # Panics
    /// Without a move to unmake.
    #[inline]
    pub fn undo(&mut self) {
        let mv = self.state.last_move.expect("a move to take back");
        let captured = self.state.captured;
        let them = self.side;
        let us = !them;
        let to = mv.to();
        let piece = self.board[to].expect("the moved piece stands on its target");
        self.remove(piece, to);
        match mv.from() {
            Some(from) => {
                let piece = if mv.is_promotion() { Piece::new(us, piece.kind().unpromoted()) } else { piece };
                self.put(piece, from);
                if let Some(taken) = captured {
                    self.put(taken, to);
                    self.take_from_hand(us, taken.kind().in_hand().expect("kings are not taken"));
                }
            }
            None => {
                self.add_to_hand(us, mv.drop_kind().expect("a move without source square is a drop"));
            }
        }
        self.side = us;
        self.ply -= 1;
        self.pop_state();
    }

    /// Null move. The side to move must not be in check.
    #[inline]
    pub fn play_null(&mut self) {
        debug_assert!(!self.in_check());
        self.push_state();
        self.state.keys.board ^= keys::WHITE_TO_MOVE;
        self.side = !self.side;
        self.ply += 1;
        self.state.captured = None;
        self.state.last_move = None;
        self.state.plies_from_null = 0;
        self.state.continuous_checks = [0; 2];
        self.refresh_state();
    }

    /// Unmakes a null move.
    #[inline]
    pub fn undo_null(&mut self) {
        self.side = !self.side;
        self.ply -= 1;
        self.pop_state();
    }

    #[inline]
    fn push_state(&mut self) {
        self.history.push(self.state);
        self.board_keys.push(self.state.keys.board);
    }

    #[inline]
    fn pop_state(&mut self) {
        self.board_keys.pop();
        self.state = self.history.pop().expect("a state to return to");
    }

    /// Parses a USI move; `None` unless legal here.
    pub fn legal_from_usi(&self, text: &str) -> Option<Move> {
        let mv = text.parse().ok()?;
        self.is_legal(mv).then_some(mv)
    }

    /// Number of moves and null moves that can be unmade.
    pub fn plies_played(&self) -> usize {
        self.history.len()
    }

    /// The position rotated by 180° with the sides exchanged, without history.
    pub fn rotated(&self) -> Self {
        let mut turned = Self::empty();
        for square in self.occupied() {
            if let Some(piece) = self.board[square] {
                turned.put(piece.flipped(), square.rotated());
            }
        }
        turned.hands = [self.hands[Color::White], self.hands[Color::Black]];
        turned.finish(!self.side, self.ply);
        turned
    }

    /// The position without the piece on a square, which must not be a king; without history.
    pub fn without(&self, square: Square) -> Option<Self> {
        let piece = self.piece_at(square).filter(|piece| piece.kind() != PieceKind::King)?;
        Some(self.changed(|rest| rest.remove(piece, square)))
    }

    /// The position without one piece of a kind in hand; without history.
    pub fn without_in_hand(&self, color: Color, kind: HandKind) -> Option<Self> {
        (self.hands[color].count(kind) > 0).then(|| {
            self.changed(|rest| {
                rest.take_from_hand(color, kind);
            })
        })
    }

    /// The position without history; `None` beyond the largest move number of an SFEN.
    pub fn without_history(&self) -> Option<Self> {
        (self.ply <= MAX_MOVE_NUMBER).then(|| self.changed(|_| {}))
    }

    fn changed(&self, change: impl FnOnce(&mut Self)) -> Self {
        let mut changed = Self { state: State::default(), history: Vec::new(), board_keys: Vec::new(), ..*self };
        change(&mut changed);
        changed.finish(self.side, self.ply);
        changed
    }

    /// An empty board to set pieces on; [`Position::finish`] completes it.
    pub(super) fn empty() -> Self {
        Self {
            board: [None; Square::COUNT],
            kinds: Default::default(),
            colors: Default::default(),
            golds: Default::default(),
            hands: Default::default(),
            kings: [None; 2],
            side: Color::Black,
            ply: 1,
            state: State::default(),
            // A book may hold millions of positions without history.
            history: Vec::new(),
            board_keys: Vec::new(),
        }
    }

    /// Sets the side to move and computes keys and state.
    pub(super) fn finish(&mut self, side: Color, ply: u32) {
        self.side = side;
        self.ply = ply;
        self.state.keys = self.fresh_keys();
        self.refresh_state();
        self.state.continuous_checks[!side] = u16::from(self.in_check());
    }

    /// All keys from the pieces.
    fn fresh_keys(&self) -> Keys {
        let mut keys = Keys::default();
        if self.side == Color::White {
            keys.board = keys::WHITE_TO_MOVE;
        }
        for square in self.occupied() {
            if let Some(piece) = self.board[square] {
                keys.toggle(piece, square);
            }
        }
        for color in Color::ALL {
            self.hands[color].iter().for_each(|(kind, count)| keys.change_hand(color, kind, 0, count));
        }
        keys
    }
}

/// Receives every change of a move, in order. All methods do nothing by default; `()` is the null
/// observer and costs nothing.
pub trait Observer {
    /// A piece is put on an empty square.
    #[inline]
    fn put(&mut self, _piece: Piece, _square: Square) {}

    /// A piece is removed from its square.
    #[inline]
    fn remove(&mut self, _piece: Piece, _square: Square) {}

    /// The count of a kind in hand changes from `before` to `after`.
    #[inline]
    fn hand(&mut self, _color: Color, _kind: HandKind, _before: u8, _after: u8) {}
}

impl Observer for () {}

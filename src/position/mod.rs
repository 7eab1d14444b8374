//! Floor 3, first: a position and its rules.
//!
//! [`Position`] owns squares, hands, side to move, keys and history. Pieces move through four private functions in `play`
//! (put, lift, to hand, from hand); the keys that a move leads to are known before it is played, because search prefetches
//! by them. Undo restores everything. What else wants to follow the pieces (evaluation, table prefetch) listens as an
//! [`Observer`].
//!
//! ```
//! use sabi::position::Position;
//! use sabi::types::{Color, HandKind};
//!
//! let mut position = Position::startpos().with_moves(["7g7f", "3c3d"])?;
//! let mv = position.legal_from_usi("8h2b+").expect("a legal move");
//! position.play(mv);
//! assert_eq!(position.hand(Color::Black).count(HandKind::Bishop), 1);
//! assert_eq!(position.sfen(), "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4");
//! position.undo();
//! assert!(position.hand(Color::Black).is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attack;
mod check;
mod declaration;
mod display;
mod keys;
mod legality;
mod observer;
mod packed;
mod play;
mod repetition;
mod see;
mod sfen;

pub use check::CheckInfo;
pub use declaration::{Declaration, EnteringKingRule, Standing};
pub use keys::Keys;
pub use observer::Observer;
pub use packed::{HuffmanCodedPos, PackedSfen, PackedSfenError};
pub use repetition::Repetition;
pub(crate) use sfen::piece_text;
pub use sfen::{PositionError, STARTPOS_SFEN, SfenError};

use crate::bitboard::Bitboard;
use crate::types::{Color, Hand, Move, Piece, PieceKind, Square};

/// A shogi position with the history that led to it.
#[derive(Clone, Debug)]
pub struct Position {
    board: [Option<Piece>; Square::COUNT],
    kinds: [Bitboard; PieceKind::COUNT],
    colors: [Bitboard; 2],
    /// Everything that moves like a gold, of both sides.
    golds: Bitboard,
    hands: [Hand; 2],
    kings: [Option<Square>; 2],
    side: Color,
    ply: u32,
    state: State,
    history: Vec<State>,
}

/// What cannot be recomputed on the way back, and what is worth remembering about each position of the game.
#[derive(Copy, Clone, Debug, Default)]
struct State {
    keys: Keys,
    /// Pieces that give check to the side to move.
    checkers: Bitboard,
    /// Pieces of the side to move that shield their king from a slider.
    pinned: Bitboard,
    /// The hand of the side to move: with equal board keys it decides who came out ahead.
    hand: Hand,
    /// The piece taken by the move that led here, as it stood on the board.
    captured: Option<Piece>,
    /// The move that led here; `None` for a null move and for the first position.
    last_move: Option<Move>,
    /// Plies since the first position or the last null move: repetitions are sought no further back.
    reversible: u16,
    /// How many moves in a row each side has given check with.
    checks: [u16; 2],
}

impl Position {
    /// The position at the start of an even game.
    pub fn startpos() -> Self {
        Self::from_sfen(STARTPOS_SFEN).expect("the start position is valid")
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square]
    }

    /// The pieces of one side.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color]
    }

    /// The pieces of one kind, of both sides.
    #[inline]
    pub fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind]
    }

    /// The pieces of one side and kind.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.colors[color] & self.kinds[kind]
    }

    /// Everything of both sides that moves like a gold.
    #[inline]
    pub fn golds(&self) -> Bitboard {
        self.golds
    }

    /// Bishops and horses of both sides.
    #[inline]
    pub fn bishops_and_horses(&self) -> Bitboard {
        self.kinds[PieceKind::Bishop] | self.kinds[PieceKind::Horse]
    }

    /// Rooks and dragons of both sides.
    #[inline]
    pub fn rooks_and_dragons(&self) -> Bitboard {
        self.kinds[PieceKind::Rook] | self.kinds[PieceKind::Dragon]
    }

    /// All pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[Color::Black] | self.colors[Color::White]
    }

    /// The hand of one side.
    #[inline]
    pub fn hand(&self, color: Color) -> Hand {
        self.hands[color]
    }

    /// The king's square; `None` for an attacker without a king in a mate problem.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.kings[color]
    }

    /// The side to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The number of the next move, 1 at the start of a game.
    #[inline]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The key of squares, hands and side to move.
    #[inline]
    pub fn key(&self) -> u64 {
        self.state.keys.position()
    }

    /// The key of squares and side to move.
    #[inline]
    pub fn board_key(&self) -> u64 {
        self.state.keys.board
    }

    /// The key of both hands.
    #[inline]
    pub fn hand_key(&self) -> u64 {
        self.state.keys.hands
    }

    /// The key of the pawns of both sides on the board.
    #[inline]
    pub fn pawn_key(&self) -> u32 {
        self.state.keys.pawns()
    }

    /// The key of the lances, knights, silvers and golds of both sides on the board, promoted ones included.
    #[inline]
    pub fn minor_key(&self) -> u32 {
        self.state.keys.minors()
    }

    /// The key of the pieces of one side on the board other than unpromoted pawns, king included.
    #[inline]
    pub fn non_pawn_key(&self, color: Color) -> u32 {
        self.state.keys.non_pawns(color)
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.state.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.state.checkers.any()
    }

    /// The pieces of the side to move that may not leave the line to their king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.state.pinned
    }

    /// The piece taken by the last move, as it stood on the board.
    #[inline]
    pub fn captured(&self) -> Option<Piece> {
        self.state.captured
    }

    /// The last move; `None` at the first position and after a null move.
    #[inline]
    pub fn last_move(&self) -> Option<Move> {
        self.state.last_move
    }

    /// The piece as it stands after `mv`, which need not be legal but must have a piece on its source square.
    #[inline]
    pub fn moved_piece(&self, mv: Move) -> Option<Piece> {
        match mv.from() {
            Some(from) => {
                let piece = self.board[from]?;
                Some(if mv.is_promotion() { piece.promoted() } else { piece })
            }
            None => Some(Piece::new(self.side, mv.drop_kind()?.on_board())),
        }
    }

    /// Whether the move takes a piece.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.board[mv.to()].is_some()
    }

    /// Whether the move is tactical: a capture or a pawn promotion. The staged generators split by this.
    #[inline]
    pub fn is_tactical(&self, mv: Move) -> bool {
        self.is_capture(mv)
            || mv.is_promotion()
                && mv.from().and_then(|from| self.board[from]).is_some_and(|piece| piece.kind() == PieceKind::Pawn)
    }
}

//! Position and rules.
//!
//! [`Position`] owns squares, hands, side to move, keys and history. After setup, pieces change only
//! through four functions in `play`; the keys after a move are computed first, because search
//! prefetches by them. Undo restores everything. Incremental evaluation follows as an [`Observer`].
//!
//! ```
//! use sabi_shogi::Position;
//! use sabi_shogi::{Color, HandKind};
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
mod declaration;
mod keys;
mod legality;
mod packed;
mod play;
mod repetition;
mod see;
mod sfen;

pub use attack::CheckInfo;
pub use declaration::{Declaration, DeclarationProgress, EnteringKingRule};
pub use keys::{Keys, split_mix};
pub use packed::{HuffmanCodedPos, PackedSfen, PackedSfenError};
pub use play::Observer;
pub use repetition::Repetition;
pub use sfen::{MAX_GAME_MOVES, MAX_MOVE_NUMBER, PositionError, STARTPOS_SFEN, SfenError, piece_text};

use crate::bitboard::Bitboard;
use crate::types::{Color, Hand, Move, Piece, PieceKind, Square};

/// A shogi position with its history.
#[derive(Clone, Debug)]
pub struct Position {
    board: [Option<Piece>; Square::COUNT],
    kinds: [Bitboard; PieceKind::COUNT],
    colors: [Bitboard; 2],
    /// Gold-like pieces of both sides.
    golds: Bitboard,
    hands: [Hand; 2],
    kings: [Option<Square>; 2],
    side: Color,
    ply: u32,
    state: State,
    history: Vec<State>,
    /// The board keys of `history`, compact for comparisons.
    board_keys: Vec<u64>,
}

/// State of one position of the game: what undo cannot recompute, and derived data.
#[derive(Copy, Clone, Debug, Default)]
struct State {
    keys: Keys,
    /// Checkers of the side to move.
    checkers: Bitboard,
    /// Own blockers for the king of the side to move.
    pinned: Bitboard,
    /// Hand of the side to move, for superior and inferior repetitions.
    hand: Hand,
    /// The piece captured by the last move, as it was on the board.
    captured: Option<Piece>,
    /// The last move; `None` for a null move and in the first position.
    last_move: Option<Move>,
    /// Plies since the first position or the last null move, the limit of the repetition search.
    plies_from_null: u16,
    /// Length of the current series of checks of each side.
    continuous_checks: [u16; 2],
}

impl Position {
    /// The start position.
    pub fn startpos() -> Self {
        Self::from_sfen(STARTPOS_SFEN).expect("the start position is valid")
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square]
    }

    /// The piece on each square.
    #[inline]
    pub fn board(&self) -> &[Option<Piece>; Square::COUNT] {
        &self.board
    }

    /// Pieces of one side.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color]
    }

    /// Pieces of one kind, of both sides.
    #[inline]
    pub fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind]
    }

    /// Pieces of one side and kind.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.colors[color] & self.kinds[kind]
    }

    /// Gold-like pieces of both sides.
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
        self.state.keys.parts[keys::PAWNS]
    }

    /// The key of the lances, knights, silvers and golds of both sides on the board, promoted ones
    /// included.
    #[inline]
    pub fn minor_key(&self) -> u32 {
        self.state.keys.parts[keys::MINORS]
    }

    /// The key of the pieces of one side on the board other than unpromoted pawns, king included.
    #[inline]
    pub fn non_pawn_key(&self, color: Color) -> u32 {
        self.state.keys.parts[keys::NON_PAWNS + color.index()]
    }

    /// The checkers of the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.state.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.state.checkers.any()
    }

    /// Own blockers for the king of the side to move.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.state.pinned
    }

    /// The piece captured by the last move, as it was on the board.
    #[inline]
    pub fn captured(&self) -> Option<Piece> {
        self.state.captured
    }

    /// The last move; `None` in the first position and after a null move.
    #[inline]
    pub fn last_move(&self) -> Option<Move> {
        self.state.last_move
    }

    /// The piece after `mv`, which may be illegal but needs a piece on its source square.
    #[inline]
    pub fn moved_piece_after(&self, mv: Move) -> Option<Piece> {
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

    /// Whether the move is tactical: a capture or a pawn promotion. The staged generators use this
    /// split.
    #[inline]
    pub fn is_tactical(&self, mv: Move) -> bool {
        self.is_capture(mv)
            || mv.is_promotion()
                && mv.from().and_then(|from| self.board[from]).is_some_and(|piece| piece.kind() == PieceKind::Pawn)
    }
}

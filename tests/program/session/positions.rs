//! Positions for specific situations, as arguments of `position`.

use super::rules::Board;

/// A complex middlegame, out of book.
pub const BUSY: &str = "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

/// White is checkmated.
pub const MATED: &str = "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";

/// White has no move without being in check: a loss in shogi.
pub const STALEMATED: &str = "sfen 8k/9/6NG1/9/9/9/9/9/4K4 w - 1";

/// White has one move, 1a2a, and the game continues.
pub const ONLY_MOVE: &str = "sfen 8k/9/7G1/9/9/9/9/9/4K4 w - 1";

/// The same in a complex middlegame: 5b5c.
pub const ONLY_MOVE_OF_MIDDLE_GAME: &str =
    "sfen ln1g4l/+N2skGpg1/pPpp1p+Npp/4p3l/9/2PP5/P3PP2P/rS2K1S2/2S2G2L w 2BPrn2p 66";

/// Only G*5b mates.
pub const MATE_IN_ONE: &str = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

/// G*6b mates in three plies, nothing in one, and Black is far ahead.
pub const MATE_IN_THREE: &str = "sfen 4k4/6S2/2G6/9/9/9/9/9/4K4 b 2G 1";

/// Mate in three plies in a game, from nyashiki/nshogi (MIT).
pub const GAME_MATE_IN_THREE: &str = "sfen lnsG5/4g4/prpp1p1pp/1p4p2/4+B3k/2P1P4/P+b1PSP1LP/4K2SL/2G2G1r1 b SP3nl3p 71";

/// A mate problem in one ply: no attacking king, the remaining pieces in White's hand.
pub const KINGLESS_MATE_IN_ONE: &str = "sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";

/// The same form with three plies, from the generated problems of tokuhirom/tanuki-tsume-shogi
/// (MIT).
pub const KINGLESS_MATE_IN_THREE: &str = "sfen 9/8k/9/7RG/9/9/9/9/9 b r2b3g4s4n4l18p 1";

/// Eleven plies, same source.
pub const KINGLESS_MATE_IN_ELEVEN: &str = "sfen 6SR1/6P1B/6GG1/8k/8B/8N/9/9/9 b r2g3s3n4l17p 1";

/// An exposed king, many checks and interpositions: slow for any solver.
pub const KINGLESS_MAZE: &str = "sfen 9/9/9/9/4k4/9/9/9/9 b 2B4N4L9P2r4g4s9p 1";

/// Black is in the promotion zone with eleven pieces and 29 points, not in check: a declaration
/// wins (27-point rule).
pub const DECLARATION: &str = "sfen +R+B+P+P+PK+P+P1/+P+P+P+P5/9/9/9/9/9/9/4k4 b RB 1";

/// The same without the hand: 19 points are not enough.
pub const DECLARATION_TOO_FEW_POINTS: &str = "sfen +R+B+P+P+PK+P+P1/+P+P+P+P5/9/9/9/9/9/9/4k4 b - 1";

/// A bare White king against a full army: lost, but no mate is near.
pub const HOPELESS: &str = "sfen 4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";

/// The same army, Black to move, with the gold one step from its repetition squares.
pub const WINNING: &str = "sfen 4k4/9/9/9/9/9/PPPPPPPPP/1B4GR1/LNSGK1SNL b - 1";

#[test]
fn positions_match_their_names() {
    assert!(Board::at(MATED).is_lost());
    assert!(Board::at(STALEMATED).is_lost());
    assert_eq!(Board::at(ONLY_MOVE).legal_moves(), ["1a2a"]);

    let mating = |root: &str| {
        let board = Board::at(root);
        let moves = board.legal_moves().into_iter();
        moves.filter(|mv| board.after(mv).is_lost()).collect::<Vec<_>>()
    };
    assert_eq!(mating(MATE_IN_ONE), ["G*5b"]);
    assert_eq!(mating(KINGLESS_MATE_IN_ONE), ["G*5b"]);
    for longer in [MATE_IN_THREE, KINGLESS_MATE_IN_THREE, KINGLESS_MATE_IN_ELEVEN, BUSY, HOPELESS, WINNING] {
        assert!(mating(longer).is_empty(), "{longer} mates at once");
    }
    for open in [KINGLESS_MAZE, DECLARATION, DECLARATION_TOO_FEW_POINTS] {
        assert!(!Board::at(open).is_lost());
    }
}

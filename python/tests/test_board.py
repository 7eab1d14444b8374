"""Boards and moves."""

import copy
import pickle
import random
import xml.etree.ElementTree as ElementTree

import pytest

import sabi
from sabi import BLACK, WHITE, Board, Move, Piece


def leaves(board: Board, depth: int) -> int:
    """Perft through Python."""
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += leaves(board, depth - 1)
        board.pop()
    return total


#: Positions with promotions, drops, checks and pins.
SFENS = [
    sabi.STARTING_SFEN,
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "4k4/9/9/9/9/9/9/9/4K4 b RBGSNLPrbgsnlp 1",
]


def random_board(seed: int, plies: int) -> Board:
    random_ = random.Random(seed)
    board = Board()
    for _ in range(plies):
        moves = board.legal_moves
        if not moves:
            break
        board.push(random_.choice(moves))
    return board


def test_start_position() -> None:
    board = Board()
    assert board.sfen() == sabi.STARTING_SFEN
    assert (board.turn, board.move_number, len(board.legal_moves)) == (BLACK, 1, 30)
    assert board.count_legal_moves() == 30
    assert (board.king_square(BLACK), board.king_square(WHITE)) == (sabi.SQUARE_NAMES.index("5i"), 36)
    assert board.pieces_in_hand == ([0] * 7, [0] * 7)
    assert board.move_stack == [] and board.peek() is None


@pytest.mark.parametrize("sfen", SFENS)
def test_sfen_round_trip(sfen: str) -> None:
    assert Board(sfen).sfen() == sfen
    assert Board("sfen " + sfen).sfen() == sfen
    assert Board(Board("position sfen " + sfen).usi_position()).sfen() == sfen


@pytest.mark.parametrize("sfen", SFENS)
def test_perft_counts_what_python_plays(sfen: str) -> None:
    board = Board(sfen)
    before = board.usi_position()
    assert leaves(board, 2) == board.perft(2) == sum(board.divide(2).values())
    assert board.usi_position() == before
    assert board.legal_moves == list(board.divide(1))


def test_perft_of_the_start() -> None:
    assert [Board().perft(depth) for depth in range(5)] == [1, 30, 900, 25_470, 719_731]
    for depth in (-1, 41, 10**30):
        with pytest.raises(ValueError, match="the depth is from 0 to 40"):
            Board().perft(depth)


def test_moves_are_unique_objects() -> None:
    move = Board().legal_moves[0]
    assert move is Move(move.usi()) is Move.from_usi(str(move)) is pickle.loads(pickle.dumps(move))
    assert Move.from_move16(move.move16) is move is Move.from_psv(move.psv)
    assert len({Move("7g7f"), Move("7g7f"), Move("P*5e")}) == 2
    assert Move("7g7f") != Move("7g7f+") and Move("7g7f") != "7g7f"


def test_parts_of_moves() -> None:
    move, drop = Move("8h2b+"), Move("B*5e")
    assert (move.from_square, move.to_square, move.promotion, move.drop_piece_type) == (70, 10, True, None)
    assert (drop.from_square, drop.to_square, drop.promotion, drop.drop_piece_type) == (None, 40, False, sabi.BISHOP)
    assert drop.is_drop and not move.is_drop
    assert str(move.rotate()) == "2b8h+"
    assert repr(move) == 'Move("8h2b+")'


@pytest.mark.parametrize("text", ["", "7g", "7g7g", "0a1b", "K*5e", "7g7f++", "７七七六", "a" * 1000])
def test_bad_moves(text: str) -> None:
    with pytest.raises(ValueError, match="is not a move"):
        Move(text)
    board = Board()
    with pytest.raises(ValueError):
        board.push_usi(text)
    assert board.sfen() == sabi.STARTING_SFEN


@pytest.mark.parametrize("bits", [-1, 0, 81, 1 << 15, 1 << 16, 1 << 70])
def test_bad_bits(bits: int) -> None:
    with pytest.raises(ValueError, match="is not a move"):
        Move.from_move16(bits)
    with pytest.raises(ValueError, match="is not a move"):
        Board().push(bits)


def test_push_and_pop() -> None:
    board = Board()
    assert board.push_usi("7g7f") is Move("7g7f")
    board.push("3c3d")
    board.push(Move("8h2b+").move16)
    assert board.peek() is Move("8h2b+")
    assert [move.usi() for move in board.move_stack] == ["7g7f", "3c3d", "8h2b+"]
    assert board.root().sfen() == sabi.STARTING_SFEN
    assert board.hand(BLACK) == {sabi.BISHOP: 1} and board.hand(WHITE) == {}
    assert board.usi_position() == "startpos moves 7g7f 3c3d 8h2b+"
    assert board.pop() is Move("8h2b+")
    assert board.pop() is Move("3c3d")
    assert board.pop() is Move("7g7f")
    assert board == Board()
    with pytest.raises(ValueError, match="there is no move to take back"):
        board.pop()


def test_illegal_moves_change_nothing() -> None:
    board = Board("startpos moves 7g7f")
    for move, reason in [
        ("7f7e", "no piece of the side to move is there"),
        ("3c3e", "the piece does not move like that"),
        ("P*5e", "the piece is not in hand"),
        ("3a3c", "the square is taken"),
    ]:
        assert not board.is_legal(move)
        with pytest.raises(ValueError, match=f"the move .* is illegal: {reason}"):
            board.push(move)
    assert board.usi_position() == "startpos moves 7g7f"
    with pytest.raises(TypeError):
        board.push(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected 'startpos' or 'sfen'"),
        ("startpos moves 7g7e", "move 1 '7g7e' is illegal here"),
        ("sfen 9/9/9/9/9/9/9/9/9 b - 1", "there is no king"),
        ("4k4/9/9/9/9/9/9/9/4K3 b - 1", "rank i has 8 squares"),
        ("4k4/4R4/9/9/9/9/9/9/4K4 b - 1", "White is in check but not to move"),
        ("4k4/9/9/9/9/9/9/9/4K4 b 19P 1", "more pieces 'P'"),
    ],
)
def test_bad_positions(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Board(text)
    board = random_board(1, 20)
    before = board.usi_position()
    with pytest.raises(ValueError, match=reason):
        board.set_position(text)
    assert board.usi_position() == before


@pytest.mark.parametrize("seed", range(20))
def test_spellings_are_read_back(seed: int) -> None:
    board = random_board(seed, 30 + seed)
    for move in board.legal_moves:
        assert board.parse_csa(board.csa(move)) is move
        assert board.parse_csa(board.csa(move)[1:]) is move
        assert board.parse_kif(board.kif(move)) is move
        assert board.parse_kif(board.ki2(move)) is move
        assert board.parse_kif(board.ki2(move)[1:]) is move
        assert board.parse_usi(move.usi()) is move


def test_spellings() -> None:
    board = Board("startpos moves 7g7f 3c3d 8h2b+")
    assert (board.csa("3a2b"), board.kif("3a2b"), board.ki2("3a2b")) == ("-3122GI", "同　銀(31)", "△同　銀")
    assert Board().push_csa("+7776FU") is Board().push_kif("７六歩(77)") is Move("7g7f")
    for text in ["", "５五角", "７六歩(66)", "投了", "hello\nworld", "*7776FU", "７六歩(77)\n   2 ３四歩(33)"]:
        with pytest.raises(ValueError):
            Board().parse_kif(text)
        with pytest.raises(ValueError):
            Board().parse_csa(text)
    with pytest.raises(ValueError, match="illegal"):
        Board().ki2("7g7e")


def test_checks() -> None:
    board = Board("4k4/9/9/9/9/9/9/9/4K3R b - 1")
    assert board.gives_check("1i1a") and not board.gives_check("1i2i")
    assert Move("1i1a") in board.checking_moves
    board.push("1i1a")
    assert board.is_check() and board.checkers() == [0]
    assert board.attackers(BLACK, "5a") == [0] and board.attackers(WHITE, 40) == []


def test_ends_of_games() -> None:
    mated = Board("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1")
    assert mated.is_checkmate() and mated.is_game_over() and not mated.is_stalemate()
    assert mated.outcome() == ("checkmate", BLACK)
    assert Board().outcome() is None and not Board().is_game_over()
    before = Board("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    assert before.mate_move_in_1ply() is Move("G*5b")
    assert Board().mate_move_in_1ply() is None
    stuck = Board("k8/7R1/9/9/9/9/9/9/1R2K4 w - 1")
    assert stuck.is_stalemate() and not stuck.is_checkmate()
    assert stuck.outcome() == ("stalemate", BLACK)


def test_repetition() -> None:
    board = Board()
    for _ in range(3):
        assert board.repetition() is None
        for move in ["2h3h", "8b7b", "3h2h", "7b8b"]:
            board.push(move)
    assert board.repetition() == "draw" and board.is_fourfold_repetition()
    assert board.outcome() == ("repetition", None)


def test_perpetual_check() -> None:
    board = Board("4k4/9/9/9/9/9/9/9/R3K4 b - 1")
    board.push("9i9a")
    while board.repetition() is None:
        assert len(board.move_stack) < 20
        for move in ["5a5b", "9a9b", "5b5a", "9b9a"]:
            board.push(move)
    assert board.outcome() == ("perpetual check", WHITE)


def test_declaration() -> None:
    board = Board("1+R1GKG1+R1/+B1S1S1S1+B/L1L1L1L2/9/9/9/9/9/4k4 b GS4N9Pg9p 1")
    progress = board.declaration_progress(BLACK)
    assert progress is not None
    assert progress["king_in_camp"] is True and progress["points"] >= 28
    assert board.declaration() == "declare" and board.is_nyugyoku()
    assert board.declaration("NoEnteringKing") is None
    assert Board().declaration() is None
    with pytest.raises(ValueError, match="is no entering king rule"):
        board.declaration("27")
    assert Board("9/4K4/9/9/9/9/9/9/4k4 b - 1").declaration("TryRule") is Move("5b5a")
    with pytest.raises(ValueError, match="is no side"):
        board.declaration_progress(2)


@pytest.mark.parametrize("seed", range(5))
def test_copies_and_pickles(seed: int) -> None:
    board = random_board(seed, 40)
    for other in [board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))]:
        assert other == board and hash(other) == hash(board)
        assert other.usi_position() == board.usi_position()
        assert other.zobrist_hash() == board.zobrist_hash() and other.book_key() == board.book_key()
        other.pop()
        assert other != board
    assert eval(repr(board), {"Board": Board}) == board
    assert board != 3


def test_equal_by_pieces_not_by_moves() -> None:
    first = Board("startpos moves 7g7f 3c3d 2g2f")
    second = Board("startpos moves 2g2f 3c3d 7g7f")
    assert first == second and len({first, second}) == 1
    assert first.rotated().rotated() == first != first.rotated()


def test_packed_positions() -> None:
    for seed in range(10):
        board = random_board(seed, 60)
        assert Board.from_hcp(board.to_hcp()) == board == Board.from_psfen(board.to_psfen())
        other = Board()
        other.set_hcp(board.to_hcp())
        assert other == board
        other.set_psfen(board.rotated().to_psfen())
        assert other == board.rotated()
    for bad in [b"", bytes(31), bytes(32), b"\xff" * 32]:
        with pytest.raises(ValueError):
            Board.from_hcp(bad)
        board = Board()
        with pytest.raises(ValueError):
            board.set_psfen(bad)
        assert board == Board()
    with pytest.raises(TypeError):
        Board.from_hcp("startpos")  # type: ignore[arg-type]


def test_pieces() -> None:
    board = Board()
    rook = board.piece_at("2h")
    assert rook is Piece("R") is pickle.loads(pickle.dumps(Piece("R")))
    assert rook is not None
    assert (rook.color, rook.piece_type, rook.symbol(), rook.japanese_symbol()) == (BLACK, sabi.ROOK, "R", "飛")
    assert board.piece_at(40) is None and board.piece(40) == 0
    assert board.piece(sabi.SQUARE_NAMES.index("8b")) == 16 + sabi.ROOK == board.pieces[64]
    assert int(Piece("+p")) == 16 + sabi.PROM_PAWN
    assert len(board.pieces) == 81
    for square in (-1, 81, "5j", "", 10**30):
        with pytest.raises(ValueError, match="is not a square"):
            board.piece(square)
    for symbol in ("", "X", "+G", "+K", "pp"):
        with pytest.raises(ValueError, match="is not a piece"):
            Piece(symbol)


def test_pictures() -> None:
    board = Board("startpos moves 7g7f 3c3d 8h2b+")
    picture = ElementTree.fromstring(board._repr_svg_())
    texts = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert texts.count("歩") == 18 and texts.count("馬") == 1 and "角" in texts
    assert "P  P  .  P" in str(board) and "Black in hand: B1" in str(board)


def test_long_games_end() -> None:
    board = Board()
    for at in range(10_000):
        board.push(["2h3h", "8b7b", "3h2h", "7b8b"][at % 4])
    with pytest.raises(ValueError, match="there are more than 10000 moves"):
        board.push("2h3h")
    assert len(board.move_stack) == 10_000
    assert pickle.loads(pickle.dumps(board)) == board


def test_legal_moves_are_a_sequence() -> None:
    board = Board()
    moves = board.legal_moves
    board.push(moves[0])
    # It stays as it was.
    assert len(moves) == moves.count() == 30 and len(list(moves)) == 30
    assert moves[-1] is list(moves)[-1] and moves[2:4] == list(moves)[2:4]
    assert Move("7g7f") in moves and "7g7f" in moves and Move("7g7e") not in moves and "x" not in moves and None not in moves
    assert moves == Board().legal_moves and moves == list(moves) and moves != board.legal_moves
    assert repr(moves) == repr(list(moves)) and not Board("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").legal_moves
    with pytest.raises(IndexError):
        moves[30]

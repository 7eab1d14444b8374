"""Training data as arrays."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import sabi
from sabi import BLACK, Board, Game

FEATURES = {
    "K+P": (1710, 40),
    "K+A2": (1791, 42),
    "HalfKP": (125_388, 38),
    "HalfKP_vm": (69_660, 38),
    "HalfKPE9": (1_128_492, 38),
    "HalfKA1": (138_510, 40),
    "HalfKA2": (131_949, 40),
    "HalfKA_hm1": (76_950, 40),
    "HalfKA_hm2": (73_305, 40),
    "HalfKA_z15": (25_650, 40),
}


def random_game(seed: int, plies: int = 120) -> Game:
    random_ = random.Random(seed)
    board, game = Board(), Game()
    for _ in range(plies):
        moves = board.legal_moves
        if not moves:
            break
        move = random_.choice(moves)
        game.push(move, score=random_.randrange(-3000, 3000))
        board.push(move)
    game.result = random_.choice(["black", "white", "draw"])
    return game


GAMES = [random_game(seed) for seed in range(12)]
BOARDS = [board for game in GAMES for board in game.boards()[:-1]]


def test_dtypes() -> None:
    assert [sabi.HuffmanCodedPos.itemsize, sabi.HuffmanCodedPosAndEval.itemsize] == [32, 38]
    assert [sabi.PackedSfen.itemsize, sabi.PackedSfenValue.itemsize] == [32, 40]


@pytest.mark.parametrize("format", ["hcpe", "psv"])
def test_arrays_are_what_files_hold(tmp_path: Path, format: Any) -> None:
    path = tmp_path / f"games.{format}"
    sabi.write_games(path, GAMES)
    array = sabi.load(path)
    assert len(array) == len(BOARDS)
    assert array.tobytes() == path.read_bytes() == sabi.games_to_array(GAMES, format).tobytes()
    assert sabi.validate(array) == []
    mapped = sabi.load(path, mapped=True)
    assert isinstance(mapped, np.memmap) and not mapped.flags.writeable
    assert (sabi.features(mapped, "HalfKP") == sabi.features(array, "HalfKP")).all()
    assert sabi.unpack(array) == BOARDS


def test_labels() -> None:
    [game] = [one for one in GAMES if one.result == "white"][:1]
    hcpe, psv = sabi.games_to_array([game], "hcpe"), sabi.games_to_array([game], "psv")
    for at, board in enumerate(game.boards()[:-1]):
        sign = 1 if board.turn == BLACK else -1
        score = game.scores[at]
        assert score is not None
        assert hcpe["eval"][at] == psv["score"][at] == sign * score
        assert hcpe["bestMove16"][at] == game.moves[at].move16 and psv["move"][at] == game.moves[at].psv
        assert hcpe["gameResult"][at] == 2 and psv["game_result"][at] == -sign
        assert psv["gamePly"][at] == at + 1
    assert len(sabi.games_to_array([], "hcpe")) == 0


def test_conversions() -> None:
    hcpe, psv = sabi.games_to_array(GAMES, "hcpe"), sabi.games_to_array(GAMES, "psv")
    assert (sabi.convert(psv, "hcpe") == hcpe).all()
    numbered = sabi.convert(hcpe, "psv")
    numbered["gamePly"] = psv["gamePly"]
    assert (numbered == psv).all()
    assert (sabi.convert(hcpe, "psfen")["sfen"] == psv["sfen"]).all()
    assert (sabi.convert(psv, "hcp")["hcp"] == hcpe["hcp"]).all()
    assert (sabi.convert(hcpe, "hcpe") == hcpe).all()
    with pytest.raises(ValueError, match="hcp has no scores"):
        sabi.convert(sabi.pack(BOARDS[:3]), "psv")


def test_packing() -> None:
    for format in ("hcp", "psfen"):
        packed = sabi.pack(BOARDS, format)
        assert packed.shape == (len(BOARDS),)
        assert sabi.unpack(packed) == BOARDS
        out = np.zeros(32, np.uint8)
        getattr(BOARDS[9], f"to_{format}")(out)
        assert out.tobytes() == packed[9].tobytes()
        record = np.zeros(1, packed.dtype)
        getattr(BOARDS[9], f"to_{format}")(record)
        assert record[0] == packed[9]
        board = Board()
        getattr(board, f"set_{format}")(packed[9])
        assert board == BOARDS[9]
    with pytest.raises(ValueError, match="a packed position has 32 bytes, not 31"):
        Board().to_hcp(np.zeros(31, np.uint8))
    with pytest.raises(ValueError, match="position 1: a king is missing"):
        sabi.pack([Board(), Board("4k4/9/9/9/9/9/9/9/9 b GSNLP2r2b3g3s3n3l17p 1")])


@pytest.mark.parametrize("name", FEATURES)
def test_features(name: str) -> None:
    inputs, active = FEATURES[name]
    indices = sabi.features(BOARDS, name)
    assert sabi.number_of_inputs(name) == inputs
    assert indices.shape == (len(BOARDS), 2, active) and indices.dtype == np.int32
    assert 0 <= indices.min() and indices.max() < inputs
    # The order of boards and of records is the same.
    assert (indices == sabi.features(sabi.pack(BOARDS), name)).all()
    assert (indices == sabi.features(sabi.pack(BOARDS, "psfen"), name)).all()
    # With the sides exchanged the side to move sees the same.
    turned = sabi.features([board.rotated() for board in BOARDS], name)
    assert (np.sort(indices) == np.sort(turned)).all()


def test_features_of_a_missing_king_are_padded() -> None:
    board = Board("4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1")
    indices = sabi.features([board], "HalfKA1")
    assert (indices == sabi.number_of_inputs("HalfKA1")).sum() == 2


def test_features_of_no_network() -> None:
    with pytest.raises(ValueError, match="is no set of features: they are HalfKP"):
        sabi.features(BOARDS, "HalfKX")


def test_features_are_numbered_as_in_files() -> None:
    """A network file computed with numpy gives the engine's evals."""
    file = (Path(__file__).parents[2] / "nets" / "kp.bin").read_bytes()
    at = 12 + int.from_bytes(file[8:12], "little")

    def take(dtype: str, *shape: int) -> npt.NDArray[np.int64]:
        nonlocal at
        values = np.frombuffer(file, dtype, int(np.prod(shape)), at)
        at += values.nbytes
        return values.reshape(shape).astype(np.int64)

    at += 4
    bias, weights = take("<i2", 256), take("<i2", 1710, 256)
    at += 4
    layers = [(take("<i4", outputs), take("i1", outputs, inputs)) for outputs, inputs in [(32, 512), (32, 32), (1, 32)]]
    assert at == len(file)
    accumulators = bias + weights[sabi.features(BOARDS, "K+P")].sum(axis=2)
    values = accumulators.clip(0, 127).reshape(len(BOARDS), 512)
    for layer_bias, layer_weights in layers[:2]:
        values = (layer_bias + values @ layer_weights.T >> 6).clip(0, 127)
    output = (layers[2][0] + values @ layers[2][1].T)[:, 0]
    evals = np.trunc(np.trunc(output / 16) * 100 / 90).astype(np.int32).clip(-12_000, 12_000)
    network = sabi.Evaluation(Path(__file__).parents[2] / "nets" / "kp.bin", scale=16)
    assert (network.evaluate_batch(BOARDS) == evals).all()


def test_planes() -> None:
    planes = sabi.planes(BOARDS, relative=False)
    assert planes.shape == (len(BOARDS), 28, 9, 9) and planes.dtype == np.uint8
    assert (planes.sum(axis=(1, 2, 3)) == [sum(piece != 0 for piece in board.pieces) for board in BOARDS]).all()
    single = np.empty((28, 9, 9), np.float32)
    BOARDS[50].piece_planes(single)
    assert (single == planes[50]).all()
    relative = sabi.planes(BOARDS)
    turned = sabi.planes([board.rotated() for board in BOARDS])
    assert (relative == turned).all()
    for wrong in (np.empty((27, 9, 9), np.float32), np.empty((28, 9, 9), np.float32)[:, ::-1]):
        with pytest.raises(ValueError):
            Board().piece_planes(wrong)


def test_hands() -> None:
    hands = sabi.hands(sabi.pack(BOARDS), relative=False)
    assert hands.tolist() == [list(board.pieces_in_hand) for board in BOARDS]
    relative = sabi.hands(BOARDS)
    for one, board in zip(relative, BOARDS):
        assert one.tolist() == list(board.pieces_in_hand)[:: 1 if board.turn == BLACK else -1]


def test_bad_records() -> None:
    array = sabi.games_to_array(GAMES, "hcpe")
    array["hcp"][700] = 255
    array["bestMove16"][3] = 0
    array["gameResult"][5] = 7
    for call in (sabi.unpack, sabi.planes, sabi.hands, lambda given: sabi.features(given, "K+P")):
        with pytest.raises(ValueError, match="position 700: invalid king square"):
            call(array)
    faults = sabi.validate(array)
    assert [fault.record for fault in faults] == [3, 5, 700]
    assert faults[1].reason == "invalid result 7"
    assert sabi.validate(array, most=1) == faults[:1]


def test_other_arrays() -> None:
    wrong: list[npt.NDArray[Any]] = [np.zeros(38, np.uint8), np.zeros((3, 3)), np.array(["startpos"])]
    for array in wrong:
        with pytest.raises(ValueError, match="has no positions"):
            sabi.features(array, "K+P")
    with pytest.raises(TypeError):
        sabi.features([1, 2, 3], "K+P")  # type: ignore[list-item]
    # Neither contiguous nor one-dimensional.
    array = sabi.games_to_array(GAMES, "psv")
    assert (sabi.features(array[::3], "K+P") == sabi.features(array, "K+P")[::3]).all()
    assert len(sabi.features(array[:6].reshape(2, 3), "K+P")) == 6
    assert sabi.features([], "K+P").shape == (0, 2, 40)


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "data.psv"
    path.write_bytes(bytes(41))
    with pytest.raises(ValueError, match="data.psv: 41 bytes are not whole records of 40 bytes"):
        sabi.load(path)
    with pytest.raises(ValueError, match="is no packed format"):
        sabi.load(tmp_path / "data.bin")
    with pytest.raises(FileNotFoundError):
        sabi.load(tmp_path / "missing.hcpe")
    path.write_bytes(b"")
    assert len(sabi.load(path)) == len(sabi.load(path, mapped=True)) == 0


def test_cshogi_has_the_same_bytes() -> None:
    cshogi = pytest.importorskip("cshogi")
    for name in ("HuffmanCodedPos", "HuffmanCodedPosAndEval", "PackedSfen", "PackedSfenValue"):
        assert getattr(sabi, name) == getattr(cshogi, name)
    other = cshogi.Board()
    packed, planes = np.zeros(32, np.uint8), np.zeros((28, 9, 9), np.float32)
    ours = np.zeros((28, 9, 9), np.float32)
    for board in BOARDS:
        other.set_sfen(board.sfen())
        other.to_hcp(packed)
        assert packed.tobytes() == board.to_hcp()
        other.to_psfen(packed)
        assert packed.tobytes() == board.to_psfen()
        planes[:] = 0
        other.piece_planes(planes)
        board.piece_planes(ours)
        assert (planes == ours).all()
        assert other.pieces == board.pieces
        assert [list(hand) for hand in other.pieces_in_hand] == list(board.pieces_in_hand)
        theirs = {cshogi.move_to_usi(move): move for move in other.legal_moves}
        assert sorted(theirs) == sorted(map(str, board.legal_moves))
        for usi, move in theirs.items():
            assert cshogi.move16(move) == sabi.Move(usi).move16
            assert cshogi.move16_to_psv(cshogi.move16(move)) == sabi.Move(usi).psv

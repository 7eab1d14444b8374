"""Evaluations of boards and of batches."""

import threading
from pathlib import Path

import numpy as np
import pytest

import sabi
from sabi import Board, Evaluation

NETS = Path(__file__).parents[2] / "nets"
LINE = "7g7f 3c3d 2g2f 4c4d 2f2e 2b3c 3i4h 3a4b 5i6h 8b5b 6h7h 5a6b 1g1f 6b7b 5g5f 7b8b".split()


def boards() -> list[Board]:
    board, boards = Board(), [Board()]
    for move in LINE:
        board.push(move)
        boards.append(board.copy())
    return boards


@pytest.mark.parametrize("evaluation", [Evaluation(), Evaluation.handcrafted(), Evaluation(NETS / "kp.bin")], ids=repr)
def test_batches_equal_single_evals(evaluation: Evaluation) -> None:
    single = [evaluation.evaluate(board) for board in boards()]
    batch = evaluation.evaluate_batch(boards())
    assert batch.dtype == np.int32 and batch.tolist() == single
    for format in ("hcp", "psfen"):
        assert evaluation.evaluate_batch(sabi.pack(boards(), format)).tolist() == single
    # More than one thread takes at a time.
    many = np.tile(sabi.pack(boards()), 300)
    assert evaluation.evaluate_batch(many).tolist() == single * 300
    assert len(evaluation.evaluate_batch([])) == 0


def test_names() -> None:
    assert Evaluation(NETS / "kp.bin").name == "K+P 256x2-32-32"
    assert Evaluation.handcrafted().name == "hand-crafted" and Evaluation.handcrafted().scale is None
    assert repr(Evaluation()).startswith("<Evaluation ")
    assert Evaluation(NETS / "kp.bin", scale=7).scale == 7
    fingerprints = {one.fingerprint() for one in [Evaluation(), Evaluation.handcrafted(), Evaluation(NETS / "kp.bin")]}
    assert len(fingerprints) == 3 and Evaluation(NETS / "zones.bin").fingerprint() in fingerprints


def test_scale() -> None:
    board = Board("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")
    first, second = (Evaluation(NETS / "kp.bin", scale=scale).evaluate(board) for scale in (20, 40))
    assert first == pytest.approx(2 * second, abs=4) and second > 200
    for scale in (0, -1, 129, 10**30):
        with pytest.raises(ValueError, match="the scale is from 1 to 128"):
            Evaluation(NETS / "kp.bin", scale=scale)
    with pytest.raises(ValueError, match="give a scale with a file only"):
        Evaluation(scale=16)


def test_files_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "nn.bin"
    with pytest.raises(FileNotFoundError, match="nn.bin"):
        Evaluation(path)
    path.write_bytes(b"hello")
    with pytest.raises(ValueError, match="neither a network"):
        Evaluation(path)
    path.write_bytes((NETS / "kp.bin").read_bytes()[:-1])
    with pytest.raises(ValueError, match="it has 893916 bytes instead of 893917"):
        Evaluation(path)


def test_explanations() -> None:
    board = boards()[-1]
    evaluation = Evaluation()
    worth = evaluation.contributions(board)
    assert len(worth.board) == sum(piece != 0 for piece in board.pieces) - 2
    rook = next(square for square in range(81) if str(board.piece_at(square)) == "R")
    pawn = next(square for square in range(81) if str(board.piece_at(square)) == "P")
    assert worth.board[rook] > worth.board[pawn]
    assert str(worth.board[rook]) in evaluation.explain(board)
    held = Board("startpos moves 7g7f 3c3d 8h2b+ 3a2b")
    assert set(evaluation.contributions(held).hand) == {(sabi.BLACK, sabi.BISHOP), (sabi.WHITE, sabi.BISHOP)}


def test_threads_share_an_evaluation() -> None:
    evaluation, results = Evaluation(), list[list[int]]()
    packed = np.tile(sabi.pack(boards()), 100)
    work = [threading.Thread(target=lambda: results.append(evaluation.evaluate_batch(packed).tolist())) for _ in range(4)]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert len(results) == 4 and all(one == results[0] for one in results)

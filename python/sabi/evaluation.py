"""Static evaluations of boards and of arrays of records."""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ._sabi import Board
from ._sabi import Evaluation as Native
from .data import Positions, given


class Contributions(NamedTuple):
    """What each piece is worth to its side: the eval with it less the eval without it, centipawns."""

    #: By square; kings have none.
    board: dict[int, int]
    #: One piece in hand, by side and type.
    hand: dict[tuple[int, int], int]


class Evaluation:
    """A static evaluation: a network, or hand-crafted with weights. Immutable; threads may share it.

    `Evaluation()` is the network of the package, `Evaluation(path)` that of a file: any network of
    the YaneuraOu family (`nn.bin`), or weights (JSON). The output of a network is divided by
    `scale`, 1 to 128, by default a measured one that makes the scores of networks comparable.

    Raises `OSError` if the file cannot be read, `ValueError` if it is neither.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, scale: int | None = None) -> None:
        self._native = Native(path, scale=scale)

    @classmethod
    def handcrafted(cls) -> Evaluation:
        """The hand-crafted evaluation of the package."""
        evaluation = cls.__new__(cls)
        evaluation._native = Native.handcrafted()
        return evaluation

    @property
    def name(self) -> str:
        """The shape of the network, or `hand-crafted`."""
        return self._native.name

    @property
    def scale(self) -> int | None:
        """The divisor of the network's output; `None` for the hand-crafted evaluation."""
        return self._native.scale

    def fingerprint(self) -> int:
        """A checksum of the evals of a fixed sample of positions: it tells evaluations apart."""
        return self._native.fingerprint()

    def evaluate(self, board: Board) -> int:
        """Static eval in centipawns for the side to move."""
        return self._native.evaluate(board)

    def evaluate_batch(self, positions: Positions) -> npt.NDArray[np.int32]:
        """Static evals in centipawns for the sides to move, `int32 [n]`, of records or boards.

        Uses all cores and releases the interpreter's lock. Raises `ValueError` at the first record
        that is no position.
        """
        return self._native.evaluate_packed(*given(positions))

    def explain(self, board: Board) -> str:
        """The terms of the evaluation of a position as text."""
        return self._native.explain(board)

    def contributions(self, board: Board) -> Contributions:
        """What each piece is worth to its side."""
        return Contributions(*self._native.contributions(board))

    def __repr__(self) -> str:
        return f"<Evaluation {self.name}>"

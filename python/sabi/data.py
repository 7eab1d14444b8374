"""Training data as numpy arrays: packed positions, and batches of network inputs.

The dtypes are those of cshogi, byte for byte. Functions take an array of one of them (also a
`numpy.memmap`, which is not loaded), or a list of boards; they use all cores and release the
interpreter's lock.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from ._sabi import Board, Game, pack_boards, unpack_boards, unpack_hands
from ._sabi import convert as convert_packed
from ._sabi import features as packed_features
from ._sabi import planes as packed_planes
from ._sabi import validate as packed_faults

#: 32 bytes in Apery's encoding.
HuffmanCodedPos: np.dtype[np.void] = np.dtype([("hcp", "u1", 32)])

#: A record of `.hcpe` files, 38 bytes: position, score for the side to move, move (`Move.move16`),
#: result (0 draw, 1 Black, 2 White).
HuffmanCodedPosAndEval: np.dtype[np.void] = np.dtype(
    [("hcp", "u1", 32), ("eval", "<i2"), ("bestMove16", "<i2"), ("gameResult", "i1"), ("dummy", "u1")]
)

#: 32 bytes in YaneuraOu's encoding.
PackedSfen: np.dtype[np.void] = np.dtype([("sfen", "u1", 32)])

#: A record of `.psv` files, 40 bytes: position, score for the side to move, move (`Move.psv`), move
#: number, result for the side to move (1, 0, -1).
PackedSfenValue: np.dtype[np.void] = np.dtype(
    [
        ("sfen", "u1", 32),
        ("score", "<i2"),
        ("move", "<u2"),
        ("gamePly", "<u2"),
        ("game_result", "i1"),
        ("padding", "u1"),
    ]
)

#: An array of records, or boards.
Positions = Union[npt.NDArray[np.void], list[Board]]

Format = Literal["hcp", "hcpe", "psfen", "psv"]

_DTYPES: dict[str, np.dtype[np.void]] = {
    "hcp": HuffmanCodedPos,
    "hcpe": HuffmanCodedPosAndEval,
    "psfen": PackedSfen,
    "psv": PackedSfenValue,
}


class Fault(NamedTuple):
    """What is wrong with a record."""

    record: int
    reason: str


def _dtype(format: str) -> np.dtype[np.void]:
    try:
        return _DTYPES[format]
    except KeyError:
        raise ValueError(f"{format!r} is no packed format: they are hcp, hcpe, psfen, psv") from None


def _format(array: npt.NDArray[Any]) -> str:
    """The name of an array's dtype."""
    for name, dtype in _DTYPES.items():
        if array.dtype == dtype:
            return name
    raise ValueError(f"an array of {array.dtype} has no positions: see sabi.HuffmanCodedPos and the others")


def _bytes(array: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The bytes of an array, without a copy if it is contiguous."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def given(positions: Positions) -> tuple[list[Board] | npt.NDArray[np.uint8], str, int]:
    """What native functions take: boards or bytes, the encoding, and the bytes of a record."""
    if isinstance(positions, np.ndarray):
        format = _format(positions)
        return _bytes(positions), "hcp" if format.startswith("hcp") else "psfen", positions.dtype.itemsize
    return list(positions), "hcp", 32


def load(path: str | os.PathLike[str], format: Format | None = None, *, mapped: bool = False) -> npt.NDArray[np.void]:
    """The records of a file, `[n]`, by its extension (`hcp`, `hcpe`, `psv`) or `format`.

    With `mapped` the file is not read but mapped, read-only: for files larger than the memory.

    Raises `ValueError` for another extension, or if the file does not consist of whole records, and
    `OSError` if it cannot be read.
    """
    dtype = _dtype(format or os.path.splitext(path)[1].lower().removeprefix("."))
    size = os.path.getsize(path)
    if size % dtype.itemsize:
        raise ValueError(f"{os.fspath(path)}: {size} bytes are not whole records of {dtype.itemsize} bytes")
    if mapped and size:
        return np.memmap(path, dtype, "r")
    return np.fromfile(path, dtype)


def validate(array: npt.NDArray[np.void], most: int = 10) -> list[Fault]:
    """The first faults of `hcpe` or `psv` records: impossible positions, illegal moves, wrong results."""
    format = _format(array)
    return [Fault(record, reason) for record, reason in packed_faults(_bytes(array), format, most)]


def pack(boards: list[Board], format: Literal["hcp", "psfen"] = "hcp") -> npt.NDArray[np.void]:
    """Packs boards: `[n]` of `HuffmanCodedPos` or `PackedSfen`.

    Raises `ValueError` for a position without one of the kings that does not fit.
    """
    return pack_boards(boards, format).view(_dtype(format))


def unpack(array: npt.NDArray[np.void]) -> list[Board]:
    """The boards of records. Raises `ValueError` at the first that is no position."""
    return unpack_boards(*given(array))


def convert(array: npt.NDArray[np.void], format: Format) -> npt.NDArray[np.void]:
    """Records in another format. Scores, moves and results are kept where both formats have them.

    From PSV the move number is lost; to PSV it is 1. Raises `ValueError` at the first record that is
    no position, and for labels that the given records lack.
    """
    source, dtype = _format(array), _dtype(format)
    labelled = {"hcpe", "psv"}
    if format in labelled and source not in labelled:
        raise ValueError(f"{source} has no scores, moves and results for {format}")
    encoding: Literal["hcp", "psfen"] = "hcp" if format.startswith("hcp") else "psfen"
    records = np.zeros(len(array), dtype)
    records[encoding.replace("psfen", "sfen")] = convert_packed(*given(array), encoding).reshape(-1, 32)
    if format not in labelled:
        return records
    # White is to move if the first bit is set.
    white = array["hcp" if source == "hcpe" else "sfen"][:, 0] & 1
    if source == format:
        return array.copy()
    if format == "psv":
        records["score"], records["gamePly"] = array["eval"], 1
        bits = array["bestMove16"].view(np.uint16)
        drop = (bits >> 7 & 127) >= 81
        promotion = (bits & 0x4000) << 1
        kind = (bits >> 7 & 127) - 80
        records["move"] = np.where(drop, 0x4000 | kind << 7 | bits & 127, bits & 0x3FFF | promotion)
        sign = np.where(array["gameResult"] == 1, 1, np.where(array["gameResult"] == 2, -1, 0))
        records["game_result"] = np.where(white, -sign, sign)
    else:
        records["eval"] = array["score"]
        bits = array["move"]
        drop = (bits & 0x4000) != 0
        promotion = (bits & 0x8000) >> 1
        source_field = np.where(drop, (bits >> 7 & 127) + 80, bits >> 7 & 127).astype(np.uint16)
        records["bestMove16"] = (source_field << 7 | bits & 127 | promotion).view(np.int16)
        sign = np.where(white, -array["game_result"], array["game_result"])
        records["gameResult"] = np.where(sign == 1, 1, np.where(sign == -1, 2, 0))
    return records


def games_to_array(games: Iterable[Game], format: Literal["hcpe", "psv"]) -> npt.NDArray[np.void]:
    """The positions of games, each with the move played, its score (0 if unknown) and the result.

    Raises `ValueError` for a game whose result is unknown.
    """
    dtype = _dtype(format)
    parts = [game.packed(format) for game in games]
    return (np.concatenate(parts) if parts else np.zeros(0, np.uint8)).view(dtype)


def features(positions: Positions, name: str) -> npt.NDArray[np.int32]:
    """Active inputs of a network: `int32 [n, 2, active]`, the perspective of the side to move first.

    `name` is one of `K+P`, `K+A2`, `HalfKP`, `HalfKP_vm`, `HalfKPE9`, `HalfKA1`, `HalfKA2`,
    `HalfKA_hm1`, `HalfKA_hm2`, `HalfKA_z15`. Inputs are numbered as in files (`nn.bin`) of the
    YaneuraOu family; a place that a missing king leaves free holds `number_of_inputs(name)`. With
    that as `padding_idx`, `torch.nn.EmbeddingBag(mode="sum")` is the first layer.

    Raises `ValueError` for another name, and at the first record that is no position.
    """
    return packed_features(*given(positions), name)[0]


def number_of_inputs(name: str) -> int:
    """The number of inputs of a set of `features`. Raises `ValueError` for another name."""
    return packed_features([], "hcp", 32, name)[1]


def planes(positions: Positions, *, relative: bool = True) -> npt.NDArray[np.uint8]:
    """Pieces as planes: `uint8 [n, 28, 9, 9]`, by piece type, then file and rank.

    The first 14 planes are Black's; with `relative` those of the side to move, and the board is
    turned so that it plays upwards.
    """
    return packed_planes(*given(positions), relative).reshape(-1, 28, 9, 9)


def hands(positions: Positions, *, relative: bool = True) -> npt.NDArray[np.uint8]:
    """Numbers of pieces in hand: `uint8 [n, 2, 7]`, pawn, lance, knight, silver, gold, bishop, rook.

    Black is first; with `relative` the side to move.
    """
    return unpack_hands(*given(positions), relative)

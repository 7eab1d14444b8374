"""Speed side by side with cshogi and python-shogi, whichever are installed, in one run.

usage: python speed.py [--games 1000] [--positions 1000000] [--runs 3] [--cpu]

Games are random, positions those of random games; each figure is the best of some runs. With `--cpu` it is the
processor time of all threads, for a machine that is busy with other work: batches on several cores gain nothing then.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import sabi

Work = Callable[[], object]

START = sabi.STARTING_SFEN
MIDDLE = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"


def module(name: str) -> Any:
    """A peer, `None` if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


cshogi, python_shogi = module("cshogi"), module("shogi")


def random_game(seed: int, plies: int = 120) -> sabi.Game:
    chooser = random.Random(seed)
    board = sabi.Board()
    while len(board.move_stack) < plies and (moves := board.legal_moves):
        board.push(chooser.choice(moves))
    game = sabi.Game(board)
    game.names = (f"black{seed}", f"white{seed}")
    game.result = "white" if board.turn == sabi.BLACK else "black"
    game.end = "resign"
    return game


def best(work: Work, runs: int, clock: Callable[[], float]) -> float:
    """Seconds of the fastest run; short work is repeated in each."""
    times: list[float] = []
    repeated = 1
    while len(times) < runs:
        start = clock()
        for _ in range(repeated):
            work()
        seconds = clock() - start
        if seconds < 0.1 and not times:
            repeated *= 2
        else:
            times.append(seconds / repeated)
    return min(times)


def perft(board: Any, depth: int) -> int:
    """Leaves by move lists, in Python: the same for every library."""
    if depth == 1:
        return len(board.legal_moves)
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += perft(board, depth - 1)
        board.pop()
    return total


def perft_of_python_shogi(board: Any, depth: int) -> int:
    if depth == 1:
        return sum(1 for _ in board.legal_moves)
    total = 0
    for move in list(board.legal_moves):
        board.push(move)
        total += perft_of_python_shogi(board, depth - 1)
        board.pop()
    return total


def reading(games: list[sabi.Game], folder: Path) -> dict[str, list[Work | None]]:
    for extension in ("csa", "kif"):
        for number, game in enumerate(games):
            game.write(folder / f"{number}.{extension}")
    files = {extension: sorted(folder.glob(f"*.{extension}")) for extension in ("csa", "kif")}
    rows: dict[str, list[Work | None]] = {}
    for extension, paths in files.items():

        def ours(paths: list[Path] = paths) -> int:
            return sum(len(game) for path in paths for game in sabi.read_file(path))

        theirs: Work | None = None
        python: Work | None = None
        if cshogi:
            parser = importlib.import_module("cshogi." + extension.upper()).Parser

            def of_cshogi(paths: list[Path] = paths, parser: Any = parser, extension: str = extension) -> int:
                total = 0
                for path in paths:
                    read = parser.parse_file(str(path))
                    total += sum(len(game.moves) for game in read) if isinstance(read, list) else len(read.moves)
                return total

            theirs = of_cshogi
            assert of_cshogi() == ours(), "both read all moves"
        if python_shogi:
            reader = importlib.import_module("shogi." + extension.upper()).Parser

            def of_python_shogi(paths: list[Path] = paths, reader: Any = reader) -> int:
                return sum(len(game["moves"]) for path in paths for game in reader.parse_file(str(path)))

            python = of_python_shogi
        rows[f"read {len(paths)} games, {extension.upper()}"] = [ours, theirs, python]
    return rows


def perfts() -> dict[str, list[Work | None]]:
    rows: dict[str, list[Work | None]] = {}
    for name, sfen, depth in [("the start", START, 3), ("a middle game", MIDDLE, 2)]:

        def ours(sfen: str = sfen, depth: int = depth) -> int:
            return perft(sabi.Board(sfen), depth)

        def of_cshogi(sfen: str = sfen, depth: int = depth) -> int:
            return perft(cshogi.Board(sfen), depth)

        def of_python_shogi(sfen: str = sfen, depth: int = depth) -> int:
            return perft_of_python_shogi(python_shogi.Board(sfen), depth)

        rows[f"perft by lists, {name}, depth {depth}"] = [
            ours,
            of_cshogi if cshogi else None,
            of_python_shogi if python_shogi else None,
        ]
    return rows


def packing(games: list[sabi.Game], count: int) -> dict[str, list[Work | None]]:
    some = sabi.games_to_array(games, "hcpe")
    hcpe = np.resize(some, count)
    boards = [board for game in games for board in game.boards()]
    boards = [boards[at % len(boards)] for at in range(min(count, 50_000))]
    times = count // len(boards)

    def pack_all() -> None:
        for _ in range(times):
            sabi.pack(boards)

    def pack_each() -> None:
        out = np.empty(32, np.uint8)
        for _ in range(times):
            for board in boards:
                board.to_hcp(out)

    def unpack_each() -> None:
        board = sabi.Board()
        for packed in hcpe["hcp"]:
            board.set_hcp(packed)

    def planes_each() -> None:
        board, planes = sabi.Board(), np.zeros((28, 9, 9), np.float32)
        for packed in hcpe["hcp"][: count // 10]:
            board.set_hcp(packed)
            board.piece_planes(planes)

    def of_cshogi_pack() -> None:
        out = np.empty(32, np.uint8)
        for _ in range(times):
            for board in their_boards:
                board.to_hcp(out)

    def of_cshogi_unpack() -> None:
        board = cshogi.Board()
        for packed in hcpe["hcp"]:
            board.set_hcp(packed)

    def of_cshogi_planes_each() -> None:
        board, planes = cshogi.Board(), np.zeros((28, 9, 9), np.float32)
        for packed in hcpe["hcp"][: count // 10]:
            board.set_hcp(packed)
            planes.fill(0)
            board.piece_planes(planes)

    def of_cshogi_planes() -> None:
        board, planes = cshogi.Board(), np.zeros((count // 10, 28, 9, 9), np.float32)
        for at, packed in enumerate(hcpe["hcp"][: count // 10]):
            board.set_hcp(packed)
            board.piece_planes(planes[at])

    their_boards: list[Any] = [cshogi.Board(board.sfen()) for board in boards] if cshogi else []
    peer: Callable[[Work], Work | None] = lambda work: work if cshogi else None
    return {
        f"pack {count:,} positions one by one": [pack_each, peer(of_cshogi_pack), None],
        f"pack {count:,} positions in a batch": [pack_all, peer(of_cshogi_pack), None],
        f"unpack {count:,} positions one by one": [unpack_each, peer(of_cshogi_unpack), None],
        f"unpack {count:,} positions, check them": [lambda: sabi.convert(hcpe, "hcp"), peer(of_cshogi_unpack), None],
        f"planes of {count // 10:,} positions one by one": [planes_each, peer(of_cshogi_planes_each), None],
        f"planes of {count // 10:,} positions in a batch": [
            lambda: sabi.planes(hcpe[: count // 10]),
            peer(of_cshogi_planes),
            None,
        ],
        f"HalfKP inputs of {count:,} positions": [lambda: sabi.features(hcpe, "HalfKP"), None, None],
        f"evals of {count // 10:,} positions": [lambda: sabi.Evaluation().evaluate_batch(hcpe[: count // 10]), None, None],
    }


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=1000)
    arguments.add_argument("--positions", type=int, default=1_000_000)
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--cpu", action="store_true")
    given = arguments.parse_args()
    clock = time.process_time if given.cpu else time.perf_counter
    games = [random_game(seed) for seed in range(given.games)]
    with tempfile.TemporaryDirectory() as folder:
        rows = {**reading(games, Path(folder)), **perfts(), **packing(games, given.positions)}
        print(f"{os.cpu_count()} cores, {'processor ' if given.cpu else ''}milliseconds, best of {given.runs}\n")
        print("| work | sabi | cshogi | python-shogi | against cshogi |\n|---|--:|--:|--:|--:|")
        for name, works in rows.items():
            seconds: list[float | None] = []
            for work in works:
                with contextlib.redirect_stdout(io.StringIO()):
                    seconds.append(best(work, given.runs, clock) if work else None)
            cells = ["-" if one is None else f"{1000 * one:,.2f}" if one < 0.1 else f"{1000 * one:,.0f}" for one in seconds]
            ratio = f"{seconds[1] / seconds[0]:.2f}×" if seconds[0] and seconds[1] else "-"
            print(f"| {name} | {' | '.join(cells)} | {ratio} |", flush=True)


if __name__ == "__main__":
    main()

"""Plays games of the engine with itself as Ray tasks, in shards of training data, and goes on where it stopped.

usage: python ray_selfplay.py --out FOLDER [--shards 16] [--games 100] [--nodes 2000] [--seed 1] [--address ADDRESS]

A shard is one task with one core and one file, `0000.psv` …, written when it is complete; shards whose
files are there are not played again. The first moves of a game are random, and not among the data; the seed and the
number of a shard give its games, so that a shard played again is the same. The only dependencies are `sabi` and `ray`.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import ray
import sabi

#: Centipawns and moves in a row at which a game is decided.
DECIDED, IN_A_ROW = 3000, 4
#: A longer game is a draw.
MAX_MOVES = 320


def play(engine: sabi.Engine, chooser: random.Random, nodes: int, random_moves: int) -> sabi.Game:
    """One game from random moves on."""
    board = sabi.Board()
    for _ in range(random_moves):
        moves = board.legal_moves
        if not moves:
            break
        board.push(chooser.choice(moves))
    # Of the random moves only the last position is kept.
    game, start = sabi.Game(sabi.Board(board.sfen())), board.move_number
    engine.new_game()
    decided = 0
    while True:
        outcome = board.outcome()
        if outcome is not None:
            game.result = {None: "draw", sabi.BLACK: "black", sabi.WHITE: "white"}[outcome[1]]
            return game
        if board.move_number - start >= MAX_MOVES:
            game.result = "draw"
            return game
        found = engine.search(board, nodes=nodes)
        if found.best is None or found.score is None:
            winner = board.turn if found.kind == "declare" else 1 - board.turn
            game.result = "black" if winner == sabi.BLACK else "white"
            return game
        score = found.score.cp if found.score.cp is not None else (32_000 if found.score.win_rate > 0.5 else -32_000)
        for_black = score if board.turn == sabi.BLACK else -score
        decided = decided + 1 if abs(score) >= DECIDED else 0
        game.push(found.best, score=max(-32_000, min(32_000, for_black)))
        board.push(found.best)
        if decided >= IN_A_ROW:
            game.result = "black" if for_black > 0 else "white"
            return game


@ray.remote(num_cpus=1, max_retries=5)
def shard(number: int, games: int, nodes: int, random_moves: int, seed: int, path: str) -> tuple[int, int]:
    """Plays a shard and writes its file. Returns the number and the positions."""
    chooser = random.Random(f"{seed} {number}")
    with sabi.Engine(threads=1, hash_mb=16) as engine:
        played = [play(engine, chooser, nodes, random_moves) for _ in range(games)]
    # The file appears when it is complete.
    sabi.write_games(path, played)
    return number, sum(len(game) for game in played)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--out", type=Path, required=True, help="shared by all machines of the cluster")
    arguments.add_argument("--shards", type=int, default=16)
    arguments.add_argument("--games", type=int, default=100, help="per shard")
    arguments.add_argument("--nodes", type=int, default=2000, help="per move")
    arguments.add_argument("--random-moves", type=int, default=8)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--address", help="of a cluster; else this machine")
    arguments.add_argument("--workers", type=int, help="cores of this machine to use; else all")
    given = arguments.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    paths = {number: (given.out / f"{number:04}.psv").absolute() for number in range(given.shards)}
    missing = {number: path for number, path in paths.items() if not path.exists()}
    ray.init(address=given.address, num_cpus=None if given.address else given.workers, include_dashboard=False)
    waiting: list[Any] = [
        shard.remote(number, given.games, given.nodes, given.random_moves, given.seed, str(path))
        for number, path in missing.items()
    ]
    failed = 0
    while waiting:
        ready, waiting = ray.wait(waiting)
        try:
            number, positions = ray.get(ready[0])
            print(f"shard {number}: {positions} positions", flush=True)
        except ray.exceptions.RayError as error:
            failed += 1
            print(f"a shard was not played: {error}", file=sys.stderr)
    data = [sabi.load(path) for path in paths.values() if path.exists()]
    total = np.concatenate(data) if data else np.zeros(0, sabi.PackedSfenValue)
    print(f"{len(total)} positions in {len(data)} shards, {failed} failed; draws {np.mean(total['game_result'] == 0):.1%}")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()

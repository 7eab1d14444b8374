"""Analyses games as Ray tasks, on this machine or a cluster, and goes on where it stopped.

usage: python ray_analyze.py RECORDS... --out FOLDER [--nodes 200000] [--address ADDRESS]

Every game is one task with one core. Its analysis is a file of the folder, named by a checksum of the game and
the limit; a game whose file is there is not analysed again, so a run that was stopped is simply started again. A
task whose worker was lost is tried on another one, at most five times. The only dependencies are `sabi` and `ray`.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ray
import sabi


def games(paths: list[Path]) -> Iterator[sabi.Game]:
    """The games of files and folders; bad ones are reported."""
    for path in paths:
        read = sabi.read_tree(path, errors="skip")
        yield from read
        for error in read.errors:
            print(error, file=sys.stderr)


def file_of(game: sabi.Game, nodes: int, folder: Path) -> Path:
    """The file of an analysis: other games and limits have others."""
    digest = hashlib.sha256(f"{sabi.__version__} {nodes} {game.to_csa()}".encode()).hexdigest()
    return folder / f"{digest[:24]}.json"


def write(path: Path, text: str) -> None:
    """Writes a file as a whole or not at all."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, encoding="utf-8", suffix=".tmp", delete=False) as file:
        file.write(text)
    os.replace(file.name, path)


@ray.remote(num_cpus=1, max_retries=5)
def analyze(game: sabi.Game, nodes: int, path: str) -> tuple[str, float, float]:
    """Analyses a game and writes its file. The names and accuracies are for the report."""
    analysis = sabi.analyze(game, nodes=nodes, threads=1, language="en")
    write(Path(path), analysis.json)
    accuracies = [player.summary.accuracy if player.summary else 0.0 for player in (analysis.black, analysis.white)]
    return " - ".join(name or "?" for name in game.names), accuracies[0], accuracies[1]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("records", nargs="+", type=Path)
    arguments.add_argument("--out", type=Path, required=True, help="shared by all machines of the cluster")
    arguments.add_argument("--nodes", type=int, default=200_000, help="per position")
    arguments.add_argument("--address", help="of a cluster; else this machine")
    arguments.add_argument("--workers", type=int, help="cores of this machine to use; else all")
    given = arguments.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    ray.init(address=given.address, num_cpus=None if given.address else given.workers, include_dashboard=False)
    # Not more tasks wait than a big cluster works on: games by the ten thousand are not held.
    waiting: list[Any] = []
    known = done = failed = 0

    def take(most: int) -> None:
        nonlocal waiting, done, failed
        while len(waiting) > most:
            ready, waiting = ray.wait(waiting)
            try:
                names, black, white = ray.get(ready[0])
            except ray.exceptions.RayError as error:
                failed += 1
                print(f"not analysed: {error}", file=sys.stderr)
                continue
            done += 1
            print(f"{names}: accuracy {black:.0%} - {white:.0%}", flush=True)

    for game in games(given.records):
        path = file_of(game, given.nodes, given.out)
        if path.exists():
            known += 1
        else:
            waiting.append(analyze.remote(game, given.nodes, str(path.absolute())))
            take(1000)
    take(0)
    print(f"{done} games analysed, {known} were there, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()

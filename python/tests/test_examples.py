"""The notebook, and the Ray examples with local workers, one of them killed in the middle."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import sabi

EXAMPLES = Path(__file__).parents[1] / "examples"


def workers(name: str) -> list[int]:
    """Processes that run a task of this name."""
    found: list[int] = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and (folder / "cmdline").read_bytes().startswith(b"ray::" + name.encode()):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def run(script: str, arguments: list[str], task: str | None = None) -> str:
    """Runs an example; kills the first worker that runs a task."""
    command = [sys.executable, str(EXAMPLES / script), *arguments]
    killed = threading.Event()

    def kill() -> None:
        end = time.monotonic() + 120
        while task is not None and time.monotonic() < end:
            for process in workers(task):
                os.kill(process, signal.SIGKILL)
                killed.set()
                return
            time.sleep(0.01)

    thread = threading.Thread(target=kill)
    thread.start()
    done = subprocess.run(command, capture_output=True, text=True, timeout=400)
    thread.join()
    assert done.returncode == 0, done.stderr
    assert killed.is_set() == (task is not None), "a worker was killed"
    return done.stdout


needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None or not Path("/proc").is_dir(), reason="needs Ray, and workers are found by /proc"
)


@needs_ray
def test_selfplay_survives_a_lost_worker(tmp_path: Path) -> None:
    arguments = ["--shards", "3", "--games", "2", "--nodes", "50", "--workers", "2", "--out"]
    whole = tmp_path / "whole"
    assert "3 shards, 0 failed" in run("ray_selfplay.py", [*arguments, str(whole)], "shard")
    files = sorted(whole.iterdir())
    assert [file.name for file in files] == ["0000.psv", "0001.psv", "0002.psv"]
    for file in files:
        assert sabi.validate(sabi.load(file)) == [] and len(sabi.load(file)) > 0
    # What is there is not played again, and what is missing is the same.
    before = {file.name: file.read_bytes() for file in files}
    files[1].unlink()
    kept = files[0].stat().st_mtime_ns
    output = run("ray_selfplay.py", [*arguments, str(whole)])
    assert output.count("positions\n") == 1 and files[0].stat().st_mtime_ns == kept
    assert {file.name: file.read_bytes() for file in whole.iterdir()} == before


@needs_ray
def test_analyses_survive_a_lost_worker(tmp_path: Path) -> None:
    records, out = tmp_path / "records", tmp_path / "out"
    records.mkdir()
    for number, line in enumerate(["7g7f 3c3d 8h2b+", "2g2f 8c8d 2f2e", "7g7f 8c8d 2g2f 8d8e"]):
        sabi.Game(sabi.Board("startpos moves " + line)).write(records / f"{number}.csa")
    arguments = [str(records), "--out", str(out), "--nodes", "3000", "--workers", "2"]
    assert "3 games analysed, 0 were there, 0 failed" in run("ray_analyze.py", arguments, "analyze")
    analyses = [sabi.GameAnalysis.from_json(file.read_text()) for file in out.iterdir()]
    assert sorted(len(analysis.moves) for analysis in analyses) == [3, 3, 4]
    next(out.iterdir()).unlink()
    assert "1 games analysed, 2 were there, 0 failed" in run("ray_analyze.py", arguments)


def test_notebook(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for number, line in enumerate(["7g7f 3c3d 2g2f 8c8d", "2g2f 8c8d 7g7f 3c3d"]):
        game = sabi.Game(sabi.Board(f"startpos moves {line} 2f2e 4a3b 6i7h 8d8e 2e2d 2c2d 2h2d P*2c 2d2h 5a4b"))
        game.names, game.result, game.end = ("one", "two"), ["black", "white"][number], "resign"
        game.write(tmp_path / f"{number}.kif")
    cells = json.loads((EXAMPLES / "openings.ipynb").read_text())["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    surroundings = {**os.environ, "MPLBACKEND": "agg", "RECORDS": str(tmp_path), "PLAYER": "one", "NODES": "500"}
    done = subprocess.run([sys.executable, "-c", code], env=surroundings, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stderr
    # The same opening by other moves, won once and lost once.
    assert "    2    1     1  ▲７六歩△３四歩▲２六歩△８四歩" in done.stdout
    assert "2 of 2" in done.stdout and "the worst:" in done.stdout

"""What several tests need: an engine outside."""

import sys
import textwrap
from pathlib import Path

import pytest


@pytest.fixture
def outside(tmp_path: Path) -> list[str]:
    """The command of a USI engine: the one of the package, told what it must answer."""
    program = tmp_path / "engine.py"
    program.write_text(
        textwrap.dedent(
            '''
            """A USI engine over the one of the package."""
            import sys
            import threading

            import sabi

            engine, board, options = sabi.Engine(threads=1, hash_mb=16), sabi.Board(), {}
            running = None

            def say(text):
                print(text, flush=True)

            def score(value):
                return f"cp {value.cp}" if value.mate is None else f"mate {value.mate}"

            def wait(search):
                for info in search:
                    pv = " ".join(map(str, info.pv))
                    bound = "" if info.bound == "exact" else f" {info.bound}bound"
                    say(f"info depth {info.depth} multipv {info.multipv} score {score(info.score)}{bound} "
                        f"nodes {info.nodes} time {round(info.time * 1000)} pv {pv}")
                result = search.result()
                words = {"resign": "resign", "declare": "win"}
                ponder = f" ponder {result.ponder}" if result.ponder else ""
                say(f"bestmove {words.get(result.kind) or str(result.best) + ponder}")

            for line in sys.stdin:
                words = line.split()
                if words[0] == "usi":
                    say("id name Test")
                    say("option name MultiPV type spin default 1 min 1 max 9")
                    say("usiok")
                elif words[0] == "isready":
                    say("readyok")
                elif words[0] == "setoption":
                    options[words[2]] = words[4]
                    say(f"info string {words[2]} is {words[4]}")
                elif words[0] == "position":
                    board.set_position(" ".join(words[1:]))
                elif words[:2] == ["go", "mate"]:
                    found = engine.mate(board)
                    line = " ".join(map(str, found.moves))
                    say("checkmate " + (line or found.kind.replace("unknown", "timeout")))
                elif words[0] == "go":
                    limits = dict(zip(words[1::2], words[2::2]))
                    running = engine.start(
                        board,
                        nodes=int(limits["nodes"]) if "nodes" in limits else None,
                        depth=int(limits["depth"]) if "depth" in limits else None,
                        time=int(limits["movetime"]) / 1000 if "movetime" in limits else None,
                        infinite="infinite" in words,
                        multipv=int(options.get("MultiPV", 1)),
                    )
                    threading.Thread(target=wait, args=(running,)).start()
                elif words[0] == "stop" and running is not None:
                    running.stop()
                elif words[0] == "quit":
                    break
            '''
        )
    )
    return [sys.executable, str(program)]

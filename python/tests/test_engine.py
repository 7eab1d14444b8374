"""Searches, mates, books and analyses."""

import asyncio
import dataclasses
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import sabi
from sabi import Board, Engine, Game, Info, Move, Search, UsiEngine, UsiError

NETS = Path(__file__).parents[2] / "nets"
MATE_IN_3 = "7nl/7k1/6ppp/9/9/9/9/9/9 b RG 1"


def small() -> Engine:
    return Engine(threads=1, hash_mb=8)


def play(board: Board, moves: list[Move]) -> None:
    """Plays a line: every move must be legal."""
    copy = board.copy()
    for move in moves:
        copy.push(move)


def game() -> Game:
    one = Game()
    for move in "7g7f 3c3d 8h2b+ 3a2b B*3c 2b3c".split():
        one.push(move, time=1.0)
    one.names, one.result, one.end = ("one", "two"), "white", "resign"
    return one


def test_search() -> None:
    board, lines = Board(), list[Info]()
    with small() as engine:
        result = engine.search(board, nodes=5_000, multipv=3, on_info=lines.append)
        assert result.kind == "move" and result.best in board.legal_moves
        assert [line.multipv for line in result.lines] == [1, 2, 3]
        assert result.best is result.pv[0] and result.score is not None and result.score.cp is not None
        assert 0.4 < result.score.win_rate < 0.7 and result.depth >= 3
        assert 1_000 < result.nodes < 6_000
        for line in lines:
            play(board, line.pv)
        # Without clearing the table the same search would find other lines.
        engine.new_game()
        again = engine.search(board, nodes=5_000, multipv=3)
        assert (again.best, again.pv, again.score) == (result.best, result.pv, result.score)
        assert board == Board()
        only = engine.search(board, depth=3, moves=["1g1f", Move("9g9f")])
        assert str(only.best) in ("1g1f", "9g9f")


def test_time() -> None:
    with small() as engine:
        engine.search(Board(), nodes=100)
        start = time.monotonic()
        engine.search(Board(), time=0.2)
        assert 0.15 < time.monotonic() - start < 5


def test_iterate_and_stop() -> None:
    with small() as engine:
        search = engine.start(Board(), infinite=True)
        for info in search:
            if info.depth >= 4:
                search.stop()
        assert search.result().best is not None and not search.is_running
        with engine.start(Board(), infinite=True) as search:
            next(search)
        assert search.result().depth >= 1
        # A new search ends the one before.
        first = engine.start(Board(), infinite=True)
        second = engine.search(Board("startpos moves 7g7f"), nodes=500)
        assert not first.is_running and str(second.best) != str(first.result().best)
        search = engine.start(Board(), infinite=True)
        engine.stop()
        assert search.result().kind == "move"


def test_ends_of_games() -> None:
    with small() as engine:
        assert engine.search(Board("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), nodes=100).kind == "resign"
        found = engine.search(Board("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), depth=3)
        assert str(found.best) == "G*5b" and found.score is not None
        assert (found.score.mate, found.score.cp, found.score.win_rate) == (1, None, 1.0)
        declared = engine.search(Board("1+R1GKG1+R1/+B1S1S1S1+B/L1L1L1L2/9/9/9/9/9/4k4 b GS4N9Pg9p 1"), nodes=100)
        assert declared.kind == "declare" and declared.best is None


def test_wrong_limits() -> None:
    with small() as engine:
        for limits, reason in [
            ({}, "a search needs nodes, time, depth or infinite"),
            ({"nodes": 0}, "nodes is at least 1"),
            ({"depth": -1}, "depth is at least 1"),
            ({"nodes": -(10**30)}, "nodes is at least 1"),
            ({"time": 0.0}, "a time is in seconds, above 0"),
            ({"time": float("nan")}, "a time is in seconds, above 0"),
            ({"nodes": 10, "multipv": 0}, "multipv is at least 1"),
            ({"nodes": 10, "multipv": 10**6}, "MultiPV"),
            ({"nodes": 10, "moves": ["7g7e"]}, "the move 7g7e is illegal"),
        ]:
            with pytest.raises(ValueError, match=reason):
                engine.search(Board(), **limits)  # type: ignore[arg-type]
        assert engine.search(Board(), nodes=100).kind == "move"


def test_options(tmp_path: Path) -> None:
    names = [option.name for option in sabi.options()]
    assert "MultiPV" in names and "Threads" in names
    for options, reason in [
        ({"Thread": 1}, "there is no option 'Thread'"),
        ({"Threads": 0}, "Threads"),
        ({"USI_OwnBook": "maybe"}, "USI_OwnBook"),
    ]:
        with pytest.raises(ValueError, match=reason):
            Engine(options=options)  # type: ignore[arg-type]
    bad = tmp_path / "nn.bin"
    bad.write_text("hello")
    with pytest.raises(ValueError, match="neither a network"):
        Engine(network=bad)
    with pytest.raises(FileNotFoundError):
        Engine(network=tmp_path / "missing.bin")
    with Engine(network=NETS / "kp.bin", threads=1, hash_mb=8, options={"USI_OwnBook": True}) as engine:
        assert engine.search(Board(), nodes=10).notes != []
        engine.set_option("USI_OwnBook", False)
        assert engine.search(Board(), nodes=1000).lines[0].depth > 1
        with pytest.raises(ValueError):
            engine.set_option("Threads", "many")
        with pytest.raises(FileNotFoundError):
            engine.set_option("EvalFile", str(tmp_path / "missing.bin"))


def test_closed() -> None:
    engine = small()
    engine.start(Board(), infinite=True)
    engine.close()
    engine.close()
    with pytest.raises(RuntimeError, match="the engine is closed"):
        engine.search(Board(), nodes=1)


def test_dropped_while_searching() -> None:
    for _ in range(3):
        small().start(Board(), infinite=True)


def test_callback_errors_stop_the_search() -> None:
    def fail(info: Info) -> None:
        raise KeyError(info.depth)

    with small() as engine:
        with pytest.raises(KeyError):
            engine.start(Board(), infinite=True, on_info=fail).result()
        assert engine.search(Board(), nodes=10).kind == "move"


def test_asyncio() -> None:
    async def main() -> None:
        with small() as engine:
            result = await engine.start(Board(), nodes=1000)
            assert result.kind == "move"
            depths = [info.depth async for info in engine.start(Board(), depth=3)]
            assert depths and depths[-1] == 3
            async with engine.start(Board(), infinite=True) as search:
                async for info in search:
                    break
            assert not search.is_running

            async def endless() -> None:
                await engine.start(Board(), infinite=True)

            task = asyncio.create_task(endless())
            await asyncio.sleep(0.2)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (await engine.start(Board(), nodes=10)).kind == "move"

    asyncio.run(main())


def test_other_threads_run_during_a_search() -> None:
    """The interpreter's lock is released."""
    with small() as engine:
        counted = 0
        search = engine.start(Board(), infinite=True)
        waiting = threading.Thread(target=search.result)
        waiting.start()
        end = time.monotonic() + 0.3
        while time.monotonic() < end:
            counted += 1
        search.stop()
        waiting.join(10)
        assert counted > 1000 and not waiting.is_alive()


LONG: dict[str, Callable[[], object]] = {
    "search": lambda: small().start(Board(), infinite=True).result(),
    "perft": lambda: Board().perft(12),
    "analysis": lambda: sabi.analyze(game(), time=600, threads=1),
}


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send itself Ctrl-C there")
@pytest.mark.parametrize("name", sorted(LONG))
def test_ctrl_c(name: str) -> None:
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        LONG[name]()
    assert time.monotonic() - start < 20


def test_mates() -> None:
    with small() as engine:
        board = Board(MATE_IN_3)
        mate = engine.mate(board)
        assert mate.kind == "mate" and mate.plies == len(mate.moves) == 3
        assert mate.shortest and mate.nodes > 0
        play(board, mate.moves)
        for move in mate.moves:
            board.push(move)
        assert board.is_checkmate()
        assert engine.mate(Board()).kind == "nomate"
        assert engine.mate(Board(MATE_IN_3), nodes=1).kind in ("unknown", "mate")
        for limits in ({"nodes": 0}, {"time": -1.0}, {"depth": 0}, {"memory_mb": 0}):
            with pytest.raises(ValueError):
                engine.mate(board, **limits)


def test_book(tmp_path: Path) -> None:
    moves = sabi.Book().probe(Board())
    assert {str(entry.move) for entry in moves} >= {"7g7f", "2g2f"}
    assert moves == sorted(moves, key=lambda entry: -entry.weight)
    assert moves[0].win_rate is not None and 0.4 < moves[0].win_rate < 0.6
    assert sabi.Book().probe(Board("4k4/9/9/9/9/9/9/9/4K4 b - 1")) == []
    path = tmp_path / "book.db"
    path.write_text("#YANEURAOU-DB2016 1.00\nsfen " + sabi.STARTING_SFEN + "\n9g9f none 30 10 5\n")
    book = sabi.Book(path)
    assert [str(entry.move) for entry in book.probe(Board())] == ["9g9f"]
    assert book.probe(Board("startpos moves 7g7f")) == []
    with pytest.raises(FileNotFoundError):
        sabi.Book(tmp_path / "missing.db")
    path.write_text("hello")
    with pytest.raises(ValueError, match="book.db"):
        sabi.Book(path)


def test_analysis() -> None:
    calls: list[tuple[int, int]] = []
    analysis = sabi.analyze(game(), nodes=1000, progress=lambda done, all: calls.append((done, all)), language="en")
    assert calls == [(done, 7) for done in range(1, 8)]
    assert (len(analysis.moves), len(analysis.positions)) == (6, 7)
    assert (analysis.result, analysis.end, analysis.black.name) == ("white", "resign", "one")
    blunder = analysis.moves[4]
    assert blunder.judgement is not None and blunder.judgement.klass == "blunder" and blunder.side == "black"
    assert blunder.judgement.best is not None and blunder.judgement.loss > 0.2
    assert analysis.black.summary is not None and analysis.black.summary.blunder >= 1
    assert analysis.moves[0].book and analysis.book_moves >= 1 and analysis.moves[0].seconds == 1.0
    assert analysis.positions[0].lines[0].moves
    part = sabi.analyze(game(), nodes=200, first=5, last=5, side=sabi.BLACK, multipv=2)
    assert [move.judgement is not None for move in part.moves] == [False] * 4 + [True, False]
    assert len(part.positions[4].lines) == 2 and part.white.summary is None
    with small() as engine:
        assert engine.analyze(game(), depth=2).moves[0].judgement is not None


def test_analysis_has_all_fields() -> None:
    schema = json.loads((Path(__file__).parents[2] / "docs/analyze.schema.json").read_text(encoding="utf-8"))["$defs"]
    schema["summary"] = schema["player"]["properties"]["summary"]
    for name, kind, other in [
        ("player", sabi.Player, {}),
        ("summary", sabi.Summary, {}),
        ("formation", sabi.Formation, {}),
        ("line", sabi.Line, {}),
        ("position", sabi.AnalyzedPosition, {}),
        ("standing", sabi.Declaration, {}),
        ("move", sabi.AnalyzedMove, {}),
        ("judgement", sabi.Judgement, {"class": "klass"}),
    ]:
        wanted = {other.get(key, key) for key in schema[name]["properties"]}
        assert {one.name for one in dataclasses.fields(kind)} == wanted, name


def test_wrong_analyses() -> None:
    for arguments, reason in [
        ({"nodes": 1, "depth": 1}, "an analysis has one limit"),
        ({"first": 0}, "moves are counted from 1"),
        ({"first": 3, "last": 2}, "the first move, 3, is behind the last, 2"),
        ({"side": 2}, "is no side"),
        ({"language": "de"}, "is no language"),
        ({"threads": 0}, "threads is at least 1"),
        ({"multipv": 0}, "MultiPV"),
        ({"options": {"Nonsense": 1}}, "there is no option"),
    ]:
        with pytest.raises(ValueError, match=reason):
            sabi.analyze(game(), **arguments)  # type: ignore[arg-type]

    def fail(done: int, all: int) -> None:
        raise KeyError(done)

    with pytest.raises(KeyError):
        sabi.analyze(game(), nodes=100, progress=fail)


def test_usi_engine(outside: list[str]) -> None:
    with UsiEngine(outside, options={"Style": "calm"}) as engine:
        assert engine.id == {"name": "Test"} and len(engine.option_lines) == 1
        board = Board("startpos moves 7g7f")
        result = engine.search(board, nodes=2000, multipv=2)
        assert result.best in board.legal_moves and len(result.lines) == 2
        assert result.notes == ["MultiPV is 2"]
        play(board, result.pv)
        search = engine.start(Board(), infinite=True)
        assert next(search).pv
        search.stop()
        assert search.result().kind == "move"
        assert engine.search(Board("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), nodes=100).kind == "resign"
        assert [str(move) for move in engine.mate(Board("4k4/9/4P4/9/9/9/9/9/9 b G 1")).moves] == ["G*5b"]
        assert engine.mate(Board()).kind == "nomate"
        analysis = engine.analyze(game(), nodes=500)
        assert analysis.moves[4].judgement is not None and analysis.moves[4].judgement.klass == "blunder"
        with pytest.raises(ValueError):
            engine.search(Board())
        engine.new_game()

        async def main() -> Search:
            search = engine.start(Board(), depth=2)
            assert (await search).kind == "move"
            return search

        assert asyncio.run(main()).result().depth == 2


def test_usi_engines_that_fail(tmp_path: Path) -> None:
    with pytest.raises(UsiError, match="cannot be started"):
        UsiEngine(str(tmp_path / "missing"))
    with pytest.raises(UsiError, match="the engine has ended"):
        UsiEngine([sys.executable, "-c", "pass"])
    with pytest.raises(UsiError, match="did not answer usiok within 0.5 s"):
        UsiEngine([sys.executable, "-c", "import time; time.sleep(60)"], timeout=0.5)
    lines = "import sys\nfor line in sys.stdin:\n    {'usi': lambda: print('usiok', flush=True), 'isready': lambda: "
    liar = lines + "print('readyok', flush=True)}.get(line.strip(), lambda: 'go' in line and print('bestmove 7g7e', flush=True))()\n"
    with UsiEngine([sys.executable, "-c", liar]) as engine, pytest.raises(UsiError, match="'bestmove 7g7e'"):
        engine.search(Board(), nodes=1)

"""Any USI engine outside, with the interface of `Engine`."""

from __future__ import annotations

import json
import math
import os
import queue
import shlex
import subprocess
import threading
import time as clock
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Literal

from ._sabi import Board, Game, Move, classify
from .analysis import GameAnalysis, Score
from .engine import (
    ENDLESS_MATE,
    POLL,
    AnyPath,
    Done,
    Event,
    Info,
    Mate,
    OneSearch,
    OptionValue,
    Search,
    UsiError,
    option_text,
    score_of,
)


class UsiEngine(OneSearch):
    """A USI engine outside, with the interface of `Engine`. A context manager.

    `command` is the program with its arguments; `options` are set before `isready`; `timeout` is the
    number of seconds to wait for `usiok` and `readyok`.

    Raises `UsiError` if it does not start, or does not answer.
    """

    def __init__(
        self,
        command: AnyPath | Sequence[str],
        *,
        options: Mapping[str, OptionValue] | None = None,
        timeout: float = 60.0,
    ) -> None:
        words = shlex.split(command) if isinstance(command, str) else command
        arguments = [os.fspath(words)] if isinstance(words, os.PathLike) else list(words)
        try:
            self._process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
            )
        except OSError as error:
            raise UsiError(f"{arguments[0]} cannot be started: {error}") from None
        #: Lines of the engine; `None` at the end.
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        #: `id name` and `id author`.
        self.id: dict[str, str] = {}
        #: The lines `option …` of the engine.
        self.option_lines: list[str] = []
        self._timeout = timeout
        self._board = Board()
        self._multipv = "1"
        try:
            self._send("usi")
            while (line := self._line(timeout, "usiok")) != "usiok":
                if line.startswith("id "):
                    name, _, value = line[3:].partition(" ")
                    self.id[name] = value
                elif line.startswith("option "):
                    self.option_lines.append(line)
            for option, given in (options or {}).items():
                self.set_option(option, given)
            self._ready()
            self._send("usinewgame")
        except BaseException:
            self._process.kill()
            raise

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.strip())
        self._lines.put(None)

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        if "\n" in line or "\r" in line:
            raise ValueError("an option has one line")
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError:
            raise UsiError("the engine has ended") from None

    def _try_line(self, timeout: float | None) -> str | None:
        """The next line, `None` after `timeout` seconds."""
        deadline = None if timeout is None else clock.monotonic() + timeout
        while True:
            wait = POLL if deadline is None else min(POLL, max(0.0, deadline - clock.monotonic()))
            try:
                line = self._lines.get(timeout=wait)
            except queue.Empty:
                if deadline is not None and clock.monotonic() >= deadline:
                    return None
                continue
            if line is None:
                # For the next one who asks.
                self._lines.put(None)
                raise UsiError("the engine has ended")
            return line

    def _line(self, timeout: float, wanted: str) -> str:
        line = self._try_line(timeout)
        if line is None:
            raise UsiError(f"the engine did not answer {wanted} within {timeout} s")
        return line

    def _ready(self) -> None:
        self._send("isready")
        while self._line(self._timeout, "readyok") != "readyok":
            pass

    def set_option(self, name: str, value: OptionValue = None) -> None:
        """Sets an option by its name in USI."""
        text = option_text(value)
        self._send(f"setoption name {name}" + ("" if text is None else f" value {text}"))

    def start(
        self,
        board: Board,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        infinite: bool = False,
        moves: Sequence[Move | str] | None = None,
        multipv: int | None = None,
        on_info: Callable[[Info], object] | None = None,
    ) -> Search:
        """Starts a search and returns at once: see `Engine.start`. Not every engine knows every limit."""
        words = ["go"]
        for name, number in (("nodes", nodes), ("depth", depth)):
            if number is not None:
                if number < 1:
                    raise ValueError(f"{name} is at least 1")
                words += [name, str(number)]
        if time is not None:
            if not 0 < time < math.inf:
                raise ValueError(f"a time is in seconds, above 0, not {time}")
            words += ["movetime", str(max(1, round(time * 1000)))]
        if infinite:
            words.append("infinite")
        if len(words) == 1:
            raise ValueError("a search needs nodes, time, depth or infinite")
        if moves is not None:
            words += ["searchmoves", *(str(board.parse_usi(str(move))) for move in moves)]
        self._take_over()
        wanted = str(multipv if multipv is not None else 1)
        if wanted != self._multipv:
            self.set_option("MultiPV", wanted)
            self._multipv = wanted
        self._board = board.copy()
        self._send("position " + board.usi_position())
        self._send(" ".join(words))
        self._current = Search(self._next, lambda: self._send("stop"), on_info)
        return self._current

    def _next(self, timeout: float | None) -> Event | None:
        while True:
            line = self._try_line(timeout)
            if line is None:
                return None
            words = line.split()
            if not words:
                continue
            if words[0] == "bestmove":
                return self._best(words)
            if words[:2] == ["info", "string"]:
                return line.removeprefix("info string").strip()
            if words[0] == "info" and (info := self._info(words)) is not None:
                return info

    def _best(self, words: list[str]) -> Done:
        word = words[1] if len(words) > 1 else ""
        if word in ("resign", "none"):
            return ("resign", None, None)
        if word == "win":
            return ("declare", None, None)
        try:
            best = self._board.parse_usi(word)
        except ValueError as error:
            raise UsiError(f"the engine answered 'bestmove {word}': {error}") from None
        ponder = None
        if len(words) > 3 and words[2] == "ponder":
            after = self._board.copy()
            after.push(best)
            try:
                ponder = after.parse_usi(words[3])
            except ValueError:
                pass
        return ("move", best, ponder)

    def _info(self, words: list[str]) -> Info | None:
        """A line with a score; `None` for other lines."""
        values = {"depth": 0, "seldepth": 0, "multipv": 1, "nodes": 0, "time": 0, "hashfull": 0}
        score: Score | None = None
        bound = "exact"
        pv: list[Move] = []
        at = 1
        try:
            while at < len(words):
                word = words[at]
                if word in values:
                    values[word] = int(words[at + 1])
                    at += 2
                elif word == "score":
                    kind, text = words[at + 1], words[at + 2]
                    if kind == "cp":
                        score = score_of(int(text), None)
                    elif text in ("+", "-"):
                        score = score_of(ENDLESS_MATE if text == "+" else -ENDLESS_MATE, None)
                    else:
                        mate = int(text)
                        score = score_of(ENDLESS_MATE if mate > 0 else -ENDLESS_MATE, mate)
                    at += 3
                elif word in ("lowerbound", "upperbound"):
                    bound = word.removesuffix("bound")
                    at += 1
                elif word == "pv":
                    pv = self._legal(words[at + 1 :])
                    break
                else:
                    at += 1
        except (IndexError, ValueError):
            return None
        if score is None:
            return None
        return Info(
            values["depth"],
            values["seldepth"],
            max(1, values["multipv"]),
            score,
            bound,
            values["nodes"],
            values["time"] / 1000,
            values["hashfull"],
            pv,
        )

    def _legal(self, words: list[str]) -> list[Move]:
        """The legal moves at the start of a line."""
        board = self._board.copy()
        moves: list[Move] = []
        for word in words:
            try:
                moves.append(board.push_usi(word))
            except ValueError:
                break
        return moves

    def mate(self, board: Board, *, time: float | None = None) -> Mate:
        """Searches for a mate with `go mate`, for `time` seconds or without a limit.

        Raises `UsiError` if the engine does not solve mates.
        """
        self._take_over()
        self._board = board.copy()
        self._send("position " + board.usi_position())
        self._send("go mate " + ("infinite" if time is None else str(max(1, round(time * 1000)))))
        try:
            while True:
                line = self._try_line(None)
                if line is not None and line.startswith("checkmate"):
                    break
        except KeyboardInterrupt:
            self._send("stop")
            while not self._line(self._timeout, "checkmate").startswith("checkmate"):
                pass
            raise
        words = line.split()[1:]
        if words[:1] == ["notimplemented"]:
            raise UsiError("the engine does not solve mates")
        if words[:1] in (["nomate"], ["timeout"]):
            return Mate("nomate" if words[0] == "nomate" else "unknown", [], 0, False, 0)
        moves = self._legal(words)
        if len(moves) != len(words) or not moves:
            raise UsiError(f"the engine answered '{line}', which is no line of legal moves")
        return Mate("mate", moves, len(moves), False, 0)

    def analyze(
        self,
        game: Game,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        multipv: int = 1,
        first: int = 1,
        last: int | None = None,
        side: int | None = None,
        language: Literal["ja", "en"] = "ja",
        progress: Callable[[int, int], object] | None = None,
    ) -> GameAnalysis:
        """Analyses a game position by position, judged as by `analyze`. One limit is needed."""
        boards = game.boards()
        to = len(game) if last is None else last
        moves = [
            at
            for at, board in enumerate(boards[:-1])
            if first <= at + 1 <= to and (side is None or side == board.turn)
        ]
        wanted = sorted({ply for at in moves for ply in (at, at + 1)}) or ([0] if len(game) == 0 else [])
        found: list[str | None] = [None] * len(boards)
        for done, ply in enumerate(wanted, 1):
            found[ply] = self._analyzed(boards[ply], nodes, depth, time, multipv)
            if progress is not None:
                progress(done, len(wanted))
        return GameAnalysis.from_json(classify(game, found, (first, last, side), language))

    def _analyzed(
        self, board: Board, nodes: int | None, depth: int | None, time: float | None, multipv: int
    ) -> str:
        """A position as `classify` takes it."""
        over = board.outcome()
        if over is not None:
            won = 0 if over[1] is None else (30_000 if over[1] == board.turn else -30_000)
            mated = over[0] in ("checkmate", "stalemate")
            score = -32_000 if mated else won
            return json.dumps(
                {"score": score, "proved": mated, "nodes": 0, "lines": [], "mates": False, "keeps_mate": False}
            )
        result = self.search(board, nodes=nodes, depth=depth, time=time, multipv=multipv)

        def raw(score: Score) -> int:
            if score.mate is None:
                return max(-14_999, min(14_999, score.cp or 0))
            return 32_000 - score.mate if score.mate > 0 else -32_000 - score.mate

        lines = [
            {
                "score": raw(line.score),
                "proved": line.score.mate is not None,
                "depth": line.depth,
                "moves": " ".join(map(str, line.pv)),
            }
            for line in result.lines
            if line.pv
        ]
        best = result.score if lines else None
        proved = best is not None and best.mate is not None
        return json.dumps(
            {
                "score": raw(best) if best is not None else (30_000 if result.kind == "declare" else 0),
                "proved": proved,
                "nodes": result.nodes,
                "lines": lines,
                "mates": best is not None and best.mate is not None and best.mate > 0,
                "keeps_mate": False,
            }
        )

    def new_game(self) -> None:
        """Tells the engine that a new game begins."""
        self._take_over()
        self._ready()
        self._send("usinewgame")

    def close(self) -> None:
        """Ends the engine."""
        if self._process.poll() is None:
            try:
                self.stop()
                self._send("quit")
                self._process.wait(10)
            except (UsiError, subprocess.TimeoutExpired):
                self._process.kill()
                self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    pass

    def __enter__(self) -> UsiEngine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

"""Searches, mate problems, opening books and analyses: with the engine of the package, in this process, or with
any USI engine outside."""

from __future__ import annotations

import asyncio
import json
import math
import os
import queue
import shlex
import subprocess
import threading
import time as clock
from collections.abc import AsyncIterator, Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Union

from . import _sabi
from ._sabi import Board, Game, Move
from .analysis import GameAnalysis, Score

OptionValue = Union[str, int, bool, None]
_Path = Union[str, "os.PathLike[str]"]
_Done = tuple[str, Union[Move, None], Union[Move, None]]

#: Centipawns at which the odds are e : 1.
_SCALE = 600.0
#: Seconds between looks for Ctrl-C while an engine outside is waited for.
_POLL = 0.05
#: A mate whose length an engine does not tell.
_ENDLESS_MATE = 30_000


class UsiError(RuntimeError):
    """An engine outside does not answer, ends, or answers nonsense."""


def _score(cp: int, mate: int | None) -> Score:
    win_rate = 1 / (1 + math.exp(-max(-_ENDLESS_MATE, min(_ENDLESS_MATE, cp)) / _SCALE))
    return Score(cp if mate is None else None, mate, win_rate)


@dataclass(frozen=True)
class Info:
    """A line of a search. The score is that of the side to move; a `bound` other than `"exact"` tells that it is
    at least (`"lower"`) or at most (`"upper"`) this.

    `multipv` is the rank of the line, from 1, `time` the seconds since the start, `hashfull` the used
    part of the table in permille, `pv` the line, all moves legal.
    """

    depth: int
    seldepth: int
    multipv: int
    score: Score
    bound: str
    nodes: int
    time: float
    hashfull: int
    pv: list[Move]

    @property
    def nps(self) -> int:
        """Nodes per second."""
        return round(self.nodes / self.time) if self.time > 0 else 0


_Event = Union[Info, str, _Done]


@dataclass(frozen=True)
class SearchResult:
    """What a search found.

    `kind` is `"move"`, `"resign"` (no legal move, or by `ResignValue`) or `"declare"` (a win by
    entering king); `best` is the move, `ponder` the expected answer. `lines` are the last lines, best first,
    `notes` messages of the engine.
    """

    kind: str
    best: Move | None
    ponder: Move | None
    lines: list[Info] = field(default_factory=list[Info])
    notes: list[str] = field(default_factory=list[str])

    @property
    def score(self) -> Score | None:
        """The score of the best line for the side to move."""
        return self.lines[0].score if self.lines else None

    @property
    def pv(self) -> list[Move]:
        """The best line."""
        return self.lines[0].pv if self.lines else []

    @property
    def depth(self) -> int:
        """The depth of the best line."""
        return self.lines[0].depth if self.lines else 0

    @property
    def nodes(self) -> int:
        """Nodes of the search, as far as reported."""
        return max((line.nodes for line in self.lines), default=0)


@dataclass(frozen=True)
class Mate:
    """The answer to a mate problem: `kind` is `"mate"`, `"nomate"` (by checks) or `"unknown"` (a limit came first).

    `moves` is the line, `plies` its length as composers count it; `shortest` tells that no shorter
    mate exists.
    """

    kind: str
    moves: list[Move]
    plies: int
    shortest: bool
    nodes: int


class Search:
    """A search that runs: iterate for its `Info`s, and take `result()`.

    It is a context manager, which stops it at the end, and works in asyncio: `await search` is
    the result, `async for info in search` its lines. Ctrl-C stops it.
    """

    def __init__(
        self,
        next_event: Callable[[float | None], _Event | None],
        stop: Callable[[], None],
        on_info: Callable[[Info], object] | None,
    ) -> None:
        self._next_event, self._stop, self._on_info = next_event, stop, on_info
        self._lines: list[Info] = []
        self._notes: list[str] = []
        self._result: SearchResult | None = None

    @property
    def is_running(self) -> bool:
        """Whether the answer has not been taken yet."""
        return self._result is None

    def stop(self) -> None:
        """Stops the search: what it has found is its result."""
        if self._result is None:
            self._stop()

    def _step(self, timeout: float | None) -> Info | None:
        """The next line; `None` at the end, or after `timeout` seconds."""
        while self._result is None:
            event = self._next_event(timeout)
            if event is None:
                return None
            if isinstance(event, str):
                self._notes.append(event)
            elif isinstance(event, Info):
                if event.bound == "exact" and event.multipv <= len(self._lines) + 1:
                    self._lines[event.multipv - 1 :] = [event]
                if self._on_info is not None:
                    self._on_info(event)
                return event
            else:
                kind, best, ponder = event
                self._result = SearchResult(kind, best, ponder, self._lines, self._notes)
        return None

    def _finish(self) -> None:
        """Stops and takes the answer, whatever interrupts it."""
        self._on_info = None
        self.stop()
        while self._result is None:
            try:
                self._step(None)
            except KeyboardInterrupt:
                continue

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        try:
            info = self._step(None)
        except UsiError:
            raise
        except BaseException:
            self._finish()
            raise
        if info is None:
            raise StopIteration
        return info

    def result(self) -> SearchResult:
        """Waits for the end and returns what was found."""
        for _ in self:
            pass
        assert self._result is not None
        return self._result

    def __enter__(self) -> Search:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not isinstance(error, UsiError):
            self._finish()

    async def _next_async(self) -> Info | None:
        loop = asyncio.get_running_loop()
        while self._result is None:
            # Short waits: a cancelled task must not leave a thread behind that takes the events.
            step = loop.run_in_executor(None, self._step, _POLL)
            try:
                info = await asyncio.shield(step)
            except asyncio.CancelledError:
                self._stop()
                await step
                await loop.run_in_executor(None, self._finish)
                raise
            if info is not None:
                return info
        return None

    async def __aiter__(self) -> AsyncIterator[Info]:
        while (info := await self._next_async()) is not None:
            yield info

    async def _result_async(self) -> SearchResult:
        while await self._next_async() is not None:
            pass
        assert self._result is not None
        return self._result

    def __await__(self) -> Generator[Any, None, SearchResult]:
        return self._result_async().__await__()

    async def __aenter__(self) -> Search:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not isinstance(error, UsiError):
            await asyncio.get_running_loop().run_in_executor(None, self._finish)


@dataclass(frozen=True)
class Option:
    """An option of the engine: name, type as in USI, default, description."""

    name: str
    type: str
    default: str | None
    help: str


def options() -> list[Option]:
    """All options of the engine of the package."""
    return [Option(*row) for row in _sabi.option_rows()]


def _text(value: OptionValue) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return None if value is None else str(value)


def _given(values: Mapping[str, OptionValue]) -> list[tuple[str, str | None]]:
    return [(name, _text(value)) for name, value in values.items()]


class _Closing:
    """What both engines share: one search at a time, and the end."""

    _current: Search | None = None

    def _take_over(self) -> None:
        """Ends the search before the next."""
        if self._current is not None and self._current.is_running:
            self._current._finish()  # pyright: ignore[reportPrivateUsage]

    def stop(self) -> None:
        """Stops the running search, which then has its result."""
        if self._current is not None:
            self._current.stop()


class Engine(_Closing):
    """The engine of the package, in this process. A context manager.

    `network` is an evaluation file (`EvalFile`), `threads` the number of search threads (by default
    the cores, 4 at most), `hash_mb` the size of the table in MB; `options` are other options by their
    names in USI (see `options()`). Searches use no book: see `Book`.

    Raises `ValueError` for a wrong option or file, `OSError` if a file cannot be read.
    """

    def __init__(
        self,
        *,
        network: _Path | None = None,
        threads: int | None = None,
        hash_mb: int = 64,
        options: Mapping[str, OptionValue] | None = None,
    ) -> None:
        self._options: dict[str, OptionValue] = dict(options or {})
        if network is not None:
            self._options["EvalFile"] = os.fspath(network)
        first: dict[str, OptionValue] = {"USI_OwnBook": False, "USI_Hash": hash_mb}
        if threads is not None:
            first["Threads"] = threads
        self._core = _sabi.Core(_given({**first, **self._options}))

    def set_option(self, name: str, value: OptionValue = None) -> None:
        """Sets an option of the next search. Raises `ValueError`, and changes nothing, if it is wrong."""
        self._core.set_options([(name, _text(value))])
        self._options[name] = value

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
        """Starts a search and returns at once; a running one is stopped.

        It ends by the first of its limits, `nodes`, `depth` (plies) or `time` (seconds), or by `stop`
        (`infinite`). `moves` are the only ones searched at the root, `multipv` is the number of lines.

        Raises `ValueError` for a wrong limit, and without any.
        """
        self._take_over()
        wanted = list(moves) if moves is not None else None
        self._core.start(board, nodes, depth, time, infinite, wanted, multipv)
        self._current = Search(self._next, self._core.stop, on_info)
        return self._current

    def _next(self, timeout: float | None) -> _Event | None:
        event = self._core.next(timeout)
        if event is None:
            return None
        if event[0] == "info":
            depth, seldepth, multipv, cp, mate, bound, nodes, time, hashfull, pv = event[1]
            return Info(depth, seldepth, multipv, _score(cp, mate), bound, nodes, time, hashfull, pv)
        return event[1]

    def search(
        self,
        board: Board,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        moves: Sequence[Move | str] | None = None,
        multipv: int | None = None,
        on_info: Callable[[Info], object] | None = None,
    ) -> SearchResult:
        """Searches and returns what was found: see `start`. Ctrl-C stops it and raises `KeyboardInterrupt`."""
        search = self.start(
            board, nodes=nodes, depth=depth, time=time, moves=moves, multipv=multipv, on_info=on_info
        )
        return search.result()

    def mate(
        self,
        board: Board,
        *,
        nodes: int | None = None,
        time: float | None = None,
        depth: int | None = None,
        shortest: bool = True,
        memory_mb: int = 64,
    ) -> Mate:
        """Searches for a mate of the side to move by checks, with the mate solver, until a limit is reached.

        `depth` is the longest mate in plies, `time` in seconds. Without `shortest` any mate will do.
        """
        return Mate(*_sabi.solve_mate(board, nodes, time, depth, shortest, memory_mb))

    def analyze(
        self,
        game: Game,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        multipv: int = 1,
        threads: int | None = None,
        first: int = 1,
        last: int | None = None,
        side: int | None = None,
        language: Literal["ja", "en"] = "ja",
        progress: Callable[[int, int], object] | None = None,
    ) -> GameAnalysis:
        """Analyses a game with the network and options of this engine: see `analyze`."""
        others = {name: value for name, value in self._options.items() if name not in ("Threads", "MultiPV")}
        return analyze(
            game,
            nodes=nodes,
            depth=depth,
            time=time,
            multipv=multipv,
            threads=threads,
            first=first,
            last=last,
            side=side,
            language=language,
            progress=progress,
            options=others,
        )

    def new_game(self) -> None:
        """Clears tables and histories before the next search."""
        self._take_over()
        self._core.new_game()

    def close(self) -> None:
        """Stops everything and frees the memory. The engine cannot be used afterwards."""
        self._take_over()
        self._core.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def analyze(
    game: Game,
    *,
    nodes: int | None = None,
    depth: int | None = None,
    time: float | None = None,
    multipv: int = 1,
    threads: int | None = None,
    first: int = 1,
    last: int | None = None,
    side: int | None = None,
    language: Literal["ja", "en"] = "ja",
    progress: Callable[[int, int], object] | None = None,
    options: Mapping[str, OptionValue] | None = None,
) -> GameAnalysis:
    """Analyses a game move by move, as `sabi analyze` does.

    The limit per position is one of `nodes` (by default 200,000), `depth` and `time` (seconds).
    `threads` is the number of positions searched at the same time, by default the cores; `first`,
    `last` and `side` tell which moves are judged; `language` is that of the texts. `progress` is
    called with the numbers of positions done and of all. Ctrl-C stops it.
    """
    threads = threads if threads is not None else os.cpu_count() or 1
    limits, range_ = (nodes, depth, time), (first, last, side)
    [text] = _sabi.analyze(
        [game], _given(options or {}), None, limits, multipv, threads, range_, language, progress
    )
    return GameAnalysis.from_json(text)


@dataclass(frozen=True)
class BookMove:
    """A move of a book. What the book does not tell is `None`; the score is that of the side to move."""

    move: Move
    weight: int
    games: int | None
    win_rate: float | None
    score: int | None
    depth: int | None
    answer: str | None
    name: str | None


class Book:
    """An opening book: that of the package, or a file of any format that Sabi reads.

    With `on_the_fly` a sorted text book is searched on disk instead of loaded. Raises `OSError` if the
    file cannot be read, `ValueError` if it is no book.
    """

    def __init__(self, path: _Path | None = None, *, on_the_fly: bool = False) -> None:
        self._core = _sabi.BookCore(path, on_the_fly)

    def probe(self, board: Board, *, any_ply: bool = True, either_way: bool = False) -> list[BookMove]:
        """The legal book moves of a position, largest weight first; empty if it is unknown.

        Without `any_ply` the move number must match, in books that have one; with `either_way` the
        position with the sides exchanged counts too. Raises `ValueError` if the book is damaged there.
        """
        return [BookMove(*entry) for entry in self._core.probe(board, any_ply, either_way)]


class UsiEngine(_Closing):
    """A USI engine outside, with the interface of `Engine`. A context manager.

    `command` is the program with its arguments; `options` are set before `isready`; `timeout` is the
    number of seconds to wait for `usiok` and `readyok`.

    Raises `UsiError` if it does not start, or does not answer.
    """

    def __init__(
        self,
        command: _Path | Sequence[str],
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
            for name, value in (options or {}).items():
                self.set_option(name, value)
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
            wait = _POLL if deadline is None else min(_POLL, max(0.0, deadline - clock.monotonic()))
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
        text = _text(value)
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

    def _next(self, timeout: float | None) -> _Event | None:
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

    def _best(self, words: list[str]) -> _Done:
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
                        score = _score(int(text), None)
                    elif text in ("+", "-"):
                        score = _score(_ENDLESS_MATE if text == "+" else -_ENDLESS_MATE, None)
                    else:
                        mate = int(text)
                        score = _score(_ENDLESS_MATE if mate > 0 else -_ENDLESS_MATE, mate)
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

    def search(
        self,
        board: Board,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        moves: Sequence[Move | str] | None = None,
        multipv: int | None = None,
        on_info: Callable[[Info], object] | None = None,
    ) -> SearchResult:
        """Searches and returns what was found: see `Engine.search`."""
        search = self.start(
            board, nodes=nodes, depth=depth, time=time, moves=moves, multipv=multipv, on_info=on_info
        )
        return search.result()

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
        return GameAnalysis.from_json(_sabi.classify(game, found, (first, last, side), language))

    def _analyzed(
        self, board: Board, nodes: int | None, depth: int | None, time: float | None, multipv: int
    ) -> str:
        """A position as `_sabi.classify` takes it."""
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
        score = lines[0]["score"] if lines else (30_000 if result.kind == "declare" else 0)
        proved = bool(lines and lines[0]["proved"])
        return json.dumps(
            {
                "score": score,
                "proved": proved,
                "nodes": result.nodes,
                "lines": lines,
                "mates": proved and isinstance(score, int) and score > 0,
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

"""Searches, mate problems, opening books and analyses with the engine of the package, in this process."""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import AsyncIterator, Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Union

from ._sabi import Board, BookCore, Core, Game, Move, option_rows, solve_mate
from ._sabi import analyze as analyze_games
from .analysis import GameAnalysis, Score

OptionValue = Union[str, int, bool, None]
AnyPath = Union[str, "os.PathLike[str]"]
Done = tuple[str, Union[Move, None], Union[Move, None]]

#: Centipawns at which the odds are e : 1.
_SCALE = 600.0
#: Seconds between looks for Ctrl-C while an engine outside is waited for.
POLL = 0.05
#: A mate whose length an engine does not tell.
ENDLESS_MATE = 30_000


class UsiError(RuntimeError):
    """An engine outside does not answer, ends, or answers nonsense."""


def score_of(cp: int, mate: int | None) -> Score:
    win_rate = 1 / (1 + math.exp(-max(-ENDLESS_MATE, min(ENDLESS_MATE, cp)) / _SCALE))
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


Event = Union[Info, str, Done]


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
        next_event: Callable[[float | None], Event | None],
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

    def finish(self) -> None:
        """Stops the search and waits for its end, whatever interrupts it."""
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
            self.finish()
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
            self.finish()

    async def _next_async(self) -> Info | None:
        loop = asyncio.get_running_loop()
        while self._result is None:
            # Short waits: a cancelled task must not leave a thread behind that takes the events.
            step = loop.run_in_executor(None, self._step, POLL)
            try:
                info = await asyncio.shield(step)
            except asyncio.CancelledError:
                self._stop()
                await step
                await loop.run_in_executor(None, self.finish)
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
            await asyncio.get_running_loop().run_in_executor(None, self.finish)


@dataclass(frozen=True)
class Option:
    """An option of the engine: name, type as in USI, default, description."""

    name: str
    type: str
    default: str | None
    help: str


def options() -> list[Option]:
    """All options of the engine of the package."""
    return [Option(*row) for row in option_rows()]


def option_text(value: OptionValue) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return None if value is None else str(value)


def option_list(values: Mapping[str, OptionValue]) -> list[tuple[str, str | None]]:
    return [(name, option_text(value)) for name, value in values.items()]


class OneSearch:
    """What both engines share: one search at a time, and the end."""

    _current: Search | None = None

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
        """Starts a search and returns at once."""
        raise NotImplementedError

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

    def _take_over(self) -> None:
        """Ends the search before the next."""
        if self._current is not None and self._current.is_running:
            self._current.finish()

    def stop(self) -> None:
        """Stops the running search, which then has its result."""
        if self._current is not None:
            self._current.stop()


class Engine(OneSearch):
    """The engine of the package, in this process. A context manager.

    `network` is an evaluation file (`EvalFile`), `threads` the number of search threads (by default
    the cores, 4 at most), `hash_mb` the size of the table in MB; `options` are other options by their
    names in USI (see `options()`). Searches use no book: see `Book`.

    Raises `ValueError` for a wrong option or file, `OSError` if a file cannot be read.
    """

    def __init__(
        self,
        *,
        network: AnyPath | None = None,
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
        self._core = Core(option_list({**first, **self._options}))

    def set_option(self, name: str, value: OptionValue = None) -> None:
        """Sets an option of the next search. Raises `ValueError`, and changes nothing, if it is wrong."""
        self._core.set_options([(name, option_text(value))])
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

    def _next(self, timeout: float | None) -> Event | None:
        event = self._core.next(timeout)
        if event is None:
            return None
        if event[0] == "info":
            depth, seldepth, multipv, cp, mate, bound, nodes, time, hashfull, pv = event[1]
            return Info(depth, seldepth, multipv, score_of(cp, mate), bound, nodes, time, hashfull, pv)
        return event[1]

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
        return Mate(*solve_mate(board, nodes, time, depth, shortest, memory_mb))

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
    [text] = analyze_games(
        [game], option_list(options or {}), None, limits, multipv, threads, range_, language, progress
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

    def __init__(self, path: AnyPath | None = None, *, on_the_fly: bool = False) -> None:
        self._core = BookCore(path, on_the_fly)

    def probe(self, board: Board, *, any_ply: bool = True, either_way: bool = False) -> list[BookMove]:
        """The legal book moves of a position, largest weight first; empty if it is unknown.

        Without `any_ply` the move number must match, in books that have one; with `either_way` the
        position with the sides exchanged counts too. Raises `ValueError` if the book is damaged there.
        """
        return [BookMove(*entry) for entry in self._core.probe(board, any_ply, either_way)]

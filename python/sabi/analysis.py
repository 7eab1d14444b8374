"""An analysed game as dataclasses: the fields of `sabi analyze --format json` (docs/analyze.md)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Score:
    """Centipawns, or plies to a proved mate: positive if the side whose view it is mates.

    One of `cp` and `mate` is `None`. `win_rate` is the expected score, from 0 to 1.
    """

    cp: int | None
    mate: int | None
    win_rate: float

    @classmethod
    def of(cls, value: Json) -> Score:
        """The score of its JSON."""
        return cls(value.get("cp"), value.get("mate"), value["win_rate"])


@dataclass(frozen=True)
class Line:
    """A line from a position: its moves in USI, and in words. The evaluation is from Black's view."""

    evaluation: Score
    text: str
    depth: int
    moves: list[str]
    texts: list[str]

    @classmethod
    def of(cls, value: Json) -> Line:
        """The line of its JSON."""
        evaluation = Score.of(value["evaluation"])
        return cls(evaluation, value["text"], value["depth"], value["moves"], value["texts"])


@dataclass(frozen=True)
class Declaration:
    """How far a side is from a declaration by entering king."""

    points: int
    points_needed: int
    pieces_in_camp: int
    king_in_camp: bool


@dataclass(frozen=True)
class AnalyzedPosition:
    """The position after `ply` moves. The evaluation is from Black's view, `None` if not searched.

    `mates` tells whether the first line is a proved mate, `entering_king` is `None` while no king
    is near the enemy camp, else Black's and White's progress.
    """

    ply: int
    evaluation: Score | None
    text: str | None
    nodes: int | None
    mates: bool | None
    lines: list[Line]
    entering_king: tuple[Declaration, Declaration] | None

    @classmethod
    def of(cls, value: Json) -> AnalyzedPosition:
        """The position of its JSON."""
        evaluation, progress = value["evaluation"], value["entering_king"]
        return cls(
            value["ply"],
            None if evaluation is None else Score.of(evaluation),
            value["text"],
            value["nodes"],
            value["mates"],
            [Line.of(line) for line in value["lines"]],
            None if progress is None else (Declaration(**progress["black"]), Declaration(**progress["white"])),
        )


@dataclass(frozen=True)
class Judgement:
    """A move compared with the best one; scores are from the player's view.

    `loss` is the loss of win rate, from 0 to 1; `klass` is `"great"`, `"best"`, `"good"`, `"inaccuracy"`,
    `"mistake"`, `"blunder"` or `"major_blunder"` (`class` in JSON). `missed_mate` and `allowed_mate` are
    mating lines; `sentence` says in words what was wrong with an inaccuracy or worse.
    """

    before: Score
    after: Score
    best: str | None
    loss: float
    centipawn_loss: int
    klass: str
    missed_mate: list[str] | None
    allowed_mate: list[str] | None
    turning_point: bool
    sentence: str | None

    @classmethod
    def of(cls, value: Json) -> Judgement:
        """The judgement of its JSON."""
        return cls(
            Score.of(value["before"]),
            Score.of(value["after"]),
            value["best"],
            value["loss"],
            value["centipawn_loss"],
            value["class"],
            value["missed_mate"],
            value["allowed_mate"],
            value["turning_point"],
            value["sentence"],
        )


@dataclass(frozen=True)
class AnalyzedMove:
    """A move of the game: its number from 1, side (`"black"`, `"white"`), USI (`move`), words, seconds.

    `book` tells whether it is in the opening book; `judgement` is `None` outside the range asked for.
    """

    number: int
    side: str
    move: str
    text: str
    seconds: float | None
    book: bool
    judgement: Judgement | None

    @classmethod
    def of(cls, value: Json) -> AnalyzedMove:
        """The move of its JSON."""
        judgement = value["judgement"]
        return cls(
            value["number"],
            value["side"],
            value["move"],
            value["text"],
            value["seconds"],
            value["book"],
            None if judgement is None else Judgement.of(judgement),
        )


@dataclass(frozen=True)
class Summary:
    """All judged moves of a player; losses and accuracy are means, from 0 to 1."""

    moves: int
    mean_loss: float
    mean_centipawn_loss: float
    accuracy: float
    great: int
    best: int
    good: int
    inaccuracy: int
    mistake: int
    blunder: int
    major_blunder: int
    missed_mates: int
    allowed_mates: int


@dataclass(frozen=True)
class Formation:
    """An opening (戦型) or castle (囲い) of a player: its names, and the number of moves after which it first stands.

    `replaced` is the number of moves after which another one takes its place, `ply` where it never counted.
    """

    ja: str
    en: str
    ply: int
    replaced: int | None


@dataclass(frozen=True)
class Player:
    """A player; `summary` is `None` without judged moves. Openings and castles are in the order in which they stand."""

    name: str | None
    rating: float | None
    summary: Summary | None
    openings: list[Formation]
    castles: list[Formation]

    @classmethod
    def of(cls, value: Json) -> Player:
        """The player of its JSON."""
        summary = value["summary"]
        openings, castles = ([Formation(**one) for one in value[key]] for key in ("openings", "castles"))
        return cls(
            value["name"], value["rating"], None if summary is None else Summary(**summary), openings, castles
        )


@dataclass(frozen=True)
class GameAnalysis:
    """An analysed game. `positions` is one longer than `moves`; `turning_points` are numbers of moves.

    `book_moves` is the number of first moves in the book, `book_games` that of games with the last
    of them. `json` is the whole as `sabi analyze --format json` writes it.
    """

    event: str | None
    date: str | None
    start: str
    result: str
    end: str
    black: Player
    white: Player
    book_moves: int
    book_games: int | None
    turning_points: list[int]
    positions: list[AnalyzedPosition]
    moves: list[AnalyzedMove]
    json: str = field(repr=False)

    @classmethod
    def from_json(cls, text: str) -> GameAnalysis:
        """The analysis of its JSON text."""
        value: Json = json.loads(text)
        return cls(
            value["event"],
            value["date"],
            value["start"],
            value["result"],
            value["end"],
            Player.of(value["black"]),
            Player.of(value["white"]),
            value["book"]["moves"],
            value["book"]["games"],
            value["turning_points"],
            [AnalyzedPosition.of(position) for position in value["positions"]],
            [AnalyzedMove.of(move) for move in value["moves"]],
            text,
        )

"""Shogi: rules, records, training data, networks, and the engine Sabi.

>>> import sabi
>>> board = sabi.Board()
>>> board.push_usi("7g7f")
Move("7g7f")
>>> len(board.legal_moves)
30

Boards and moves: `Board`, `Move`, `Piece`. Records: `read_file`, `read_tree`, `read_bytes`,
`read_text`, `write_games`, `Game`. Training data: `load`, `pack`, `unpack`, `convert`, `features`,
`planes`, `hands`. Evaluations: `Evaluation`. The engine: `Engine`, `UsiEngine`, `Book`, `analyze`.

Squares are numbers from 0 (1a) file by file to 80 (9i); sides are `BLACK` (0) and `WHITE` (1);
scores are in centipawns; times in seconds. Bad input raises `ValueError` with one message, a file
that cannot be read `OSError`.
"""

from ._sabi import (
    Board,
    Game,
    Games,
    Move,
    Moves,
    Piece,
    RecordError,
    __version__,
    read_bytes,
    read_file,
    read_text,
    read_tree,
    write_games,
)
from .analysis import (
    AnalyzedMove,
    AnalyzedPosition,
    Declaration,
    Formation,
    GameAnalysis,
    Judgement,
    Line,
    Player,
    Score,
    Summary,
)
from .data import (
    HuffmanCodedPos,
    HuffmanCodedPosAndEval,
    PackedSfen,
    PackedSfenValue,
    Fault,
    convert,
    features,
    games_to_array,
    hands,
    load,
    number_of_inputs,
    pack,
    planes,
    unpack,
    validate,
)
from .engine import (
    Book,
    BookMove,
    Engine,
    Info,
    Mate,
    Option,
    Search,
    SearchResult,
    UsiError,
    analyze,
    options,
)
from .evaluation import Evaluation
from .usi import UsiEngine

BLACK, WHITE = 0, 1

PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK, GOLD, KING = range(1, 9)
PROM_PAWN, PROM_LANCE, PROM_KNIGHT, PROM_SILVER, PROM_BISHOP, PROM_ROOK = range(9, 15)

#: Names of the squares by number: `SQUARE_NAMES[0] == "1a"`.
SQUARE_NAMES = tuple(f"{file}{rank}" for file in "123456789" for rank in "abcdefghi")

STARTING_SFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

__all__ = [
    "AnalyzedMove",
    "AnalyzedPosition",
    "BISHOP",
    "BLACK",
    "Board",
    "Book",
    "BookMove",
    "Declaration",
    "Engine",
    "Evaluation",
    "Fault",
    "Formation",
    "GOLD",
    "Game",
    "GameAnalysis",
    "Games",
    "HuffmanCodedPos",
    "HuffmanCodedPosAndEval",
    "Info",
    "Judgement",
    "KING",
    "KNIGHT",
    "LANCE",
    "Line",
    "Mate",
    "Move",
    "Moves",
    "Option",
    "PAWN",
    "PROM_BISHOP",
    "PROM_KNIGHT",
    "PROM_LANCE",
    "PROM_PAWN",
    "PROM_ROOK",
    "PROM_SILVER",
    "PackedSfen",
    "PackedSfenValue",
    "Piece",
    "Player",
    "ROOK",
    "RecordError",
    "SILVER",
    "SQUARE_NAMES",
    "STARTING_SFEN",
    "Score",
    "Search",
    "SearchResult",
    "Summary",
    "UsiEngine",
    "UsiError",
    "WHITE",
    "__version__",
    "analyze",
    "convert",
    "features",
    "games_to_array",
    "hands",
    "load",
    "number_of_inputs",
    "options",
    "pack",
    "planes",
    "read_bytes",
    "read_file",
    "read_text",
    "read_tree",
    "unpack",
    "validate",
    "write_games",
]

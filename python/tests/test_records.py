"""Game records."""

import copy
import pickle
from pathlib import Path

import pytest

import sabi
from sabi import BLACK, WHITE, Board, Game, RecordError

KIF = """手合割：平手
先手：先手の人
後手：後手の人
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:12/00:00:12)
*角道
   2 ３四歩(33)   ( 0:03/00:00:03)
   3 ２二角成(88) ( 1:00/00:01:12)
   4 投了
まで3手で先手の勝ち
"""

CSA = "V2.2\nN+one\nN-two\nPI\n+\n+7776FU\nT12\n-3334FU\nT3\n+8822UM\nT60\n%TORYO\n"

USI = "startpos moves 7g7f 3c3d 8h2b+"

#: What each format keeps beside moves, result and, where a side resigned, the end.
FORMATS: dict[str, set[str]] = {
    "csa": {"names", "times", "scores", "comments"},
    "kif": {"names", "times", "scores", "comments"},
    "kifu": {"names", "times", "scores", "comments"},
    "ki2": {"names", "comments"},
    "ki2u": {"names", "comments"},
    "usi": set(),
    "sfen": set(),
    "hcpe": {"scores"},
    "psv": {"scores"},
    "sabg": {"scores"},
}


def game() -> Game:
    game = Game()
    for move, time, score in [("7g7f", 12, 30), ("3c3d", 3, 25), ("8h2b+", 60, -100)]:
        game.push(move, time=time, score=score)
        if move == "7g7f":
            game.comment("first\nsecond")
    game.names, game.result, game.end = ("one", "two"), "black", "resign"
    return game


def test_kif() -> None:
    [game] = sabi.read_text(KIF)
    assert game.names == ("先手の人", "後手の人")
    assert [str(move) for move in game.moves] == ["7g7f", "3c3d", "8h2b+"]
    assert game.times == [12.0, 3.0, 60.0]
    assert game.comments == [[], ["角道"], [], []]
    assert (game.result, game.winner, game.end, len(game)) == ("black", BLACK, "resign", 3)
    assert game.warnings is None and game.line == 1


@pytest.mark.parametrize("text", [KIF, CSA, USI, "position " + USI, "▲７六歩 △３四歩 ▲２二角成\n"])
def test_formats_by_content(text: str) -> None:
    for games in [sabi.read_text(text), sabi.read_bytes(text.encode())]:
        [game] = games
        assert game.to_usi() == USI


@pytest.mark.parametrize("extension", sorted(FORMATS))
def test_files_are_read_back(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"games.{extension}"
    given, kept = game(), FORMATS[extension]
    assert sabi.write_games(path, (given for _ in range(3))) == 3
    games = sabi.read_file(path)
    read = list(games)
    assert len(read) == 3 and games.errors == [] and games.warnings == []
    for one in read:
        assert (one.to_usi(), one.result, one.end) == (USI, "black", "resign")
        assert ("names" in kept) == (one.names == given.names)
        assert ("times" in kept) == (one.times == given.times)
        assert ("scores" in kept) == (one.scores == given.scores)
        assert ("comments" in kept) == (one.comments == given.comments)
    given.write(path)
    assert len(list(sabi.read_file(str(path)))) == 1


def test_shift_jis(tmp_path: Path) -> None:
    path = tmp_path / "game.kif"
    path.write_bytes(KIF.encode("cp932"))
    [game] = sabi.read_file(path)
    assert game.names[0] == "先手の人"
    game.write(tmp_path / "written.kif")
    assert "先手：先手の人" in (tmp_path / "written.kif").read_bytes().decode("cp932")


def test_tree(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    game().write(tmp_path / "b.csa")
    game().write(tmp_path / "below" / "a.kif")
    (tmp_path / "notes.txt").write_text("no record")
    games = list(sabi.read_tree(tmp_path))
    assert [one.names for one in games] == [("one", "two")] * 2


def test_bad_games_are_errors_with_their_line() -> None:
    text = "PI\n+\n+7776FU\n+7775FU\n/\n" + CSA
    games = sabi.read_text(text, "games.csa")
    with pytest.raises(RecordError, match=r"games.csa:4: move 2 '\+7775FU' is played by Black") as raised:
        next(games)
    assert (raised.value.file, raised.value.line) == ("games.csa", 4)
    assert isinstance(raised.value, ValueError)
    # Reading goes on.
    assert [one.to_usi() for one in games] == [USI]
    games = sabi.read_text(text, "games.csa", errors="skip")
    assert len(list(games)) == 1 and len(games.errors) == 1
    with pytest.raises(ValueError, match='errors is "raise" or "skip"'):
        sabi.read_text(text, errors="ignore")  # type: ignore[arg-type]


def test_what_is_not_understood_is_told() -> None:
    games = sabi.read_text(KIF.replace("手数--", "hello\n手数--"), "game.kif")
    [game] = games
    assert game.warnings == "1 line is not understood and was left out: 4 'hello'"
    assert games.warnings == [game.warnings]


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00", b"hello", bytes(range(256)), b"{}", b"startpos moves 7g7e"])
def test_no_records(data: bytes) -> None:
    with pytest.raises(RecordError):
        list(sabi.read_bytes(data))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="missing.csa"):
        next(sabi.read_file(tmp_path / "missing.csa"))
    with pytest.raises(OSError):
        next(sabi.read_file(tmp_path))


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "games.csa"
    game().write(path)
    before = path.read_bytes()
    with pytest.raises(TypeError):
        sabi.write_games(path, [game(), 3])  # type: ignore[list-item]

    def broken() -> object:
        yield game()
        raise KeyError("broken")

    with pytest.raises(KeyError, match="broken"):
        sabi.write_games(path, broken())  # type: ignore[arg-type]
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
    with pytest.raises(ValueError, match="the extension is none of"):
        sabi.write_games(tmp_path / "games.txt", [])
    with pytest.raises(FileNotFoundError):
        sabi.write_games(tmp_path / "missing" / "games.csa", [])
    unknown = game()
    unknown.result = "unknown"
    with pytest.raises(ValueError, match="unknown result"):
        unknown.write(tmp_path / "game.psv")
    assert list(tmp_path.iterdir()) == [path]


def test_games_are_built() -> None:
    built = Game(Board("startpos moves 7g7f 3c3d"))
    assert built.to_usi() == "startpos moves 7g7f 3c3d" and len(built) == 2
    built.push(sabi.Move("8h2b+"))
    for move, reason in [("7g7f", "illegal"), ("1a1a", "is not a move")]:
        with pytest.raises(ValueError, match=reason):
            built.push(move)
    with pytest.raises(ValueError, match="is no time"):
        built.push("3a2b", time=-1.0)
    assert built.to_usi() == USI
    for attribute, value in [("result", "won"), ("end", "won"), ("ratings", (float("nan"), None))]:
        with pytest.raises(ValueError):
            setattr(built, attribute, value)
    built.ratings, built.event, built.date = (1500.0, None), "event", "2026/01/01"
    assert (built.ratings, built.event, built.date) == ((1500.0, None), "event", "2026/01/01")
    assert "'black_rate:" in built.to_csa() and "棋戦：event" in built.to_kif()


def test_boards_of_games() -> None:
    one = game()
    assert one.start == Board() == one.board(0)
    assert one.board().usi_position() == USI == one.board(3).usi_position()
    assert one.board(-2).usi_position() == "startpos moves 7g7f 3c3d"
    assert [board.turn for board in one.boards()] == [BLACK, WHITE, BLACK, WHITE]
    for ply in (4, -5, 10**30):
        with pytest.raises(ValueError, match="there is no ply"):
            one.board(ply)


def test_copies_and_pickles() -> None:
    one = game()
    one.ratings, one.event = (1.5, None), "event"
    for other in [copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))]:
        assert other.to_csa() == one.to_csa() and other.comments == one.comments
        other.push("3a2b")
        assert len(one) == 3
    [clocked] = sabi.read_text(CSA.replace("PI\n", "$TIME:600+10+0\nPI\n"))
    assert pickle.loads(pickle.dumps(clocked)).clocks == clocked.clocks == ((600, 10, 0), (600, 10, 0))


def test_big_files_are_not_held(tmp_path: Path) -> None:
    path = tmp_path / "games.usi"
    path.write_text((USI + " resign\n") * 20_000)
    games = sabi.read_file(path)
    assert next(games).result == "black"
    assert sum(1 for _ in games) == 19_999

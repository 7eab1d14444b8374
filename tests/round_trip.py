#!/usr/bin/env python3
"""Games and start positions through every writer of Sabi and back, and through other programs.

    tests/round_trip.py GAMES.usi [--data-tools target/release/data_tools] [--peers FOLDER] [--games 1000]

GAMES.usi is a list of games, as `data_tools convert --output GAMES.usi` writes it. FOLDER has what other
programs read and write: `python3 -m venv FOLDER/venv; FOLDER/venv/bin/pip install cshogi python-shogi`, and
`npm install tsshogi` in FOLDER/js; the script is to be run with the Python of that venv. Results are in
docs/testing.md. It is no part of the test run, because it needs these programs and real games.
"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import tempfile

HANDICAPS = "平手 香落ち 右香落ち 両香落ち 角落ち 飛車落ち 飛香落ち 二枚落ち 三枚落ち 四枚落ち 五枚落ち 左五枚落ち 六枚落ち 七枚落ち " \
    "八枚落ち 九枚落ち 十枚落ち トンボ 裸玉 歩三兵".split()

# Reads the files named on its input; with an argument, writes each in that format too.
TSSHOGI = """
const ts = require("tsshogi"), fs = require("fs");
const [, , folder, format] = process.argv;
for (const line of fs.readFileSync(0, "utf8").split("\\n").filter((line) => line)) {
  const [kind, file, encoding] = line.split("\\t");
  let answer = { file };
  try {
    const text = new TextDecoder(encoding).decode(fs.readFileSync(file));
    const record = { csa: ts.importCSA, kif: ts.importKIF }[kind](text);
    if (record instanceof Error) throw record;
    const nodes = record.moves.map((node) => node.move);
    answer.start = record.initialPosition.sfen;
    answer.moves = nodes.filter((move) => move instanceof ts.Move).map((move) => move.usi);
    answer.end = nodes.filter((move) => !(move instanceof ts.Move)).map((move) => move.type).pop();
    if (format) {
      const write = { ki2: ts.exportKI2, jkf: ts.exportJKFString, kif: ts.exportKIF, csa: ts.exportCSA }[format];
      fs.writeFileSync(folder + "/" + file.split("/").pop().split(".")[0] + "." + format, write(record, {}));
    }
  } catch (error) { answer.error = String(error.message || error).slice(0, 80); }
  console.log(JSON.stringify(answer));
}
"""


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{command}: {done.stderr}")
    return done.stderr


def placed(sfen):
    """A position without the number of the move, which CSA and KIF do not store, with sorted hands."""
    board, side, hands = sfen.split()[:3]
    return f"{board} {side} {' '.join(sorted(re.findall('(?:[2-9]|1[0-9])?[A-Za-z-]', hands)))}"


def game_of(line):
    """Result, end, start and moves of a line of a list."""
    result, _, _, _, end, text = line.rstrip("\n").split("\t")
    start, _, moves = text.partition(" moves ")
    even = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -"
    # A question mark marks a guess, which the reader of lists drops.
    return result, end.removesuffix("?"), even if start == "startpos" else placed(start.removeprefix("sfen ")), moves.split()


def compare(name, expected, found):
    """Counts what came back: all of it, all but the end, the moves at least, nothing."""
    examples = {}
    counts = dict.fromkeys(["same", "other reason", "other result", "other moves", "missing"], 0)
    for at, game in enumerate(expected):
        back = found[at] if at < len(found) else None
        if back is None:
            counts["missing"] += 1
        elif back[2:] != game[2:]:
            counts["other moves"] += 1
        elif back[0] != game[0]:
            counts["other result"] += 1
        else:
            counts["same" if back[1] == game[1] else "other reason"] += 1
        if back and back[:2] != game[:2]:
            change = f"{' '.join(game[:2])} -> {' '.join(back[:2])}"
            examples[change] = examples.get(change, 0) + 1
    print(f"{name:30}", ", ".join(f"{count} {what}" for what, count in counts.items() if count))
    for change, count in sorted(examples.items()):
        print(f"    {count} {change}")


def cshogi_reads(kind, file, encoding):
    import cshogi
    from cshogi import CSA, KIF
    text = file.read_bytes().decode(encoding)
    game = CSA.Parser.parse_str(text)[0] if kind == "csa" else KIF.Parser.parse_str(text)
    winner = {cshogi.BLACK_WIN: "black", cshogi.WHITE_WIN: "white", cshogi.DRAW: "draw"}.get(game.win, "unknown")
    return placed(game.sfen), [cshogi.move_to_usi(move) for move in game.moves], winner


def python_shogi_reads(kind, file, encoding):
    import shogi.CSA
    import shogi.KIF
    parser = shogi.CSA.Parser if kind == "csa" else shogi.KIF.Parser
    games = parser.parse_str(file.read_bytes().decode(encoding))
    game = games[0]
    winner = {"b": "black", "w": "white", "-": "draw"}.get(game["win"], "unknown")
    return placed(game["sfen"]), game["moves"], winner


def tsshogi_reads(peers, kind, files, encoding, folder="", output=""):
    answer = subprocess.run(["node", "-e", TSSHOGI.replace("process.argv", "['', '', ...process.argv.slice(1)]"), str(folder), output],
                            cwd=peers / "js", capture_output=True, text=True,
                            input="".join(f"{kind}\t{file}\t{encoding}\n" for file in files))
    return [json.loads(line) for line in answer.stdout.splitlines()]


def peers_read(peers, kind, files, encoding):
    """What each program reads: (start, moves, winner or None) or an error, by file."""
    for name, read in (("cshogi", cshogi_reads), ("python-shogi", python_shogi_reads)):
        answers = []
        for file in files:
            try:
                answers.append(read(kind, file, encoding))
            except Exception as error:  # noqa: BLE001
                answers.append(f"{type(error).__name__}: {error}"[:60])
        yield name, answers
    js_encoding = "shift_jis" if encoding == "cp932" else "utf-8"
    answers = tsshogi_reads(peers, kind, files, js_encoding)
    yield "tsshogi", [a.get("error") or (placed(a["start"]), a["moves"], None) for a in answers]


def written(tools, folder, list_file, kind, encoding):
    """A file for each game of a list."""
    target = folder / f"{kind}-{encoding}"
    run(tools, "convert", list_file, "--output", f"{target}/", "--format", kind)
    files = sorted(target.iterdir())
    if encoding == "cp932":
        # As data_tools writes a .kif; CSA is ASCII but for names and comments.
        for file in files:
            file.write_bytes(file.read_text().replace("=UTF-8", "=Shift_JIS").encode("cp932"))
    return files


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("games", type=pathlib.Path)
    arguments.add_argument("--data-tools", default="target/release/data_tools")
    arguments.add_argument("--peers", type=pathlib.Path)
    arguments.add_argument("--games", dest="count", type=int, default=1000)
    options = arguments.parse_args()
    tools = options.data_tools
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        lines = [line for line in options.games.open() if "moves" in line]
        random.Random(1).shuffle(lines)
        games_file = folder / "games.usi"
        games_file.write_text("".join(lines[:options.count]))
        expected = [game_of(line) for line in lines[:options.count]]
        print(f"{len(expected)} games, each written and read again\n")
        for extension in ("usi", "csa", "kif", "sabg"):
            target, back = folder / f"there.{extension}", folder / "back.usi"
            told = run(tools, "convert", games_file, "--output", target)
            told += run(tools, "convert", target, "--output", back)
            compare(extension, expected, [game_of(line) for line in back.open()])
            print(told, end="")
        if not options.peers:
            return
        for kind in ("csa", "kif"):
            for encoding in ("utf-8", "cp932"):
                files = written(tools, folder, games_file, kind, encoding)
                for program, answers in peers_read(options.peers, kind, files, encoding):
                    read = [None if isinstance(a, str) else (a[2] or game[0], game[1], a[0], a[1])
                            for a, game in zip(answers, expected)]
                    compare(f"{kind} {encoding} by {program}", expected, read)
        files = sorted((folder / "kif-utf-8").iterdir())
        for output in ("kif", "ki2", "csa", "jkf"):
            target = folder / f"tsshogi-{output}"
            target.mkdir()
            tsshogi_reads(options.peers, "kif", files, "utf-8", target, output)
            back = folder / "back.usi"
            told = run(tools, "convert", target, "--output", back)
            compare(f"{output} of tsshogi by Sabi", expected, [game_of(line) for line in back.open()])
            print(told, end="")
        starts(tools, folder, options.peers, expected)


def starts(tools, folder, peers, games):
    """Even game, handicaps and positions in the middle of games, each with one move, or two of every second."""
    print("\nStart positions: right ones, then what is wrong\n")
    source = folder / "starts"
    source.mkdir()
    for at, name in enumerate(HANDICAPS):
        move = "   1 ７六歩(77)" if name == "平手" else "   1 ４二玉(51)"
        (source / f"{at:02}.kifu").write_text(f"手合割：{name}\n手数----指手---------消費時間--\n{move}\n   2 投了\n")
    import shogi
    diagrams = []
    for _, _, start, moves in games[:40]:
        board = shogi.Board(start + " 1")
        half = len(moves) // 2
        for move in moves[:half]:
            board.push_usi(move)
        played = " ".join(moves[half:half + 1 + len(diagrams) % 2])
        diagrams.append(f"unknown\t-\t-\t-\tunknown\tsfen {board.sfen()} moves {played}\n")
    (source / "99.usi").write_text("".join(diagrams))
    list_file = folder / "starts.usi"
    run(tools, "convert", source, "--output", list_file)
    expected = [game_of(line) for line in list_file.open()]
    names = HANDICAPS + ["diagram"] * len(diagrams)
    assert len(names) == len(expected)
    for kind in ("csa", "kif"):
        for encoding in ("utf-8", "cp932"):
            files = written(tools, folder / "starts-written", list_file, kind, encoding)
            for program, answers in peers_read(peers, kind, files, encoding):
                right, wrong = {}, {}
                for name, answer, game in zip(names, answers, expected):
                    if not isinstance(answer, str) and (answer[0], answer[1]) == game[2:]:
                        right[name] = right.get(name, 0) + 1
                    else:
                        what = answer if isinstance(answer, str) else f"{answer[0]} {' '.join(answer[1])}"
                        wrong.setdefault(name, []).append(what)
                print(f"{kind} {encoding} by {program}:", ", ".join(f"{n} {c}" if c > 1 else n for n, c in right.items()))
                for name, whats in wrong.items():
                    print(f"    wrong: {name}, {len(whats)}: {whats[0]}")


if __name__ == "__main__":
    main()

"""Opens annotated records with cshogi. See README.md."""

import sys

import cshogi
from cshogi import CSA, KIF

faults = 0
for file in sys.argv[1:]:
    if file.endswith(".csa"):
        (record,) = CSA.Parser.parse_file(file, encoding="utf-8")
    else:
        try:
            text = open(file, encoding="cp932" if file.endswith(".kif") else "utf-8").read()
            # It knows no branches, and takes them for the game where it does not know the word that ends it either (詰み).
            record = KIF.Parser.parse_str(text.split("\n変化：")[0])
        except KIF.ParserException as rejection:
            # It knows no positions that are drawn.
            if "handycap" not in str(rejection):
                raise
            print(f"{file}: {rejection}")
            continue
    board = cshogi.Board(record.sfen)
    legal = 0
    for move in record.moves:
        if not board.is_legal(move):
            faults += 1
            print(file, "illegal", cshogi.move_to_usi(move))
            break
        board.push(move)
        legal += 1
    comments = sum(1 for comment in record.comments if comment)
    # The last position of a game may have nothing to say.
    if comments + 1 < len(record.moves):
        faults += 1
        print(file, comments, "comments for", len(record.moves), "moves")
    print(f"{file}: {legal} moves, {comments} comments")
print(f"{faults} faults" if faults else "ok")
sys.exit(1 if faults else 0)

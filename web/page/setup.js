// Start positions: handicaps, SFEN, and links with a game.

const FULL = { P: 18, L: 4, N: 4, S: 4, G: 4, B: 2, R: 2, K: 2 };
const EVEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";

/// The squares of the pieces that White gives; as in records, 香落ち is the left lance, 五枚落ち keeps the
/// left knight.
export const HANDICAPS = {
  even: [],
  lance: ["1a"],
  "right-lance": ["9a"],
  bishop: ["2b"],
  rook: ["8b"],
  "rook-lance": ["8b", "1a"],
  2: ["8b", "2b"],
  3: ["8b", "2b", "1a"],
  4: ["8b", "2b", "1a", "9a"],
  5: ["8b", "2b", "1a", "9a", "8a"],
  6: ["8b", "2b", "1a", "9a", "2a", "8a"],
  7: ["8b", "2b", "1a", "9a", "2a", "8a", "7a"],
  8: ["8b", "2b", "1a", "9a", "2a", "8a", "3a", "7a"],
  9: ["8b", "2b", "1a", "9a", "2a", "8a", "3a", "7a", "6a"],
  10: ["8b", "2b", "1a", "9a", "2a", "8a", "3a", "7a", "4a", "6a"],
};

/// The first position of a handicap game, as in the command `position`.
export function handicapStart(name) {
  const gone = HANDICAPS[name] || [];
  if (!gone.length) return "startpos";
  const rows = EVEN.split("/").map((row) => [...row.replace(/\d/g, (count) => " ".repeat(count))]);
  for (const [file, rank] of gone) rows["abcdefghi".indexOf(rank)][9 - file] = " ";
  return `sfen ${rows.map((row) => row.join("").replace(/ +/g, (gap) => gap.length)).join("/")} w - 1`;
}

/// A position as SFEN: `board` by square, `hands` by side and kind, `side` to move.
export function toSfen({ board, hands, side }) {
  const rows = [..."abcdefghi"].map((rank) => {
    const squares = [9, 8, 7, 6, 5, 4, 3, 2, 1].map((file) => {
      const piece = board.get(`${file}${rank}`);
      if (!piece) return " ";
      return (piece.promoted ? "+" : "") + (piece.side === "black" ? piece.kind : piece.kind.toLowerCase());
    });
    return squares.join("").replace(/ +/g, (gap) => gap.length);
  });
  const held = ["black", "white"]
    .map((owner) =>
      [..."RBGSNLP"]
        .map((kind) => {
          const count = hands[owner][kind] || 0,
            letter = owner === "black" ? kind : kind.toLowerCase();
          return count ? `${count > 1 ? count : ""}${letter}` : "";
        })
        .join(""),
    )
    .join("");
  return `${rows.join("/")} ${side === "black" ? "b" : "w"} ${held || "-"} 1`;
}

/// How many pieces of each kind are neither on the board nor in a hand.
export function missing({ board, hands }) {
  const left = { ...FULL };
  for (const { kind } of board.values()) left[kind] -= 1;
  for (const hand of Object.values(hands)) for (const [kind, count] of Object.entries(hand)) left[kind] -= count;
  return left;
}

/// The fragment of a link: `#sfen=…&moves=7g7f_3c3d&ply=1`, with `_` for blanks.
export function fragmentOf({ start, moves, ply }) {
  const parts = [];
  if (start !== `${EVEN} b - 1`) parts.push(`sfen=${start.replaceAll(" ", "_")}`);
  if (moves.length || !parts.length) parts.push(`moves=${moves.join("_")}`);
  if (ply !== moves.length) parts.push(`ply=${ply}`);
  return `#${parts.join("&")}`;
}

/// What a fragment links to, as in the command `position`, and the move to be shown; `null` without a game.
export function linked(fragment) {
  const parts = new Map(
    fragment
      .replace(/^#/, "")
      .split("&")
      .map((part) => {
        const [name, ...value] = part.split("=");
        try {
          return [name, decodeURIComponent(value.join("="))];
        } catch {
          return [name, value.join("=")];
        }
      }),
  );
  if (!parts.has("sfen") && !parts.has("moves")) return null;
  const words = (name) => (parts.get(name) || "").split(/[_\s]+/).filter(Boolean);
  const start = parts.has("sfen") ? `sfen ${words("sfen").join(" ")}` : "startpos",
    moves = words("moves");
  return {
    position: moves.length ? `${start} moves ${moves.join(" ")}` : start,
    ply: parts.has("ply") ? Number(parts.get("ply")) || 0 : null,
  };
}

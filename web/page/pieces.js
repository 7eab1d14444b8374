// Drawings of pieces: kanji of one or two characters, and letters with marks of how the piece moves.
/* global CELL, TALL, pieceMark */

const FULL = {
  P: "歩兵",
  L: "香車",
  N: "桂馬",
  S: "銀将",
  G: "金将",
  B: "角行",
  R: "飛車",
  K: "玉将",
  "+P": "と金",
  "+L": "成香",
  "+N": "成桂",
  "+S": "成銀",
  "+B": "龍馬",
  "+R": "龍王",
};

const AHEAD = [[0, -1]],
  ROOK = [
    [0, -1],
    [1, 0],
    [0, 1],
    [-1, 0],
  ],
  BISHOP = [
    [1, -1],
    [1, 1],
    [-1, 1],
    [-1, -1],
  ];
const GOLD = [...ROOK, [1, -1], [-1, -1]],
  SILVER = [...BISHOP, [0, -1]];
/// Steps and slides, from Black's view.
const WAYS = {
  P: [AHEAD, []],
  L: [[], AHEAD],
  N: [
    [
      [-0.75, -1.35],
      [0.75, -1.35],
    ],
    [],
  ],
  S: [SILVER, []],
  G: [GOLD, []],
  B: [[], BISHOP],
  R: [[], ROOK],
  K: [[...ROOK, ...BISHOP], []],
  "+P": [GOLD, []],
  "+L": [GOLD, []],
  "+N": [GOLD, []],
  "+S": [GOLD, []],
  "+B": [ROOK, BISHOP],
  "+R": [BISHOP, ROOK],
};

const SHAPE = '<path d="M21 4 L33 9 L37 42 L5 42 L9 9 Z" fill="var(--piece)" stroke="var(--grid)"/>';
const MIDDLE = [CELL / 2, 27];

function western({ kind, promoted }, turned) {
  const [steps, slides] = WAYS[promoted ? `+${kind}` : kind],
    [x, y] = MIDDLE,
    ink = promoted ? "var(--red)" : "#222222";
  const dots = steps.map(([dx, dy]) => `<circle cx="${x + 10.5 * dx}" cy="${y + 11.5 * dy}" r="1.7" fill="${ink}"/>`);
  const lines = slides.map(
    ([dx, dy]) =>
      `<path d="M${x + 8.5 * dx} ${y + 9.5 * dy} L${x + 12.5 * dx} ${y + 14 * dy}" stroke="${ink}" stroke-width="2" stroke-linecap="round"/>`,
  );
  // Letters stay upright.
  const upright = turned ? ` transform="rotate(180 ${x} ${y})"` : "";
  return `${SHAPE}${dots.join("")}${lines.join("")}<text class="letter" x="${x}" y="${y + 5.5}" font-size="15" fill="${ink}"${upright}>${kind}</text>`;
}

function full({ kind, promoted, side }) {
  const name = kind === "K" && side === "white" ? "王将" : FULL[promoted ? `+${kind}` : kind],
    ink = promoted ? "var(--red)" : "#222222";
  return `${SHAPE}<text x="21" y="22.5" font-size="15" fill="${ink}">${name[0]}</text><text x="21" y="38" font-size="15" fill="${ink}">${name[1]}</text>`;
}

/// A piece with its upper left corner at a point of the board.
export function pieceMarkup(piece, [x, y], flipped, set) {
  if (set !== "western" && set !== "full") return pieceMark(piece, [x, y], flipped);
  const turned = (piece.side === "white") !== flipped;
  const turn = turned ? ` rotate(180 ${CELL / 2} ${TALL / 2})` : "";
  return `<g class="${piece.side}" transform="translate(${x} ${y})${turn}">${set === "western" ? western(piece, turned) : full(piece)}</g>`;
}

/// A piece as a drawing of its own.
export const pieceIcon = (piece, set) =>
  `<svg viewBox="3 2 36 42" aria-hidden="true">${pieceMarkup({ ...piece, side: "black" }, [0, 0], false, set)}</svg>`;

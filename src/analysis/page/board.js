"use strict";
// Positions, a board to draw them on, and text. Shared by the pages of `sabi analyze` and the page in `web`.
const KANJI = { P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉" };
const PROMOTED = { P: "と", L: "杏", N: "圭", S: "全", B: "馬", R: "龍" };
const HAND_ORDER = "RBGSNLP";

const other = (side) => (side === "black" ? "white" : "black");

function fromSfen(sfen) {
  const [rows, side, hands] = sfen.split(" ");
  const position = { board: new Map(), hands: { black: {}, white: {} }, side: side === "b" ? "black" : "white", from: null, to: null };
  rows.split("/").forEach((row, rank) => {
    let file = 9, promoted = false;
    for (const c of row) {
      if (c === "+") { promoted = true; continue; }
      if (c >= "1" && c <= "9") { file -= Number(c); continue; }
      const kind = c.toUpperCase();
      position.board.set(square(file, rank), { kind, promoted, side: c === kind ? "black" : "white" });
      file -= 1;
      promoted = false;
    }
  });
  for (const [, count, letter] of hands === "-" ? [] : hands.matchAll(/(\d*)([A-Za-z])/g)) {
    const kind = letter.toUpperCase();
    position.hands[letter === kind ? "black" : "white"][kind] = Number(count || 1);
  }
  return position;
}

const square = (file, rank) => `${file}${"abcdefghi"[rank]}`;

function played(position, move) {
  const next = { board: new Map(position.board), side: other(position.side), to: move.slice(2, 4), from: null,
    hands: { black: { ...position.hands.black }, white: { ...position.hands.white } } };
  const own = next.hands[position.side];
  if (move[1] === "*") {
    own[move[0]] -= 1;
    next.board.set(next.to, { kind: move[0], promoted: false, side: position.side });
    return next;
  }
  next.from = move.slice(0, 2);
  const piece = next.board.get(next.from), taken = next.board.get(next.to);
  if (taken) own[taken.kind] = (own[taken.kind] || 0) + 1;
  next.board.delete(next.from);
  next.board.set(next.to, { ...piece, promoted: piece.promoted || move.endsWith("+") });
  return next;
}

// --- board -----------------------------------------------------------------------------------------------------------------
const CELL = 42, TALL = 46, EDGE = 16;

function place(name, flipped) {
  let file = Number(name[0]), rank = "abcdefghi".indexOf(name[1]);
  if (flipped) [file, rank] = [10 - file, 8 - rank];
  return [EDGE + (9 - file) * CELL, EDGE + rank * TALL];
}

function pieceMark({ kind, promoted, side }, [x, y], flipped) {
  const turned = (side === "white") !== flipped;
  const name = promoted ? PROMOTED[kind] : kind === "K" && side === "white" ? "王" : KANJI[kind];
  const turn = turned ? ` rotate(180 ${CELL / 2} ${TALL / 2})` : "";
  return `<g transform="translate(${x} ${y})${turn}"><path d="M21 4 L33 9 L37 42 L5 42 L9 9 Z" fill="var(--piece)" stroke="var(--grid)"/>` +
    `<text x="21" y="34" font-size="23" fill="${promoted ? "var(--red)" : "#222222"}">${name}</text></g>`;
}

/// The arrow of a move, or the circle of a drop; `dashed` tells it from another one without its colour.
function arrow(move, color, width, flipped, dashed = false) {
  const dash = dashed ? ` stroke-dasharray="${1.6 * width} ${1.2 * width}"` : "";
  const middle = (name) => { const [x, y] = place(name, flipped); return [x + CELL / 2, y + TALL / 2]; };
  const [x, y] = middle(move.slice(2, 4));
  if (move[1] === "*") {
    return `<circle cx="${x}" cy="${y}" r="18" fill="none" stroke="${color}" stroke-width="${width}"${dash} opacity="0.85"/>` +
      `<text x="${x}" y="${y + 8}" font-size="22" fill="${color}">${KANJI[move[0]]}</text>`;
  }
  const [a, b] = middle(move.slice(0, 2));
  const length = Math.hypot(x - a, y - b), [u, v] = [(x - a) / length, (y - b) / length];
  const head = 5 + 2 * width, [c, d] = [x - u * head, y - v * head];
  return `<g stroke="${color}" fill="${color}" opacity="0.8"><line x1="${a}" y1="${b}" x2="${c}" y2="${d}" stroke-width="${width}"${dash}/>` +
    `<path d="M${x} ${y} L${c - v * head / 2} ${d + u * head / 2} L${c + v * head / 2} ${d - u * head / 2} Z" stroke="none"/></g>`;
}

/// The board as parts of a drawing of 410 × 434. `marked` are squares that stand out, `ranks` the names of the ranks, `marks` what is drawn
/// over the pieces.
function boardMarkup(position, { flipped, marked, ranks, marks }) {
  const [width, height] = [9 * CELL, 9 * TALL];
  const parts = [`<rect x="${EDGE}" y="${EDGE}" width="${width}" height="${height}" fill="var(--board)"/>`];
  for (const name of marked) {
    const [x, y] = place(name, flipped);
    parts.push(`<rect x="${x}" y="${y}" width="${CELL}" height="${TALL}" fill="var(--last)" opacity="0.75"/>`);
  }
  for (let at = 0; at <= 9; at += 1) {
    const [x, y] = [EDGE + at * CELL, EDGE + at * TALL];
    parts.push(`<path d="M${x} ${EDGE}v${height}M${EDGE} ${y}h${width}" stroke="var(--grid)" stroke-width="${at % 9 ? 0.8 : 1.6}"/>`);
    if (at === 9) break;
    const number = flipped ? at + 1 : 9 - at, rank = flipped ? 8 - at : at;
    parts.push(`<text class="coordinate" x="${x + CELL / 2}" y="${EDGE - 4}">${number}</text>`);
    parts.push(`<text class="coordinate" x="${EDGE + width + 8}" y="${y + TALL / 2 + 4}">${ranks[rank]}</text>`);
  }
  for (const [name, piece] of position.board) parts.push(pieceMark(piece, place(name, flipped), flipped));
  return [...parts, ...marks].join("");
}

/// An element with a text and a class.
function node(name, text = "", kind = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;

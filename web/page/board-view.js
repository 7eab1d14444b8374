// The board and the hands.
/* global CELL, TALL, HAND_ORDER, place, played, arrow, boardMarkup, node, square */
import { timeText } from "./clock.js";
import { after, lookAt } from "./rules.js";
import { mayMove } from "./play.js";
import { pieceIcon, pieceMarkup } from "./pieces.js";
import { pieceSet } from "./settings.js";
import { element, secret, shownLook, shownText, sideName, state, thought, words } from "./state.js";
import { path, position } from "./tree.js";
import { changed } from "./ui.js";

export function shown() {
  if (state.edit) return state.edit;
  const { line } = state;
  return line ? line.moves.slice(0, line.step).reduce(played, position(line.base)) : position(state.node);
}

/// The square at a place of the grid.
function squareAt(index) {
  const at = state.flipped ? 80 - index : index;
  return square(9 - (at % 9), Math.floor(at / 9));
}

const pieceName = ({ kind, promoted, side }) => `${words().kinds[`${promoted ? "+" : ""}${kind}`]} ${sideName(side)}`;

/// The lines of the engine for the shown position; in a game they would be hints.
export const visibleLines = () => (secret() ? [] : thought.lines.filter(Boolean));

/// The move that was played here, if there was a better one, with its class; a missed mate is a blunder.
function playedMove() {
  const line = path(state.tip),
    next = !state.line && line[line.indexOf(state.node) + 1],
    judgement = next && !secret() && next.review?.move.judgement;
  if (!judgement || judgement.best === next.move) return null;
  const { class: kind, missed_mate: missed } = judgement;
  if (["great", "best"].includes(kind) && !missed) return null;
  return [next.move, missed && kind !== "major_blunder" ? "blunder" : kind];
}

function marks(flipped) {
  const { selected, hint, edit } = state,
    text = edit ? "" : shownText();
  if (edit) return [];
  if (selected) {
    return shownLook()
      .legal.filter((move) => move.startsWith(selected))
      .map((move) => {
        const [x, y] = place(move.slice(2, 4), flipped);
        return `<circle class="dot" cx="${x + CELL / 2}" cy="${y + TALL / 2}" r="8"/>`;
      });
  }
  const drawn = [],
    best = thought.position === text ? visibleLines().map(({ pv }) => pv[0]) : [];
  if (!best.length && !state.line && !secret())
    best.push(...(state.node.review?.position.lines || []).map(({ moves }) => moves[0]));
  best.forEach((move, at) => drawn.unshift(arrow(move, "var(--best)", at ? 2.5 : 6, flipped)));
  const bad = playedMove();
  if (bad) drawn.push(arrow(bad[0], `var(--${bad[1]})`, 4, flipped));
  if (hint?.text === text) drawn.push(arrow(hint.move, "var(--hint)", 6, flipped));
  return drawn;
}

export function makeSquares() {
  for (let rank = 0; rank < 9; rank += 1) {
    const row = node("div");
    row.role = "row";
    for (let file = 0; file < 9; file += 1) {
      const button = node("button");
      button.role = "gridcell";
      button.tabIndex = rank === 8 && file === 8 ? 0 : -1;
      row.append(button);
    }
    element("squares").append(row);
  }
}
export const squares = () => [...element("squares").querySelectorAll("button")];

export function drawBoard() {
  const at = shown(),
    { flipped, selected, edit } = state,
    mine = mayMove(),
    set = pieceSet();
  const marked = [at.from, at.to, selected && selected[1] !== "*" && selected].filter(Boolean);
  const pieces = [...at.board]
    .filter(([name]) => name !== state.lifted)
    .map(([name, piece]) => pieceMarkup(piece, place(name, flipped), flipped, set));
  const markup = boardMarkup(
    { board: new Map() },
    { flipped, marked, ranks: words().ranks, marks: [...pieces, ...marks(flipped)] },
  );
  if (changed("board", markup)) element("board").innerHTML = markup;
  const targets = new Set(
    selected && !edit
      ? shownLook()
          .legal.filter((move) => move.startsWith(selected))
          .map((move) => move.slice(2, 4))
      : [],
  );
  if (changed("squares", `${markup}${mine}${Boolean(edit)}`)) {
    squares().forEach((button, index) => {
      const name = squareAt(index),
        piece = at.board.get(name);
      const square = words().squareName(Number(name[0]), "abcdefghi".indexOf(name[1]));
      button.setAttribute("aria-label", `${square} ${piece ? pieceName(piece) : words().empty}`);
      button.setAttribute("aria-selected", String(selected === name));
      button.dataset.square = name;
      // A finger on an own piece drags it, elsewhere it scrolls.
      button.classList.toggle("own", Boolean(piece && (edit || (mine && piece.side === at.side))));
      button.classList.toggle("target", targets.has(name));
    });
  }
  for (const side of ["black", "white"]) drawHand(side, at, mine, set);
}

function drawHand(side, at, mine, set) {
  const { flipped, selected, player, human, overAt, tip, record } = state,
    usable = mine && at.side === side;
  const box = element(side === (flipped ? "white" : "black") ? "below" : "above");
  const inGame = player && (human || overAt === tip),
    names = record?.names || [];
  const name = inGame
    ? side === player
      ? words().you
      : `Sabi ${state.level === "0" ? words().full : `Lv. ${state.level}`}`
    : names[side === "black" ? 0 : 1];
  const label = `${side === "black" ? "☗" : "☖"} ${sideName(side)}${name ? ` ${name}` : ""}`;
  box.classList.toggle("turn", at.side === side);
  const hand = at.hands[side];
  if (changed(box.id, JSON.stringify([label, hand, usable, usable && selected, set, side, Boolean(state.edit)]))) {
    const pieces = node("span", "", "hand");
    for (const kind of HAND_ORDER) {
      const count = hand[kind];
      if (!count) continue;
      const button = node("button", "", usable && selected === `${kind}*` ? "on" : "");
      button.innerHTML = pieceIcon({ kind, promoted: false }, set);
      if (count > 1) button.append(node("small", count));
      button.setAttribute("aria-label", `${words().hand} ${words().kinds[kind]} ${count}`);
      button.disabled = !usable;
      button.dataset.kind = kind;
      pieces.append(button);
    }
    if (!pieces.children.length) pieces.append(node("span", words().none, "faint"));
    box.replaceChildren(node("b", label), node("span", "", "clock"), pieces);
  }
  drawClock(box.children[1], side);
}

function drawClock(box, side) {
  const { clock, human } = state;
  let text = "";
  if (clock && (human || state.overAt === state.tip)) {
    const { main, byoyomi } = clock.remaining(side, performance.now());
    text = main > 0 || !clock.byoyomi ? timeText(main) : `${words().byoyomi} ${timeText(byoyomi)}`;
  }
  if (box.textContent !== text) box.textContent = text;
  box.classList.toggle("on", Boolean(human && clock?.side === side));
}

/// A move that is typed, `7g7f`, or as in the list of moves, also without marks: `７六歩`, `76歩`, `P-7f`.
export function typedMove(text) {
  const base = shownText(),
    plain = (move) =>
      move
        .normalize("NFKC")
        .replace(/[▲△☗☖\s]/g, "")
        .replace(/[一二三四五六七八九]/g, (digit) => "一二三四五六七八九".indexOf(digit) + 1)
        .toLowerCase();
  const wanted = plain(text),
    { legal } = shownLook(),
    exact = legal.find((move) => plain(move) === wanted);
  if (exact || !wanted) return exact || null;
  const named = legal.filter((move) => {
    const answer = lookAt(after(base, [move]));
    return [answer.texts.at(-1), answer.english.at(-1)].some((name) => plain(name) === wanted);
  });
  return named.length === 1 ? named[0] : null;
}

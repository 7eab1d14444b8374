// Pieces are moved by clicks, by dragging, by keys on the board, and by typing.
/* global node */
import { shown, squares, typedMove } from "./board-view.js";
import { pressEdit } from "./editor.js";
import { pieceIcon } from "./pieces.js";
import { here, mayMove, play } from "./play.js";
import { click, pieceSet } from "./settings.js";
import { element, root, shownLook, state, words } from "./state.js";
import { ask, draw, tell } from "./ui.js";

/// How far a press moves before it is a drag.
const DRAG = 8;

/// Presses a square, `7g`, or a piece in the hand, `P*`.
export async function press(target) {
  if (state.edit) return pressEdit(target);
  if (!mayMove()) return;
  const game = root(),
    base = here(),
    { legal } = shownLook();
  const moves = state.selected
    ? legal.filter((move) => move.startsWith(state.selected) && move.slice(2, 4) === target)
    : [];
  if (!moves.length) {
    state.selected = target !== state.selected && legal.some((move) => move.startsWith(target)) ? target : null;
    return draw();
  }
  const promotes = moves.find((move) => move.endsWith("+")),
    stays = moves.find((move) => !move.endsWith("+"));
  const choice = promotes && stays ? await ask("promotion") : promotes ? "yes" : "no";
  state.selected = null;
  // Another game may have been pasted meanwhile.
  if (!choice || root() !== game) return draw();
  play(choice === "yes" ? promotes : stays, base);
  click();
}

// --- dragging ------------------------------------------------------------------------------------
let drag = null,
  swallow = false;

function pieceOf(from) {
  const at = shown();
  return from[1] === "*" ? { kind: from[0], promoted: false, side: at.side } : at.board.get(from);
}

function targetAt({ clientX, clientY }) {
  const under = document.elementFromPoint(clientX, clientY)?.closest("#squares button");
  return under ? under.dataset.square : null;
}

function begin(event, from, button) {
  if (event.button !== 0 || !event.isPrimary || !button) return;
  if (
    !(state.edit
      ? pieceOf(from) && from[1] !== "*"
      : mayMove() && shownLook().legal.some((move) => move.startsWith(from)))
  )
    return;
  drag = { from, x: event.clientX, y: event.clientY, ghost: null, size: element("squares").clientWidth / 9 };
  if (button.hasPointerCapture?.(event.pointerId)) button.releasePointerCapture(event.pointerId);
}

function moved(event) {
  if (!drag) return;
  if (!drag.ghost) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG) return;
    drag.ghost = node("div", "", "ghost");
    const piece = pieceOf(drag.from),
      turned = (piece.side === "white") !== state.flipped;
    drag.ghost.innerHTML = pieceIcon(piece, pieceSet());
    drag.ghost.style.width = `${drag.size}px`;
    if (turned) drag.ghost.classList.add("turned");
    document.body.append(drag.ghost);
    state.selected = state.lifted = drag.from;
    draw();
  }
  drag.ghost.style.left = `${event.clientX - drag.size / 2}px`;
  drag.ghost.style.top = `${event.clientY - drag.size / 2}px`;
}

function drop(event, cancelled) {
  if (!drag) return;
  const { from, ghost } = drag;
  drag = null;
  if (!ghost) return;
  ghost.remove();
  state.lifted = null;
  // The click that follows is of the drag.
  swallow = true;
  setTimeout(() => {
    swallow = false;
  });
  const target = cancelled ? null : targetAt(event);
  if (target && target !== from && (state.edit || mayMove()) && state.selected === from) return press(target);
  state.selected = null;
  draw();
}

// --- keys and text -------------------------------------------------------------------------------
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -9, ArrowDown: 9 };

function gridKey(event) {
  const step = STEPS[event.key],
    buttons = squares(),
    at = buttons.indexOf(document.activeElement);
  if (!step || at < 0) return;
  event.preventDefault();
  event.stopPropagation();
  const next = at + step;
  if (next < 0 || next > 80 || (Math.abs(step) === 1 && Math.floor(next / 9) !== Math.floor(at / 9))) return;
  focusSquare(buttons[next]);
}

function focusSquare(button) {
  squares().forEach((one) => {
    one.tabIndex = one === button ? 0 : -1;
  });
  button.focus({ preventScroll: true });
}

async function typed(event) {
  event.preventDefault();
  const box = element("typed"),
    text = box.value.trim();
  if (!text || !mayMove()) return;
  const move = typedMove(text);
  if (!move) return tell(() => words().badMove(text), true);
  box.value = "";
  play(move);
  click();
}

export function listenInput() {
  const grid = element("squares");
  grid.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button || swallow) return;
    press(button.dataset.square);
  });
  grid.addEventListener("keydown", gridKey);
  // A pointer does not take the focus: its arrow keys step through the game.
  grid.addEventListener("mousedown", (event) => event.preventDefault());
  grid.addEventListener("pointerdown", (event) => {
    const button = event.target.closest("button");
    if (button) begin(event, button.dataset.square, button);
  });
  for (const id of ["above", "below"]) {
    element(id).addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      if (button && !button.disabled && !swallow) press(`${button.dataset.kind}*`);
    });
    element(id).addEventListener("pointerdown", (event) => {
      const button = event.target.closest("button");
      if (button && !button.disabled) begin(event, `${button.dataset.kind}*`, button);
    });
  }
  document.addEventListener("pointermove", moved);
  document.addEventListener("pointerup", (event) => drop(event, false));
  document.addEventListener("pointercancel", (event) => drop(event, true));
  element("typing").addEventListener("submit", typed);
}

// The page: playing, viewing and analysing a game. Rules and records are handled by the module;
// searches run in workers.
import { drawBoard, makeSquares } from "./board-view.js";
import { drawEditor, edit, listenEditor } from "./editor.js";
import { listenInput } from "./input.js";
import { drawButtons, drawGraph, drawLines, drawMoves, pressLine, pressMove, prune } from "./panels.js";
import {
  analyse,
  findMate,
  follow,
  hint,
  pause,
  resign,
  resume,
  sayMove,
  start,
  startEngine,
  stopButton,
  takeBack,
  tick,
} from "./play.js";
import { copy, listenRecords, openLink, paste, readText, save, share } from "./records.js";
import {
  drawJudgement,
  drawReview,
  evaluate,
  leaveReview,
  listenReview,
  recallReview,
  saveKif,
  savePage,
  startReview,
  wholeButton,
} from "./review.js";
import { load } from "./rules.js";
import { compile } from "./sabi.js";
import { listenSettings, speak } from "./settings.js";
import { element, kept, keep, languageOf, onReplaced, recall, remember, showNode, state, words } from "./state.js";
import { path } from "./tree.js";
import { draw, drawnBy, tell, tellAgain } from "./ui.js";

// --- stepping through the game -------------------------------------------------------------------
function showMove(node) {
  if (node === state.node && !state.line) return;
  showNode(node);
  sayMove(node);
  draw();
  follow();
}

function go(ply) {
  if (state.edit) return;
  const line = path(state.tip);
  showMove(line[Math.max(0, Math.min(line.length - 1, ply))]);
}

function step(by) {
  if (!state.line) return go(state.node.ply + by);
  state.line.step = Math.max(0, Math.min(state.line.moves.length, state.line.step + by));
  draw();
  follow();
}

const flip = () => {
  state.flipped = !state.flipped;
  remember();
  draw();
};
const leave = () => {
  Object.assign(state, { line: null, selected: null });
  draw();
};
function otherLanguage() {
  speak(languageOf() === "ja" ? "en" : "ja", draw);
  tellAgain();
  draw();
  evaluate();
}

/// The panels beside the board, of which a phone shows one.
function choose(tab) {
  document.body.dataset.tab = tab;
  keep("tab", tab);
  for (const button of element("tabs").children)
    button.setAttribute("aria-selected", String(button.dataset.tab === tab));
}

const ACTIONS = {
  first: () => go(0),
  back: () => step(-1),
  next: () => step(1),
  last: () => go(state.tip.ply),
  flip,
  language: otherLanguage,
  start,
  undo: takeBack,
  resign,
  hint,
  analyse,
  mate: findMate,
  stop: stopButton,
  whole: wholeButton,
  "save-page": savePage,
  "save-kif": saveKif,
  open: () => element("file").click(),
  paste,
  save,
  copy,
  share,
  clear: () => readText("startpos"),
  prune,
  edit,
};
const KEYS = {
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  Home: () => go(0),
  End: () => go(state.tip.ply),
  f: flip,
  Escape: leave,
};

function listen() {
  for (const [id, action] of Object.entries(ACTIONS)) element(id).onclick = action;
  element("lines").onclick = pressLine;
  element("moves").onclick = (event) => pressMove(event, showMove);
  element("tabs").onclick = ({ target }) => {
    if (target.dataset.tab) choose(target.dataset.tab);
  };
  element("graph").onclick = (event) => {
    const { left, width } = element("graph").getBoundingClientRect();
    go(Math.round(((event.clientX - left) / width) * state.tip.ply));
  };
  element("squares").addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      step(Math.sign(event.deltaY));
    },
    { passive: false },
  );
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(TEXTAREA|SELECT|INPUT)$/.test(event.target.tagName))
      return;
    // Escape closes a dialog, which the other keys are not meant for.
    if (document.querySelector("dialog[open]")) return;
    const action = KEYS[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  });
  element("moves").addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    go(state.node.ply + by);
    element("moves").querySelector(".move.on").focus({ preventScroll: true });
  });
  addEventListener("pagehide", pause);
  // From the browser's own cache of pages, with a clock that stands still.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
  setInterval(tick, 200);
  listenInput();
  listenEditor();
  listenRecords();
  listenReview();
}

async function main() {
  drawnBy(drawEditor, drawBoard, drawLines, drawGraph, drawMoves, drawJudgement, drawReview, drawButtons);
  speak(languageOf(), () => state.tip && draw());
  listenSettings();
  choose(kept("tab", "play"));
  makeSquares();
  tell(() => words().loading);
  if ("serviceWorker" in navigator)
    navigator.serviceWorker.register("service-worker.js").catch((error) => console.warn(error));
  try {
    const module = await compile(new URL("./sabi.wasm", import.meta.url));
    load(module);
    startEngine(module);
    startReview(module);
  } catch (error) {
    return tell(() => words().broken(error.message), true);
  }
  const before = recall();
  onReplaced(leaveReview);
  recallReview();
  listen();
  draw();
  if (resume(before)) await openLink();
  else if (!(await openLink())) tell(() => words().ready);
}

main();

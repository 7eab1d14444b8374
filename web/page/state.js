// What the page shows, and what it keeps for the next visit.
import { leaf, look, movesOf, packed, path, rootOf, unpacked, visit } from "./tree.js";
import { after, lookAt, sideOf } from "./rules.js";
import { WORDS } from "./words.js";

export const element = (id) => document.getElementById(id);
export const kept = (name, otherwise) => {
  try {
    return localStorage.getItem(name) ?? otherwise;
  } catch {
    return otherwise;
  }
};
export const keep = (name, value) => {
  try {
    localStorage.setItem(name, value);
  } catch {
    /* storage may be unavailable */
  }
};

/// `tip`: the end of the shown branch; `node`: the shown position on it; `line`: a variation of the
/// engine that is stepped through; `lifted`: the square of the piece that is being dragged; `human`: the user's side in a running game; `player`: the same, also
/// after its end; `revealed`: whether the user asked for analysis in the running game; `over`: how the
/// game ended where the rules do not tell, at the node `overAt`; `record`: names and text of a record
/// that was read, up to the node `recordTip`; `busy`: what the engine does, "move", "hint", "analyse",
/// "mate" or ""; `hint`: a move and the text of its position; `edit`: the position that is being edited;
/// `clock` and `level`: those of the game.
export const state = {
  tip: null,
  node: null,
  line: null,
  flipped: false,
  selected: null,
  lifted: null,
  human: null,
  player: null,
  revealed: false,
  over: null,
  overAt: null,
  record: null,
  recordTip: null,
  busy: "",
  hint: null,
  edit: null,
  clock: null,
  level: "0",
};
/// Scores from Black's view, by the text of the position.
export const scores = new Map();
/// The last variations of the engine, and their position.
export const thought = { position: "", lines: [] };

let language = WORDS[kept("language", "")] ? kept("language", "") : navigator.language.startsWith("ja") ? "ja" : "en";
export const words = () => WORDS[language];
export const languageOf = () => language;
export function setLanguage(name) {
  language = name;
  keep("language", name);
}

// --- what is shown -------------------------------------------------------------------------------
export const root = () => path(state.tip)[0];
export const shownText = () =>
  state.line ? after(state.line.base.text, state.line.moves.slice(0, state.line.step)) : state.node.text;
export const shownLook = () => (state.line ? lookAt(shownText()) : look(state.node));
export const atEnd = () => state.node === state.tip;
/// Whether evaluations are hidden: they would be hints.
export const secret = () => Boolean(state.human) && !state.revealed;
/// How the game ended at a node, if it did.
export const overOf = (node) => look(node).over || (state.overAt === node ? state.over : null);
export const isHandicap = () => look(root()).handicap;
export const sideName = (side) => (isHandicap() ? words().handicap : words())[side];
export const toMove = () => sideOf(shownLook());

/// The moves of an answer in the notation of the language.
export const textsOf = ({ texts, english, start }) => {
  if (language === "ja") return texts;
  const first = start.split(" ")[1] === "b" ? 0 : 1;
  return english.map((text, at) => `${"☗☖"[(at + first) % 2]}${text}`);
};
export const nameOf = (node) => textsOf(look(node)).at(-1);

/// A result in words; empty if it is unknown.
export function resultText(result) {
  if (result === "draw") return words().draw;
  return ["black", "white"].includes(result) ? words().wins(sideName(result)) : "";
}
export const overText = ({ reason, result }) => `${words().over[reason] || reason} — ${resultText(result)}`;

/// Shows a node; `tip` is the end of its branch.
export function showNode(node, tip = path(state.tip).includes(node) ? state.tip : leaf(node)) {
  Object.assign(state, { node, tip, line: null, selected: null });
  visit(tip);
  remember();
}

let replaced = () => {};
/// Called when another game is shown.
export const onReplaced = (action) => {
  replaced = action;
};

/// Another game, which replaces all branches.
export function setGame(tip, node = tip) {
  Object.assign(state, {
    tip,
    over: null,
    overAt: null,
    record: null,
    recordTip: null,
    hint: null,
    revealed: false,
    edit: null,
  });
  scores.clear();
  Object.assign(thought, { position: "", lines: [] });
  replaced();
  showNode(node, tip);
}

// --- the next visit ------------------------------------------------------------------------------
/// Keeps the game.
export function remember() {
  const { tip, human, player, revealed, flipped, over, overAt, record, recordTip, clock, level } = state;
  keep("game", tip.text);
  keep("tree", JSON.stringify(packed(tip)));
  keep(
    "play",
    JSON.stringify({
      human,
      player,
      revealed,
      flipped,
      level,
      over: overAt === tip ? over : null,
      record: recordTip === tip ? record : null,
      left: clock && human ? clock.left : null,
      times: clock && human ? { main: clock.main, byoyomi: clock.byoyomi, increment: clock.increment } : null,
    }),
  );
}

const parsed = (name) => {
  try {
    return JSON.parse(kept(name, "null"));
  } catch {
    return null;
  }
};

/// Shows the game of the last visit, or the start position; returns what else was kept of the play.
export function recall() {
  const tree = parsed("tree"),
    known = tree && typeof tree === "object" && Array.isArray(tree.moves);
  const before = lookAt(kept("game", "startpos"));
  let tip = null;
  try {
    tip = known ? unpacked(tree) : null;
  } catch {
    /* Kept by another version. */
  }
  tip ||= before.error ? null : unpacked(before);
  if (!tip) {
    setGame(rootOf(lookAt("startpos").start));
    return {};
  }
  const play = parsed("play") || {},
    side = (name) => (name === "black" || name === "white" ? name : null);
  setGame(tip);
  Object.assign(state, {
    human: side(play.human),
    player: side(play.player),
    revealed: play.revealed === true,
    flipped: play.flipped === true,
    level: String(Number(play.level) || 0),
  });
  if (play.over) Object.assign(state, { over: play.over, overAt: tip });
  if (play.record) Object.assign(state, { record: play.record, recordTip: tip });
  return play;
}

export const moveCount = () => movesOf(state.tip).length;

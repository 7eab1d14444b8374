// Searches, and games against the engine.
/* global other */
import { Clock } from "./clock.js";
import { Engine, parseInfo, scoreOf } from "./engine.js";
import { after, lookAt, sideOf } from "./rules.js";
import { handicapStart } from "./setup.js";
import { click } from "./settings.js";
import {
  atEnd,
  element,
  nameOf,
  overText,
  remember,
  scores,
  setGame,
  shownLook,
  shownText,
  showNode,
  sideName,
  state,
  textsOf,
  thought,
  toMove,
  words,
} from "./state.js";
import { child, grow, look, unpacked } from "./tree.js";
import { announce, ask, draw, drawSoon, tell } from "./ui.js";

const MULTI_PV = 3,
  MATE_MILLISECONDS = 30_000,
  HINT_MILLISECONDS = 1000;
/// What the engine may be late: the page passes its lines on.
const GRACE = 1000;

let engine;
export function startEngine(module) {
  engine = new Engine(module, (reason) => {
    state.busy = "";
    draw();
    tell(() => words().broken(reason), true);
  });
}

// --- moves ---------------------------------------------------------------------------------------
/// Whether the user may move the pieces of the side to move.
export const mayMove = () =>
  !state.edit && !(state.human && (!atEnd() || state.line || toMove() !== state.human)) && !shownLook().over;

/// Where a move is to be played: the shown position, also in a variation.
export const here = () =>
  state.line
    ? { node: state.line.base, moves: state.line.moves.slice(0, state.line.step) }
    : { node: state.node, moves: [] };

/// Plays a move in the shown position, or in that for which it was chosen if another may be shown by
/// now; other moves there stay as branches.
export function play(move, { node, moves } = here()) {
  const base = grow(node, moves),
    answer = lookAt(after(base.text, [move]));
  if (answer.error) return tell(answer.error, true);
  const next = child(base, move);
  stopClock(next);
  showNode(next);
  sayMove(next);
  if (answer.over) return stop().then(() => end(answer.over));
  tell(() => (answer.check ? words().check : ""));
  draw();
  if (state.human) continueGame();
  else if (state.busy) analyse();
}

/// Says the move that led to a node.
export function sayMove(node) {
  if (!node.parent) return announce(words().startPosition);
  const side = sideName(sideOf(look(node.parent)));
  announce(words().spoken(side, nameOf(node)) + (look(node).check ? `, ${words().check}` : ""));
}

/// Ends the game, `over` as in the answer to `look`.
function end(over) {
  stopClock(null);
  state.human = null;
  Object.assign(state, { over, overAt: state.tip });
  remember();
  tell(() => overText(over));
  draw();
}

// --- searches ------------------------------------------------------------------------------------
/// Runs a search; resolves to its last line, or `null` if another search or a stop came first, or the
/// engine is over.
async function run(busy, position, command, options) {
  state.busy = busy;
  Object.assign(thought, { position, lines: [] });
  draw();
  const side = sideOf(lookAt(position));
  const last = await engine.go(position, command, { Level: 0, MultiPV: 1, USI_OwnBook: false, ...options }, (line) => {
    const info = parseInfo(line);
    if (!info || !info.pv.length || (info.cp ?? info.mate) === undefined) return;
    const score = scoreOf(info, side);
    if (info.place === 1 && info.exact) scores.set(position, score);
    thought.lines[info.place - 1] = { ...info, score };
    drawSoon();
  });
  if (last !== null) {
    state.busy = "";
    draw();
  }
  return last;
}

export async function stop() {
  const was = state.busy;
  state.busy = "";
  await engine.stop();
  if (was) tell("");
  draw();
}

/// In a game the engine moves at once.
export const stopButton = () => (state.busy === "move" ? engine.finish() : stop());

/// Analyses the shown position; in a game evaluations are shown from then on.
export async function analyse() {
  if (state.human) state.revealed = true;
  const text = shownText(),
    { over } = lookAt(text);
  if (over) return stop().then(() => tell(() => overText(over)));
  tell(() => words().thinkingNow);
  await run("analyse", text, "go infinite", { MultiPV: MULTI_PV });
}

/// The analysis follows the shown position.
export function follow() {
  if (state.busy === "analyse" || state.busy === "mate") analyse();
}

export async function findMate() {
  tell(() => words().mateSearch);
  const text = shownText(),
    last = await run("mate", text, `go mate ${MATE_MILLISECONDS}`, {});
  if (last === null) return;
  const moves = last.split(" ").slice(1);
  if (moves[0] === "nomate") return tell(() => words().noMate);
  if (moves[0] === "timeout") return tell(() => words().mateUnknown);
  // The moves may be more than the plies of the mate: useless interpositions do not count.
  const plies = thought.lines[0]?.mate ?? moves.length;
  tell(() => words().mateFound(plies));
  thought.lines = [
    { place: 1, depth: plies, pv: moves, score: scoreOf({ mate: plies }, sideOf(lookAt(text))), whole: true },
  ];
  scores.set(text, thought.lines[0].score);
  draw();
}

/// Shows a good move, without its evaluation.
export async function hint() {
  tell(() => words().hintNow);
  const text = shownText(),
    last = await run("hint", text, `go movetime ${HINT_MILLISECONDS}`, {});
  if (last === null) return;
  const move = last.split(" ")[1],
    answer = lookAt(after(text, [move]));
  if (answer.error) return tell(() => words().none);
  state.hint = { text, move };
  tell(() => words().hintIs(textsOf(answer).at(-1)));
  draw();
}

// --- games against the engine --------------------------------------------------------------------
const number = (id) => Math.max(0, Number(element(id).value) || 0);

/// Asks before a running game is left.
export const mayLeave = async () => !state.human || (await ask("leave")) === "yes";

export async function start() {
  if (!(await mayLeave())) return;
  await stop();
  const handicap = element("handicap").value;
  const tip = handicap === "here" ? state.node : unpacked(lookAt(handicapStart(handicap)));
  if (look(tip).over) return tell(() => overText(look(tip).over), true);
  // A game from the shown position keeps the branches.
  if (handicap === "here")
    Object.assign(state, { over: null, overAt: null, record: null, recordTip: null, hint: null, revealed: false });
  else setGame(tip);
  state.human = state.player = element("side").value;
  state.level = element("level").value;
  state.flipped = state.human === "white";
  const times = {
    main: 60_000 * number("main"),
    byoyomi: 1000 * number("byoyomi"),
    increment: 1000 * number("increment"),
  };
  state.clock = times.main || times.byoyomi || times.increment ? new Clock(times) : null;
  engine.newGame();
  showNode(tip, tip);
  element("table").scrollIntoView({ block: "start" });
  continueGame();
}

/// Goes on with the game of the last visit.
export function resume({ times, left }) {
  if (!state.human) return false;
  state.clock = times && left ? new Clock(times, left) : null;
  continueGame();
  return true;
}

/// Lets the engine move if it is its turn.
async function continueGame() {
  const { tip } = state,
    it = look(tip);
  if (it.over) return end(it.over);
  startClock(sideOf(it));
  draw();
  if (sideOf(it) === state.human)
    return tell(() => (it.check ? `${words().yourTurn} (${words().check})` : words().yourTurn));
  tell(() => words().engineTurn);
  const level = Number(state.level),
    limits = state.clock ? state.clock.limits(performance.now()) : `btime 0 wtime 0 byoyomi ${element("time").value}`;
  const last = await run("move", tip.text, `go ${limits}`, { Level: level, USI_OwnBook: true });
  if (last === null || !state.human) return;
  const move = last.split(" ")[1];
  if (move === "resign") return end({ result: state.human, reason: "resign" });
  if (move === "win") return end({ result: other(state.human), reason: "declaration" });
  play(move, { node: tip, moves: [] });
  click();
}

export function resign() {
  const winner = other(state.human);
  stop().then(() => end({ result: winner, reason: "resign" }));
}

/// Takes back the last own move, which stays as a branch.
export async function takeBack() {
  await stop();
  stopClock(null);
  const { tip } = state,
    own = sideOf(look(tip)) === state.human;
  const before = own ? tip.parent?.parent || tip.parent || tip : tip.parent || tip;
  showNode(before, before);
  sayMove(before);
  draw();
  if (state.human) continueGame();
}

// --- the clock -----------------------------------------------------------------------------------
/// When the side to move began to think; its time is kept without a clock, too.
let since = null;

function startClock(side) {
  since = performance.now();
  state.clock?.start(side, since);
}

/// Ends the thinking before `next`, the position after the move, if there is one.
function stopClock(next) {
  if (!state.human || since === null) return;
  const now = performance.now();
  if (next) next.seconds ??= Math.floor((now - since) / 1000);
  state.clock?.stop(now, Boolean(next));
  since = null;
}

/// Draws the clocks, and ends the game when the time is over; called regularly.
export function tick() {
  const { clock, human } = state;
  if (!clock || !human || !clock.side) return;
  const now = performance.now(),
    { side } = clock;
  if (clock.isOver(now, side === human ? 0 : GRACE))
    stop().then(() => state.human && end({ result: other(side), reason: "timeout" }));
  else drawSoon();
}

/// Before the page is left.
export function pause() {
  if (state.clock?.side) state.clock.stop(performance.now(), false);
  remember();
}

// The page: playing, viewing and analysing a game. Rules and records are handled by the module;
// searches run in a worker.
import { Engine, parseInfo, scoreOf } from "./engine.js";
import { Instance, compile } from "./sabi.js";
import { WORDS } from "./words.js";

const MULTI_PV = 3, MAX_PV = 12;
const WHOLE_NODES = 40_000, MATE_MILLISECONDS = 30_000;
const element = (id) => document.getElementById(id);
const kept = (name, otherwise) => { try { return localStorage.getItem(name) ?? otherwise; } catch { return otherwise; } };
const keep = (name, value) => { try { localStorage.setItem(name, value); } catch { /* storage may be unavailable */ } };

let words = WORDS[kept("language", navigator.language.startsWith("ja") ? "ja" : "en")] || WORDS.en;
let rules, engine;

/// `ply`: the shown position; `line`: the variation being stepped through; `busy`: what the engine
/// does, "move", "analyse", "whole", "mate" or "".
const state = { game: null, look: null, ply: 0, line: null, flipped: false, selected: null, human: null, busy: "" };
/// Scores from Black's view, by position text.
const scores = new Map();
/// The last variations from the engine, and their position.
const thought = { position: "", lines: [] };

// --- the game ------------------------------------------------------------------------------------
const positionText = (ply = state.ply) => {
  const { start, moves } = state.game;
  return `sfen ${start}${ply ? ` moves ${moves.slice(0, ply).join(" ")}` : ""}`;
};
const lookAt = (text) => rules.ask(`look ${text}`);
const shownText = () => (state.line ? `${state.line.base}${state.line.moves.slice(0, state.line.step).join(" ")}` : positionText());
const sideOf = ({ sfen }) => (sfen.split(" ")[1] === "b" ? "black" : "white");
const atEnd = () => state.ply === state.game.moves.length;

/// The moves of a game in the notation of the language.
function textsOf({ start, moves, texts }) {
  if (words === WORDS.ja) return texts;
  let position = fromSfen(start);
  return moves.map((move) => {
    const { side, board } = position, piece = board.get(move.slice(0, 2)), taken = board.has(move.slice(2, 4));
    position = played(position, move);
    const from = piece ? `${piece.promoted ? "+" : ""}${piece.kind}${move.slice(0, 2)}${taken ? "x" : "-"}` : move.slice(0, 2);
    return `${side === "black" ? "☗" : "☖"}${from}${move.slice(2)}`;
  });
}

/// Shows a game at a ply; resets variation and selection.
function show(game, ply) {
  Object.assign(state, { game, ply, line: null, selected: null });
  state.look = lookAt(positionText());
  keep("game", positionText(game.moves.length));
  draw();
}

function go(ply) {
  const next = Math.max(0, Math.min(state.game.moves.length, ply));
  if (next === state.ply && !state.line) return;
  show(state.game, next);
  if (state.busy === "analyse" || state.busy === "mate") analyse();
}

function step(by) {
  if (!state.line) return go(state.ply + by);
  state.line.step = Math.max(0, Math.min(state.line.moves.length, state.line.step + by));
  draw();
}

/// Plays a move in the shown position, or in that for which it was chosen if another may be shown by
/// now; drops later moves, and shows the result. In a variation, its moves become the game.
function play(move, base = shownText()) {
  const next = lookAt(`${base}${/ moves /.test(base) ? " " : " moves "}${move}`);
  if (next.error) return tell(next.error, true);
  show(next, next.moves.length);
  if (next.over) return stop().then(() => end(next.over.result, next.over.reason));
  tell(next.check ? words.check : "");
  if (state.human) answer();
  else if (state.busy) analyse();
}

function end(result, reason) {
  state.human = null;
  tell(`${words.over[reason] || reason} — ${words.result[result]}`);
  draw();
}

// --- the engine ----------------------------------------------------------------------------------
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

async function stop() {
  const was = state.busy;
  state.busy = "";
  await engine.stop();
  if (was) tell("");
  draw();
}

async function analyse() {
  tell(words.thinkingNow);
  const text = state.line ? shownText() : positionText();
  if (lookAt(text).over) return stop();
  await run("analyse", text, "go infinite", { MultiPV: MULTI_PV });
}

async function findMate() {
  tell(words.mateSearch);
  const text = shownText(), last = await run("mate", text, `go mate ${MATE_MILLISECONDS}`, {});
  if (last === null) return;
  const moves = last.split(" ").slice(1);
  if (moves[0] === "nomate") return tell(words.noMate);
  if (moves[0] === "timeout") return tell(words.mateUnknown);
  // The moves may be more than the plies of the mate: useless interpositions do not count.
  const plies = thought.lines[0]?.mate ?? moves.length;
  tell(words.mateFound(plies));
  thought.lines = [{ place: 1, depth: plies, pv: moves, score: scoreOf({ mate: plies }, sideOf(lookAt(text))), whole: true }];
  scores.set(text, thought.lines[0].score);
  draw();
}

/// Analyses every position of the game, in order.
async function analyseAll() {
  tell(words.thinkingNow);
  const { game } = state;
  for (let ply = 0; ply <= game.moves.length; ply += 1) {
    show(game, ply);
    const text = positionText(ply);
    if (lookAt(text).over) continue;
    if ((await run("whole", text, `go nodes ${WHOLE_NODES}`, {})) === null) return;
  }
  tell(words.wholeDone);
}

// --- playing against the engine ------------------------------------------------------------------
async function start() {
  await stop();
  state.human = element("side").value;
  state.flipped = state.human === "white";
  scores.clear();
  engine.newGame();
  show(lookAt("startpos"), 0);
  element("table").scrollIntoView({ block: "start" });
  answer();
}

/// Lets the engine move if it is its turn.
async function answer() {
  if (sideOf(state.look) === state.human) return tell(state.look.check ? `${words.yourTurn} (${words.check})` : words.yourTurn);
  tell(words.engineTurn);
  const text = positionText(), level = Number(element("level").value);
  const last = await run("move", text, `go btime 0 wtime 0 byoyomi ${element("time").value}`, { Level: level, USI_OwnBook: true });
  if (last === null || !state.human) return;
  const move = last.split(" ")[1];
  if (move === "resign") return end(state.human, "resign");
  if (move === "win") return end(sideOf(lookAt(text)), "declaration");
  play(move, text);
}

function resign() {
  const winner = other(state.human);
  stop().then(() => end(winner, "resign"));
}

/// Takes back the last own move.
async function takeBack() {
  await stop();
  const { moves } = state.game, own = sideOf(lookAt(positionText(moves.length))) === state.human;
  const ply = Math.max(0, moves.length - (own ? 2 : 1));
  show(lookAt(positionText(ply)), ply);
  if (state.human) answer();
}

// --- records -------------------------------------------------------------------------------------
function read(name, bytes) {
  const head = new TextEncoder().encode(`read ${name.replace(/[\n/\\]/g, "_")}\n`), question = new Uint8Array(head.length + bytes.length);
  question.set(head);
  question.set(bytes, head.length);
  const game = rules.ask(question);
  if (game.error) return tell(words.failed(game.error), true);
  stop().then(() => {
    state.human = null;
    state.flipped = false;
    scores.clear();
    Object.assign(thought, { position: "", lines: [] });
    show(game, 0);
    const names = (game.names || []).map((name, side) => name && `${"☗☖"[side]}${name}`).filter(Boolean);
    tell([...names, words.moveCount(game.moves.length), words.result[game.result]].filter(Boolean).join(" · "));
  });
}

function kif() {
  const name = (side) => (state.human ? (side === state.human ? words.you : "Sabi") : "");
  return rules.ask(`write kif ${name("black")}\t${name("white")}\t${positionText(state.game.moves.length)}`).text;
}

function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([kif()], { type: "text/plain" }));
  link.download = "sabi.kif";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function ask(dialog) {
  element(dialog).returnValue = "";
  element(dialog).showModal();
  await new Promise((resolve) => element(dialog).addEventListener("close", resolve, { once: true }));
  return element(dialog).returnValue;
}

async function paste() {
  element("text").value = "";
  const done = await ask("input"), text = element("text").value;
  if (done === "yes" && text.trim()) read("", new TextEncoder().encode(text));
}

// --- hands and board -----------------------------------------------------------------------------
/// Whether the user may move the pieces of the side to move.
const mayMove = () => !(state.human && (!atEnd() || state.line || sideOf(state.look) !== state.human)) && !lookAt(shownText()).over;

async function press(target) {
  if (!mayMove()) return;
  const { game } = state, base = shownText(), { legal } = lookAt(base);
  const moves = state.selected ? legal.filter((move) => move.startsWith(state.selected) && move.slice(2, 4) === target) : [];
  if (!moves.length) {
    state.selected = target !== state.selected && legal.some((move) => move.startsWith(target)) ? target : null;
    return draw();
  }
  const promotes = moves.find((move) => move.endsWith("+")), stays = moves.find((move) => !move.endsWith("+"));
  const choice = promotes && stays ? await ask("promotion") : promotes ? "yes" : "no";
  state.selected = null;
  // Another game may have been pasted meanwhile.
  if (choice && state.game === game) play(choice === "yes" ? promotes : stays, base);
  else draw();
}

function squareAt(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(element("board").getScreenCTM().inverse());
  let [column, row] = [Math.floor((point.x - EDGE) / CELL), Math.floor((point.y - EDGE) / TALL)];
  if (column < 0 || column > 8 || row < 0 || row > 8) return null;
  if (state.flipped) [column, row] = [8 - column, 8 - row];
  return square(9 - column, row);
}

// --- drawing -------------------------------------------------------------------------------------
function tell(text, wrong = false) {
  element("status").textContent = text;
  element("status").classList.toggle("wrong", wrong);
}

const scoreText = ({ cp, mate }) => (mate === undefined ? `${cp > 0 ? "+" : ""}${cp}` : `${mate > 0 ? "☗" : "☖"} ${words.mateIn(mate)}`);

function shown() {
  const { start, moves } = state.game;
  const before = state.line ? lookAt(state.line.base.replace(/ (moves )?$/, "")) : { start, moves: moves.slice(0, state.ply) };
  const after = state.line ? state.line.moves.slice(0, state.line.step) : [];
  return [...before.moves, ...after].reduce(played, fromSfen(before.start));
}

function drawBoard() {
  const position = shown(), { flipped, selected } = state, mine = mayMove();
  const marked = [position.from, position.to, selected && selected[1] !== "*" && selected].filter(Boolean);
  const marks = selected ? lookAt(shownText()).legal.filter((move) => move.startsWith(selected)).map((move) => {
    const [x, y] = place(move.slice(2, 4), flipped);
    return `<circle class="dot" cx="${x + CELL / 2}" cy="${y + TALL / 2}" r="8"/>`;
  }) : [];
  const best = !selected && thought.position === shownText() && state.busy !== "move" ? thought.lines.filter(Boolean) : [];
  best.forEach(({ pv }, at) => marks.unshift(arrow(pv[0], "var(--best)", at ? 2.5 : 6, flipped)));
  element("board").innerHTML = boardMarkup(position, { flipped, marked, ranks: words.ranks, marks });
  element("board").classList.toggle("mine", mine);
  for (const side of ["black", "white"]) {
    const box = element(side === (flipped ? "white" : "black") ? "below" : "above");
    const name = !state.human ? "" : side === state.human ? ` ${words.you}` : ` Sabi ${element("level").selectedOptions[0].text}`;
    const hand = node("span", "", "hand");
    for (const kind of HAND_ORDER) {
      const count = position.hands[side][kind];
      if (!count) continue;
      const button = node("button", KANJI[kind], selected === `${kind}*` && side === position.side ? "on" : "");
      if (count > 1) button.append(node("small", count));
      button.disabled = !mine || side !== position.side;
      button.dataset.kind = kind;
      button.onclick = () => press(`${kind}*`);
      hand.append(button);
    }
    if (!hand.children.length) hand.append(node("span", words.none, "faint"));
    box.classList.toggle("turn", position.side === side);
    box.replaceChildren(node("b", `${side === "black" ? "☗" : "☖"} ${words[side]}${name}`), hand);
  }
}

function drawLines() {
  const { lines, position } = thought, first = lines.find(Boolean);
  const hasStatus = first && !first.whole && state.busy !== "move";
  element("status-line").textContent = hasStatus ? `${words.depth} ${first.depth} · ${words.nodes} ${first.nodes.toLocaleString()} · ${first.nps.toLocaleString()} nps` : "";
  const boxes = state.busy === "move" ? [] : lines.filter(Boolean).map((line) => {
    const base = `${position}${/ moves /.test(position) ? " " : " moves "}`, pv = line.whole ? line.pv : line.pv.slice(0, MAX_PV);
    const texts = textsOf(lookAt(base + pv.join(" "))), box = node("div", "", "line");
    box.append(node("span", `${scoreText(line.score)} (${percent(line.score.rate, 0)}) `, "value"));
    pv.forEach((_, at) => {
      const on = state.line && state.line.base === base && state.line.place === line.place && state.line.step === at + 1;
      const button = node("button", texts[texts.length - pv.length + at], on ? "on" : "");
      button.onclick = () => { state.line = { base, moves: pv, place: line.place, step: at + 1 }; state.selected = null; draw(); };
      box.append(button);
    });
    return box;
  });
  element("lines").replaceChildren(...boxes);
}

function drawGraph() {
  const last = state.game.moves.length, [wide, high] = [600, 130];
  const across = (ply) => (last ? (wide * ply) / last : wide / 2).toFixed(1);
  const known = Array.from({ length: last + 1 }, (_, ply) => ply).filter((ply) => scores.has(positionText(ply)));
  const points = known.map((ply) => `${across(ply)} ${(high * (1 - scores.get(positionText(ply)).rate)).toFixed(1)}`);
  const parts = [`<rect class="sky" width="${wide}" height="${high}"/>`];
  if (points.length > 1) parts.push(`<path class="area" d="M${across(known[0])} ${high} L${points.join(" L")} L${across(known.at(-1))} ${high} Z"/>`);
  parts.push(`<path class="middle" d="M0 ${high / 2}h${wide}"/><path class="cursor" d="M${across(state.ply)} 0v${high}"/>`);
  element("graph").innerHTML = parts.join("");
}

function drawMoves() {
  const rows = ["", ...textsOf(state.game)].map((text, ply) => {
    const row = node("li", "", ply === state.ply ? "on" : ""), score = scores.get(positionText(ply));
    row.append(node("span", ply), node("span", text || words.startPosition), node("span", score ? percent(score.rate, 0) : ""));
    row.onclick = () => go(ply);
    return row;
  });
  const box = element("moves");
  box.replaceChildren(...rows);
  // Only the list scrolls, not the page.
  const row = rows[state.ply], top = row.offsetTop - box.offsetTop;
  if (top < box.scrollTop || top + row.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
}

function drawButtons() {
  const playing = Boolean(state.human);
  const usable = { undo: playing && state.game.moves.length > 0, resign: playing, stop: state.busy !== "", analyse: !playing, whole: !playing, mate: !playing };
  for (const [id, may] of Object.entries(usable)) element(id).disabled = !may;
}

function draw() {
  drawBoard();
  drawLines();
  drawGraph();
  drawMoves();
  drawButtons();
}

let due = false;
/// Draws engine output, at most once per frame.
function drawSoon() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => { due = false; draw(); });
}

function speak(language) {
  words = WORDS[language];
  keep("language", language);
  document.documentElement.lang = language;
  document.querySelectorAll("[data-text]").forEach((box) => { box.textContent = words[box.dataset.text]; });
  document.querySelectorAll("[data-label]").forEach((box) => { box.setAttribute("aria-label", words[box.dataset.label]); });
  element("language").textContent = words.other;
  element("language").lang = language === "ja" ? "en" : "ja";
  const choices = (id, values, text, chosen) => {
    const value = element(id).value || kept(id, chosen);
    element(id).replaceChildren(...values.map((number) => new Option(text(number), number)));
    element(id).value = value;
    element(id).onchange = () => keep(id, element(id).value);
  };
  choices("level", [...Array(20).keys()].map((number) => number + 1).concat(0), (number) => (number ? `Lv. ${number}` : words.full), "5");
  choices("time", [1000, 3000, 10_000, 30_000], (number) => `${number / 1000} ${words.seconds}`, "3000");
}

// --- start ---------------------------------------------------------------------------------------
const ACTIONS = {
  first: () => go(0), back: () => step(-1), next: () => step(1), last: () => go(state.game.moves.length),
  flip: () => { state.flipped = !state.flipped; draw(); },
  language: () => { speak(words === WORDS.ja ? "en" : "ja"); tell(""); draw(); },
  start, undo: takeBack, resign, analyse, whole: analyseAll, mate: findMate, stop,
  open: () => element("file").click(), paste, save,
  copy: () => navigator.clipboard.writeText(kif()).then(() => tell(words.copied), (error) => tell(error.message, true)),
  clear: () => read("", new TextEncoder().encode("startpos")),
};
const KEYS = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0), End: () => go(state.game.moves.length),
  f: ACTIONS.flip, Escape: () => { state.line = state.selected = null; draw(); } };

function listen() {
  for (const [id, action] of Object.entries(ACTIONS)) element(id).onclick = action;
  element("board").onclick = (event) => { const target = squareAt(event); if (target) press(target); };
  element("graph").onclick = (event) => {
    const { left, width } = element("graph").getBoundingClientRect();
    go(Math.round(((event.clientX - left) / width) * state.game.moves.length));
  };
  const open = async (file) => { if (file) read(file.name, new Uint8Array(await file.arrayBuffer())); };
  element("file").onchange = ({ target }) => { open(target.files[0]); target.value = ""; };
  const dragging = (on) => (event) => { event.preventDefault(); document.body.classList.toggle("dragging", on); };
  document.addEventListener("dragover", dragging(true));
  document.addEventListener("dragleave", dragging(false));
  document.addEventListener("drop", (event) => {
    dragging(false)(event);
    const [file] = event.dataTransfer.files, text = event.dataTransfer.getData("text");
    if (file) open(file);
    else if (text) read("", new TextEncoder().encode(text));
  });
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text");
    if (event.target.tagName !== "TEXTAREA" && text.trim()) read("", new TextEncoder().encode(text));
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(TEXTAREA|SELECT|INPUT)$/.test(event.target.tagName)) return;
    const action = KEYS[event.key];
    if (action) { event.preventDefault(); action(); }
  });
}

async function main() {
  speak(words === WORDS.ja ? "ja" : "en");
  element("side").value = kept("side", "black");
  element("side").onchange = () => keep("side", element("side").value);
  tell(words.loading);
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("service-worker.js").catch((error) => console.warn(error));
  const broken = (text) => {
    state.busy = "";
    if (state.game) draw();
    tell(words.broken(text), true);
  };
  try {
    const module = await compile(new URL("./sabi.wasm", import.meta.url));
    rules = new Instance(module, () => {}, (text) => console.warn(text), () => false);
    engine = new Engine(module, broken);
  } catch (error) {
    return broken(error.message);
  }
  const game = lookAt(kept("game", "startpos"));
  show(game.error ? lookAt("startpos") : game, game.error ? 0 : game.moves.length);
  listen();
  tell(words.ready);
}

main();

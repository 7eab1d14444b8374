// The page: playing, viewing and analysing a game. Rules and records are handled by the module;
// searches run in a worker.
import { Engine, parseInfo, scoreOf } from "./engine.js";
import { Instance, compile } from "./sabi.js";
import { WORDS } from "./words.js";

const MULTI_PV = 3, MAX_PV = 12;
const WHOLE_NODES = 40_000, MATE_MILLISECONDS = 30_000;
/// The largest record that is read.
const MAX_BYTES = 16 << 20;
/// Ends of a game as records name them, where the page has another name.
const RECORD_ENDS = { repetition: "sennichite", "perpetual check": "sennichite" };
const element = (id) => document.getElementById(id);
const kept = (name, otherwise) => { try { return localStorage.getItem(name) ?? otherwise; } catch { return otherwise; } };
const keep = (name, value) => { try { localStorage.setItem(name, value); } catch { /* storage may be unavailable */ } };

let words = WORDS[kept("language", navigator.language.startsWith("ja") ? "ja" : "en")] || WORDS.en;
let module, rules, engine;

/// `game`: an answer of the module, with `over`, how it ended, also by resignation; `ply`: the
/// shown position; `line`: the variation being stepped through; `human`: the user's side in a
/// running game; `player`: the same, also after its end; `busy`: what the engine does, "move",
/// "analyse", "whole", "mate" or "".
const state = { game: null, look: null, ply: 0, line: null, flipped: false, selected: null,
  human: null, player: null, busy: "" };
/// Scores from Black's view, by position text.
const scores = new Map();
/// The last variations from the engine, and their position.
const thought = { position: "", lines: [] };

// --- the game ------------------------------------------------------------------------------------
const positionText = (ply = state.ply) => {
  const { start, moves } = state.game;
  return `sfen ${start}${ply ? ` moves ${moves.slice(0, ply).join(" ")}` : ""}`;
};
const newRules = () => new Instance(module, () => {}, (text) => console.warn(text), () => false);
/// Answers a question. After a trap the instance is unusable, and a new one replaces it.
function askRules(question) {
  try {
    return rules.ask(question);
  } catch (error) {
    rules = newRules();
    return { error: error.message };
  }
}
const lookAt = (text) => askRules(`look ${text}`);
const shownText = () => (state.line ? `${state.line.base}${state.line.moves.slice(0, state.line.step).join(" ")}` : positionText());
const sideOf = ({ sfen }) => (sfen.split(" ")[1] === "b" ? "black" : "white");
const atEnd = () => state.ply === state.game.moves.length;
const sideName = (side, game = state.game) => (game.handicap ? words.handicap : words)[side];

/// A result in words; empty if it is unknown.
function resultText(result, game = state.game) {
  if (result === "draw") return words.draw;
  return ["black", "white"].includes(result) ? words.wins(sideName(result, game)) : "";
}

const overText = ({ reason, result }) => `${words.over[reason] || reason} — ${resultText(result)}`;

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
  remember();
  draw();
}

/// Keeps the game for the next visit.
function remember() {
  const { game, human, player, flipped } = state;
  keep("game", positionText(game.moves.length));
  keep("play", JSON.stringify({ human, player, flipped, over: game.over || null }));
}

/// What `remember` kept beside the moves.
function remembered() {
  try {
    const { human, player, flipped, over } = JSON.parse(kept("play", "{}"));
    const side = (name) => (name === "black" || name === "white" ? name : null);
    return { human: side(human), player: side(player), flipped: flipped === true, over };
  } catch {
    return { human: null, player: null, flipped: false, over: null };
  }
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
  // A move after the end is not of the game that was played.
  if (!state.human) state.player = null;
  show(next, next.moves.length);
  if (next.over) return stop().then(() => end(next.over));
  tell(() => (next.check ? words.check : ""));
  if (state.human) answer();
  else if (state.busy) analyse();
}

/// Ends the game, `over` as in the answer to `look`.
function end(over) {
  state.human = null;
  state.game.over = over;
  remember();
  tell(() => overText(over));
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
  const text = shownText(), { over } = lookAt(text);
  if (over) return stop().then(() => tell(() => overText(over)));
  tell(() => words.thinkingNow);
  await run("analyse", text, "go infinite", { MultiPV: MULTI_PV });
}

async function findMate() {
  tell(() => words.mateSearch);
  const text = shownText(), last = await run("mate", text, `go mate ${MATE_MILLISECONDS}`, {});
  if (last === null) return;
  const moves = last.split(" ").slice(1);
  if (moves[0] === "nomate") return tell(() => words.noMate);
  if (moves[0] === "timeout") return tell(() => words.mateUnknown);
  // The moves may be more than the plies of the mate: useless interpositions do not count.
  const plies = thought.lines[0]?.mate ?? moves.length;
  tell(() => words.mateFound(plies));
  thought.lines = [{ place: 1, depth: plies, pv: moves, score: scoreOf({ mate: plies }, sideOf(lookAt(text))), whole: true }];
  scores.set(text, thought.lines[0].score);
  draw();
}

/// Analyses every position of the game, in order.
async function analyseAll() {
  tell(() => words.thinkingNow);
  const { game } = state;
  for (let ply = 0; ply <= game.moves.length; ply += 1) {
    show(game, ply);
    const text = positionText(ply);
    if (lookAt(text).over) continue;
    if ((await run("whole", text, `go nodes ${WHOLE_NODES}`, {})) === null) return;
  }
  tell(() => words.wholeDone);
}

// --- playing against the engine ------------------------------------------------------------------
async function start() {
  await stop();
  state.human = state.player = element("side").value;
  state.flipped = state.human === "white";
  scores.clear();
  Object.assign(thought, { position: "", lines: [] });
  engine.newGame();
  show(lookAt("startpos"), 0);
  element("table").scrollIntoView({ block: "start" });
  answer();
}

/// Lets the engine move if it is its turn.
async function answer() {
  const { look } = state;
  if (look.over) return end(look.over);
  if (sideOf(look) === state.human) {
    return tell(() => (look.check ? `${words.yourTurn} (${words.check})` : words.yourTurn));
  }
  tell(() => words.engineTurn);
  const text = positionText(), level = Number(element("level").value);
  const last = await run("move", text, `go btime 0 wtime 0 byoyomi ${element("time").value}`, { Level: level, USI_OwnBook: true });
  if (last === null || !state.human) return;
  const move = last.split(" ")[1];
  if (move === "resign") return end({ result: state.human, reason: "resign" });
  if (move === "win") return end({ result: other(state.human), reason: "declaration" });
  play(move, text);
}

function resign() {
  const winner = other(state.human);
  stop().then(() => end({ result: winner, reason: "resign" }));
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
  if (bytes.length > MAX_BYTES) return tell(() => words.failed(words.tooLarge), true);
  const head = new TextEncoder().encode(`read ${name.replace(/[\n/\\]/g, "_")}\n`), question = new Uint8Array(head.length + bytes.length);
  question.set(head);
  question.set(bytes, head.length);
  const game = askRules(question);
  if (game.error) return tell(() => words.failed(game.error), true);
  stop().then(() => {
    state.human = state.player = null;
    state.flipped = false;
    scores.clear();
    Object.assign(thought, { position: "", lines: [] });
    show(game, 0);
    const names = (game.names || []).map((name, side) => name && `${"☗☖"[side]}${name}`).filter(Boolean);
    tell(() => {
      const parts = [...names, words.moveCount(game.moves.length), resultText(game.result, game)];
      return parts.filter(Boolean).join(" · ");
    });
  });
}

/// Reads a file. Folders can be dropped too, and fail here.
async function open(file) {
  if (file.size > MAX_BYTES) return tell(() => words.failed(words.tooLarge), true);
  try {
    read(file.name, new Uint8Array(await file.arrayBuffer()));
  } catch (error) {
    tell(() => words.failed(error.message), true);
  }
}

/// The game as KIF. A record that was read is written by the module, with names and times.
function kif() {
  const { kif: record, moves, over } = state.game;
  if (record) return record;
  const name = (side) => (state.player ? (side === state.player ? words.you : "Sabi") : "");
  const parts = [name("black"), name("white"), positionText(moves.length)];
  if (over) parts.push(over.result, RECORD_ENDS[over.reason] || over.reason);
  const { text, error } = askRules(`write kif ${parts.join("\t")}`);
  if (error) throw new Error(error);
  return text;
}

async function copy() {
  // Missing on pages that are not secure.
  if (!navigator.clipboard) return tell(() => words.noClipboard, true);
  await navigator.clipboard.writeText(kif());
  tell(() => words.copied);
}

async function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([kif()], { type: "text/plain" }));
  // A `.kif` is in Shift_JIS.
  link.download = "sabi.kifu";
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
let told = () => {};
/// Shows a message; a function gives it in the language chosen by then.
function tell(text, wrong = false) {
  told = () => tell(text, wrong);
  element("status").textContent = typeof text === "function" ? text() : text;
  element("status").classList.toggle("wrong", wrong);
}

// The engine reports many times a second. Elements that stay the same are kept: a click is lost if
// its element is replaced before the button is released, and so is the focus.

const drawn = {};
/// Whether a part is to be drawn: it was last drawn from another text.
function changed(part, text) {
  if (drawn[part] === text) return false;
  drawn[part] = text;
  return true;
}

/// Removes or adds elements until there are `count`.
function fit(box, count, make) {
  while (box.children.length > count) box.lastElementChild.remove();
  while (box.children.length < count) box.append(make());
}

function write(box, text) {
  if (box.textContent !== text) box.textContent = text;
}

/// The place of an element among its neighbours.
const placeOf = (part) => [...part.parentElement.children].indexOf(part);

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
  const best = !selected && thought.position === shownText() ? visibleLines() : [];
  best.forEach(({ pv }, at) => marks.unshift(arrow(pv[0], "var(--best)", at ? 2.5 : 6, flipped)));
  const markup = boardMarkup(position, { flipped, marked, ranks: words.ranks, marks });
  if (changed("board", markup)) element("board").innerHTML = markup;
  element("board").classList.toggle("mine", mine);
  for (const side of ["black", "white"]) {
    const box = element(side === (flipped ? "white" : "black") ? "below" : "above");
    const opponent = `Sabi ${element("level").selectedOptions[0].text}`;
    const name = state.player ? ` ${side === state.player ? words.you : opponent}` : "";
    const label = `${side === "black" ? "☗" : "☖"} ${sideName(side)}${name}`;
    const turn = position.side === side;
    box.classList.toggle("turn", turn);
    const shownHand = [label, position.hands[side], mine && turn, turn && selected];
    if (!changed(box.id, JSON.stringify(shownHand))) continue;
    const hand = node("span", "", "hand");
    for (const kind of HAND_ORDER) {
      const count = position.hands[side][kind];
      if (!count) continue;
      const button = node("button", KANJI[kind], turn && selected === `${kind}*` ? "on" : "");
      if (count > 1) button.append(node("small", count));
      button.disabled = !(mine && turn);
      button.dataset.kind = kind;
      hand.append(button);
    }
    if (!hand.children.length) hand.append(node("span", words.none, "faint"));
    box.replaceChildren(node("b", label), hand);
  }
}

/// The lines of the engine; in a game they would be hints.
const visibleLines = () => (state.human ? [] : thought.lines.filter(Boolean));

/// The drawn lines as variations, for clicks.
let variations = [];

function drawLines() {
  const lines = visibleLines(), { position } = thought, [first] = lines;
  const effort = ({ depth, nodes, nps }) => [`${words.depth} ${depth}`,
    `${words.nodes} ${nodes.toLocaleString()}`, `${nps.toLocaleString()} nps`].join(" · ");
  write(element("status-line"), first && !first.whole ? effort(first) : "");
  const base = `${position}${/ moves /.test(position) ? " " : " moves "}`;
  const shortened = ({ whole, pv }) => (whole ? pv : pv.slice(0, MAX_PV));
  variations = lines.map((line) => ({ base, place: line.place, moves: shortened(line) }));
  fit(element("lines"), lines.length, () => {
    const box = node("div", "", "line");
    box.append(node("span", "", "value"));
    return box;
  });
  lines.forEach(({ score, place }, at) => {
    const box = element("lines").children[at], { moves } = variations[at];
    const texts = textsOf(lookAt(base + moves.join(" "))).slice(-moves.length);
    write(box.firstChild, `${scoreText(score)} (${percent(score.rate, 0)}) `);
    fit(box, 1 + moves.length, () => node("button"));
    const { line } = state, followed = line && line.base === base && line.place === place;
    texts.forEach((text, index) => {
      const button = box.children[1 + index];
      write(button, text);
      button.classList.toggle("on", Boolean(followed) && line.step === 1 + index);
    });
  });
}

function drawGraph() {
  const last = state.game.moves.length, [wide, high] = [600, 130];
  const across = (ply) => (last ? (wide * ply) / last : wide / 2).toFixed(1);
  const known = Array.from({ length: last + 1 }, (_, ply) => ply).filter((ply) => scores.has(positionText(ply)));
  const points = known.map((ply) => `${across(ply)} ${(high * (1 - scores.get(positionText(ply)).rate)).toFixed(1)}`);
  const parts = [`<rect class="sky" width="${wide}" height="${high}"/>`];
  if (points.length > 1) parts.push(`<path class="area" d="M${across(known[0])} ${high} L${points.join(" L")} L${across(known.at(-1))} ${high} Z"/>`);
  parts.push(`<path class="middle" d="M0 ${high / 2}h${wide}"/><path class="cursor" d="M${across(state.ply)} 0v${high}"/>`);
  const markup = parts.join("");
  if (changed("graph", markup)) element("graph").innerHTML = markup;
}

function drawMoves() {
  const box = element("moves"), { start, moves } = state.game;
  const another = changed("moves", [words.other, start, ...moves].join(" "));
  if (another) {
    box.replaceChildren(...["", ...textsOf(state.game)].map((text, ply) => {
      const row = node("li");
      row.append(node("span", ply), node("span", text || words.startPosition), node("span"));
      return row;
    }));
  }
  [...box.children].forEach((row, ply) => {
    const score = scores.get(positionText(ply));
    row.classList.toggle("on", ply === state.ply);
    write(row.lastChild, score ? percent(score.rate, 0) : "");
  });
  // The user may have scrolled to other moves.
  if (!changed("ply", state.ply) && !another) return;
  // Only the list scrolls, not the page.
  const row = box.children[state.ply], top = row.offsetTop - box.offsetTop;
  const isBelow = top + row.offsetHeight > box.scrollTop + box.clientHeight;
  if (top < box.scrollTop || isBelow) box.scrollTop = top - box.clientHeight / 2;
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
  flip: () => { state.flipped = !state.flipped; remember(); draw(); },
  language: () => { speak(words === WORDS.ja ? "en" : "ja"); told(); draw(); },
  start, undo: takeBack, resign, analyse, whole: analyseAll, mate: findMate,
  // In a game the engine moves at once.
  stop: () => (state.busy === "move" ? engine.finish() : stop()),
  open: () => element("file").click(), paste,
  save: () => save().catch((error) => tell(error.message, true)),
  copy: () => copy().catch((error) => tell(error.message, true)),
  clear: () => read("", new TextEncoder().encode("startpos")),
};
const KEYS = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0), End: () => go(state.game.moves.length),
  f: ACTIONS.flip, Escape: () => { state.line = state.selected = null; draw(); } };

function listen() {
  for (const [id, action] of Object.entries(ACTIONS)) element(id).onclick = action;
  element("board").onclick = (event) => { const target = squareAt(event); if (target) press(target); };
  for (const id of ["above", "below"]) {
    element(id).onclick = ({ target }) => {
      const button = target.closest("button");
      if (button && !button.disabled) press(`${button.dataset.kind}*`);
    };
  }
  element("lines").onclick = ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    // The score comes before the moves.
    state.line = { ...variations[placeOf(button.parentElement)], step: placeOf(button) };
    state.selected = null;
    draw();
  };
  element("moves").onclick = ({ target }) => {
    const row = target.closest("li");
    if (row) go(placeOf(row));
  };
  element("graph").onclick = (event) => {
    const { left, width } = element("graph").getBoundingClientRect();
    go(Math.round(((event.clientX - left) / width) * state.game.moves.length));
  };
  element("file").onchange = ({ target }) => {
    if (target.files.length) open(target.files[0]);
    target.value = "";
  };
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
    // Escape closes a dialog, which the other keys are not meant for.
    if (document.querySelector("dialog[open]")) return;
    const action = KEYS[event.key];
    if (action) { event.preventDefault(); action(); }
  });
}

async function main() {
  speak(words === WORDS.ja ? "ja" : "en");
  element("side").value = kept("side", "black");
  element("side").onchange = () => keep("side", element("side").value);
  tell(() => words.loading);
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("service-worker.js").catch((error) => console.warn(error));
  const broken = (text) => {
    state.busy = "";
    if (state.game) draw();
    tell(() => words.broken(text), true);
  };
  try {
    module = await compile(new URL("./sabi.wasm", import.meta.url));
    rules = newRules();
    engine = new Engine(module, broken);
  } catch (error) {
    return broken(error.message);
  }
  const before = lookAt(kept("game", "startpos"));
  const game = before.error ? lookAt("startpos") : before;
  if (!before.error) {
    const { over, ...play } = remembered();
    Object.assign(state, play);
    game.over ||= over;
  }
  show(game, game.moves.length);
  listen();
  if (state.human) answer();
  else tell(() => words.ready);
}

main();

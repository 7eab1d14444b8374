// Plays a game through that `data` describes: see docs/analyze.md for its form. Nothing is fetched.
const data = JSON.parse(document.getElementById("data").textContent);
const { game } = data;
const last = game.moves.length;
const hasTimes = game.moves.some(({ seconds }) => seconds !== null);
const element = (id) => document.getElementById(id);

const positions = [fromSfen(game.start)];
for (const { move } of game.moves) positions.push(played(positions.at(-1), move));

// --- what is shown ---------------------------------------------------------------------------------------------------------
// `line` is a line that is stepped through: the ply it begins at, its number there, and how many of its moves are played.
// `focus` is the number of a move that is shown where it was made: on the position before it, which is `ply`.
const state = { ply: 0, line: null, focus: null, flipped: false, fromMover: false };

let words, texts;

/// Takes the words of the page's language.
function listen() {
  words = data.words[page.lang];
  texts = data.texts[page.lang];
  for (const [id, title] of Object.entries(words.titles)) {
    element(id).title = title;
    element(id).setAttribute("aria-label", title);
  }
}

const lineOf = ({ base, index }) => game.positions[base].lines[index];

function shown() {
  const { line } = state;
  return line ? lineOf(line).moves.slice(0, line.step).reduce(played, positions[line.base]) : positions[state.ply];
}

function go(ply) {
  Object.assign(state, { line: null, focus: null, ply: Math.max(0, Math.min(last, ply)) });
  draw();
}

/// Shows a move on the position where it was made.
function look(number) {
  Object.assign(state, { line: null, focus: number, ply: number - 1 });
  draw();
}

/// Goes on in the line, or in the game.
function step(by) {
  const { line } = state;
  if (!line) return go(state.ply + by);
  line.step = Math.max(0, Math.min(lineOf(line).moves.length, line.step + by));
  draw();
}

const mistakes = game.moves.filter(isMistake).map(({ number }) => number);

/// Looks at the next mistake, or at the one before.
function nextMistake(by) {
  const here = state.focus || state.ply + (by > 0 ? 0 : 1);
  const found = by > 0 ? mistakes.find((number) => number > here) : mistakes.findLast((number) => number < here);
  if (found) look(found);
}

// --- board -----------------------------------------------------------------------------------------------------------------
const couldBeBetter = ({ move, judgement }) =>
  judgement.best !== move && (!["great", "best"].includes(judgement.class) || losesMate({ move, judgement }));

function drawBoard() {
  const position = shown(), { flipped, line, ply } = state;
  const marks = [], legend = [];
  if (line) {
    const next = lineOf(line).moves[line.step];
    if (next) marks.push(arrow(next, "var(--best)", 6, flipped));
  } else {
    const next = game.moves[ply], judged = next && next.judgement && (couldBeBetter(next) || state.focus);
    game.positions[ply].lines.forEach((found, at) => {
      marks.push(arrow(found.moves[0], "var(--best)", at ? 3 : 6, flipped));
      if (!at) legend.push(sample("best", false, `${words.better_move} ${texts.positions[ply].lines[0].texts[0]}`));
    });
    if (judged && next.judgement.best !== next.move) {
      marks.push(arrow(next.move, `var(--${next.judgement.class})`, 5, flipped, true));
      legend.push(sample(next.judgement.class, true, `${words.played_move} ${texts.moves[ply].text}`));
    }
  }
  const marked = [position.from, position.to].filter(Boolean);
  element("board").innerHTML = boardMarkup(position, { flipped, marked, ranks: words.ranks, marks: [marks.reverse().join("")] });
  element("legend").replaceChildren(...legend);
  for (const side of ["black", "white"]) {
    const box = element(side === (flipped ? "white" : "black") ? "below" : "above");
    const held = [...HAND_ORDER].filter((kind) => position.hands[side][kind] > 0);
    const text = held.map((kind) => KANJI[kind] + (position.hands[side][kind] > 1 ? position.hands[side][kind] : "")).join(" ");
    box.classList.toggle("turn", position.side === side);
    box.replaceChildren(node("b", `${side === "black" ? "☗" : "☖"} ${game[side].name || words[side]}`), node("span", text || words.none, "hand"));
  }
}

// Openings and castles that first stand after this many moves; what is replaced at once is none.
function formationsAt(ply) {
  const found = [];
  for (const side of ["black", "white"]) for (const kind of ["openings", "castles"]) {
    const now = game[side][kind].filter((one) => one.ply === ply && one.replaced !== ply);
    found.push(...now.map((one) => ({ side, kind, name: one[page.lang] })));
  }
  return found;
}

/// A line of the legend: an arrow as on the board, and what it means.
function sample(kind, dashed, text) {
  const made = node("span", "", "sample");
  made.innerHTML = `<svg viewBox="0 0 34 10" aria-hidden="true"><path d="M1 5H24" stroke="var(--${kind})" stroke-width="4"${dashed ? ' stroke-dasharray="6 4"' : ""}/>` +
    `<path d="M34 5L23 0V10Z" fill="var(--${kind})"/></svg>`;
  made.append(text);
  return made;
}

// --- text ------------------------------------------------------------------------------------------------------------------
/// A line that can be stepped through.
function lineNode(base, index) {
  const box = node("div", "", "line"), said = texts.positions[base].lines[index];
  if (said.text) box.append(node("span", `${said.text} `, "value"));
  const { line } = state;
  lineOf({ base, index }).moves.forEach((move, at) => {
    const button = node("button", said.texts[at]);
    const on = line && line.base === base && line.index === index && line.step === at + 1;
    if (on) button.className = "on";
    button.onclick = () => { state.line = { base, index, step: at + 1 }; draw(); };
    box.append(button);
  });
  return box;
}

const ofMover = (number, rate) => (number && game.moves[number - 1].side === "white" ? 1 - rate : rate);

/// What is said of a move: its class, its cost, in words, mates.
function judgementNodes(number) {
  const move = game.moves[number - 1], { judgement } = move, position = game.positions[number], notes = [], now = node("p");
  now.append(node("b", `${number}. ${texts.moves[number - 1].text} `));
  if (judgement) now.append(node("span", words.classes[judgement.class], judgement.class));
  if (position.evaluation && !state.focus) now.append(node("span", `  ${texts.positions[number].text} (${words.black} ${percent(position.evaluation.win_rate)})`, "value"));
  if (move.seconds !== null) now.append(node("span", `  ${words.time} ${clockText(move.seconds)}`, "faint"));
  notes.push(now);
  if (!judgement) return notes;
  const { sentence } = texts.moves[number - 1];
  if (sentence) notes.push(node("p", sentence, "sentence"));
  if (judgement.loss > 0) {
    notes.push(node("p", `${words.mover_rate}: ${percent(judgement.before.win_rate)} → ${percent(judgement.after.win_rate)}, −${percent(judgement.loss)}, −${judgement.centipawn_loss} cp`));
  }
  if (judgement.turning_point) notes.push(node("p", words.turning, "mistake"));
  if (judgement.missed_mate) notes.push(node("p", words.missed, "blunder"));
  if (judgement.allowed_mate) notes.push(node("p", words.allowed, "blunder"));
  return notes;
}

function keyButton(text, act) {
  const made = node("button", text, "act");
  made.onclick = act;
  return made;
}

function drawText() {
  const { ply, focus } = state, position = game.positions[ply];
  const heading = (text) => node("h3", text), notes = [];
  if (focus) {
    notes.push(node("p", words.here, "faint"), ...judgementNodes(focus));
    if (position.lines.length) notes.push(heading(words.better), ...position.lines.map((_, at) => lineNode(ply, at)));
    if (game.positions[focus].lines.length) notes.push(heading(words.reply), lineNode(focus, 0));
    const acts = node("p", "", "acts");
    acts.append(keyButton(`→ ${words.go_on}`, () => go(focus)));
    if (mistakes.some((number) => number > focus)) acts.append(keyButton(`n ${words.next_mistake}`, () => nextMistake(1)));
    notes.push(acts);
  } else {
    if (ply) notes.push(...judgementNodes(ply));
    else notes.push(node("p", words.start), ...(position.evaluation ? [node("p", `${texts.positions[0].text} (${words.black} ${percent(position.evaluation.win_rate)})`, "value")] : []));
    const move = game.moves[ply - 1];
    if (move && move.book && ply === game.book.moves) {
      const games = game.book.games === null ? "" : ` (${words.games}: ${game.book.games})`;
      notes.push(node("p", `${words.book}: ${ply}${games}`, "faint"));
    }
    if (position.entering_king) {
      const told = (side) => { const s = position.entering_king[side];
        return `${words[side]} ${s.points}/${s.points_needed} ${words.points}, ${s.pieces_in_camp}/10 ${words.pieces}`; };
      notes.push(node("p", `${words.entering}: ${told("black")}; ${told("white")}`, "faint"));
    }
    for (const { side, kind, name } of formationsAt(ply)) notes.push(node("p", `${words[side]}: ${words[kind]} ${name}`));
    const judgement = move && move.judgement;
    if (judgement && couldBeBetter(move) && game.positions[ply - 1].lines.length) {
      const better = heading(`${words.better} `);
      better.append(keyButton(words.look, () => look(ply)));
      notes.push(better, lineNode(ply - 1, 0));
    }
    if (position.lines.length) notes.push(heading(words.lines), ...position.lines.map((_, at) => lineNode(ply, at)));
  }
  if (state.line) notes.push(keyButton(words.back, () => (focus ? look(focus) : go(ply))));
  element("now").replaceChildren(...notes);
}

// --- moves -----------------------------------------------------------------------------------------------------------------
function makeMoves() {
  const body = element("moves").querySelector("tbody");
  body.replaceChildren();
  const row = (ply, cells, kind) => {
    const made = node("tr", "", kind);
    made.append(...cells.map((cell) => (typeof cell === "object" ? cell : node("td", cell))));
    made.onclick = () => go(ply);
    body.append(made);
  };
  row(0, ["0", words.start, "", share(0), "", ...(hasTimes ? [""] : [])], "");
  for (const { number, book, judgement, seconds } of game.moves) {
    const kind = judgement ? node("td", words.classes[judgement.class], judgement.class) : "";
    const loss = judgement && judgement.loss >= 0.001 ? `−${(100 * judgement.loss).toFixed(1)}` : "";
    const time = hasTimes ? [seconds === null ? "" : clockText(seconds)] : [];
    const cell = node("td", texts.moves[number - 1].text), stands = formationsAt(number).map(({ name }) => name).join(", ");
    if (stands) {
      cell.append(node("span", " ◆", "faint"));
      cell.title = stands;
    }
    row(number, [number, cell, kind, share(number), loss, ...time], book ? "book" : "");
  }
  element("view").textContent = state.fromMover ? words.of_mover : words.of_black;
}

function share(ply) {
  const { evaluation } = game.positions[ply];
  return evaluation ? `${Math.round(100 * (state.fromMover ? ofMover(ply, evaluation.win_rate) : evaluation.win_rate))} %` : "";
}

function markMove() {
  const box = element("moves"), rows = box.querySelectorAll("tbody tr");
  rows.forEach((row, ply) => row.classList.toggle("on", ply === (state.focus || state.ply)));
  const row = rows[state.focus || state.ply], head = box.querySelector("thead").offsetHeight;
  // Only the list scrolls, not the page.
  if (row.offsetTop < box.scrollTop + head || row.offsetTop + row.offsetHeight > box.scrollTop + box.clientHeight) {
    box.scrollTop = row.offsetTop - box.clientHeight / 2;
  }
  for (const button of document.querySelectorAll("#mistakes button")) button.classList.toggle("on", Number(button.value) === state.focus);
}

/// The mistakes of each side, and the turning points; a click shows them where they were made.
function makeMistakes() {
  const button = (number, more) => {
    const { judgement } = game.moves[number - 1], made = node("button");
    made.value = number;
    made.append(node("span", `${number}. ${texts.moves[number - 1].text}`), ...more(judgement));
    made.onclick = () => look(number);
    return made;
  };
  const word = (judgement) => {
    const mate = judgement.missed_mate ? words.missed : judgement.allowed_mate && !ERRORS.includes(judgement.class) ? words.allowed : "";
    return [node("span", mate || words.classes[judgement.class], mate ? "blunder" : judgement.class), node("span", `−${percent(judgement.loss)}`, "value")];
  };
  element("mistakes").replaceChildren(...["black", "white"].map((side) => {
    const own = mistakes.filter((number) => game.moves[number - 1].side === side), box = node("div");
    box.append(node("h3", `${side === "black" ? "☗" : "☖"}${game[side].name || words[side]} (${own.length})`));
    box.append(...(own.length ? own.map((number) => button(number, word)) : [words.none]));
    return box;
  }));
  const turning = game.turning_points.map((number) => button(number, () => []));
  element("turning").replaceChildren(...(turning.length ? turning : [words.none]));
}

/// On paper nothing can be clicked: this prints the better line for each mistake.
function makeErrors() {
  element("errors").replaceChildren(...mistakes.map((number) => {
    const { judgement } = game.moves[number - 1], better = texts.positions[number - 1].lines[0];
    const row = node("p", `${number}. ${texts.moves[number - 1].text} `);
    row.append(node("span", words.classes[judgement.class], judgement.class));
    row.append(` −${percent(judgement.loss)} (${texts.positions[number].text}) ${texts.moves[number - 1].sentence || ""}`);
    // Without a line the game was over by the rules, or could have been declared won.
    if (better) row.append(` ${words.better}: ${better.text} ${better.texts.join(" ")}`);
    return row;
  }));
}

// --- all of it -------------------------------------------------------------------------------------------------------------
function draw() {
  drawBoard();
  drawText();
  drawGraph();
  drawTimes();
  markMove();
}

function drawAll() {
  listen();
  makeMoves();
  makeMistakes();
  makeErrors();
  draw();
}

const flip = () => { state.flipped = !state.flipped; draw(); };
const leave = () => (state.focus && state.line ? look(state.focus) : go(state.ply));
element("first").onclick = () => go(0);
element("back").onclick = () => step(-1);
element("next").onclick = () => step(1);
element("last").onclick = () => go(last);
element("flip").onclick = flip;
element("worse").onclick = () => nextMistake(1);
element("view").onclick = () => { state.fromMover = !state.fromMover; makeMoves(); markMove(); };
/// A click near the mark of a mistake shows it where it was made.
element("graph").onclick = (event) => {
  const box = element("graph"), ply = plyAt(box, event);
  const near = mistakes.filter((number) => Math.abs(across(box, number) - across(box, ply)) <= 6);
  const found = near.sort((a, b) => Math.abs(a - ply) - Math.abs(b - ply))[0];
  if (found) look(found);
  else go(ply);
};
element("times").onclick = (event) => go(plyAt(element("times"), event));
element("board").addEventListener("wheel", (event) => { event.preventDefault(); step(Math.sign(event.deltaY)); }, { passive: false });
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const act = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0), End: () => go(last),
    Escape: leave, f: flip, n: () => nextMistake(1), p: () => nextMistake(-1) }[event.key];
  if (act) { event.preventDefault(); act(); }
});
document.addEventListener("language", drawAll);
window.addEventListener("resize", () => { drawGraph(); drawTimes(); });
window.addEventListener("beforeprint", () => { drawGraph(); drawTimes(); });

if (!hasTimes) document.querySelectorAll(".timed").forEach((part) => part.remove());
state.ply = Math.max(0, Math.min(last, Number(location.hash.slice(1)) || 0));
// A page opened at a mistake shows it where it was made.
if (mistakes.includes(state.ply)) Object.assign(state, { focus: state.ply, ply: state.ply - 1 });
drawAll();

// Asks the problems of `data`: a click on a piece and one on a square make a move, which is compared with the answers.
const data = JSON.parse(document.getElementById("data").textContent);
const { problems } = data;
const element = (id) => document.getElementById(id);
const state = { at: 0, from: null, tried: null, solved: false, step: 0, choice: null };
const done = new Set();
let words;

const problem = () => problems[state.at];
const flipped = () => start().side === "white";
const start = () => fromSfen(problem().sfen);
const texts = () => problem().texts[page.lang];
/// The position that is shown: that of the problem, or of the answer once it is known.
const shown = () => (state.solved ? problem().line.slice(0, state.step).reduce(played, start()) : start());
const starts = (move, from) => (from.length === 1 ? move.startsWith(`${from}*`) : move.startsWith(from));

function ask(at) {
  Object.assign(state, { at: Math.max(0, Math.min(problems.length - 1, at)), from: null, tried: null, solved: false, step: 0, choice: null });
  draw();
}

function attempt(move) {
  Object.assign(state, { from: null, choice: null, tried: move });
  if (problem().answers.includes(move)) {
    done.add(state.at);
    solve();
  } else draw();
}

function solve() {
  Object.assign(state, { solved: true, step: 0, from: null, choice: null });
  draw();
}

/// A click on a square, or on a kind of piece in hand (a capital letter).
function pick(place) {
  if (state.solved || !problems.length) return;
  const moves = state.from ? problem().legal.filter((move) => starts(move, state.from) && move.slice(2, 4) === place) : [];
  if (moves.length === 1) return attempt(moves[0]);
  if (moves.length === 2) state.choice = moves;
  else Object.assign(state, { from: problem().legal.some((move) => starts(move, place)) ? place : null, choice: null });
  draw();
}

function drawBoard() {
  const position = shown(), turned = flipped(), marks = [];
  const marked = state.solved ? [position.from, position.to].filter(Boolean) : state.from && state.from.length > 1 ? [state.from] : [];
  if (state.from) {
    for (const target of new Set(problem().legal.filter((move) => starts(move, state.from)).map((move) => move.slice(2, 4)))) {
      const [x, y] = place(target, turned);
      marks.push(`<circle cx="${x + CELL / 2}" cy="${y + TALL / 2}" r="6" fill="var(--best)" opacity="0.75"/>`);
    }
  }
  const next = problem().line[state.step];
  if (state.solved && next) marks.push(arrow(next, "var(--best)", 6, turned));
  if (state.solved && !state.step) marks.push(arrow(problem().played, "var(--blunder)", 5, turned, true));
  else if (!state.solved && state.tried) marks.push(arrow(state.tried, "var(--blunder)", 5, turned, true));
  element("board").innerHTML = boardMarkup(position, { flipped: turned, marked, ranks: words.ranks, marks });
  for (const side of ["black", "white"]) {
    const box = element(side === (turned ? "white" : "black") ? "below" : "above"), hand = node("span", "", "hand");
    for (const kind of [...HAND_ORDER].filter((each) => position.hands[side][each] > 0)) {
      const count = position.hands[side][kind], button = node("button", KANJI[kind] + (count > 1 ? count : ""));
      button.disabled = side !== position.side || state.solved;
      button.classList.toggle("on", state.from === kind && side === position.side);
      button.onclick = () => pick(kind);
      hand.append(button);
    }
    if (!hand.children.length) hand.append(words.none);
    box.classList.toggle("turn", position.side === side);
    box.replaceChildren(node("b", `${side === "black" ? "☗" : "☖"} ${words[side]}`), hand);
  }
}

function drawText() {
  element("place").textContent = `${state.at + 1} / ${problems.length} · ${words.solved} ${done.size} · ${state.solved ? texts().solved : texts().source}`;
  element("question").textContent = texts().question;
  element("choice").replaceChildren(...(state.choice || []).map((move) => {
    const button = node("button", move.endsWith("+") ? words.promote : words.stay);
    button.onclick = () => attempt(move);
    return button;
  }));
  const told = [];
  if (state.solved) {
    if (state.tried && problem().answers.includes(state.tried)) told.push(node("p", words.right, "right"));
    const line = node("div", "", "line");
    line.append(node("span", `${words.answer} ${texts().value} `, "value"));
    texts().line.forEach((text, at) => {
      const button = node("button", text, state.step === at + 1 ? "on" : "");
      button.onclick = () => { state.step = state.step === at + 1 ? at : at + 1; draw(); };
      line.append(button);
    });
    told.push(line);
    if (texts().sentence) told.push(node("p", texts().sentence, "sentence"));
  } else if (state.tried) {
    told.push(node("p", state.tried === problem().played ? words.as_played : words.wrong, "wrong"));
  }
  element("verdict").replaceChildren(...told);
}

function draw() {
  words = data.words[page.lang];
  for (const [id, title] of Object.entries(words.titles)) {
    element(id).title = title;
    element(id).setAttribute("aria-label", title);
  }
  if (!problems.length) return;
  drawBoard();
  drawText();
}

element("board").onclick = (event) => {
  const box = element("board").getBoundingClientRect(), scale = 410 / box.width;
  const column = Math.floor(((event.clientX - box.left) * scale - EDGE) / CELL), row = Math.floor(((event.clientY - box.top) * scale - EDGE) / TALL);
  if (column < 0 || column > 8 || row < 0 || row > 8) return;
  pick(flipped() ? square(column + 1, 8 - row) : square(9 - column, row));
};
element("previous").onclick = () => ask(state.at - 1);
element("following").onclick = () => ask(state.at + 1);
element("solve").onclick = () => { if (problems.length) solve(); };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const act = { ArrowLeft: () => ask(state.at - 1), ArrowRight: () => ask(state.at + 1) }[event.key];
  if (act && problems.length) { event.preventDefault(); act(); }
});
document.addEventListener("language", draw);
draw();

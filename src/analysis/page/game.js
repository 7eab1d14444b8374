// Plays a game through that `data` describes: see docs/analyze.md for its form. Nothing is fetched.
const { game, words } = JSON.parse(document.getElementById("data").textContent);
const last = game.moves.length;
const element = (id) => document.getElementById(id);

const positions = [fromSfen(game.start)];
for (const { move } of game.moves) positions.push(played(positions.at(-1), move));

// --- what is shown ---------------------------------------------------------------------------------------------------------
// `line` is a line that is stepped through: the ply it begins at, its moves and texts, and how many of them are played.
const state = { ply: 0, line: null, flipped: false };

function shown() {
  const { line } = state;
  return line ? line.moves.slice(0, line.step).reduce(played, positions[line.base]) : positions[state.ply];
}

function go(ply) {
  state.line = null;
  state.ply = Math.max(0, Math.min(last, ply));
  draw();
}

function step(by) {
  const { line } = state;
  if (!line) return go(state.ply + by);
  line.step = Math.max(0, Math.min(line.moves.length, line.step + by));
  draw();
}

// --- board -----------------------------------------------------------------------------------------------------------------
const couldBeBetter = ({ move, judgement }) =>
  judgement.best !== move && (judgement.class !== "best" || judgement.missed_mate !== null);

function arrows() {
  const { flipped } = state;
  if (state.line) {
    const next = state.line.moves[state.line.step];
    return next ? arrow(next, "var(--best)", 6, flipped) : "";
  }
  const marks = game.positions[state.ply].lines.map((line, at) => arrow(line.moves[0], "var(--best)", at ? 3 : 6, flipped));
  const next = game.moves[state.ply], judgement = next && next.judgement;
  if (judgement && couldBeBetter(next)) marks.push(arrow(next.move, `var(--${judgement.class})`, 4, flipped));
  return marks.reverse().join("");
}

function drawBoard() {
  const position = shown(), { flipped } = state;
  const marked = [position.from, position.to].filter(Boolean);
  element("board").innerHTML = boardMarkup(position, { flipped, marked, ranks: words.ranks, marks: [arrows()] });
  for (const side of ["black", "white"]) {
    const box = element(side === (state.flipped ? "white" : "black") ? "below" : "above");
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
    found.push(...now.map((one) => ({ side, kind, name: one[document.documentElement.lang] })));
  }
  return found;
}

// --- text ------------------------------------------------------------------------------------------------------------------
/// A line that can be stepped through.
function lineNode(base, { moves, texts, text }) {
  const box = node("div", "", "line");
  if (text) box.append(node("span", `${text} `, "value"));
  const { line } = state;
  moves.forEach((move, at) => {
    const button = node("button", texts[at]);
    const on = line && line.base === base && line.moves === moves && line.step === at + 1;
    if (on) button.className = "on";
    button.onclick = () => { state.line = { base, moves, texts, step: at + 1 }; draw(); };
    box.append(button);
  });
  return box;
}

function drawText() {
  const { ply } = state, position = game.positions[ply], move = game.moves[ply - 1], judgement = move && move.judgement;
  const now = node("p");
  now.append(node("b", ply ? `${ply}. ${move.text} ` : `${words.start} `));
  if (judgement) now.append(node("span", words.classes[judgement.class], judgement.class));
  if (position.evaluation) now.append(node("span", `  ${position.text} (${words.black} ${percent(position.evaluation.win_rate)})`, "value"));
  const notes = [now];
  if (judgement && judgement.loss > 0) {
    notes.push(node("p", `${words.loss}: ${percent(judgement.before.win_rate)} → ${percent(judgement.after.win_rate)}, −${percent(judgement.loss)}, −${judgement.centipawn_loss} cp`));
  }
  if (judgement && judgement.turning_point) notes.push(node("p", words.turning, "mistake"));
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
  const before = ply && game.positions[ply - 1].lines[0];
  if (judgement && judgement.missed_mate) notes.push(node("p", words.missed, "blunder"));
  if (judgement && judgement.allowed_mate) notes.push(node("p", words.allowed, "blunder"));
  if (before && judgement && couldBeBetter(move)) {
    notes.push(node("h2", words.better), lineNode(ply - 1, before));
  }
  if (position.lines.length) notes.push(node("h2", words.lines), ...position.lines.map((line) => lineNode(ply, line)));
  if (state.line) {
    const back = node("button", words.back);
    back.onclick = () => go(ply);
    notes.push(back);
  }
  element("now").replaceChildren(...notes);
}

// --- graph -----------------------------------------------------------------------------------------------------------------
const WIDE = 600, HIGH = 180;
const across = (ply) => (last ? (WIDE * ply) / last : WIDE / 2);

function drawGraph() {
  const known = game.positions.filter((position) => position.evaluation);
  const at = (position) => [across(position.ply), HIGH * (1 - position.evaluation.win_rate)];
  const points = known.map((position) => at(position).map((n) => n.toFixed(1)).join(" "));
  const parts = [`<rect class="sky" width="${WIDE}" height="${HIGH}"/>`];
  if (points.length > 1) {
    const [first, end] = [across(known[0].ply), across(known.at(-1).ply)];
    parts.push(`<path class="area" d="M${first} ${HIGH} L${points.join(" L")} L${end} ${HIGH} Z"/>`);
  }
  parts.push(`<path class="middle" d="M0 ${HIGH / 2}h${WIDE}"/>`);
  for (const { number, judgement } of game.moves) {
    const position = game.positions[number];
    if (!judgement || !position.evaluation || !["inaccuracy", "mistake", "blunder"].includes(judgement.class)) continue;
    const [x, y] = at(position), size = judgement.turning_point ? 7 : 4;
    parts.push(`<circle cx="${x}" cy="${y}" r="${size}" fill="var(--${judgement.class})" stroke="var(--paper)"/>`);
  }
  parts.push(`<path class="cursor" d="M${across(state.ply)} 0v${HIGH}"/>`);
  parts.push(`<text x="4" y="12">${words.black} 100 %</text><text x="4" y="${HIGH - 4}">${words.white} 100 %</text>`);
  element("graph").innerHTML = parts.join("");
}

// --- moves -----------------------------------------------------------------------------------------------------------------
function makeMoves() {
  const body = element("moves").querySelector("tbody");
  const row = (ply, cells, kind) => {
    const made = node("tr", "", kind);
    made.append(...cells);
    made.onclick = () => go(ply);
    body.append(made);
  };
  row(0, [node("td", "0"), node("td", words.start), node("td"), node("td", share(0)), node("td")], "");
  for (const { number, text, book, judgement } of game.moves) {
    const kind = judgement ? node("td", words.classes[judgement.class], judgement.class) : node("td");
    const loss = node("td", judgement && judgement.loss >= 0.001 ? `−${(100 * judgement.loss).toFixed(1)}` : "");
    const cell = node("td", text), stands = formationsAt(number).map(({ name }) => name).join(", ");
    if (stands) {
      cell.append(node("span", " ◆", "faint"));
      cell.title = stands;
    }
    row(number, [node("td", number), cell, kind, node("td", share(number)), loss], book ? "book" : "");
  }
}

function share(ply) {
  const { evaluation } = game.positions[ply];
  return evaluation ? `${Math.round(100 * evaluation.win_rate)} %` : "";
}

function markMove() {
  const box = element("moves"), rows = box.querySelectorAll("tr");
  rows.forEach((row, ply) => row.classList.toggle("on", ply === state.ply));
  const row = rows[state.ply];
  // Only the list scrolls, not the page.
  if (row.offsetTop < box.scrollTop || row.offsetTop + row.offsetHeight > box.scrollTop + box.clientHeight) {
    box.scrollTop = row.offsetTop - box.clientHeight / 2;
  }
}

function makeTurning() {
  const box = element("turning");
  if (!game.turning_points.length) box.append(words.none);
  for (const number of game.turning_points) {
    const button = node("button", `${number}. ${game.moves[number - 1].text}`);
    button.onclick = () => go(number);
    box.append(button);
  }
}

/// On paper nothing can be clicked: this prints the better line for each mistake.
function makeErrors() {
  for (const { number, text, judgement } of game.moves) {
    if (!judgement || !["mistake", "blunder"].includes(judgement.class)) continue;
    const better = game.positions[number - 1].lines[0], after = game.positions[number];
    const row = node("p", `${number}. ${text} `);
    row.append(node("span", words.classes[judgement.class], judgement.class));
    row.append(` −${percent(judgement.loss)} (${after.text})`);
    // Without a line the game was over by the rules, or could have been declared won.
    if (better) row.append(`; ${words.better}: ${better.text} ${better.texts.join(" ")}`);
    element("errors").append(row);
  }
}

// --- all of it -------------------------------------------------------------------------------------------------------------
function draw() {
  drawBoard();
  drawText();
  drawGraph();
  markMove();
}

element("first").onclick = () => go(0);
element("back").onclick = () => step(-1);
element("next").onclick = () => step(1);
element("last").onclick = () => go(last);
element("flip").onclick = () => { state.flipped = !state.flipped; draw(); };
element("graph").onclick = (event) => {
  const { left, width } = element("graph").getBoundingClientRect();
  go(Math.round(((event.clientX - left) / width) * last));
};
element("board").addEventListener("wheel", (event) => { event.preventDefault(); step(Math.sign(event.deltaY)); }, { passive: false });
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const act = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0), End: () => go(last),
    Escape: () => go(state.ply), f: () => element("flip").click() }[event.key];
  if (act) { event.preventDefault(); act(); }
});

makeMoves();
makeTurning();
makeErrors();
go(Number(location.hash.slice(1)) || 0);

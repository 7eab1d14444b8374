// The variations of the engine, the graph, the moves, and the buttons.
/* global node, percent */
import { visibleLines } from "./board-view.js";
import { after, lookAt } from "./rules.js";
import {
  element,
  languageOf,
  nameOf,
  overOf,
  scores,
  secret,
  showNode,
  state,
  textsOf,
  thought,
  words,
} from "./state.js";
import { leaf, look, path } from "./tree.js";
import { changed, draw, fit, placeOf, write } from "./ui.js";

const MAX_PV = 12;

const scoreText = ({ cp, mate }) =>
  mate === undefined ? `${cp > 0 ? "+" : ""}${cp}` : `${mate > 0 ? "☗" : "☖"} ${words().mateIn(mate)}`;

/// The drawn lines as variations, for clicks: the node they begin at, and their moves.
let variations = [];

/// The lines to show: those of the engine, or, where it does nothing, those of the analysed game.
function linesNow() {
  const live = visibleLines(),
    on = state.line ? state.line.base : state.node;
  if (live.length && (state.busy || thought.position === on.text || !on.review))
    return { lines: live, base: thought.position };
  if (secret() || !on.review) return { lines: [], base: "" };
  const lines = on.review.position.lines.map(({ evaluation, depth, moves }, at) => ({
    place: at + 1,
    depth,
    pv: moves,
    kept: true,
    score: { ...evaluation, rate: evaluation.win_rate },
  }));
  return { lines, base: on.text };
}

const texts = new Map(),
  MOST_TEXTS = 50;
/// The moves of a line in the language; the last ones are kept.
function textsAfter(base, moves) {
  const key = `${languageOf()} ${base} ${moves.join(" ")}`;
  if (!texts.has(key)) {
    if (texts.size >= MOST_TEXTS) texts.delete(texts.keys().next().value);
    texts.set(key, textsOf(lookAt(after(base, moves))).slice(-moves.length));
  }
  return texts.get(key);
}

export function drawLines() {
  const { lines, base } = linesNow(),
    [first] = lines;
  const effort = ({ depth, nodes, nps }) =>
    [`${words().depth} ${depth}`, `${words().nodes} ${nodes.toLocaleString()}`, `${nps.toLocaleString()} nps`].join(
      " · ",
    );
  write(
    element("status-line"),
    first && !first.whole && !first.kept ? effort(first) : state.human && secret() ? words().hidden : "",
  );
  const shortened = ({ whole, pv }) => (whole ? pv : pv.slice(0, MAX_PV));
  variations = lines.map((line) => ({ text: base, place: line.place, moves: shortened(line) }));
  fit(element("lines"), lines.length, () => {
    const box = node("div", "", "line");
    box.append(node("span", "", "value"));
    return box;
  });
  lines.forEach(({ score, place }, at) => {
    const box = element("lines").children[at],
      { moves } = variations[at];
    write(box.firstChild, `${scoreText(score)} (${percent(score.rate, 0)}) `);
    fit(box, 1 + moves.length, () => node("button"));
    const { line } = state,
      followed = line && line.base.text === base && line.place === place;
    textsAfter(base, moves).forEach((text, index) => {
      const button = box.children[1 + index];
      write(button, text);
      button.classList.toggle("on", Boolean(followed) && line.step === 1 + index);
    });
  });
}

/// A press on a move of a line: the line is stepped through.
export function pressLine({ target }) {
  const button = target.closest("button");
  if (!button) return;
  const { text, place, moves } = variations[placeOf(button.parentElement)];
  const base =
    path(state.tip).find((one) => one.text === text) || (state.line?.base.text === text ? state.line.base : null);
  // The score comes before the moves.
  if (base) Object.assign(state, { selected: null, line: { base, place, moves, step: placeOf(button) } });
  draw();
}

export function drawGraph() {
  const line = path(state.tip),
    last = line.length - 1,
    [wide, high] = [600, 130];
  const across = (ply) => (last ? (wide * ply) / last : wide / 2).toFixed(1);
  const down = (one) => (high * (1 - scores.get(one.text).rate)).toFixed(1);
  const known = secret() ? [] : line.filter((one) => scores.has(one.text));
  const parts = [`<rect class="sky" width="${wide}" height="${high}"/>`];
  if (known.length > 1) {
    const points = known.map((one) => `${across(one.ply)} ${down(one)}`);
    parts.push(
      `<path class="area" d="M${across(known[0].ply)} ${high} L${points.join(" L")} L${across(known.at(-1).ply)} ${high} Z"/>`,
    );
  }
  parts.push(`<path class="middle" d="M0 ${high / 2}h${wide}"/>`);
  for (const one of known) {
    const kind = one.review?.move?.judgement?.class;
    if (["major_blunder", "blunder", "mistake"].includes(kind))
      parts.push(`<path class="mark" d="M${across(one.ply)} ${down(one)}h0.01" stroke="var(--${kind})"/>`);
  }
  parts.push(`<path class="cursor" d="M${across(state.node.ply)} 0v${high}"/>`);
  const markup = parts.join("");
  if (changed("graph", markup)) element("graph").innerHTML = markup;
}

function moveRow(one, text) {
  const item = node("li"),
    row = node("button", "", "move");
  row.append(node("span", one.ply), node("span", text), node("span", "", "class"), node("span", "", "rate"));
  row.dataset.ply = one.ply;
  item.append(row);
  return item;
}

export function drawMoves() {
  const box = element("moves"),
    line = path(state.tip),
    hidden = secret();
  const siblings = (one) => (one.parent && !state.human ? one.parent.children.filter((other) => other !== one) : []);
  const another = changed(
    "moves",
    [
      languageOf(),
      line.map((one) =>
        [one.text === line[0].text ? one.text : one.move, siblings(one).map(({ move }) => move)].join(),
      ),
      state.human,
    ].join(" "),
  );
  if (another) {
    const names = ["", ...textsOf(look(state.tip))];
    box.replaceChildren(
      ...line.map((one, at) => {
        const item = moveRow(one, names[at] || words().startPosition);
        for (const other of siblings(one)) {
          const button = node("button", `└ ${nameOf(other)}`, "branch");
          button.setAttribute("aria-label", `${words().branch} ${nameOf(other)}`);
          button.dataset.ply = one.ply;
          button.dataset.move = other.move;
          item.append(button);
        }
        return item;
      }),
    );
  }
  line.forEach((one, at) => {
    const row = box.children[at].firstChild,
      score = scores.get(one.text),
      on = one === state.node,
      judgement = one.review?.move?.judgement;
    row.classList.toggle("on", on);
    row.tabIndex = on ? 0 : -1;
    if (on) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
    const [, , kind, rate] = row.children;
    const isNamed = !hidden && judgement && !["best", "good"].includes(judgement.class);
    write(kind, isNamed ? one.review.classes[judgement.class] : "");
    kind.className = `class ${isNamed ? judgement.class : ""}`;
    write(rate, score && !hidden ? percent(score.rate, 0) : "");
  });
  // The user may have scrolled to other moves.
  if (!changed("ply", state.node.ply) && !another) return;
  // Only the list scrolls, not the page.
  const row = box.children[state.node.ply],
    top = row.offsetTop - box.offsetTop;
  const isBelow = top + row.offsetHeight > box.scrollTop + box.clientHeight;
  if (top < box.scrollTop || isBelow) box.scrollTop = top - box.clientHeight / 2;
}

/// A press in the list: a move, or a branch, whose first move is shown.
export function pressMove({ target }, shown) {
  const button = target.closest("button");
  if (!button) return;
  const at = path(state.tip)[Number(button.dataset.ply)];
  const { move } = button.dataset,
    one = move ? at.parent.children.find((other) => other.move === move) : at;
  if (one) shown(one);
}

/// Deletes the shown branch, from where it leaves another one.
export function prune() {
  const line = path(state.tip);
  let at = line.length - 1;
  while (at > 0 && line[at].parent.children.length < 2) at -= 1;
  if (at === 0) return;
  const { parent } = line[at];
  parent.children = parent.children.filter((one) => one !== line[at]);
  parent.visited = null;
  showNode(parent, leaf(parent));
  draw();
}

export function drawButtons() {
  document.body.classList.toggle("playing", Boolean(state.human));
  const playing = Boolean(state.human),
    editing = Boolean(state.edit),
    mine = playing && !state.busy && state.node === state.tip;
  const usable = {
    undo: playing && state.tip.ply > 0,
    resign: playing,
    hint: !editing && (mine || !playing) && !overOf(state.node),
    stop: state.busy !== "",
    analyse: !editing && (!playing || mine),
    mate: !playing && !editing,
    edit: !editing,
  };
  element("prune").hidden = playing || !path(state.tip).some((one) => one.children.length > 1);
  for (const [id, may] of Object.entries(usable)) element(id).disabled = !may;
}

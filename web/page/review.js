// The analysis of the whole game, by the code of `sabi analyze`: classes, accuracy, mistakes.
/* global node, percent */
import { analyzeAll } from "./analyst.js";
import { described, download } from "./records.js";
import { timeText } from "./clock.js";
import { ask as askRules } from "./rules.js";
import { element, keep, kept, languageOf, nameOf, scores, showNode, sideName, state, words } from "./state.js";
import { follow, sayMove } from "./play.js";
import { path } from "./tree.js";
import { changed, draw, drawSoon, tell, write } from "./ui.js";

const MULTI_PV = 1;
const ERRORS = ["major_blunder", "blunder", "mistake", "inaccuracy"];

let module;
/// `line`: the analysed nodes; `found`: what is known of them; `running`: cancels it; `report` and
/// `classes`: the answer of the module in the language.
let review = null;

export const startReview = (compiled) => {
  module = compiled;
};
const workers = () => Math.min(4, Math.max(1, navigator.hardwareConcurrency - 1));
const isShown = () => review && path(state.tip)[0] === review.line[0];

/// Analyses every position of the shown branch; the board stays where it is.
async function analyseGame() {
  const line = path(state.tip),
    nodes = Number(element("nodes").value),
    running = new AbortController();
  review?.running?.abort();
  const own = {
    line,
    nodes,
    found: line.map(() => null),
    running,
    game: described(),
    started: performance.now(),
    done: 0,
    report: null,
  };
  review = own;
  const tasks = line.map(({ text }, ply) => ({
    position: text,
    played: line[ply + 1]?.move ?? null,
    nodes,
    multipv: MULTI_PV,
  }));
  tell(() => words().wholeBusy);
  draw();
  let complete = false;
  try {
    complete = await analyzeAll(module, tasks, {
      workers: workers(),
      signal: running.signal,
      onFound: (ply, found) => {
        own.found[ply] = found;
        own.done += 1;
        if (found) scores.set(line[ply].text, rough(found, line[ply]));
        drawSoon();
      },
    });
  } catch (error) {
    tell(() => words().wholeFailed(error.message), true);
  }
  own.running = null;
  if (review !== own) return;
  if (!complete) {
    if (running.signal.aborted && !state.human) tell(() => words().wholeStopped);
    review = null;
    return draw();
  }
  keep("review", JSON.stringify({ text: state.tip === line.at(-1) ? line.at(-1).text : "", nodes, found: own.found }));
  tell(() => words().wholeDone);
  evaluate();
}

/// The score of a search from Black's view, until the report is there.
function rough({ score }, { text, ply }) {
  const first = text.split(" ")[2] === "b" ? 1 : -1,
    sign = ply % 2 ? -first : first;
  return { cp: sign * score, rate: 1 / (1 + Math.exp((-sign * score) / 600)) };
}

/// Cancels a running analysis; another game has no report.
export function leaveReview() {
  review?.running?.abort();
  review = null;
  keep("review", "");
}

const question = (format) =>
  askRules(
    `report ${JSON.stringify({
      game: review.game,
      positions: review.found,
      language: languageOf(),
      format,
      made_by: `Sabi, ${review.nodes} nodes, MultiPV ${MULTI_PV}`,
    })}`,
  );

/// Makes the report, also after a change of the language.
export function evaluate() {
  if (!review || review.running) return;
  const answer = question("");
  if (answer.error) {
    review = null;
    return tell(() => words().wholeFailed(answer.error), true);
  }
  Object.assign(review, { report: answer.report, classes: Object.fromEntries(answer.classes) });
  review.line.forEach((one, ply) => {
    one.review = {
      position: answer.report.positions[ply],
      move: answer.report.moves[ply - 1] || null,
      classes: review.classes,
    };
    const { evaluation } = one.review.position;
    if (evaluation) scores.set(one.text, { ...evaluation, rate: evaluation.win_rate });
  });
  draw();
}

/// The report of the last visit, if it is of this game.
export function recallReview() {
  try {
    const { text, nodes, found } = JSON.parse(kept("review", "null")) || {};
    if (!text || text !== state.tip.text) return;
    review = { line: path(state.tip), nodes, found, running: null, game: described(), report: null };
    evaluate();
  } catch {
    /* Kept by another version. */
  }
}

export const wholeButton = () => (review?.running ? review.running.abort() : analyseGame());

function save(format, name, type) {
  const { text, error } = question(format);
  if (error) return tell(() => words().wholeFailed(error), true);
  download(name, text, type);
}
export const savePage = () => save("html", "sabi.html", "text/html");
export const saveKif = () => save("kif", "sabi-analysis.kifu", "text/plain");

/// The position before a move, with the move that was played and the better one; the next key plays on.
function showBefore(number) {
  showNode(review.line[number - 1], state.tip === review.line.at(-1) ? state.tip : review.line.at(-1));
  sayMove(state.node);
  draw();
  follow();
  element("table").scrollIntoView({ block: "nearest" });
}

function summary() {
  const { report, classes } = review,
    table = node("table", "", "summary"),
    names = Object.keys(classes);
  const row = (name, value, kind = "") => {
    const made = node("tr"),
      head = node("th", name, kind);
    head.scope = "row";
    made.append(
      head,
      ...["black", "white"].map((side) => node("td", report[side].summary ? value(report[side].summary) : "–")),
    );
    table.append(made);
  };
  const heads = node("tr");
  heads.append(
    node("td"),
    ...["black", "white"].map((side) => {
      const head = node("th", `${side === "black" ? "☗" : "☖"} ${sideName(side)}`);
      head.scope = "col";
      return head;
    }),
  );
  table.append(heads);
  row(words().accuracy, ({ accuracy }) => percent(accuracy));
  row(words().meanLoss, ({ mean_loss: loss }) => percent(loss));
  for (const name of names) row(classes[name], (all) => all[name] ?? 0, name);
  row(words().missedMates, (all) => all.missed_mates);
  row(words().allowedMates, (all) => all.allowed_mates);
  return table;
}

function mistakes() {
  const { report, classes } = review,
    boxes = [];
  for (const side of ["black", "white"]) {
    const box = node("div", "", "mistakes");
    box.append(node("h3", `${words().mistakes} ${side === "black" ? "☗" : "☖"} ${sideName(side)}`));
    const bad = report.moves.filter(
      (move) =>
        move.side === side &&
        move.judgement &&
        (["major_blunder", "blunder", "mistake"].includes(move.judgement.class) ||
          move.judgement.missed_mate ||
          move.judgement.turning_point),
    );
    for (const { number, judgement } of bad) {
      const button = node("button", "", "mistake-of");
      button.dataset.number = number;
      button.append(
        node("span", `${number}. ${nameOf(review.line[number])} `),
        node("span", classes[judgement.class], judgement.class),
        ` −${percent(judgement.loss)}`,
      );
      if (judgement.turning_point) button.append(` · ${words().turningPoint}`);
      if (judgement.missed_mate) button.append(` · ${words().missedMate}`);
      box.append(button);
    }
    if (!bad.length) box.append(node("span", words().noMistakes, "faint"));
    boxes.push(box);
  }
  return boxes;
}

export function drawReview() {
  // The engine plays with all of its strength.
  if (state.human) review?.running?.abort();
  const running = Boolean(review?.running),
    shown = isShown() && !state.human;
  write(element("whole"), running ? words().wholeStop : words().wholeStart);
  element("whole").disabled = Boolean(state.human) || state.tip.ply === 0;
  element("nodes").disabled = running;
  element("progress").hidden = !running;
  if (running) {
    const { done, line, started } = review,
      left = done ? ((performance.now() - started) / done) * (line.length - done) : 0;
    element("progress-bar").max = line.length;
    element("progress-bar").value = done;
    write(element("progress-text"), words().progress(done, line.length, left ? timeText(Math.max(1000, left)) : ""));
  }
  const ready = shown && review.report;
  for (const id of ["save-page", "save-kif"]) element(id).hidden = !ready;
  if (
    !changed(
      "review",
      ready ? JSON.stringify([review.report.moves.length, languageOf(), review.started, review.line.at(-1).text]) : "",
    )
  )
    return;
  element("report").replaceChildren(...(ready ? [summary(), ...mistakes()] : []));
}

/// What the report says of the shown position: the move to it, and the one that was played here.
export function drawJudgement() {
  const box = element("judgement"),
    { node: at } = state,
    line = path(state.tip),
    next = line[line.indexOf(at) + 1];
  const told = [];
  const tellMove = (one) => {
    const { move, classes } = one.review,
      judgement = move?.judgement;
    if (!judgement) return;
    const row = node("p");
    row.append(node("b", `${one.ply}. ${nameOf(one)} `), node("span", classes[judgement.class], judgement.class));
    if (judgement.loss > 0)
      row.append(` · ${words().winRate} ${percent(judgement.before.win_rate)} → ${percent(judgement.after.win_rate)}`);
    for (const [is, text] of [
      [judgement.turning_point, words().turningPoint],
      [judgement.missed_mate, words().missedMate],
      [judgement.allowed_mate, words().allowedMate],
    ]) {
      if (is) row.append(` · ${text}`);
    }
    told.push(row);
  };
  if (!state.human && !state.line) {
    if (at.review && at.parent) tellMove(at);
    const judged = next?.review?.move?.judgement;
    if (judged && (ERRORS.includes(judged.class) || judged.missed_mate)) tellMove(next);
  }
  const comment = at.comment && !state.human ? at.comment : "";
  if (!changed("judgement", told.map((row) => row.innerHTML).join("") + comment)) return;
  box.replaceChildren(...told, ...(comment ? [node("p", comment, "comment")] : []));
}

export function listenReview() {
  document.addEventListener("click", ({ target }) => {
    const button = target.closest?.(".mistake-of");
    if (button) showBefore(Number(button.dataset.number));
  });
}

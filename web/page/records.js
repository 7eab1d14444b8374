// Records and links: read, pasted, dropped, copied, saved.
import { ask as askRules } from "./rules.js";
import { fragmentOf, linked } from "./setup.js";
import { element, overOf, resultText, root, setGame, showNode, state, words } from "./state.js";
import { branches, movesOf, path, unpacked } from "./tree.js";
import { mayLeave, stop } from "./play.js";
import { ask, draw, tell } from "./ui.js";

/// The largest record that is read.
const MAX_BYTES = 16 << 20;
/// Ends of a game as records name them, where the page has another name.
const RECORD_ENDS = { repetition: "sennichite", "perpetual check": "sennichite" };

export async function read(name, bytes, ply = 0) {
  if (bytes.length > MAX_BYTES) return tell(() => words().failed(words().tooLarge), true);
  const head = new TextEncoder().encode(`read ${name.replace(/[\n/\\]/g, "_")}\n`),
    question = new Uint8Array(head.length + bytes.length);
  question.set(head);
  question.set(bytes, head.length);
  const game = askRules(question);
  if (game.error) return tell(() => words().failed(game.error), true);
  if (!(await mayLeave())) return;
  await stop();
  const tip = unpacked({ start: game.start, moves: game.moves, times: game.times, branches: game.branches });
  if (!tip) return tell(() => words().failed("?"), true);
  Object.assign(state, { human: null, player: null, flipped: false, clock: null });
  const line = path(tip);
  (game.comments || []).forEach((comment, at) => {
    line[at].comment = comment;
  });
  setGame(tip, line[Math.min(Math.max(0, ply ?? line.length), line.length - 1)]);
  if (game.kif)
    Object.assign(state, { record: { names: game.names, kif: game.kif, result: game.result }, recordTip: tip });
  showNode(state.node, tip);
  draw();
  const names = (game.names || []).map((known, side) => known && `${"☗☖"[side]}${known}`).filter(Boolean);
  const lost = game.unreadable_branches || 0;
  tell(() =>
    [...names, words().moveCount(game.moves.length), resultText(game.result), lost ? words().lostBranches(lost) : ""]
      .filter(Boolean)
      .join(" · "),
  );
}

export const readText = (text, ply) => read("", new TextEncoder().encode(text), ply);

/// Reads a file. Folders can be dropped too, and fail here.
export async function open(file) {
  if (file.size > MAX_BYTES) return tell(() => words().failed(words().tooLarge), true);
  try {
    await read(file.name, new Uint8Array(await file.arrayBuffer()));
  } catch (error) {
    tell(() => words().failed(error.message), true);
  }
}

/// The shown branch as the module takes games.
export function described() {
  const { tip, player, record, recordTip, human, overAt } = state,
    over = overOf(tip);
  const name = (side) => (player && (human || overAt === tip) ? (side === player ? words().you : "Sabi") : "");
  const game = {
    position: tip.text,
    names: record ? [null, null] : [name("black"), name("white")],
    times: path(tip)
      .slice(1)
      .map(({ seconds }) => seconds),
  };
  if (record) game.record = record.kif;
  if (over && tip !== recordTip)
    Object.assign(game, { result: over.result, end: RECORD_ENDS[over.reason] || over.reason });
  return game;
}

/// The game as KIF with its branches. A record that was read keeps its names, times and comments.
function kif() {
  const { record, recordTip, tip } = state,
    others = branches(tip);
  if (record && recordTip === tip && !others.length) return record.kif;
  const { text, error } = askRules(`write kif ${JSON.stringify({ ...described(), branches: others })}`);
  if (error) throw new Error(error);
  return text;
}

async function toClipboard(text, message) {
  // Missing on pages that are not secure.
  if (!navigator.clipboard) return tell(() => words().noClipboard, true);
  await navigator.clipboard.writeText(text);
  tell(() => message());
}
const guarded = (action) => () => action().catch((error) => tell(error.message, true));
export const copy = guarded(async () => toClipboard(kif(), () => words().copied));

/// A link to the game and the shown move. Other branches are not in it.
export const share = guarded(async () => {
  const link = new URL(location.href);
  link.hash = fragmentOf({ start: root().start, moves: movesOf(state.tip), ply: state.node.ply });
  await toClipboard(link.href, () => words().linkCopied);
});

export function download(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// A `.kif` is in Shift_JIS.
export const save = guarded(async () => download("sabi.kifu", kif(), "text/plain"));

export async function paste() {
  element("text").value = "";
  const done = await ask("input"),
    text = element("text").value;
  if (done === "yes" && text.trim()) await readText(text);
}

/// Opens the game of the address, if it has one; the fragment is removed, so that a reload shows the
/// game as it was left. Returns whether there was one.
export async function openLink() {
  const link = linked(location.hash);
  if (!link) return false;
  history.replaceState(null, "", location.pathname + location.search);
  await readText(link.position, link.ply);
  return true;
}

export function listenRecords() {
  element("file").onchange = ({ target }) => {
    if (target.files[0]) open(target.files[0]);
    // The same file may be opened again.
    target.value = "";
  };
  const dragged = (event) => {
    event.preventDefault();
    document.body.classList.add("dragging");
  };
  document.addEventListener("dragover", dragged);
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dragging");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dragging");
    const [file] = event.dataTransfer.files,
      text = event.dataTransfer.getData("text");
    if (file) open(file);
    else if (text) readText(text);
  });
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text");
    if (!/^(TEXTAREA|INPUT)$/.test(event.target.tagName) && text.trim()) readText(text);
  });
  addEventListener("hashchange", openLink);
}

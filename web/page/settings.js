// What the user chose: language, board, pieces, sound.
import { element, kept, keep, languageOf, setLanguage, words } from "./state.js";
import { HANDICAPS } from "./setup.js";

const BOARDS = ["wood", "paper", "green", "slate"],
  SETS = ["kanji", "full", "western"];
export const pieceSet = () => element("pieces").value || "kanji";

/// Fills a list of choices in the language; the choice stays, and is kept.
function choices(id, values, text, chosen, changed = () => {}) {
  const box = element(id),
    value = box.value || kept(id, chosen);
  box.replaceChildren(...values.map((one) => new Option(text(one), one)));
  box.value = values.map(String).includes(value) ? value : chosen;
  box.onchange = () => {
    keep(id, box.value);
    changed();
  };
}

/// Writes all texts of the page in a language; `redraw` is called when the display changes.
export function speak(language, redraw) {
  setLanguage(language);
  const say = words();
  document.documentElement.lang = languageOf();
  document.querySelectorAll("[data-text]").forEach((box) => {
    box.textContent = say[box.dataset.text];
  });
  document.querySelectorAll("[data-label]").forEach((box) => {
    box.setAttribute("aria-label", say[box.dataset.label]);
    if (box.tagName === "BUTTON") box.title = say[box.dataset.label];
  });
  document.querySelectorAll("[data-hint]").forEach((box) => {
    box.placeholder = say[box.dataset.hint];
  });
  element("language").textContent = say.other;
  element("language").lang = language === "ja" ? "en" : "ja";
  choices("side", ["black", "white"], (side) => say[side], "black");
  choices(
    "level",
    [...Array(20).keys()].map((number) => number + 1).concat(0),
    (number) => (number ? `Lv. ${number}` : say.full),
    "5",
  );
  choices("time", [1000, 3000, 10_000, 30_000], (time) => `${time / 1000} ${say.seconds}`, "3000");
  // Numbers as keys come first otherwise.
  const names = Object.keys(HANDICAPS).sort((a, b) => (Number(a) || 0) - (Number(b) || 0));
  choices("handicap", [...names, "here"], (name) => (name === "here" ? say.fromHere : say.handicaps[name]), "even");
  choices("nodes", [20_000, 50_000, 200_000, 1_000_000], (nodes) => nodes.toLocaleString(), "200000");
  const look = () => {
    document.body.dataset.board = element("theme").value;
    redraw();
  };
  choices("theme", BOARDS, (name) => say.boards[name], "wood", look);
  choices("pieces", SETS, (name) => say.sets[name], "kanji", redraw);
  document.body.dataset.board = element("theme").value;
}

export function listenSettings() {
  element("sound").checked = kept("sound", "") === "on";
  element("sound").onchange = () => {
    keep("sound", element("sound").checked ? "on" : "");
    click();
  };
  for (const id of ["main", "byoyomi", "increment"]) {
    element(id).value = kept(id, "0");
    element(id).onchange = () => keep(id, element(id).value);
  }
}

let audio = null;
/// The sound of a piece, if sounds are on: short noise.
export function click() {
  if (!element("sound").checked || typeof AudioContext === "undefined") return;
  audio ||= new AudioContext();
  const length = Math.floor(audio.sampleRate * 0.05),
    buffer = audio.createBuffer(1, length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < length; at += 1) samples[at] = (Math.random() * 2 - 1) * Math.exp((-10 * at) / length) * 0.4;
  const source = audio.createBufferSource();
  source.buffer = buffer;
  source.connect(audio.destination);
  source.start();
}

// Rules and records: questions to an instance of the module of its own.
import { Instance } from "./sabi.js";

let module, rules;
const renew = () => {
  rules = new Instance(
    module,
    () => {},
    (text) => console.warn(text),
    () => false,
  );
};

/// To be called once, and first.
export function load(compiled) {
  module = compiled;
  renew();
}

/// Answers a question. After a trap the instance is unusable, and a new one replaces it.
export function ask(question) {
  try {
    return rules.ask(question);
  } catch (error) {
    renew();
    return { error: error.message };
  }
}

const looks = new Map(),
  MOST_LOOKS = 100;
/// What the module says of a position, by its text; the last answers are kept.
export function lookAt(text) {
  if (looks.has(text)) return looks.get(text);
  if (looks.size >= MOST_LOOKS) looks.delete(looks.keys().next().value);
  looks.set(text, ask(`look ${text}`));
  return looks.get(text);
}

export const sideOf = ({ sfen }) => (sfen.split(" ")[1] === "b" ? "black" : "white");

/// The text of a position after more moves.
export const after = (text, moves) =>
  moves.length ? `${text}${text.includes(" moves ") ? " " : " moves "}${moves.join(" ")}` : text;

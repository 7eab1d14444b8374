// Messages, dialogs, and drawing that keeps elements.
import { element } from "./state.js";

const drawers = [];
/// Registers a part of the page.
export const drawnBy = (...parts) => drawers.push(...parts);
export const draw = () => drawers.forEach((part) => part());

let due = false;
/// Draws engine output, at most ten times a second.
export function drawSoon() {
  if (due) return;
  due = true;
  setTimeout(() => {
    due = false;
    draw();
  }, 100);
}

let told = () => {};
/// Shows a message; a function gives it in the language chosen by then.
export function tell(text, wrong = false) {
  told = () => tell(text, wrong);
  element("status").textContent = typeof text === "function" ? text() : text;
  element("status").classList.toggle("wrong", wrong);
}
export const tellAgain = () => told();

/// Says a move to screen readers.
export const announce = (text) => {
  element("spoken").textContent = text;
};

// The engine reports many times a second. Elements that stay the same are kept: a click is lost if
// its element is replaced before the button is released, and so is the focus.

const drawn = {};
/// Whether a part is to be drawn: it was last drawn from another text.
export function changed(part, text) {
  if (drawn[part] === text) return false;
  drawn[part] = text;
  return true;
}

/// Removes or adds elements until there are `count`.
export function fit(box, count, make) {
  while (box.children.length > count) box.lastElementChild.remove();
  while (box.children.length < count) box.append(make());
}

export function write(box, text) {
  if (box.textContent !== text) box.textContent = text;
}

/// The place of an element among its neighbours.
export const placeOf = (part) => [...part.parentElement.children].indexOf(part);

/// Opens a dialog; resolves to the value of the pressed button.
export async function ask(dialog) {
  element(dialog).returnValue = "";
  element(dialog).showModal();
  await new Promise((resolve) => element(dialog).addEventListener("close", resolve, { once: true }));
  return element(dialog).returnValue;
}

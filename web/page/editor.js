// The position editor: pieces are set by a tool, moved by drags, and held by numbers.
/* global HAND_ORDER, fromSfen, node */
import { pieceIcon } from "./pieces.js";
import { mayLeave, stop } from "./play.js";
import { lookAt } from "./rules.js";
import { pieceSet } from "./settings.js";
import { missing, toSfen } from "./setup.js";
import { element, setGame, shownLook, state, words } from "./state.js";
import { unpacked } from "./tree.js";
import { changed, draw, tell, write } from "./ui.js";

const EVEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const TOOLS = ["P", "L", "N", "S", "G", "B", "R", "K", "+P", "+L", "+N", "+S", "+B", "+R"];
/// The chosen piece, as `+p` in SFEN; empty to move pieces.
let tool = "";

export async function edit() {
  if (state.edit || !(await mayLeave())) return;
  await stop();
  const { sfen } = shownLook();
  Object.assign(state, { human: null, selected: null, line: null, edit: fromSfen(sfen) });
  tool = "";
  tell("");
  draw();
  element("editor").scrollIntoView({ block: "nearest" });
}

export function pressEdit(target) {
  const { board } = state.edit,
    old = board.get(target);
  if (tool) {
    const kind = tool.replace("+", "").toUpperCase(),
      side = tool === tool.toUpperCase() ? "black" : "white",
      promoted = tool[0] === "+";
    const same = old && old.kind === kind && old.side === side && old.promoted === promoted;
    board.delete(target);
    if (!same) board.set(target, { kind, side, promoted });
  } else if (state.selected) {
    const from = state.selected,
      piece = board.get(from);
    state.selected = null;
    if (piece && from !== target) {
      board.delete(from);
      // What stood there is held by the other side, as after a capture.
      if (old && old.kind !== "K")
        state.edit.hands[piece.side][old.kind] = (state.edit.hands[piece.side][old.kind] || 0) + 1;
      board.set(target, piece);
    }
  } else if (old) {
    state.selected = target;
  }
  draw();
}

function takeAll() {
  const left = missing(state.edit),
    { white } = state.edit.hands;
  for (const kind of HAND_ORDER) if (left[kind] > 0) white[kind] = (white[kind] || 0) + left[kind];
  draw();
}

async function finish() {
  const answer = lookAt(`sfen ${toSfen(state.edit)}`);
  if (answer.error) return tell(() => words().failed(answer.error), true);
  state.player = null;
  setGame(unpacked(answer));
  tell(() => words().ready);
  draw();
}

export function drawEditor() {
  const box = element("editor"),
    { edit: at } = state;
  document.body.classList.toggle("editing", Boolean(at));
  box.hidden = !at;
  if (!at) return;
  const set = pieceSet();
  if (changed("tools", `${words().other}${set}`)) {
    element("tools-of").replaceChildren(
      ...["", ...TOOLS, ...TOOLS.map((name) => name.toLowerCase())].map((name) => {
        const button = node("button"),
          upper = name.toUpperCase(),
          side = name === upper ? "black" : "white";
        if (name) button.innerHTML = pieceIcon({ kind: upper.replace("+", ""), promoted: upper[0] === "+" }, set);
        else button.textContent = words().editMove;
        button.classList.toggle("turned", side === "white");
        button.dataset.tool = name;
        button.setAttribute("aria-label", name ? `${words().kinds[upper]} ${words()[side]}` : words().editMove);
        return button;
      }),
    );
    element("held").replaceChildren(
      ...["black", "white"].map((side) => {
        const row = node("div", "", "row");
        row.append(
          node("b", words()[side]),
          ...[...HAND_ORDER].map((kind) => {
            const label = node("label", `${words().kinds[kind]} `),
              input = node("input");
            Object.assign(input, { type: "number", min: 0, max: 18 });
            Object.assign(input.dataset, { side, kind });
            label.append(input);
            return label;
          }),
        );
        return row;
      }),
    );
  }
  for (const button of element("tools-of").children)
    button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
  for (const input of element("held").querySelectorAll("input")) {
    const count = String(at.hands[input.dataset.side][input.dataset.kind] || 0);
    if (input.value !== count) input.value = count;
  }
  element("edit-turn").value = at.side;
  [...element("edit-turn").options].forEach((option) => write(option, words()[option.value]));
  const sfen = toSfen(at);
  if (document.activeElement !== element("edit-sfen")) element("edit-sfen").value = sfen;
}

export function listenEditor() {
  const actions = {
    "edit-clear": () => {
      state.edit.board.clear();
    },
    "edit-start": () => {
      state.edit = fromSfen(EVEN);
    },
  };
  for (const [id, action] of Object.entries(actions))
    element(id).onclick = () => {
      action();
      state.selected = null;
      draw();
    };
  element("edit-rest").onclick = takeAll;
  element("edit-done").onclick = finish;
  element("edit-cancel").onclick = () => {
    Object.assign(state, { edit: null, selected: null });
    draw();
  };
  element("tools-of").onclick = ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    [tool, state.selected] = [button.dataset.tool, null];
    draw();
  };
  element("held").onchange = ({ target }) => {
    const { side, kind } = target.dataset;
    state.edit.hands[side][kind] = Math.min(18, Math.max(0, Math.floor(Number(target.value)) || 0));
    draw();
  };
  element("edit-turn").onchange = () => {
    state.edit.side = element("edit-turn").value;
    draw();
  };
  element("edit-sfen").onchange = () => {
    const answer = lookAt(
      `sfen ${element("edit-sfen")
        .value.trim()
        .replace(/^(position )?sfen /, "")}`,
    );
    if (answer.error) return tell(() => words().failed(answer.error), true);
    state.edit = fromSfen(answer.sfen);
    draw();
  };
}

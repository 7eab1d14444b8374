// A game with its branches: a tree of nodes, each the position after its move.
/* global fromSfen, played */
import { after, lookAt } from "./rules.js";

const make = (parent, move, text) => ({
  parent,
  move,
  text,
  ply: parent ? parent.ply + 1 : 0,
  children: [],
  seconds: null,
  comment: "",
});

/// The tree of a start position, an SFEN.
export const rootOf = (start) => Object.assign(make(null, "", `sfen ${start}`), { start });

/// The node after a move, which is added if it is new.
export function child(node, move) {
  const known = node.children.find((one) => one.move === move);
  if (known) return known;
  const made = make(node, move, after(node.text, [move]));
  node.children.push(made);
  return made;
}

export const grow = (node, moves) => moves.reduce(child, node);

/// What the module says of a node.
export const look = (node) => (node.look ||= lookAt(node.text));
export const position = (node) =>
  (node.position ||= node.parent ? played(position(node.parent), node.move) : fromSfen(node.start));

/// The nodes from the root to this one.
export function path(node) {
  const nodes = [];
  for (let at = node; at; at = at.parent) nodes.push(at);
  return nodes.reverse();
}

export const movesOf = (node) =>
  path(node)
    .slice(1)
    .map(({ move }) => move);

/// The end of the branch of a node: the children that were shown last, or first.
export function leaf(node) {
  let at = node;
  while (at.children.length) at = at.children.includes(at.visited) ? at.visited : at.children[0];
  return at;
}

/// Remembers a node and those before it as shown last.
export const visit = (node) =>
  path(node).forEach((one) => {
    if (one.parent) one.parent.visited = one;
  });

/// The ends of all branches.
export const leaves = (node) => (node.children.length ? node.children.flatMap(leaves) : [node]);

/// What is not on the way to `tip`: the moves of each branch, and how many moves of the way are before
/// it. Branches of branches begin where they leave the way, too.
export function branches(tip) {
  const way = new Set(path(tip));
  return leaves(path(tip)[0])
    .filter((end) => !way.has(end))
    .map((end) => {
      const nodes = path(end),
        first = nodes.findIndex((node) => !way.has(node));
      return { after: first - 1, moves: nodes.slice(first).map(({ move }) => move) };
    })
    .sort((a, b) => b.after - a.after);
}

/// The tree as data, and back; moves that are illegal end their line.
export const packed = (tip) => ({
  start: path(tip)[0].start,
  moves: movesOf(tip),
  times: path(tip)
    .slice(1)
    .map(({ seconds }) => seconds),
  branches: branches(tip),
});

export function unpacked({ start, moves, times = [], branches: others = [] }) {
  const answer = lookAt(after(`sfen ${start}`, moves));
  if (answer.error) return null;
  const root = rootOf(answer.start),
    tip = grow(root, answer.moves),
    line = path(tip);
  line.slice(1).forEach((node, at) => {
    node.seconds = times[at] ?? null;
  });
  for (const branch of others) {
    const base = line[branch.after];
    if (base && !lookAt(after(base.text, branch.moves)).error) grow(base, branch.moves);
  }
  visit(tip);
  return tip;
}

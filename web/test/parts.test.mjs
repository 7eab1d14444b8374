// Parts of the page without a browser: clock, start positions, links, and the workers that analyse a
// game, with a stub: `node --test web/test/parts.test.mjs`. Needs no build.
import assert from "node:assert/strict";
import test from "node:test";
import { analyzeAll } from "../page/analyst.js";
import { Clock, timeText } from "../page/clock.js";
import { HANDICAPS, fragmentOf, handicapStart, linked, missing, toSfen } from "../page/setup.js";

test("byoyomi begins when the main time is over, and again with each move", () => {
  const clock = new Clock({ main: 10_000, byoyomi: 5000, increment: 0 });
  clock.start("black", 0);
  assert.deepEqual(clock.remaining("black", 4000), { main: 6000, byoyomi: 5000 });
  assert.deepEqual(clock.remaining("black", 12_000), { main: 0, byoyomi: 3000 });
  assert.deepEqual(clock.remaining("white", 12_000), { main: 10_000, byoyomi: 5000 });
  assert.equal(clock.isOver(14_999), false);
  assert.equal(clock.isOver(15_000), true);
  assert.equal(clock.isOver(15_500, 1000), false);
  clock.stop(12_000, true);
  assert.equal(clock.isOver(99_000), false);
  clock.start("black", 20_000);
  assert.deepEqual(clock.remaining("black", 24_000), { main: 0, byoyomi: 1000 });
  assert.equal(clock.limits(20_000), "btime 0 wtime 10000 byoyomi 5000");
});

test("an increment is added after a move, not after an interruption", () => {
  const clock = new Clock({ main: 10_000, byoyomi: 0, increment: 2000 });
  clock.start("white", 0);
  clock.stop(4000, true);
  assert.deepEqual(clock.left, { black: 10_000, white: 8000 });
  clock.start("black", 5000);
  clock.stop(6000, false);
  assert.deepEqual(clock.left, { black: 9000, white: 8000 });
  assert.equal(clock.limits(6000), "btime 9000 wtime 8000 binc 2000 winc 2000");
  clock.start("black", 6000);
  assert.equal(clock.isOver(15_000), true);
  assert.deepEqual(["0:59", "1:00", "1:01:01", "9.9"], [59_000, 60_000, 3_661_000, 9900].map(timeText));
});

test("handicaps take the pieces that their names say", () => {
  const pieces = (name) =>
    handicapStart(name)
      .split(" ")[1]
      .replace(/[^a-z]/g, "").length;
  for (const name of Object.keys(HANDICAPS)) {
    if (name === "even") continue;
    assert.equal(pieces(name), 20 - HANDICAPS[name].length, name);
    assert.match(handicapStart(name), / w - 1$/);
  }
  assert.equal(handicapStart("even"), "startpos");
  assert.equal(handicapStart("2"), "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
  assert.equal(handicapStart("lance"), "sfen lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
});

test("positions are written as SFEN, and their missing pieces counted", () => {
  const board = new Map([
    ["5a", { kind: "K", side: "white" }],
    ["9i", { kind: "R", promoted: true, side: "black" }],
  ]);
  const position = { board, hands: { black: { P: 2, G: 1 }, white: { B: 1 } }, side: "white" };
  assert.equal(toSfen(position), "4k4/9/9/9/9/9/9/9/+R8 w G2Pb 1");
  assert.deepEqual(missing(position), { P: 16, L: 4, N: 4, S: 4, G: 3, B: 1, R: 1, K: 1 });
});

test("links hold start, moves and the shown move, and bad ones do no harm", () => {
  const start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    other = "4k4/9/9/9/9/9/9/9/4K4 b 2G 1";
  assert.equal(fragmentOf({ start, moves: ["7g7f", "3c3d"], ply: 1 }), "#moves=7g7f_3c3d&ply=1");
  for (const [game, position] of [
    [{ start, moves: ["7g7f", "P*3d"], ply: 2 }, "startpos moves 7g7f P*3d"],
    [{ start, moves: [], ply: 0 }, "startpos"],
    [{ start: other, moves: ["G*5b"], ply: 0 }, `sfen ${other} moves G*5b`],
  ]) {
    const link = linked(fragmentOf(game));
    assert.equal(link.position, position);
    assert.equal(link.ply ?? game.moves.length, game.ply);
  }
  // As other programs escape them.
  assert.equal(linked("#moves=7g7f%20P%2A3d").position, "startpos moves 7g7f P*3d");
  for (const fragment of ["", "#", "#34", "#ply=3", "#%"]) assert.equal(linked(fragment), null, fragment);
  assert.equal(linked("#moves=%E0%A4%A").position, "startpos moves %E0%A4%A");
});

/// A worker that answers with `reply` of each task.
function stub(reply) {
  const made = { all: [], over: 0 };
  globalThis.Worker = class {
    constructor() {
      made.all.push(this);
    }

    postMessage(data) {
      if (!data.module) setImmediate(() => this.onmessage?.({ data: reply(data) }));
    }

    terminate() {
      this.onmessage = null;
      made.over += 1;
    }
  };
  return made;
}
const TASKS = [...Array(7).keys()];
const analyzed = (workers, signal = new AbortController().signal) => {
  const found = [];
  return analyzeAll({}, TASKS, {
    workers,
    signal,
    onFound: (number, answer) => {
      found[number] = answer;
    },
  }).then((done) => ({ done, found }));
};

test("every position is analysed once, whatever the number of workers", async () => {
  for (const workers of [1, 3, 20]) {
    const made = stub((task) => ({ task }));
    assert.deepEqual(await analyzed(workers), { done: true, found: TASKS.map((task) => ({ task })) });
    assert.equal(made.all.length, Math.min(workers, TASKS.length));
    assert.equal(made.over, made.all.length);
  }
});

test("a trap costs one position, a wrong task or a worker that does not start the analysis", async () => {
  stub((task) => (task % 3 === 2 ? { trap: "unreachable" } : { task }));
  const { done, found } = await analyzed(2);
  assert.ok(done);
  assert.deepEqual(
    found,
    TASKS.map((task) => (task % 3 === 2 ? null : { task })),
  );
  stub(() => ({ error: "the move is illegal" }));
  await assert.rejects(analyzed(2), /the move is illegal/);
  const made = stub((task) => ({ task }));
  const run = analyzed(1);
  made.all[0].onerror({ message: "no worker" });
  await assert.rejects(run, /no worker/);
});

test("an analysis that is cancelled ends its workers", async () => {
  const made = stub((task) => ({ task })),
    controller = new AbortController(),
    run = analyzed(2, controller.signal);
  controller.abort();
  assert.equal((await run).done, false);
  assert.equal(made.over, made.all.length);
});

// The page's view of an engine that is over, with a stub of its worker: `node --test
// web/test/over.test.mjs`. Needs no build.
import assert from "node:assert/strict";
import test from "node:test";

let worker;
globalThis.crossOriginIsolated = false;
globalThis.Worker = class {
  constructor() {
    this.sent = [];
    worker = this;
  }

  postMessage({ line }) {
    if (line) this.sent.push(line);
  }
};
const { Engine } = await import("../engine.js");

const CRASH = "info string the engine crashed: unreachable";
/// Turns of the event loop, after which all promises have gone on.
const pause = () => new Promise((resolve) => setImmediate(resolve));

function started() {
  const reasons = [];
  const engine = new Engine(null, (reason) => reasons.push(reason));
  return { engine, reasons, worker };
}

test("a search, a stop and later searches end when the engine is over", async () => {
  for (const [crash, reason] of [
    [({ worker }) => [CRASH, "bestmove resign"].forEach((data) => worker.onmessage({ data })), "unreachable"],
    [({ worker }) => worker.onmessage({ data: { error: "no engine" } }), "no engine"],
    [({ worker }) => worker.onerror({}), "worker"],
  ]) {
    const made = started(), { engine, reasons, worker } = made;
    const search = engine.go("startpos", "go infinite", {}, () => {});
    await pause();
    assert.equal(worker.sent.at(-1), "go infinite");
    const stopped = engine.stop();
    crash(made);
    assert.equal(await search, null);
    await stopped;
    assert.deepEqual(reasons, [reason]);
    const output = worker.sent.length;
    assert.equal(await engine.go("startpos", "go infinite", {}, () => {}), null);
    await engine.stop();
    assert.deepEqual([reasons, worker.sent.length], [[reason, reason], output]);
  }
});

test("an engine that starts again continues", async () => {
  const { engine, reasons, worker } = started();
  const lines = [];
  const search = engine.go("startpos", "go nodes 1", {}, (line) => lines.push(line));
  await pause();
  for (const data of ["info string the engine crashed and starts again: unreachable", "bestmove resign"]) worker.onmessage({ data });
  assert.equal(await search, "bestmove resign");
  assert.deepEqual([reasons, lines.length], [[], 1]);
});

// The page's view of an engine that is over, with a stub of its worker: `node --test
// web/test/over.test.mjs`. Needs no build.
import assert from "node:assert/strict";
import test from "node:test";

let worker;
globalThis.crossOriginIsolated = false;
globalThis.Worker = class {
  constructor() {
    this.said = [];
    worker = this;
  }

  postMessage({ line }) {
    if (line) this.said.push(line);
  }
};
const { Engine } = await import("../engine.js");

const CRASH = "info string the engine broke off: unreachable";
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
    assert.equal(worker.said.at(-1), "go infinite");
    const stopped = engine.stop();
    crash(made);
    assert.equal(await search, null);
    await stopped;
    assert.deepEqual(reasons, [reason]);
    const told = worker.said.length;
    assert.equal(await engine.go("startpos", "go infinite", {}, () => {}), null);
    await engine.stop();
    assert.deepEqual([reasons, worker.said.length], [[reason, reason], told]);
  }
});

test("an engine that starts again goes on", async () => {
  const { engine, reasons, worker } = started();
  const heard = [];
  const search = engine.go("startpos", "go nodes 1", {}, (line) => heard.push(line));
  await pause();
  for (const data of ["info string the engine broke off and starts again: unreachable", "bestmove resign"]) worker.onmessage({ data });
  assert.equal(await search, "bestmove resign");
  assert.deepEqual([reasons, heard.length], [[], 1]);
});

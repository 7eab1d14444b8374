// The page's searches with a stub of their worker, also when the engine is over, and the answers of
// an engine that crashes: `node --test web/test/over.test.mjs`. Needs no build.
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
const { Engine } = await import("../page/engine.js");
const { PendingAnswers } = await import("../sabi.js");

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

test("a search that is finished early keeps its result", async () => {
  const { engine, worker } = started();
  engine.finish();
  const search = engine.go("startpos", "go infinite", {}, () => {});
  await pause();
  assert.equal(worker.sent.at(-1), "go infinite");
  engine.finish();
  assert.equal(worker.sent.at(-1), "stop");
  worker.onmessage({ data: "bestmove 7g7f" });
  assert.equal(await search, "bestmove 7g7f");
});

test("answers are pending until they are given, each for itself", () => {
  const pending = new PendingAnswers();
  const receive = (...lines) => lines.forEach((line) => pending.received(line));
  receive("usi", "go infinite", "isready");
  assert.deepEqual(pending.all(), ["bestmove resign", "readyok"]);
  pending.emitted("readyok");
  assert.deepEqual(pending.all(), ["bestmove resign"]);
  receive("go mate 1000");
  pending.emitted("bestmove 7g7f");
  assert.deepEqual(pending.all(), ["checkmate timeout"]);
  pending.emitted("checkmate nomate");
  // These are not answered.
  for (const line of ["ponderhit", "go perft 3", "going"]) {
    receive(line);
    assert.deepEqual(pending.all(), [], line);
  }
  receive("isready", "go fly");
  pending.emitted("info string go: left out: unknown word 'fly'; without a limit this takes 1000 ms");
  assert.deepEqual(pending.all(), ["readyok", "bestmove resign"]);
  pending.emitted("bestmove 7g7f");
  receive("go perft 99");
  pending.emitted("info string go: the maximum perft depth is 12");
  assert.deepEqual(pending.all(), ["readyok"]);
  // After a rejected position the engine resigns.
  receive("go infinite");
  pending.emitted("info string go: the last position was rejected (position: expected 'startpos' or 'sfen', not '')");
  assert.deepEqual(pending.all(), ["readyok", "bestmove resign"]);
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

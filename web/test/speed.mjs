// Nodes per second in Node.js and Chromium relative to the native program, and the times to the first
// move: `node web/test/speed.mjs target/release/sabi`. ROUNDS sets the repetitions; medians are printed.
// All must search the same nodes.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { launch } from "./browser.mjs";
import { serve } from "./server.mjs";

const POSITIONS = ["startpos", "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b",
  "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"];
const NODES = 400_000, ROUNDS = Number(process.env.ROUNDS || 5), THREADS = Number(process.env.THREADS || 2);
const folder = new URL("../../target/web/package/", import.meta.url);
const program = process.argv[2];
assert.ok(program, "usage: node web/test/speed.mjs PROGRAM");

/// Searches the positions; returns nodes, milliseconds and moves. Sent to the browser as text.
async function measure(send, listen, { positions, nodes, threads }) {
  let found = () => {};
  let info = "";
  listen((line) => {
    if (/ nodes \d+/.test(line)) info = line;
    if (/^(bestmove|readyok)/.test(line)) found(line);
  });
  const answer = (...lines) => new Promise((resolve) => { found = resolve; lines.forEach(send); });
  send("setoption name USI_OwnBook value false");
  send("setoption name USI_Hash value 32");
  send(`setoption name Threads value ${threads}`);
  const total = { nodes: 0, time: 0, moves: [] };
  // Warm-up for the JIT compiler.
  for (const [turn, position] of [positions[0], ...positions].entries()) {
    await answer("usinewgame", "isready");
    total.moves.push(await answer(`position ${position}`, `go nodes ${nodes}`));
    if (!turn) continue;
    const number = (word) => Number(new RegExp(` ${word} (\\d+)`).exec(info)[1]);
    total.nodes += number("nodes");
    total.time += number("time");
  }
  return total;
}

/// The native program with the network of the module.
function native(order) {
  const child = spawn(program, { stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.write(`setoption name EvalFile value ${fileURLToPath(new URL("../../nets/kp.bin", import.meta.url))}\n`);
  const lines = createInterface({ input: child.stdout });
  return measure((line) => child.stdin.write(`${line}\n`), (onLine) => lines.on("line", onLine), order).finally(() => child.kill());
}

async function node(order) {
  const { default: createSabi } = await import(new URL(order.threads > 1 ? "threads.js" : "sabi.js", folder));
  const engine = await createSabi();
  return measure(engine.postMessage, engine.addMessageListener, order).finally(engine.terminate);
}

const server = await serve({ "/": fileURLToPath(folder) }, { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" });
const browser = await launch();
async function chromium(order) {
  const page = await browser.newPage();
  await page.goto(`${server.address}/engine.json`);
  const code = `import createSabi from "${server.address}/${order.threads > 1 ? "threads.js" : "sabi.js"}";
    const engine = await createSabi();
    postMessage(await (${measure})(engine.postMessage, engine.addMessageListener, ${JSON.stringify(order)}));`;
  const total = await page.evaluate((text) => new Promise((resolve, reject) => {
    const worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })), { type: "module" });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message));
  }), code);
  await page.close();
  return total;
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];
for (const threads of THREADS > 1 ? [1, THREADS] : [1]) {
  const speeds = { native: [], node: [], chromium: [] }, shares = { node: [], chromium: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const totals = {};
    for (const [name, run] of Object.entries({ native, node, chromium })) {
      totals[name] = await run({ positions: POSITIONS, nodes: NODES, threads });
      speeds[name].push(totals[name].nodes / totals[name].time);
    }
    for (const name of ["node", "chromium"]) {
      shares[name].push(speeds[name].at(-1) / speeds.native.at(-1));
      if (threads === 1) assert.deepEqual(totals[name].moves, totals.native.moves, "the same search was to be measured");
    }
  }
  for (const name of ["native", "node", "chromium"]) {
    const share = shares[name] ? `, ${median(shares[name]).toFixed(2)} of native` : "";
    console.log(`${threads} thread${threads > 1 ? "s" : ""}, ${name}: ${Math.round(1000 * median(speeds[name])).toLocaleString("en")} nps${share}`);
  }
}

/// Milliseconds from the start until the engine is ready, and from the command until its first move, of the
/// book, which it searches for no time.
async function nativeStart() {
  const begin = performance.now(), child = spawn(program, { stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: child.stdout });
  const answer = (line, pattern) => new Promise((resolve) => {
    lines.on("line", (text) => pattern.test(text) && resolve(performance.now()));
    child.stdin.write(`${line}\n`);
  });
  const ready = await answer("isready", /^readyok/), moved = await answer("position startpos\ngo btime 0 wtime 0 byoyomi 1000", /^bestmove/);
  child.kill();
  return [ready - begin, moved - ready];
}

/// The same of the page: the user is White, and the page is loaded from a server, or from its cache.
async function pageStart(page, address) {
  const begin = performance.now();
  await page.goto(address);
  await page.waitForFunction(() => document.getElementById("status").textContent === "Ready", null, { polling: "raf" });
  const ready = performance.now();
  await page.selectOption("#time", "1000");
  await page.selectOption("#side", "white");
  const start = performance.now();
  await page.click("#start");
  await page.waitForFunction(() => document.querySelectorAll("#moves .move").length === 2, null, { polling: "raf" });
  const moved = performance.now();
  await page.click("#resign");
  return [ready - begin, moved - start];
}

const site = await serve({ "/": fileURLToPath(new URL("../../target/web/page/", import.meta.url)) });
const times = { native: [], "page, first visit": [], "page, later": [] };
for (let round = 0; round < ROUNDS; round += 1) {
  const visit = await browser.newContext({ locale: "en-US" }), page = await visit.newPage();
  times.native.push(await nativeStart());
  times["page, first visit"].push(await pageStart(page, site.address));
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  times["page, later"].push(await pageStart(page, site.address));
  await visit.close();
}
for (const [name, measured] of Object.entries(times)) {
  const [ready, moved] = [0, 1].map((at) => Math.round(median(measured.map((pair) => pair[at]))));
  console.log(`${name}: ready after ${ready} ms, first move ${moved} ms after it is asked for`);
}
await site.end();
await browser.close();
await server.end();

// The module in Node.js: `node --test web/test/engine.test.mjs`, after `web/build`.
import assert from "node:assert/strict";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import test from "node:test";

const folder = new URL("../../target/web/package/", import.meta.url);
const { default: createSabi } = await import(new URL("sabi.js", folder)).catch(() => {
  throw new Error("there is no engine to test; run: web/build");
});

/// An engine, and its output.
async function started(context, create = createSabi) {
  const engine = await create();
  const lines = [];
  engine.addMessageListener((line) => lines.push(line));
  context.after(() => engine.terminate());
  const until = async (pattern, milliseconds = 60_000) => {
    const end = Date.now() + milliseconds;
    for (;;) {
      const at = lines.findIndex((line) => pattern.test(line));
      if (at >= 0) return lines.splice(0, at + 1);
      if (Date.now() > end) assert.fail(`no ${pattern}: ${lines.slice(-5).join(" / ")}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  return { engine, lines, until, send: (...sent) => sent.forEach((line) => engine.postMessage(line)) };
}

test("the engine introduces itself as engine.json says", async (context) => {
  const { send, until } = await started(context);
  const manifest = JSON.parse(await readFile(new URL("engine.json", folder), "utf8"));
  send("usi");
  const output = await until(/^usiok$/);
  assert.ok(output.includes(`id name ${manifest.name}`) && output.includes(`id author ${manifest.author}`));
  const names = output.filter((line) => line.startsWith("option ")).map((line) => line.split(" ")[2]);
  assert.deepEqual(manifest.options.map(({ name }) => name), names);
  for (const { values = {} } of manifest.presets) for (const [name, value] of Object.entries(values)) send(`setoption name ${name} value ${value}`);
  send("isready");
  assert.deepEqual(await until(/^readyok$/), ["readyok"]);
});

test("it searches with the network, plays from the book and proves mates", async (context) => {
  const { send, until } = await started(context);
  send("isready", "position startpos", "go byoyomi 1000");
  assert.ok((await until(/^bestmove /)).some((line) => line.startsWith("info string book ")));
  send("setoption name USI_OwnBook value false", "position startpos", "go nodes 20000");
  const thought = await until(/^bestmove [1-9]/);
  assert.ok(thought.some((line) => / depth [1-9]\d? .* nodes \d+ .* pv /.test(line)));
  send("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "go mate 10000");
  assert.equal((await until(/^checkmate/)).at(-1), "checkmate G*5b");
  send("position startpos", "go mate 10000");
  assert.equal((await until(/^checkmate/)).at(-1), "checkmate nomate");
  send("go perft 3");
  assert.ok((await until(/25470/)).length > 0);
});

test("a search receives stop, ponderhit and new orders at once", async (context) => {
  const { engine, lines, send, until } = await started(context);
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  send("isready", "setoption name USI_OwnBook value false", "position startpos", "go infinite");
  await pause(500);
  assert.ok(!lines.some((line) => line.startsWith("bestmove")) && lines.some((line) => / depth [1-9]/.test(line)));
  // The answer comes before the call returns.
  engine.postMessage("stop");
  assert.match(lines.at(-1), /^bestmove /);
  lines.length = 0;
  // A found mate does not end an infinite search; no bestmove before `stop`.
  send("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "go infinite");
  await pause(200);
  assert.ok(!lines.some((line) => line.startsWith("bestmove")));
  send("stop");
  assert.equal((await until(/^bestmove/)).at(-1).split(" ")[1], "G*5b");
  send("position startpos", "go ponder btime 60000 wtime 60000 byoyomi 1000");
  await pause(200);
  assert.ok(!lines.some((line) => line.startsWith("bestmove")));
  send("ponderhit");
  await until(/^bestmove/, 15_000);
  send("go infinite", "position startpos moves 7g7f", "go nodes 1000");
  await until(/^bestmove/);
  await until(/^bestmove/);
  // Long operations are suspended.
  for (const order of ["go perft 7", "bench"]) {
    send(order);
    await pause(300);
    send("stop", "isready");
    assert.ok(!(await until(/^readyok/)).some((line) => /crashed/.test(line)), order);
  }
});

test("limits of time are kept", async (context) => {
  const { send, until } = await started(context);
  send("isready", "setoption name USI_OwnBook value false");
  await until(/readyok/);
  const start = performance.now();
  send("position startpos moves 7g7f", "go movetime 700");
  await until(/^bestmove/);
  const time = performance.now() - start;
  assert.ok(time > 600 && time < 1500, `${time} ms`);
});

test("what is wrong is reported, and changes nothing", async (context) => {
  const { send, until, engine } = await started(context);
  for (const [line, reason] of [
    ["setoption name EvalFile value nn.bin", /no file system/], ["setoption name BookFile value user.db", /no file system/],
    ["setoption name EvalDir value eval", /no file system/], ["setoption name DebugLogFile value log", /no file system/],
    ["setoption name Threads value 4", /no threads available/], ["setoption name USI_Hash value 0", /USI_Hash takes/],
    ["position startpos moves 7g7e", /illegal/], ["fly", /fly|command/], ["x".repeat(5 << 20), /longer/], ["go\u0000", /control/],
  ]) {
    send(line);
    assert.match((await until(/^info string/)).at(-1), reason, line.slice(0, 60));
  }
  send("setoption name BookFile value no_book", "setoption name EvalFile value <empty>", "position startpos", "isready");
  assert.deepEqual(await until(/readyok/), ["readyok"]);
  // More memory than available.
  send("setoption name USI_Hash value 100000", "isready");
  assert.ok((await until(/readyok/)).some((line) => /out of memory; kept at 64/.test(line)));
  for (const question of ["", "look", "look nothing", "look startpos moves 1a1a", "read x\n", "read x\nhello", "write kif", "write png a\tb\tstartpos",
    "write kif a\tb\tstartpos\tblue\tresign", "write kif a\tb\tstartpos\tblack\tlunch",
    "read x.kif\n\u0000\u0001", new Uint8Array([255, 254, 0])]) {
    assert.equal(typeof engine.ask(question).error, "string", String(question));
  }
});

test("deep searches do not break the stack", async (context) => {
  const { send, until } = await started(context);
  send("setoption name USI_OwnBook value false", "setoption name Threads value 1");
  // Perpetual checks, and a mate of hundreds of plies beyond the time limit.
  for (const [position, go] of [
    ["sfen 4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1", "go nodes 300000"],
    ["sfen 4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1", "go mate 5000"],
    ["sfen g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1", "go mate 8000"],
  ]) {
    send(`position ${position}`, go);
    const output = await until(/^(bestmove|checkmate)/, 120_000);
    assert.ok(!output.some((line) => /crashed/.test(line)), output.find((line) => /crashed/.test(line)));
  }
});

test("an engine that crashed starts again where it stood", async (context) => {
  const { engine, lines, send, until } = await started(context);
  send("setoption name MultiPV value 2", "setoption name USI_OwnBook value false", "position startpos moves 7g7f", "isready");
  await until(/readyok/);
  // Recursion that exhausts the stack.
  const dive = (depth) => (depth ? dive(depth - 1) : engine.postMessage("go infinite"));
  for (let depth = 20_000; depth > 0 && !lines.some((line) => /crashed/.test(line)); depth -= 20) {
    try { dive(depth); } catch (error) { assert.match(error.message, /stack/i); }
  }
  assert.ok((await until(/^bestmove/)).some((line) => /crashed/.test(line)));
  // After a restart it may search already.
  send("stop");
  await new Promise((resolve) => setTimeout(resolve, 100));
  lines.length = 0;
  send("go nodes 2000");
  const output = await until(/^bestmove/);
  assert.ok(output.some((line) => / multipv 2 /.test(line)));
  const [, move] = /^bestmove (\S+)/.exec(output.at(-1));
  assert.ok(engine.ask("look startpos moves 7g7f").legal.includes(move));
});

test("listeners may send lines, search and ask", async (context) => {
  for (const file of ["sabi.js", "threads.js"]) {
    const { default: create } = await import(new URL(file, folder));
    const { engine, send, until } = await started(context, create);
    let asked = 0;
    engine.addMessageListener((line) => {
      if (line === "usiok") engine.postMessage("isready");
      if (line === "readyok") engine.postMessage("setoption name USI_OwnBook value false\nposition startpos\ngo nodes 100");
      if (file === "threads.js" || !/ depth /.test(line)) return;
      engine.poll();
      assert.equal(engine.ask("look startpos").legal.length, 30);
      asked += 1;
    });
    send("usi");
    const output = await until(/^bestmove/);
    assert.match(output.at(-1), /^bestmove [1-9]/, file);
    assert.ok(!output.some((line) => /crashed/.test(line)), output.find((line) => /crashed/.test(line)));
    assert.ok(file === "threads.js" || asked > 0);
  }
});

test("a listener that always searches again leaves the host its events", async (context) => {
  const { engine, lines, send, until } = await started(context);
  send("isready", "setoption name USI_OwnBook value false", "position startpos");
  await until(/readyok/);
  const again = (line) => line.startsWith("bestmove") && engine.postMessage("go nodes 1");
  engine.addMessageListener(again);
  send("go nodes 1");
  await until(/^bestmove/);
  await until(/^bestmove/);
  engine.removeMessageListener(again);
  send("go infinite");
  engine.postMessage("stop");
  assert.match(lines.at(-1), /^bestmove /);
});

test("an engine whose threads do not start gives the pending answer and ends", async (context) => {
  const broken = await mkdtemp(join(tmpdir(), "sabi-"));
  context.after(() => rm(broken, { recursive: true }));
  const names = ["sabi.js", "wasi.js", "threads.js", "sabi.threads.wasm", "package.json"];
  for (const name of names) await copyFile(new URL(name, folder), join(broken, name));
  await writeFile(join(broken, "thread.js"), 'throw new Error("no thread");');
  const { default: create } = await import(pathToFileURL(join(broken, "threads.js")));
  for (const [go, answer] of [
    ["isready", "readyok"], ["go infinite", "bestmove resign"], ["go mate 1000", "checkmate timeout"],
    ["go infinite\nisready", "bestmove resign"], ["go perft fly\nisready", "readyok"],
  ]) {
    const { engine, lines, send, until } = await started(context, create);
    // It is not entered again after a crash.
    engine.addMessageListener((line) => line === answer && engine.postMessage("usi"));
    send("position startpos", go);
    assert.deepEqual((await until(new RegExp(`^${answer}$`))).slice(-2), ["info string the engine crashed: no thread", answer]);
    send("usi");
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.deepEqual(lines, []);
  }
});

test("records are read and written by the rules of the engine", async (context) => {
  const { engine } = await started(context);
  const records = new URL("../../tests/fixtures/records/", import.meta.url);
  const game = engine.ask(new Uint8Array([...new TextEncoder().encode("read floodgate.csa\n"), ...(await readFile(new URL("rinsai/floodgate.csa", records)))]));
  assert.ok(game.moves.length > 20 && game.names.every((name) => name), JSON.stringify(game));
  const again = engine.ask(`read game.kif\n${engine.ask(`write kif A\tB\t${game.usi}`).text}`);
  assert.deepEqual([again.moves, again.names, again.texts], [game.moves, ["A", "B"], game.texts]);
  const commented = engine.ask("read game.kif\n手合割：平手\n手数----\n*opening\n1 ７六歩(77)\n*a good move\n").kif;
  assert.match(commented, /\n\*opening\n +1 ７六歩\(77\)\n\*a good move\n/);
  // Names and times of a record are written again; so are result and end.
  assert.match(game.kif, /^先手：C2AC562E-YO-NNUE-NOBOOK-20260510\n後手：jhbr2\n/m);
  assert.match(game.kif, /^ +1 ７六歩\(77\) +\( 0:39\/00:00:39\)$/m);
  for (const [end, text] of [
    ["black\tresign", "   2 投了\nまで1手で先手の勝ち\n"],
    ["draw\tsennichite", "   2 千日手\nまで1手で千日手\n"],
    ["unknown\tunknown", "７六歩(77)\n"],
  ]) {
    const written = engine.ask(`write kif A\tB\tstartpos moves 7g7f\t${end}`).text;
    assert.ok(written.endsWith(text), written);
  }
  const handicap = "sfen lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
  const isHandicap = (position) => engine.ask(`look ${position}`).handicap;
  assert.deepEqual(["startpos", handicap].map(isHandicap), [false, true]);
  const look = engine.ask("look startpos moves 7g7f 3c3d 8h2b+");
  assert.deepEqual([look.texts.at(-1), look.legal.length, look.check, look.over], ["▲２二角成", 33, false, null]);
  assert.deepEqual(engine.ask("look sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").over, { reason: "checkmate", result: "black" });
});

test("what was asked before quit is answered", async (context) => {
  const { default: createThreads } = await import(new URL("threads.js", folder));
  for (const create of [createSabi, createThreads]) {
    for (const [asked, wanted] of [
      [["go infinite"], ["bestmove"]], [["go movetime 60000"], ["bestmove"]], [["go mate infinite"], ["checkmate"]], [[], []],
      [["go nodes 100000000", "isready", "go depth 90"], ["bestmove", "bestmove", "readyok"]],
    ]) {
      const { lines, send } = await started(context, create);
      send("setoption name USI_OwnBook value false", "position sfen lnsgkgsnl/9/9/9/4K4/9/9/9/9 b RBGSNLPrbgsnlp 1", ...asked);
      await new Promise((resolve) => setTimeout(resolve, 200));
      send("quit", "go nodes 1", "usi");
      const answers = () => lines.map((line) => line.split(" ")[0]).filter((word) => word !== "info");
      const end = Date.now() + 5000;
      while (answers().length < wanted.length && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 2));
      await new Promise((resolve) => setTimeout(resolve, 100));
      assert.deepEqual(answers().sort(), wanted, asked.join(" / "));
    }
  }
});

test("after quit and terminate nothing is sent", async (context) => {
  for (const end of [({ send }) => send("quit"), ({ engine }) => engine.terminate()]) {
    const started_ = await started(context);
    started_.send("isready", "setoption name USI_OwnBook value false", "position startpos", "go infinite");
    await new Promise((resolve) => setTimeout(resolve, 100));
    end(started_);
    const output = started_.lines.length;
    started_.send("stop", "usi");
    started_.engine.poll();
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(started_.lines.length, output);
  }
});

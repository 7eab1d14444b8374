// The engine in ShogiHome's worker: `SHOGIHOME=folder node --test web/test/shogihome.test.mjs`,
// after `web/build`. The folder holds the sources of https://github.com/sunfish-shogi/shogihome; by
// default they are fetched into target/shogihome.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import test, { after, before } from "node:test";
import { build } from "esbuild";
import { launch } from "./browser.mjs";
import { serve } from "./server.mjs";

const SOURCE = "https://github.com/sunfish-shogi/shogihome.git";
const root = fileURLToPath(new URL("../../", import.meta.url));
const engine = join(root, "target/web/package/");
let shogihome = process.env.SHOGIHOME, made, browser, server;

before(async () => {
  assert.ok(existsSync(join(engine, "engine.json")), "there is no engine to test; run: web/build");
  if (!shogihome) {
    shogihome = join(root, "target/shogihome");
    if (!existsSync(shogihome)) execFileSync("git", ["clone", "--quiet", "--depth", "1", SOURCE, shogihome], { stdio: "inherit" });
  }
  made = await mkdtemp(join(tmpdir(), "sabi-"));
  const from = join(shogihome, "src/renderer/wasm-engine");
  await build({ entryPoints: [join(from, "engine.worker.ts"), join(from, "manifest.ts"), join(from, "loader.ts")], outdir: made, bundle: true,
    format: "esm", outExtension: { ".js": ".mjs" }, alias: { "@": join(shogihome, "src") }, tsconfigRaw: {} });
  await writeFile(join(made, "index.html"), "<!DOCTYPE html><title>ShogiHome</title>");
  [browser, server] = [await launch(), await serve({ "/engines/sabi/": engine, "/": made })];
});
after(async () => {
  await browser?.close();
  await server?.end();
  if (made) await rm(made, { recursive: true });
});

test("its checks of manifest and module pass", async () => {
  const { parseEngineManifest } = await import(pathToFileURL(join(made, "manifest.mjs")));
  const { validateEngineInstance } = await import(pathToFileURL(join(made, "loader.mjs")));
  const manifest = parseEngineManifest(JSON.parse(await readFile(join(engine, "engine.json"), "utf8")));
  const url = pathToFileURL(join(engine, manifest.module));
  const { default: create } = await import(url);
  const instance = validateEngineInstance(await create({ printErr: () => {}, locateFile: (path) => new URL(path, url).href }));
  assert.equal(typeof instance.poll, "function");
  instance.terminate();
});

test("its worker starts it, plays, stops and ends it", async () => {
  const page = await browser.newPage();
  await page.goto(`${server.address}/`);
  // Like its transport and session.
  const output = await page.evaluate(async () => {
    const worker = new Worker("engine.worker.mjs", { type: "module" });
    const [messages, lines] = [[], []];
    worker.onmessage = ({ data }) => { messages.push(data.type === "receive" ? "" : `${data.type} ${data.message || ""}`); if (data.type === "receive") lines.push(data.line); };
    worker.onerror = (event) => messages.push(`failed ${event.message}`);
    const send = (line) => worker.postMessage({ type: "send", line });
    const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    const until = async (word) => {
      for (const end = Date.now() + 60_000; Date.now() < end; await pause(2)) {
        const at = lines.findIndex((line) => line.startsWith(word));
        if (at >= 0) return lines.splice(0, at + 1);
      }
      throw new Error(`no ${word}: ${messages.filter(Boolean).join()} ${lines.slice(-3).join()}`);
    };
    worker.postMessage({ type: "launch", baseURL: new URL("engines/sabi/", location).href });
    send("usi");
    const result = { usi: await until("usiok") };
    send("setoption name USI_Hash value 32");
    send("setoption name USI_Ponder value true");
    send("isready");
    await until("readyok");
    send("usinewgame");
    send("position startpos moves 7g7f");
    send("go btime 1000 wtime 1000 byoyomi 1000");
    result.move = (await until("bestmove")).at(-1);
    send("setoption name USI_OwnBook value false");
    send("position startpos moves 7g7f 3c3d");
    send("go infinite");
    await pause(1500);
    const start = performance.now();
    send("stop");
    result.analysis = await until("bestmove");
    result.stopped = performance.now() - start;
    send("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    send("go mate infinite");
    result.mate = (await until("checkmate")).at(-1);
    send("position startpos");
    send("go ponder btime 60000 wtime 60000 byoyomi 1000");
    await pause(300);
    send("ponderhit");
    result.ponder = (await until("bestmove")).at(-1);
    send("go infinite");
    await pause(100);
    send("quit");
    worker.postMessage({ type: "terminate" });
    await pause(300);
    result.messages = messages.filter(Boolean);
    result.after = lines.filter((line) => line.startsWith("bestmove"));
    return result;
  });
  assert.ok(output.usi.includes("id author the Sabi developers"));
  assert.match(output.move, /^bestmove [1-9][a-i]/);
  assert.ok(output.analysis.filter((line) => / depth \d+ /.test(line)).length > 3);
  assert.ok(output.stopped < 300, `${output.stopped} ms to stop`);
  assert.equal(output.mate, "checkmate G*5b");
  assert.match(output.ponder, /^bestmove [1-9][a-i]/);
  // What was asked before `quit` is answered.
  assert.deepEqual([output.messages, output.after.length], [["close "], 1]);
});

// The files of the page and its service worker, with stubs of the modules and the browser:
// `node --test web/test/site.test.mjs`. Needs no build.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { runInNewContext } from "node:vm";

const ROOT = new URL("../..", import.meta.url).pathname;
const MODULES = ["sabi.js", "wasi.js", "threads.js", "thread.js", "sabi.wasm", "sabi.threads.wasm"];

async function folder(context) {
  const path = await mkdtemp(join(tmpdir(), "site-"));
  context.after(() => rm(path, { recursive: true }));
  return path;
}

test("the version is that of all files", async (context) => {
  const [from, to] = [await folder(context), await folder(context)];
  const version = async () => {
    execFileSync(process.execPath, ["web/site.mjs", from, to], { cwd: ROOT });
    return /VERSION = "(sabi-[0-9a-f]{16})"/.exec(await readFile(`${to}/service-worker.js`, "utf8"))[1];
  };
  for (const name of MODULES) await writeFile(`${from}/${name}`, "old");
  const versions = [await version()];
  assert.equal(await version(), versions[0]);
  for (const name of ["sabi.wasm", "sabi.threads.wasm"]) {
    await writeFile(`${from}/${name}`, "new");
    versions.push(await version());
  }
  assert.equal(new Set(versions).size, 3);
});

test("a file that is cached on first use does not come from the browser's cache", async () => {
  const listeners = {}, fetched = [];
  const cache = { match: async () => undefined, put: async () => {} };
  const stubs = { addEventListener: (name, listener) => { listeners[name] = listener; }, caches: { open: async () => cache },
    fetch: async (request, options) => { fetched.push(options?.cache); return new Response("a module"); },
    location: { origin: "http://x" }, URL, Headers, Response };
  runInNewContext(await readFile(new URL("../service-worker.js", import.meta.url), "utf8"), stubs);
  for (const mode of ["cors", "navigate"]) {
    let answer;
    listeners.fetch({ request: { method: "GET", url: "http://x/sabi.threads.wasm", mode }, respondWith: (found) => { answer = found; } });
    assert.equal((await answer).status, 200);
  }
  assert.deepEqual(fetched, ["no-cache", undefined]);
});
